"""One tag or number a line, with empty lines between segments, as marmot writes its files: recognised and joined.

Where no line has more than one value, a line may be a segment of one token, or one token of a segment. The numbers of
tokens decide, then empty lines between lines that follow each other; where neither does, it must be said.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Offsets, Place, QeError, RaggedColumn, offsets_of
from qe_desktop.formats.limits import refuse_long_segments
from qe_desktop.formats.questions import Doubt, Lines
from qe_desktop.formats.sentences import Unit
from qe_desktop.wording import tr

Lengths = NDArray[np.int64]
Column = TypeVar("Column", bound=RaggedColumn[Any])


@dataclass(frozen=True, slots=True, eq=False)
class Segmented(Generic[Column]):
    """A column by segments. `first_lines` are the lines, from 0, on which they begin; None where each is a line."""

    column: Column
    first_lines: Lengths | None = None
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> Callable[[int], int]:
        """Says on which line, from 1, a segment begins; it keeps the lines alone, not the column."""
        return partial(_line, self.first_lines)


def _line(first_lines: Lengths | None, segment: int) -> int:
    return 1 + int(segment if first_lines is None else first_lines[segment])


@dataclass(frozen=True, slots=True, eq=False)
class _Joined:
    """Lines joined into segments: where segments begin among the values, and on which lines."""

    offsets: Offsets
    first_lines: Lengths
    note: str

    @property
    def lengths(self) -> Lengths:
        return np.diff(self.offsets)


def doubt_of(lengths: NDArray[Any]) -> Doubt | None:
    """The doubt that lines with so many values each leave by themselves; None where some line has several."""
    if not _one_each(lengths):
        return None
    return Doubt(Lines, Lines.TOKENS if _looks_joined(lengths) else None)


def segmented(
    column: Column, said: Lines | None, wanted: Callable[[], Sequence[Lengths]], name: str, unit: Unit = Unit.TAGS
) -> Segmented[Column]:
    """A column of lines by segments; `wanted` gives the numbers of values that would fit, where something tells them.

    QeError where a line may be a segment or a token and nothing tells which, or a segment is longer than any text.
    """
    lengths = column.lengths()
    chosen = _chosen(lengths, said, wanted(), name, unit) if _one_each(lengths) else None
    if chosen is None:
        found = Segmented(column)
    else:
        found = Segmented(type(column)(column.values, chosen.offsets), chosen.first_lines, (chosen.note,))
    refuse_long_segments(found.column.lengths(), found.line, name)
    return found


def without(found: Segmented[Column], segments: Lengths) -> Segmented[Column]:
    """The same without the values of segments that the gold leaves out, which a note says."""
    lengths = found.column.lengths()
    held = segments[(segments < len(lengths))]
    held = held[lengths[held] > 0]
    if not len(held):
        return found
    note = tr("{n:,} {n:segment|segments} that the gold leaves out {n:is|are} left out here too", "", len(held))
    return Segmented(found.column.without_segments(held), found.first_lines, (*found.notes, note))


def _chosen(lengths: Lengths, said: Lines | None, wanted: Sequence[Lengths], name: str, unit: Unit) -> _Joined | None:
    """How lines are joined; None where each is a segment."""
    if said is Lines.SEGMENTS or (said is None and _fits(lengths, wanted)):
        return None
    ways = [_at_empty_lines(lengths, unit)]
    ways += [_each_empty_line_ends_one(lengths, unit, last=last) for last in (False, True)]
    if not _inner_empty_lines(lengths):
        ways += [_cut(lengths, want, unit) for want in wanted if want.sum() == lengths.sum()]
    for way in ways:
        if _fits(way.lengths, wanted):
            return way
    if said is Lines.TOKENS or _looks_joined(lengths):
        return ways[0]
    if wanted:
        # neither fits, which will be said with the numbers
        return None
    if unit is Unit.TAGS:
        message = tr("no line has more than one tag: each may be a segment, or one token of a segment")
    else:
        message = tr("no line has more than one number: each may be a segment, or one token of a segment")
    raise QeError(
        message,
        hint=tr("Say which, or add the MT, whose tokens tell."),
        command_hint=tr("Say which (--lines segments or --lines tokens), or give the MT, whose tokens tell."),
        place=Place(name),
    )


def _one_each(lengths: NDArray[Any]) -> bool:
    return len(lengths) > 1 and int(lengths.max()) == 1


def _looks_joined(lengths: NDArray[Any]) -> bool:
    """Whether empty lines stand between values of which some follow each other line by line."""
    return _inner_empty_lines(lengths) and bool(((lengths[:-1] == 1) & (lengths[1:] == 1)).any())


def _inner_empty_lines(lengths: NDArray[Any]) -> bool:
    places = np.flatnonzero(lengths)
    return len(places) > 0 and int(places[-1] - places[0]) + 1 > len(places)


def _fits(lengths: Lengths, wanted: Sequence[Lengths]) -> bool:
    return any(np.array_equal(lengths, want) for want in wanted)


def _at_empty_lines(lengths: Lengths, unit: Unit) -> _Joined:
    """Segments as runs of lines that are not empty."""
    filled = np.flatnonzero(lengths)
    begins = np.flatnonzero(np.diff(filled, prepend=-2) > 1)
    if unit is Unit.TAGS:
        note = tr("one tag a line: joined into {n:,} {n:segment|segments} at the empty lines", "", len(begins))
    else:
        note = tr("one number a line: joined into {n:,} {n:segment|segments} at the empty lines", "", len(begins))
    return _Joined(np.append(begins, len(filled)), filled[begins], note)


def _each_empty_line_ends_one(lengths: Lengths, unit: Unit, *, last: bool) -> _Joined:
    """Segments that end at each empty line, so that two of them in a row leave an empty segment between them.

    With `last`, one more segment follows an empty line at the end of the file.
    """
    empty = np.flatnonzero(lengths == 0)
    ends = np.append(empty, len(lengths)) if last or lengths[-1] else empty
    before = np.concatenate(([0], np.cumsum(lengths)))
    if unit is Unit.TAGS:
        note = tr(
            "one tag a line: joined into {n:,} {n:segment|segments}, of which each empty line ends one", "", len(ends)
        )
    else:
        note = tr(
            "one number a line: joined into {n:,} {n:segment|segments}, of which each empty line ends one",
            "",
            len(ends),
        )
    return _Joined(np.append(0, before[ends]), np.append(0, ends[:-1] + 1), note)


def _cut(lengths: Lengths, wanted: Lengths, unit: Unit) -> _Joined:
    """Segments of the wanted lengths, one after the other."""
    filled, offsets = np.flatnonzero(lengths), offsets_of(wanted)
    if unit is Unit.TAGS:
        note = tr(
            "one tag a line and no empty ones: cut into {n:,} {n:segment|segments} by their numbers of tokens",
            "",
            len(wanted),
        )
    else:
        note = tr(
            "one number a line and no empty ones: cut into {n:,} {n:segment|segments} by their numbers of tokens",
            "",
            len(wanted),
        )
    return _Joined(offsets, filled[np.minimum(offsets[:-1], len(filled) - 1)], note)
