"""Tables with one rating a row and columns known by their headers, as CSV or TSV.

    rater,segment,system,scale,value,role,started,seconds        system,segment,judge,adequacy,fluency
    rater,segment,systems,ranks,screen,started                   (systems and ranks are cut by |, such as A|B+C and 1|2)

What we write has the rater, the role and the time of every rating; rankings are written as their pairs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError, Ratings, ScoreRatings
from qe_desktop.corpus.ratings import Codes
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.cells import EARLIEST, MISSING, flags, number_or_nan, rating
from qe_desktop.formats.ratings.column_uses import VALUE, ColumnUse, uses_of
from qe_desktop.formats.ratings.columns import Dialect, Gathered, dialect_of, first_rows, line_of_row
from qe_desktop.formats.ratings.gatherers import BadCell, Gatherer, Moments, Names, Numbers
from qe_desktop.formats.ratings.long_writing import write_long
from qe_desktop.formats.ratings.rating_format import ASKED, RatingFormat
from qe_desktop.formats.ratings.scale_ranges import Ranges, ends_of, split_name, told
from qe_desktop.formats.ratings.screens import ScreenTable, refuse_crowded
from qe_desktop.formats.ratings.vocabulary import ROLES, SCALES, meanings_of, renamed, role_code, scale_of
from qe_desktop.formats.ratings.wide import ONE_SYSTEM
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

ONE_RATER = "rater"
"""The rater's name where a file names none."""
_VALUES = ("value", "adequacy", "fluency", "z")
_READ = (
    "rater", "segment", "system", "scale", "document", "pair", "screen", "systems", "ranks", "role", "flags", "started",
    "time", "campaign", "uid", "range", "seconds", *_VALUES,
)  # fmt: skip
_RANK = re.compile(r"-?\d{1,3}", re.ASCII)


@dataclass(frozen=True, slots=True)
class _Layout:
    dialect: Dialect
    header: tuple[str, ...]
    rows: list[list[str]]
    at: dict[str, int]
    value_scale: str
    """The scale of the column "value" where no column names it."""

    @property
    def sure(self) -> bool:
        """Whether the table says itself that it holds ratings: it names raters, or scales that only people rate on."""
        if not {"rater", "adequacy", "fluency", "ranks"}.isdisjoint(self.at):
            return True
        return "scale" in self.at and {scale_of(row[self.at["scale"]]) for row in self.rows} <= {"adequacy", "fluency"}

    def uses(self) -> tuple[ColumnUse, ...]:
        """What each column is taken for."""
        taken = {place: VALUE if name in _VALUES else name for name, place in self.at.items() if name in _READ}
        return uses_of(self.header, self.rows, taken)


def _layout(head: bytes) -> _Layout | None:
    dialect = dialect_of(head)
    rows = first_rows(head, dialect)
    if not rows:
        return None
    at = meanings_of(rows[0])
    if "segment" not in at or not ({"rater", "system"} & set(at)):
        return None
    if not (set(_VALUES) & set(at) or {"systems", "ranks"} <= set(at)):
        return None
    if "type" in at:
        cells = {row[at["type"]].strip().lower() for row in rows[1:] if len(row) == len(rows[0])}
        for meaning, words in (("role", set(ROLES)), ("scale", set(SCALES))):
            if cells and cells <= words:
                at.setdefault(meaning, at["type"])
                break
    value = scale_of(rows[0][at["value"]]) if "value" in at else ""
    return _Layout(dialect, tuple(rows[0]), _whole(rows), at, value if value in SCALES.values() else "score")


def _confidence(head: bytes, name: str) -> float:
    layout = _layout(head)
    if layout is None:
        return 0.0
    # without a rater it may be any table of scores: of metrics, for example
    return (0.95 if "rater" in layout.at else 0.65) if layout.sure else ASKED


def _whole(rows: list[list[str]]) -> list[list[str]]:
    return [row for row in rows[1:] if len(row) == len(rows[0])]


