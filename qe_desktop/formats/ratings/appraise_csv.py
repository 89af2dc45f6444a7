"""Scores as Appraise exports them for direct assessment, DA+SQM and ESA: rows without a header.

12 columns (ESA)        user,system,itemID,type,source,target,score,docID,isDoc,spans,start,end
11 columns (documents)  user,system,itemID,type,source,target,score,docID,isDoc,start,end
 9 columns (segments)   user,system,itemID,type,source,target,score,start,end

Types are TGT, BAD (degraded on purpose), REF and CHK. Document names carry marks: "#bad", "#dup" for a document that
fills up a rater's share, and in some campaigns the system's name.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import ItemRole, Ratings, ScoreRatings
from qe_desktop.corpus.ratings import Codes, Floats
from qe_desktop.formats.language_pairs import chosen_pair
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.cells import is_number, rating
from qe_desktop.formats.ratings.columns import COMMAS, first_rows, odd_notes, read_columns
from qe_desktop.formats.ratings.gatherers import Gatherer, Moments, Names, Numbers
from qe_desktop.formats.ratings.rating_format import RatingFormat, no_pairs
from qe_desktop.formats.ratings.tables import no_rows
from qe_desktop.formats.ratings.vocabulary import renamed, role_code
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

DOCUMENT = "document"
"""The scale of scores that were given to a whole document."""
PAUSE = 600.0
"""Seconds without an item after which a rater was not at work."""
_TYPES = frozenset({"TGT", "BAD", "REF", "CHK"})
_BOOLEANS = {"true": 1.0, "1": 1.0, "false": 0.0, "0": 0.0, "": 0.0}
_PLACE = re.compile(r"\d{1,9}", re.ASCII)
"""What can be an item's place in a rater's share; anything longer is a name."""
_BAD, _DUPLICATE = re.compile(r"#bad\d*(#|$)"), re.compile(r"#dup(licate)?\d*(#|$)")


def _confidence(head: bytes, name: str) -> float:
    rows = first_rows(head, COMMAS)
    fits = [len(row) in (9, 11, 12) and row[3] in _TYPES and is_number(row[6]) and is_number(row[-1]) for row in rows]
    # a wrong cell here and there is an error of the export, not another format
    return 0.99 if fits and sum(fits) * 2 >= len(fits) else 0.0


def _score(cell: str) -> float:
    value = rating(cell)
    if math.isnan(value):
        raise ValueError(tr("{text} is no number", text=shown(cell)))
    return value


def _boolean(cell: str) -> float:
    value = _BOOLEANS.get(cell.strip().lower())
    if value is None:
        raise ValueError(tr("{text} is neither True nor False", text=shown(cell)))
    return value


@dataclass(slots=True)
class _Export:
    """The columns of an export, shape (rows,)."""

    users: Names
    systems: Names
    items: Names
    documents: Names
    source: Names
    target: Names
    role: Numbers
    score: Numbers
    whole: Numbers
    start: Numbers
    end: Numbers
    rows: int = 0
    touched: bool = False
    """Whether the times are those of an item's first and last touch (ESA), not of its whole screen."""


def _columns(opened: OpenedFile) -> _Export:
    width = len(first_rows(opened.head(), COMMAS, 1)[0])
    export = _Export(
        Names(), Names(), Names(), Names(empty=""), Names(empty=""), Names(empty=""), Numbers(role_code),
        Numbers(_score), Numbers(_boolean), Moments(), Moments(),
    )  # fmt: skip
    wanted: dict[int, Gatherer] = {
        0: export.users, 1: export.systems, 2: export.items, 3: export.role, 4: export.source, 5: export.target,
        6: export.score, width - 2: export.start, width - 1: export.end,
    }  # fmt: skip
    if width > 9:
        wanted |= {7: export.documents, 8: export.whole}
    export.rows = read_columns(opened, COMMAS, width, wanted)
    export.touched = width == 12
    return export


