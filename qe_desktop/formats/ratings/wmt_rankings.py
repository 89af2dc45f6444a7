"""Rankings as CSV of the shared tasks, pairwise (WMT15 and 16) and with five systems a row (WMT08-14).

pairwise  srclang,trglang,srcIndex,segmentId,judgeID,system1Id,system1rank,system2Id,system2rank,rankingID
five-way  srclang,trglang,srcIndex,...,judgeID,system1Number,system1Id,...,system5Id,system1rank,...,system5rank

A lower rank is better; rank -1 says that the screen was skipped. Systems with identical outputs are joined by "+".
What we write is pairwise, with columns for the time, and for role and seconds where there is something to say of them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, Ratings
from qe_desktop.corpus.ratings import Codes
from qe_desktop.formats.language_pairs import chosen_pair
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.ratings.cells import moments, number_or_nan, rank
from qe_desktop.formats.ratings.column_uses import unread_note
from qe_desktop.formats.ratings.columns import COMMAS, dialect_of, first_row, odd_notes, read_columns
from qe_desktop.formats.ratings.gatherers import Gatherer, Moments, Names, Numbers
from qe_desktop.formats.ratings.rating_format import RatingFormat, no_scores, unknown
from qe_desktop.formats.ratings.screens import ScreenTable, refuse_crowded
from qe_desktop.formats.ratings.tables import (
    marks_of,
    named,
    no_rows,
    numbers_text,
    refuse_changed,
    refuse_nothing,
    write_table,
)
from qe_desktop.formats.ratings.vocabulary import role_code, role_names
from qe_desktop.wording import tr

HEADER = (
    "srclang", "trglang", "srcIndex", "segmentId", "judgeID", "system1Id", "system1rank", "system2Id", "system2rank",
    "rankingID", "started",
)  # fmt: skip
_SYSTEM = re.compile(r"system(\d+)(id|rank)")


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the columns stand: one by lower-case name, and (system, rank) of each system on a row."""

    columns: Mapping[str, int]
    systems: tuple[tuple[int, int], ...]
    header: tuple[str, ...]


def _layout(header: list[str]) -> _Layout | None:
    columns = {name.strip().lower(): place for place, name in reversed(list(enumerate(header)))}
    numbers = sorted({int(found[1]) for name in columns if (found := _SYSTEM.fullmatch(name))})
    pairs = [(f"system{number}id", f"system{number}rank") for number in numbers]
    if len(pairs) < 2 or "judgeid" not in columns or not {"srcindex", "segmentid"} & set(columns):
        return None
    if any(name not in columns for pair in pairs for name in pair):
        return None
    return _Layout(columns, tuple((columns[name], columns[ranked]) for name, ranked in pairs), tuple(header))


def _confidence(head: bytes, name: str) -> float:
    return 0.99 if _layout(first_row(head)) else 0.0


def _read(opened: OpenedFile, language_pair: str) -> Ratings:
    dialect = dialect_of(opened.head())
    layout = _layout(first_row(opened.head(), dialect))
    if layout is None:
        message = tr("the first row does not name the columns of a WMT ranking")
        hint = tr("They are {columns}.", columns=",".join(HEADER[:-1]))
        raise QeError(message, hint=hint, place=opened.place(1))
    refuse_crowded(opened, len(layout.systems), 1)
    at, units = layout.columns, Names(empty="")
    judges, segments, screens = Names(), Names(), Names(empty="")
    source, target = Names(empty=""), Names(empty="")
    extras = {"started": Moments(), "seconds": Numbers(number_or_nan), "role": Numbers(role_code)}
    systems, ranks = [_Part(units) for _ in layout.systems], [Numbers(rank) for _ in layout.systems]
    # the segment of the test set; classic files have the place within a document in segmentId
    wanted: dict[int, Gatherer] = {at["judgeid"]: judges, at["srcindex" if "srcindex" in at else "segmentid"]: segments}
    marks = {"campaign": Names(empty=""), "rating id": Names(empty="")}
    named: dict[str, Gatherer] = {"srclang": source, "trglang": target, "rankingid": screens, **extras, **marks}
    wanted |= {at[name]: gatherer for name, gatherer in named.items() if name in at}
    for (system, ranked), part, numbers in zip(layout.systems, systems, ranks, strict=True):
        wanted[system], wanted[ranked] = part, numbers
    rows = read_columns(opened, dialect, len(layout.header), wanted, skip=1)
    if not rows:
        raise no_rows(opened)
    keep = _of_pair(opened, source, target, language_pair, rows)
    screen = screens.codes if "rankingid" in at else np.arange(rows, dtype=np.int32)
    names = screens.names if "rankingid" in at else tuple(str(row + 1) for row in range(rows))
    extra = {name: (numbers.values if name in at else _filling(name, rows))[keep] for name, numbers in extras.items()}
    table = ScreenTable(
        judges.names, segments.names, units.names, names, judges.codes[keep], segments.codes[keep], screen[keep],
        np.stack([part.codes for part in systems], axis=1)[keep],
        np.stack([numbers.values for numbers in ranks], axis=1).astype(np.int16)[keep],
        extra["role"].astype(np.uint8), extra["started"], extra["seconds"],
        *_marks(marks["campaign"], "campaign" in at, keep), *_marks(marks["rating id"], "rating id" in at, keep),
    )  # fmt: skip
    notes = odd_notes(opened, dialect, extras.values(), skip=1) + unread_note(layout.header, wanted.keys())
    return Ratings(no_scores(), table.pairs(), table.skipped(), opened.name, notes)