def _uses(head: bytes) -> tuple[ColumnUse, ...]:
    layout = _layout(head)
    return () if layout is None else layout.uses()


def _gathered(opened: OpenedFile, layout: _Layout) -> Gathered:
    """The columns of a file, each in the gatherer that fits its meaning."""
    texts = ("system", "scale", "document", "pair", "screen", "campaign", "uid", "range", "systems", "ranks")
    gatherers: dict[str, Gatherer] = {name: Names(empty="") for name in texts}
    gatherers |= {name: Names() for name in ("rater", "segment")}
    gatherers |= {name: Numbers(rating) for name in _VALUES}
    gatherers |= {"seconds": Numbers(number_or_nan), "role": Numbers(role_code), "flags": Numbers(flags)}
    gatherers |= {"started": Moments(), "time": Moments()}
    return Gathered(opened, layout.dialect, len(layout.header), layout.at, gatherers)


def _read(opened: OpenedFile, language_pair: str) -> Ratings:
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the first row does not name the columns of a table of ratings")
        hint = tr("Such a table begins with a row like rater,segment,system,scale,value.")
        raise QeError(message, hint=hint, place=opened.place(1))
    found = _gathered(opened, layout)
    keep = found.of_pair(language_pair, "pair")
    ratings = Ratings(origin=opened.name)
    if set(_VALUES) & set(layout.at):
        ratings = replace(ratings, scores=_scores(layout, found, keep))
    if {"systems", "ranks"} <= set(layout.at):
        ratings = replace(ratings, pairs=_pairs(opened, layout, found, keep))
    notes = [*found.notes(layout.header)]
    if "system" not in found and len(ratings.scores):
        notes.append(tr("the file names no system, so it is called {name}", name=ONE_SYSTEM))
    if "rater" not in found:
        notes.append(tr("the file names no rater, so all are called {name}", name=ONE_RATER))
    return replace(ratings, notes=tuple(notes), ranges=_ranges(layout, found, ratings.scores))


def _ranges(layout: _Layout, found: Gathered, scores: ScoreRatings) -> Ranges:
    """What headers, names of scales and a column tell of where scales go."""
    headers = [layout.header[layout.at[name]] for name in _VALUES if name in layout.at]
    named_scales, scale = found.names("scale")
    pairs = [(scale_of(name), split_name(name)[1]) for name in (*headers, *named_scales)]
    cells, cell = found.names("range")
    if len(scores.scales) == 1:
        pairs += [(scores.scales[0], ends_of(text)) for text in cells]
    elif "scale" in found and "range" in found:
        both = np.unique(np.stack([scale, cell]), axis=1).T.tolist()
        pairs += [(scale_of(named_scales[one]) or layout.value_scale, ends_of(cells[other])) for one, other in both]
    return told(pairs)


def _shared(found: Gathered, rows: NDArray[np.int64]) -> dict[str, Any]:
    """The columns that every row has, whatever it rates, at these rows."""
    started, seconds, time = found.values("started"), found.values("seconds"), found.values("time")
    # a column called "time" holds moments or durations; small numbers are no moments
    known = time[~np.isnan(time)]
    if len(known) and known.min() >= EARLIEST:
        started = np.where(np.isnan(started), time, started)
    else:
        seconds = np.where(np.isnan(seconds), time, seconds)
    raters, rater = found.names("rater", ONE_RATER)
    segments, segment = found.segments()
    campaigns, campaign = found.names("campaign")
    uids, uid = found.names("uid")
    columns: dict[str, NDArray[Any]] = {
        "rater": rater, "segment": segment, "campaign": campaign, "uid": uid, "started": started, "seconds": seconds,
        "role": found.values("role", 0).astype(np.uint8),
    }  # fmt: skip
    names = {"raters": raters, "segments": segments, "campaigns": campaigns, "uids": uids}
    return names | {name: column[rows] for name, column in columns.items()}