def _read(opened: OpenedFile, language_pair: str) -> Ratings:
    export = _columns(opened)
    if not export.rows:
        raise no_rows(opened)
    with_documents = bool(len(export.documents.codes))
    documents = export.documents.codes if with_documents else np.zeros(export.rows, np.int32)
    names = export.documents.names if with_documents else ("",)
    whole = export.whole.values > 0 if with_documents else np.zeros(export.rows, bool)
    tutorial = _marked(export.systems.names, re.compile("tutorial", re.IGNORECASE))[export.systems.codes]
    tutorial |= _marked(names, re.compile("tutorial", re.IGNORECASE))[documents]
    wanted = _of_pair(opened, export, language_pair) & ~tutorial
    keep = wanted & _last_of_each(export, documents, whole)
    notes = _notes(export, tutorial, wanted, keep)
    notes += odd_notes(opened, COMMAS, (export.score, export.start, export.end))
    keep &= ~np.isnan(export.score.values)
    role = export.role.values.astype(np.uint8)
    role[_marked(names, _BAD)[documents] & (role == ItemRole.SYSTEM)] = ItemRole.BAD
    segments, segment = _segments(export, names, documents, whole)
    again = _marked(names, _DUPLICATE)[documents] & _rated_before(export, segment, role, keep)
    role[again & (role == ItemRole.SYSTEM)] = ItemRole.REPEAT
    scores = ScoreRatings(
        export.users.names, export.systems.names, segments, ("score", DOCUMENT), export.users.codes,
        export.systems.codes, segment, whole.astype(np.int32), export.score.values, role, export.start.values,
        _seconds(export), np.zeros(export.rows, np.uint8),
    )  # fmt: skip
    return Ratings(scores.take(keep), no_pairs(), (), opened.name, notes)


def _marked(names: tuple[str, ...], mark: re.Pattern[str]) -> NDArray[np.bool_]:
    return np.fromiter((mark.search(name) is not None for name in names), bool, len(names))


def _of_pair(opened: OpenedFile, export: _Export, language_pair: str) -> NDArray[np.bool_]:
    both = export.source.codes.astype(np.int64) * len(export.target.names) + export.target.codes
    found, first, which = np.unique(both, return_index=True, return_inverse=True)
    order = np.argsort(first)
    sources, targets = export.source.names, export.target.names
    pairs = [f"{sources[code // len(targets)]}-{targets[code % len(targets)]}" for code in found[order].tolist()]
    return np.asarray(which == order[chosen_pair(opened, pairs, language_pair)])


