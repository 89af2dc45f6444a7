"""Appraise exports: scores from direct assessment, DA+SQM and ESA as CSV, or rankings as XML.

CSV, no header:
12 columns (ESA)        user,system,itemID,type,source,target,score,docID,isDoc,spans,start,end
11 columns (documents)  user,system,itemID,type,source,target,score,docID,isDoc,start,end
9 columns (segments)    user,system,itemID,type,source,target,score,start,end

Types are TGT, BAD (deliberately degraded), REF and CHK. Document names may have suffixes: "#bad" marks a degraded
document, and "#dup" a duplicate that fills up a rater's task. In some campaigns, another suffix is the system name.

<HIT source-language="deu" target-language="eng"><ranking-task id="SEGMENT">
<ranking-result duration="00:01:02.722000" user="NAME"><translation system="A,B" rank="2" /></ranking-result>
"""

from __future__ import annotations

import math
import re
from array import array
from xml.parsers import expat

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import CAMPAIGN_JOINER, ItemRole, QeError, Ratings, ScoreRatings, encode_names
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.corpus.ratings import NameCodes
from qe_desktop.formats.parsed_tables import select_pair
from qe_desktop.formats.ratings.cell_parsing import is_number, parse_rating
from qe_desktop.formats.ratings.column_builders import (
    ColumnBuilder,
    NameColumn,
    NumericColumn,
    RankingScreens,
    TimestampColumn,
    check_screen_size,
)
from qe_desktop.formats.ratings.csv_tables import COMMAS, CsvColumns, first_rows
from qe_desktop.formats.ratings.rating_format import RatingFormat, parse_role_code, rename_codes
from qe_desktop.formats.tags.tag_lines import quote_token
from qe_desktop.formats.text_files import TextFile
from qe_desktop.i18n.messages import tr

DOCUMENT = "document"
"""Name of the scale for scores of whole documents."""
PAUSE_SECONDS = 600.0
"""Number of seconds between two items after which a rater is considered absent."""
_TYPES = frozenset({"TGT", "BAD", "REF", "CHK"})
"""Types of items; `BAD` is deliberately degraded."""
_BOOLEANS = {"true": 1.0, "1": 1.0, "false": 0.0, "0": 0.0, "": 0.0}
_POSITION_PATTERN = re.compile(r"\d{1,9}", re.ASCII)
"""Pattern of item numbers that are positions in a rater's task; longer numbers are treated as names."""
_DEGRADED, _DUPLICATE = re.compile(r"#bad\d*(#|$)"), re.compile(r"#dup(licate)?\d*(#|$)")


_WIDTHS = (9, 11, 12)
"""Numbers of columns: user,system,itemID,type,source,target,score[,docID,isDoc[,spans]],start,end."""


def _scores_confidence(head: bytes, name: str) -> float:
    rows = first_rows(head, COMMAS)
    fits = [len(row) in _WIDTHS and row[3] in _TYPES and is_number(row[6]) and is_number(row[-1]) for row in rows]
    # single invalid cells are errors of the export, not another format
    return 0.99 if fits and sum(fits) * 2 >= len(fits) else 0.0


def _score(cell: str) -> float:
    value = parse_rating(cell)
    if math.isnan(value):
        raise ValueError(tr("{text} is not a number", text=quote_token(cell)))
    return value


def _boolean(cell: str) -> float:
    value = _BOOLEANS.get(cell.strip().lower())
    if value is None:
        raise ValueError(tr("{text} is not True or False", text=quote_token(cell)))
    return value