def _scores(layout: _Layout, found: Gathered, keep: NDArray[np.bool_]) -> ScoreRatings:
    columns = [name for name in _VALUES if name in layout.at]
    matrix = np.stack([found.values(name) for name in columns], axis=1)
    row, column = np.nonzero(~np.isnan(matrix) & keep[:, None])
    scales = [layout.value_scale if name == "value" else name for name in columns]
    if "scale" in found:
        named_scales, codes = found.names("scale")
        full = [scale_of(name) or layout.value_scale for name in named_scales]
        own = len(scales) + codes
        which = np.where(column == columns.index("value") if "value" in columns else False, own[row], column)
        names, scale = renamed([*scales, *full], which.astype(np.int32), [*scales, *full])
    else:
        names, scale = renamed(scales, column.astype(np.int32), scales)
    systems, system = found.names("system", ONE_SYSTEM)
    return ScoreRatings(
        systems=systems, scales=names, system=system[row], scale=scale, value=matrix[row, column],
        flags=found.values("flags", 0)[row].astype(np.uint8), **_shared(found, row),
    )  # fmt: skip


def _pairs(opened: OpenedFile, layout: _Layout, found: Gathered, keep: NDArray[np.bool_]) -> PairRatings:
    (cells, system), (ranked, ranking) = found.names("systems"), found.names("ranks")
    shown_together, given = [_cut(cell) for cell in cells], [_cut(cell) for cell in ranked]
    refuse_crowded(opened, max(map(len, [*shown_together, *given]), default=0))
    sizes = np.array([len(units) for units in shown_together])[system]
    counts = np.array([len(ranks) for ranks in given])[ranking]
    try:
        _check(given, ranking, sizes, counts)
    except BadCell as bad:
        line = line_of_row(opened, layout.dialect, bad.row + 1)
        hint = tr("Give as many ranks as systems, both cut by |.")
        raise QeError(bad.message, hint=hint, place=opened.place(line)) from None
    places = {"": 0}
    for name in chain.from_iterable(shown_together):
        places.setdefault(name, len(places))
    width = max(1, *map(len, shown_together), *map(len, given))
    unit = _padded([[places[name] for name in units] for units in shown_together], width)
    rank = _padded([[int(cell) for cell in ranks] for ranks in given], width).astype(np.int16)
    screens, screen = found.numbered("screen")
    rows = np.flatnonzero(keep & (sizes > 0) & (counts > 0))
    return ScreenTable(
        units=tuple(places), screens=screens, screen=screen[rows], shown=unit[system[rows]], given=rank[ranking[rows]],
        **_shared(found, rows),
    ).pairs()  # fmt: skip


def _cut(cell: str) -> list[str]:
    """The names or ranks in a cell, cut by the first of these marks that it has."""
    if cell.lower() in MISSING:
        return []
    mark = next((mark for mark in "|;," if mark in cell), None)
    return [part.strip() for part in (cell.split(mark) if mark else cell.split())]


def _check(given: list[list[str]], ranking: Codes, sizes: NDArray[np.int64], counts: NDArray[np.int64]) -> None:
    """BadCell for ranks that are no numbers, or not as many as the systems of their row."""
    for place, cells in enumerate(given):
        for cell in cells:
            if not _RANK.fullmatch(cell) or int(cell) < -1:
                message = tr("{text} is no rank", text=shown(cell))
                raise BadCell(int(np.argmax(ranking == place)), message)
    wrong = np.flatnonzero(sizes != counts)
    if len(wrong):
        row = int(wrong[0])
        raise BadCell(
            row,
            tr("{n} {n:system|systems}, but {ranks} {ranks:rank|ranks}", "", int(sizes[row]), ranks=int(counts[row])),
        )


def _padded(lists: Sequence[Sequence[int]], width: int) -> Codes:
    return np.array([[*values, *[0] * (width - len(values))] for values in lists], np.int32)


FORMAT = RatingFormat("long", tr("one rating a row"), _confidence, _read, write_long, _uses)
