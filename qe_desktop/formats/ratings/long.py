"""Tables with one rating a row and columns known by their headers, as CSV or TSV.

    rater,segment,system,scale,value,role,started,seconds        system,segment,judge,adequacy,fluency
    rater,segment,systems,ranks,screen,started                   (systems and ranks are cut by |, such as A|B+C and 1|2)

What we write has the rater, the role and the time of every rating; rankings are written as their pairs.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import PairRatings, QeError, Ratings, ScoreRatings
from qe_desktop.corpus.ratings import Codes, Floats
from qe_desktop.formats.language_pairs import chosen_pair
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.cells import MISSING, flags, is_moment, number_or_nan, rating
from qe_desktop.formats.ratings.column_uses import VALUE, ColumnUse, unread_note, uses_of
from qe_desktop.formats.ratings.columns import (
    Dialect,
    dialect_of,
    first_rows,
    line_of_row,
    odd_notes,
    read_columns,
)
from qe_desktop.formats.ratings.gatherers import BadCell, Gatherer, Moments, Names, Numbers, in_documents
from qe_desktop.formats.ratings.long_writing import write_long
from qe_desktop.formats.ratings.rating_format import ASKED, RatingFormat, no_pairs, no_scores
from qe_desktop.formats.ratings.scale_ranges import Ranges, ends_of, split_name, told
from qe_desktop.formats.ratings.screens import ScreenTable, refuse_crowded
from qe_desktop.formats.ratings.tables import no_rows
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


@dataclass(frozen=True, slots=True, eq=False)
class _Table:
    """What every row has, whatever it rates."""

    raters: tuple[str, ...]
    segments: tuple[str, ...]
    rater: Codes
    segment: Codes
    keep: NDArray[np.bool_]
    role: NDArray[np.uint8]
    started: Floats
    seconds: Floats
    campaigns: tuple[str, ...]
    campaign: Codes
    uids: tuple[str, ...]
    uid: Codes


class _Gathered:
    """The columns of a file, each in the gatherer that fits its meaning."""

    def __init__(self, opened: OpenedFile, layout: _Layout) -> None:
        self.at = layout.at
        self.names = {
            name: Names(empty="")
            for name in ("system", "scale", "document", "pair", "screen", "campaign", "uid", "range")
        }
        self.names |= {name: Names() for name in ("rater", "segment")}
        self.names |= {name: Names(empty="") for name in ("systems", "ranks")}
        self.numbers = {name: Numbers(rating) for name in _VALUES} | {"seconds": Numbers(number_or_nan)}
        self.numbers |= {"role": Numbers(role_code), "flags": Numbers(flags), "started": Moments(), "time": Moments()}
        both: dict[str, Gatherer] = {**self.names, **self.numbers}
        wanted = {self.at[name]: gatherer for name, gatherer in both.items() if name in self.at}
        self.rows = read_columns(opened, layout.dialect, len(layout.header), wanted, skip=1)
        if not self.rows:
            raise no_rows(opened)
        self.notes = odd_notes(opened, layout.dialect, wanted.values(), skip=1)
        self.notes += unread_note(layout.header, wanted.keys())

    def values(self, name: str, otherwise: float = np.nan) -> Floats:
        """The numbers of a column, or the same for all rows where there is none."""
        return self.numbers[name].values if name in self.at else np.full(self.rows, otherwise)

    def marks(self, name: str) -> tuple[tuple[str, ...], Codes]:
        """Names and codes of a column that may be missing."""
        if name not in self.at:
            return ("",), np.zeros(self.rows, np.int32)
        return self.names[name].names, self.names[name].codes


def _read(opened: OpenedFile, language_pair: str) -> Ratings:
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the first row does not name the columns of a table of ratings")
        hint = tr("Such a table begins with a row like rater,segment,system,scale,value.")
        raise QeError(message, hint=hint, place=opened.place(1))
    found = _Gathered(opened, layout)
    table = _table(opened, found, language_pair)
    has_scores = bool(set(_VALUES) & set(layout.at))
    scores = _scores(layout, found, table) if has_scores else no_scores()
    pairs = _pairs(opened, layout, found, table) if {"systems", "ranks"} <= set(layout.at) else no_pairs()
    notes = [*found.notes]
    if "system" not in layout.at and len(scores):
        notes.append(tr("the file names no system, so it is called {name}", name=ONE_SYSTEM))
    if "rater" not in layout.at:
        notes.append(tr("the file names no rater, so all are called {name}", name=ONE_RATER))
    return Ratings(scores, pairs, (), opened.name, tuple(notes), _ranges(layout, found, scores))


def _ranges(layout: _Layout, found: _Gathered, scores: ScoreRatings) -> Ranges:
    """What headers, names of scales and a column tell of where scales go."""
    headers = [layout.header[layout.at[name]] for name in _VALUES if name in layout.at]
    names = [*headers, *(found.names["scale"].names if "scale" in layout.at else ())]
    pairs = [(scale_of(name), split_name(name)[1]) for name in names]
    if "range" in layout.at and len(scores.scales) == 1:
        pairs += [(scores.scales[0], ends_of(cell)) for cell in found.names["range"].names]
    elif "range" in layout.at and "scale" in layout.at:
        held, scale = found.names["range"], found.names["scale"]
        both = np.unique(np.stack([scale.codes, held.codes]), axis=1).T.tolist()
        pairs += [(scale_of(scale.names[one]) or layout.value_scale, ends_of(held.names[cell])) for one, cell in both]
    return told(pairs)


def _table(opened: OpenedFile, found: _Gathered, language_pair: str) -> _Table:
    segments = found.names["segment"].names, found.names["segment"].codes
    if "document" in found.at:
        segments = in_documents(found.names["segment"], found.names["document"])
    keep = np.ones(found.rows, bool)
    if "pair" in found.at:
        pairs = found.names["pair"]
        keep = pairs.codes == chosen_pair(opened, pairs.names, language_pair)
    started, seconds, time = found.values("started"), found.values("seconds"), found.values("time")
    if "time" in found.at:
        # a column called "time" holds moments or durations; small numbers are no moments
        known = time[~np.isnan(time)]
        if len(known) and is_moment(float(known.min())):
            started = np.where(np.isnan(started), time, started)
        else:
            seconds = np.where(np.isnan(seconds), time, seconds)
    raters: tuple[str, ...] = (ONE_RATER,)
    rater = np.zeros(found.rows, np.int32)
    if "rater" in found.at:
        raters, rater = found.names["rater"].names, found.names["rater"].codes
    return _Table(
        raters, segments[0], rater, segments[1], keep, found.values("role", 0).astype(np.uint8), started,
        seconds, *found.marks("campaign"), *found.marks("uid"),
    )  # fmt: skip


def _scores(layout: _Layout, found: _Gathered, table: _Table) -> ScoreRatings:
    columns = [name for name in _VALUES if name in layout.at]
    matrix = np.stack([found.values(name) for name in columns], axis=1)
    row, column = np.nonzero(~np.isnan(matrix) & table.keep[:, None])
    scales = [layout.value_scale if name == "value" else name for name in columns]
    if "scale" in layout.at:
        named_scales = found.names["scale"]
        full = [scale_of(name) or layout.value_scale for name in named_scales.names]
        own = len(scales) + named_scales.codes
        which = np.where(column == columns.index("value") if "value" in columns else False, own[row], column)
        names, scale = renamed([*scales, *full], which.astype(np.int32), [*scales, *full])
    else:
        names, scale = renamed(scales, column.astype(np.int32), scales)
    systems: tuple[str, ...] = (ONE_SYSTEM,)
    system = np.zeros(found.rows, np.int32)
    if "system" in layout.at:
        given = found.names["system"]
        systems, system = renamed(given.names, given.codes, [name or ONE_SYSTEM for name in given.names])
    return ScoreRatings(
        table.raters, systems, table.segments, names, table.rater[row], system[row], table.segment[row], scale,
        matrix[row, column], table.role[row], table.started[row], table.seconds[row],
        found.values("flags", 0)[row].astype(np.uint8), table.campaigns, table.campaign[row], table.uids,
        table.uid[row],
    )  # fmt: skip


def _pairs(opened: OpenedFile, layout: _Layout, found: _Gathered, table: _Table) -> PairRatings:
    systems, ranks = found.names["systems"], found.names["ranks"]
    shown_together = [_cut(cell) for cell in systems.names]
    given = [_cut(cell) for cell in ranks.names]
    refuse_crowded(opened, max(map(len, [*shown_together, *given]), default=0))
    there = table.keep & _filled(systems)[systems.codes] & _filled(ranks)[ranks.codes]
    try:
        _check(systems, ranks, shown_together, given)
    except BadCell as bad:
        line = line_of_row(opened, layout.dialect, bad.row + 1)
        hint = tr("Give as many ranks as systems, both cut by |.")
        raise QeError(bad.message, hint=hint, place=opened.place(line)) from None
    places = {"": 0}
    for units in shown_together:
        for name in units:
            places.setdefault(name, len(places))
    unit = _padded([[places[name] for name in units] for units in shown_together])
    rank = _padded([[int(cell) for cell in cells] for cells in given])
    width = max(unit.shape[1], rank.shape[1])
    unit, rank = (np.pad(one, ((0, 0), (0, width - one.shape[1]))) for one in (unit, rank))
    has_screens = "screen" in layout.at
    screen = found.names["screen"].codes if has_screens else np.arange(found.rows, dtype=np.int32)
    names = found.names["screen"].names if has_screens else tuple(str(row + 1) for row in range(found.rows))
    rows = np.flatnonzero(there)
    return ScreenTable(
        table.raters, table.segments, tuple(places), names, table.rater[rows], table.segment[rows], screen[rows],
        unit[systems.codes[rows]], rank[ranks.codes[rows]].astype(np.int16), table.role[rows], table.started[rows],
        table.seconds[rows], table.campaigns, table.campaign[rows], table.uids, table.uid[rows],
    ).pairs()  # fmt: skip


def _filled(names: Names) -> NDArray[np.bool_]:
    return np.fromiter((name.lower() not in MISSING for name in names.names), bool, len(names.names))


def _cut(cell: str) -> list[str]:
    """The names or ranks in a cell, cut by the first of these marks that it has."""
    if cell.lower() in MISSING:
        return []
    mark = next((mark for mark in "|;," if mark in cell), None)
    return [part.strip() for part in (cell.split(mark) if mark else cell.split())]


def _check(systems: Names, ranks: Names, shown_together: list[list[str]], given: list[list[str]]) -> None:
    """BadCell for ranks that are no numbers, or not as many as the systems of their row."""
    for place, cells in enumerate(given):
        for cell in cells:
            if not _RANK.fullmatch(cell) or int(cell) < -1:
                message = tr("{text} is no rank", text=shown(cell))
                raise BadCell(int(np.argmax(ranks.codes == place)), message)
    sizes = np.array([len(names) for names in shown_together])[systems.codes]
    counts = np.array([len(cells) for cells in given])[ranks.codes]
    wrong = np.flatnonzero(sizes != counts)
    if len(wrong):
        row = int(wrong[0])
        raise BadCell(row, tr("{n} systems, but {ranks} ranks", "", int(sizes[row]), ranks=int(counts[row])))


def _padded(lists: Sequence[Sequence[int]]) -> Codes:
    width = max([1, *map(len, lists)])
    found = np.zeros((len(lists), width), np.int32)
    for row, values in enumerate(lists):
        found[row, : len(values)] = values
    return found


FORMAT = RatingFormat("long", tr("one rating a row"), _confidence, _read, write_long, _uses)