def _read_columns(opened: TextFile, width: int) -> CsvColumns:
    names = [
        "user",
        "system",
        "item",
        "role",
        "source",
        "target",
        "score",
        *(["document", "whole"] if width > 9 else []),
    ]
    column_indices = {name: index for index, name in enumerate(names)} | {"start": width - 2, "end": width - 1}
    builders: dict[str, ColumnBuilder] = {
        "user": NameColumn(),
        "system": NameColumn(),
        "item": NameColumn(),
        "role": NumericColumn(parse_role_code),
    }
    builders |= {name: NameColumn(empty="") for name in ("source", "target")}
    builders |= {"score": NumericColumn(_score), "start": TimestampColumn(), "end": TimestampColumn()}
    builders |= {"document": NameColumn(empty=""), "whole": NumericColumn(_boolean)}
    return CsvColumns(opened, COMMAS, width, column_indices, builders, skip=0)


def _read_scores(opened: TextFile, language_pair: str) -> Ratings:
    rows = first_rows(opened.head(), COMMAS, 1)
    width = len(rows[0]) if rows else 0
    if width not in _WIDTHS:
        message = tr("this is not an Appraise CSV export, which has 9, 11 or 12 columns")
        raise QeError(message, hint=tr("Check that it is the right file."), place=opened.location(1))
    columns = _read_columns(opened, width)
    has_clicks = width == 12
    names, documents = columns.names("document")
    is_document, score = columns.values("whole", 0) > 0, columns.values("score")
    (users, user), (systems, system) = columns.names("user"), columns.names("system")
    tutorial = _matching_names(systems, re.compile("tutorial", re.IGNORECASE))[system]
    tutorial |= _matching_names(names, re.compile("tutorial", re.IGNORECASE))[documents]
    in_pair = columns.rows_of_pair(language_pair, "source", "target")
    tutorial &= in_pair
    selected = in_pair & ~tutorial
    keep = selected & _is_last_submission(columns, documents, is_document)
    notes = (*_notes(score, has_clicks, tutorial, selected, keep), *columns.notes())
    keep &= ~np.isnan(score)
    role = columns.values("role").astype(np.uint8)
    role[_matching_names(names, _DEGRADED)[documents] & (role == ItemRole.SYSTEM)] = ItemRole.BAD
    segments, segment = _segments(columns, names, documents, is_document)
    repeated = _matching_names(names, _DUPLICATE)[documents] & _rated_before(columns, segment, role, keep)
    role[repeated & (role == ItemRole.SYSTEM)] = ItemRole.REPEAT
    scores = ScoreRatings(
        users, systems, segments, ("score", DOCUMENT), user, system, segment, is_document.astype(np.int32), score, role,
        columns.values("start"), _seconds_per_item(columns, has_clicks), np.zeros(columns.rows, np.uint8),
    )  # fmt: skip
    return Ratings(scores.take(keep), origin=opened.name, notes=notes)


def _matching_names(names: tuple[str, ...], mark: re.Pattern[str]) -> NDArray[np.bool_]:
    return np.fromiter((mark.search(name) is not None for name in names), bool, len(names))