def _filling(name: str, rows: int) -> NDArray[np.float64]:
    return np.zeros(rows) if name == "role" else unknown(rows)


def _marks(held: Names, there: bool, keep: NDArray[np.bool_]) -> tuple[tuple[str, ...], Codes]:
    if not there:
        return ("",), np.zeros(int(keep.sum()), np.int32)
    return held.names, held.codes[keep]


def _of_pair(opened: OpenedFile, source: Names, target: Names, language_pair: str, rows: int) -> NDArray[np.bool_]:
    """The rows of the language pair that is read."""
    if not len(source.codes) or not len(target.codes):
        return np.ones(rows, bool)
    both = source.codes.astype(np.int64) * len(target.names) + target.codes
    found, first, which = np.unique(both, return_index=True, return_inverse=True)
    order = np.argsort(first)
    pairs = [
        "-".join((source.names[int(code) // len(target.names)], target.names[int(code) % len(target.names)]))
        for code in found[order]
    ]
    return np.asarray(which == order[chosen_pair(opened, pairs, language_pair)])


class _Part:
    """A column whose names are numbered together with those of other columns."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._own = Names(empty="")

    def add(self, cells: Sequence[str]) -> None:
        self._own.add(cells)
        for name in self._own.names:
            self._names.places.setdefault(name, len(self._names.places))

    @property
    def codes(self) -> Codes:
        into = np.fromiter((self._names.places[name] for name in self._own.names), np.int32, len(self._own.names))
        return into[self._own.codes]


def _write(ratings: Ratings, path: Path) -> tuple[str, ...]:
    """The pairwise judgements; notes on what a ranking file cannot hold."""
    pairs = ratings.pairs
    message = tr("there are no pairwise judgements to write")
    refuse_nothing(len(pairs), path, message, tr("Choose another form: long, wide or jsonl."))
    for names, used in (
        (pairs.raters, pairs.rater), (pairs.segments, pairs.segment), (pairs.units, pairs.first),
        (pairs.units, pairs.second),
    ):  # fmt: skip
        refuse_changed(names, used, path)
    units, segment, nothing = named(pairs.units), named(pairs.segments)[pairs.segment], [""] * len(pairs)
    header, columns = list(HEADER), [
        nothing, nothing, segment, segment, named(pairs.raters)[pairs.rater],
        units[pairs.first], pairs.first_rank.tolist(), units[pairs.second], pairs.second_rank.tolist(),
        named(pairs.screens)[pairs.screen], moments(pairs.started),
    ]  # fmt: skip
    if np.isfinite(pairs.seconds).any():
        header.append("seconds")
        columns.append(numbers_text(pairs.seconds))
    if pairs.role.any():
        header.append("role")
        columns.append(role_names(pairs.role))
    for name, held in marks_of(pairs).items():
        header.append(name)
        columns.append(held)
    write_table(path, header, columns, COMMAS)
    return _left_out(len(ratings.scores), len(ratings.comments))


def _left_out(scores: int, comments: int) -> tuple[str, ...]:
    """What a ranking file cannot hold."""
    if scores and comments:
        note = tr(
            "a WMT ranking file cannot hold {n:,} ratings on scales and {comments:,} comments and skipped items",
            "", scores, comments=comments,
        )  # fmt: skip
    elif scores:
        note = tr("a WMT ranking file cannot hold {n:,} ratings on scales", "", scores)
    else:
        note = tr("a WMT ranking file cannot hold {n:,} comments and skipped items", "", comments)
    return (note,) if scores or comments else ()


FORMAT = RatingFormat("wmt", tr("WMT ranking CSV"), _confidence, _read, _write)