def _last_of_each(export: _Export, documents: Codes, whole: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """The rows that were not sent again later: an item that a rater sends twice counts as sent last."""
    place = np.arange(export.rows)
    order = np.lexsort((
        place, export.end.values, export.role.values, whole, documents, export.items.codes, export.systems.codes,
        export.users.codes,
    ))  # fmt: skip
    columns = (export.role.values, whole, documents, export.items.codes, export.systems.codes, export.users.codes)
    keys = np.stack([column.astype(np.int64) for column in columns])[:, order]
    last = np.ones(export.rows, bool)
    last[order[:-1]] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    return last


def _segments(
    export: _Export, names: tuple[str, ...], documents: Codes, whole: NDArray[np.bool_]
) -> tuple[tuple[str, ...], Codes]:
    """The segment of each row: its document and the number in it.

    An item's number is that of the segment where each number belongs to one document; where it is only the place in a
    rater's share, segments are counted within the document.
    """
    plain = [name.split("#")[0] for name in names]
    bases, base = renamed(names, documents, plain)
    items = export.items.codes.astype(np.int64)
    several = np.unique(np.stack([items, base]), axis=1).shape[1] > len(np.unique(items))
    if several:
        places, number = np.unique(_places(export, documents, base), return_inverse=True)
        labels = [str(place) for place in places.tolist()]
    else:
        number, labels = items, list(export.items.names)
    number = np.where(whole, len(labels), number)
    both = base.astype(np.int64) * (len(labels) + 1) + number
    found, which = np.unique(both, return_inverse=True)
    said = []
    for document, item in (divmod(code, len(labels) + 1) for code in found.tolist()):
        parts = [bases[document], labels[item] if item < len(labels) else ""]
        said.append(":".join(part for part in parts if part))
    return tuple(said), which.astype(np.int32)


def _places(export: _Export, documents: Codes, base: Codes) -> NDArray[np.int64]:
    """Each row's place, from 1, in its document.

    A document that did not fit into a share goes on in that of the next rater (by name): parts that together are as
    long as the whole document stand one behind the other.
    """
    digits = [int(name) if _PLACE.fullmatch(name) else 0 for name in export.items.names]
    item = np.array(digits, np.int64)[export.items.codes]
    users = np.empty(len(export.users.names), np.int64)
    users[np.argsort(export.users.names)] = np.arange(len(users))
    # parts are sorted by document, then by the name of the rater
    parts = documents.astype(np.int64) * len(users) + users[export.users.codes]
    first, which = np.unique(parts, return_index=True, return_inverse=True)[1:]
    least, most = np.full(len(first), np.iinfo(np.int64).max), np.zeros(len(first), np.int64)
    np.minimum.at(least, which, item)
    np.maximum.at(most, which, item)
    size, longest = most - least + 1, np.zeros(int(base.max()) + 1, np.int64)
    np.maximum.at(longest, base[first], size)
    total = np.bincount(documents[first], size, int(documents.max()) + 1).astype(np.int64)[documents[first]]
    upto = np.cumsum(size) - size
    opening = np.searchsorted(documents[first], documents[first])
    before = np.where(total == longest[base[first]], upto - upto[opening], 0)
    return np.asarray(item - least[which] + 1 + before[which])


def _rated_before(
    export: _Export, segment: Codes, role: NDArray[np.uint8], keep: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """The rows whose system and segment the same rater has rated before."""
    rows = np.flatnonzero(keep)
    order = rows[np.lexsort((rows, _known(export.end.values)[rows], role[rows], segment[rows],
                             export.systems.codes[rows], export.users.codes[rows]))]  # fmt: skip
    keys = np.stack([role, segment, export.systems.codes, export.users.codes])[:, order]
    again = np.zeros(export.rows, bool)
    again[order[1:]] = (keys[:, 1:] == keys[:, :-1]).all(axis=0)
    return again


def _seconds(export: _Export) -> Floats:
    """The seconds of each item: from start to end, or, where these are touches, since the rater's item before.

    Then the first item of a rater and those after a pause of more than `PAUSE` have none.
    """
    start, end = export.start.values, export.end.values
    if not export.touched:
        return np.asarray(np.where(end > start, np.round(end - start, 3), np.nan))
    order = np.lexsort((end, export.users.codes))
    since = np.diff(end[order], prepend=np.nan)
    since[np.append(True, np.diff(export.users.codes[order]) != 0)] = np.nan
    since[~((since > 0) & (since <= PAUSE))] = np.nan
    seconds = np.empty(export.rows)
    seconds[order] = np.round(since, 3)
    return seconds


def _known(times: Floats) -> Floats:
    return np.nan_to_num(times, nan=np.inf)


def _notes(
    export: _Export, tutorial: NDArray[np.bool_], wanted: NDArray[np.bool_], keep: NDArray[np.bool_]
) -> tuple[str, ...]:
    notes = []
    if tutorial.any():
        notes.append(tr("{n:,} {n:row|rows} of the tutorial left out", "", int(tutorial.sum())))
    again = int(wanted.sum() - keep.sum())
    if again:
        notes.append(tr("{n:,} {n:row|rows} left out whose item the rater sent again later", "", again))
    if export.touched:
        notes.append(tr("the time of an item is that since the rater's item before, pauses of 10 minutes left out"))
        notes.append(tr("the spans of errors are not read"))
    kept = export.score.values[keep]
    if len(kept) and not kept.any():
        notes.append(tr("all scores are 0, as in exports of error marking (MQM), whose errors are not read"))
    return tuple(notes)


FORMAT = RatingFormat("appraise", tr("Appraise CSV of scores"), _confidence, _read)