def _is_last_submission(table: CsvColumns, documents: NameCodes, is_document: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of the rows whose item the rater did not submit again later, shape (rows,).

    Only the last submission of an item counts. A row without an end time counts as earlier than rows with one.
    """
    columns = (
        table.values("role"), is_document, documents, table.codes("item"), table.codes("system"), table.codes("user")
    )  # fmt: skip
    end = np.nan_to_num(table.values("end"), nan=-np.inf)
    order = np.lexsort((np.arange(table.rows), end, *columns))
    keys = np.stack([column.astype(np.int64) for column in columns])[:, order]
    last = np.ones(table.rows, bool)
    last[order[:-1]] = (keys[:, 1:] != keys[:, :-1]).any(axis=0)
    return last


def _segments(
    columns: CsvColumns, names: tuple[str, ...], documents: NameCodes, is_document: NDArray[np.bool_]
) -> tuple[tuple[str, ...], NameCodes]:
    """Return segment names, which consist of a document name and a number, and the index of each row's segment.

    If each item number occurs in only one document, it is used as the segment number. Otherwise, item numbers are only
    positions in a rater's task, and segments are numbered within each document. For a rating of a whole document, the
    segment name has no number.
    """
    base_names = [name.split("#")[0] for name in names]
    bases, base = rename_codes(names, documents, base_names)
    numbers, item = columns.names("item")
    items = item.astype(np.int64)
    several = np.unique(np.stack([items, base]), axis=1).shape[1] > len(np.unique(items))
    if several:
        positions, number = np.unique(_document_positions(columns, documents, base), return_inverse=True)
        labels = [str(position) for position in positions.tolist()]
    else:
        number, labels = items, list(numbers)
    number = np.where(is_document, len(labels), number)
    combined = base.astype(np.int64) * (len(labels) + 1) + number
    different, inverse = np.unique(combined, return_inverse=True)
    segments = []
    for document, position in (divmod(code, len(labels) + 1) for code in different.tolist()):
        parts = [bases[document], labels[position] if position < len(labels) else ""]
        segments.append(":".join(part for part in parts if part))
    return tuple(segments), inverse.astype(np.int32)


def _document_positions(columns: CsvColumns, documents: NameCodes, base: NameCodes) -> Ints:
    """1-based position of each row's item in its document, shape (rows,).

    A document that did not fit into one task continues in the task of the next rater in order of names. If the lengths
    of its parts add up to the length of the whole document, the parts are concatenated.
    """
    (items, item_of), (names, user) = columns.names("item"), columns.names("user")
    item = np.array([int(name) if _POSITION_PATTERN.fullmatch(name) else 0 for name in items], np.int64)[item_of]
    users = np.empty(len(names), np.int64)
    users[np.argsort(names)] = np.arange(len(users))
    # parts are sorted by document, then by rater name
    parts = documents.astype(np.int64) * len(users) + users[user]
    first, inverse = np.unique(parts, return_index=True, return_inverse=True)[1:]
    minimum, maximum = np.full(len(first), np.iinfo(np.int64).max), np.zeros(len(first), np.int64)
    np.minimum.at(minimum, inverse, item)
    np.maximum.at(maximum, inverse, item)
    size, longest = maximum - minimum + 1, np.zeros(int(base.max()) + 1, np.int64)
    np.maximum.at(longest, base[first], size)
    total = np.bincount(documents[first], size, int(documents.max()) + 1).astype(np.int64)[documents[first]]
    parts_before = np.cumsum(size) - size
    opening = np.searchsorted(documents[first], documents[first])
    preceding_length = np.where(total == longest[base[first]], parts_before - parts_before[opening], 0)
    return np.asarray(item - minimum[inverse] + 1 + preceding_length[inverse])


def _rated_before(
    columns: CsvColumns, segment: NameCodes, role: NDArray[np.uint8], keep: NDArray[np.bool_]
) -> NDArray[np.bool_]:
    """Mask of the rows whose rater had already rated this segment of this system in this role, shape (rows,)."""
    rows = np.flatnonzero(keep)
    system, user = columns.codes("system"), columns.codes("user")
    end = np.nan_to_num(columns.values("end"), nan=np.inf)
    order = rows[np.lexsort((rows, *(column[rows] for column in (end, role, segment, system, user))))]
    keys = np.stack([role, segment, system, user])[:, order]
    repeated = np.zeros(columns.rows, bool)
    repeated[order[1:]] = (keys[:, 1:] == keys[:, :-1]).all(axis=0)
    return repeated


def _seconds_per_item(columns: CsvColumns, has_clicks: bool) -> Floats:
    """Seconds spent on each item, shape (rows,), from its start to its end; NaN if the end is not after the start.

    With `has_clicks`, start and end are the times of clicks, and the time is measured from the end of the rater's
    previous item. The result is NaN if there is no previous item, if that item ended at the same time, or if the
    time exceeds `PAUSE_SECONDS`.
    """
    start, end, user = columns.values("start"), columns.values("end"), columns.codes("user")
    if not has_clicks:
        return np.asarray(np.where(end > start, np.round(end - start, 3), np.nan))
    order = np.lexsort((end, user))
    since = np.diff(end[order], prepend=np.nan)
    since[np.append(True, np.diff(user[order]) != 0)] = np.nan
    since[~((since > 0) & (since <= PAUSE_SECONDS))] = np.nan
    seconds = np.empty(columns.rows)
    seconds[order] = np.round(since, 3)
    return seconds


def _notes(
    score: Floats, has_clicks: bool, tutorial: NDArray[np.bool_], selected: NDArray[np.bool_], keep: NDArray[np.bool_]
) -> tuple[str, ...]:
    notes = []
    if tutorial.any():
        notes.append(tr("{n:,} tutorial {n:row|rows} left out", "", int(tutorial.sum())))
    resubmitted = int(selected.sum() - keep.sum())
    if resubmitted:
        notes.append(
            tr(
                "{n:,} {n:row|rows} left out: replaced by {n:a later submission|later submissions} of the same "
                "{n:item|items} by the same {n:rater|raters}",
                "",
                resubmitted,
            )
        )
    if has_clicks:
        notes.append(
            tr(
                "the time spent on an item is measured from the end of the rater's previous item; times over 10 "
                "minutes are left out"
            )
        )
        notes.append(tr("error spans are not read"))
    retained_scores = score[keep]
    if len(retained_scores) and not retained_scores.any():
        notes.append(tr("all scores are 0, as in exports of error annotation (MQM); the errors are not read"))
    return tuple(notes)


APPRAISE_SCORES = RatingFormat("appraise", tr("Appraise scores CSV"), _scores_confidence, _read_scores)


XML_BLOCK_BYTES = 1 << 20
_DURATION = re.compile(r"(?:(\d{1,6}) days?, )?(\d{1,6}):(\d\d):(\d\d(?:\.\d{1,12})?)", re.ASCII)
_RANKINGS_HINT = tr("Use an Appraise export with rankings.")


class _ResultReader:
    """Parser of HITs, which contain ranking tasks with results, into columns; it builds no element tree."""

    def __init__(self, opened: TextFile) -> None:
        self.opened = opened
        self.pairs: list[str] = []
        self.segments: list[str] = []
        self.raters: list[str] = []
        self.seconds = array("d")
        self.sizes = array("l")
        self.units: list[str] = []
        self.ranks = array("h")
        self._pair = self._segment = ""
        self._is_in_result = False
        self.parser = expat.ParserCreate("UTF-8")
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end
        self.parser.StartDoctypeDeclHandler = self._doctype

    def run(self) -> None:
        data = self.opened.data
        try:
            for offset in range(self.opened.start, len(data), XML_BLOCK_BYTES):
                self.parser.Parse(bytes(data[offset : offset + XML_BLOCK_BYTES]), False)
            self.parser.Parse(b"", True)
        except expat.ExpatError as error:
            message = tr("not well-formed XML: {reason}", reason=expat.ErrorString(error.code))
            raise QeError(message, hint=_RANKINGS_HINT, place=self.opened.location(error.lineno)) from None

    def _doctype(self, *_: object) -> None:
        message = tr("the file has a document type declaration (DOCTYPE), which is not allowed for security reasons")
        raise self._error(message, tr("Remove the declaration."))

    def _start(self, name: str, attributes: dict[str, str]) -> None:
        if name == "translation" and self._is_in_result:
            self._translation(attributes)
        elif name == "ranking-result":
            self._is_in_result = True
            self.pairs.append(self._pair)
            self.segments.append(self._segment)
            self.raters.append(attributes.get("user", "") or "unknown")
            self.seconds.append(_duration_seconds(attributes.get("duration", "")))
            self.sizes.append(0)
        elif name == "ranking-task":
            self._segment = attributes.get("id", "")
            if not self._segment:
                message = tr("the task has no id, so its segment is unknown")
                raise self._error(message, tr("Add an id to each ranking-task."))
        elif name == "HIT":
            languages = (attributes.get("source-language", ""), attributes.get("target-language", ""))
            self._pair = "-".join(languages) if any(languages) else ""

    def _end(self, name: str) -> None:
        if name == "ranking-result":
            self._is_in_result = False

    def _translation(self, attributes: dict[str, str]) -> None:
        names = [name.strip() for name in attributes.get("system", "").split(",") if name.strip()]
        ranked = attributes.get("rank", "")
        if not names:
            raise self._error(tr("the translation has no system"), tr("Specify the system of each translation."))
        if not re.fullmatch(r"-?\d{1,3}", ranked, re.ASCII) or int(ranked) < -1:
            message = tr("{text} is not a rank", text=quote_token(ranked))
            raise self._error(message, tr("Ranks must be whole numbers from 1 (best), or -1 for no rank."))
        self.units.append(CAMPAIGN_JOINER.join(names))
        self.ranks.append(int(ranked))
        self.sizes[-1] += 1
        check_screen_size(self.opened, self.sizes[-1], self.parser.CurrentLineNumber)

    def _error(self, message: str, hint: str) -> QeError:
        return QeError(message, hint=hint, place=self.opened.location(self.parser.CurrentLineNumber))


def _duration_seconds(duration: str) -> float:
    match = _DURATION.fullmatch(duration)
    if not match:
        return float("nan")
    return int(match[1] or 0) * 86400 + int(match[2]) * 3600 + int(match[3]) * 60 + float(match[4])


def _read_rankings(opened: TextFile, language_pair: str) -> Ratings:
    reader = _ResultReader(opened)
    reader.run()
    if not reader.sizes:
        raise QeError(tr("the file contains no ranking results"), hint=_RANKINGS_HINT, place=opened.location())
    pairs, pair = encode_names(reader.pairs)
    keep = np.flatnonzero(np.isin(pair, select_pair(opened, pairs, language_pair)))
    raters, rater = encode_names(reader.raters)
    segments, segment = encode_names(reader.segments)
    units, ranks = _pad_results(reader)
    names, unit_codes = encode_names(["", *units.ravel()])
    marks = ("",), np.zeros(len(keep), np.int32)
    table = RankingScreens(
        raters, segments, names, tuple(str(row + 1) for row in range(len(keep))), rater[keep], segment[keep],
        np.arange(len(keep), dtype=np.int32), unit_codes[1:].reshape(units.shape)[keep], ranks[keep],
        np.zeros(len(keep), np.uint8), np.full(len(keep), np.nan), np.asarray(reader.seconds)[keep], *marks, *marks,
    )  # fmt: skip
    skipped = table.skipped_screens()
    notes = (tr("{n:,} {n:skipped item|skipped items}", "", len(skipped)),) if skipped else ()
    return Ratings(pairs=table.pairs(), comments=skipped, origin=opened.name, notes=notes)


def _pad_results(reader: _ResultReader) -> tuple[NDArray[np.object_], NDArray[np.int16]]:
    """Return units and ranks, shape (results, maximum number of units in a result), padded with "" and 0."""
    sizes = np.asarray(reader.sizes)
    inside = np.arange(max(int(sizes.max()), 1)) < sizes[:, None]
    units, ranks = np.full(inside.shape, "", object), np.zeros(inside.shape, np.int16)
    units[inside], ranks[inside] = reader.units, reader.ranks
    return units, ranks


def _rankings_confidence(head: bytes, name: str) -> float:
    start = head.lstrip()[:1]
    if start != b"<":
        return 0.0
    return 0.99 if b"<ranking-" in head or b"<HIT " in head else 0.6


APPRAISE_RANKINGS = RatingFormat("appraise-xml", tr("Appraise rankings XML"), _rankings_confidence, _read_rankings)
"""Systems joined by commas have identical outputs. A result without translations was skipped by the rater."""
