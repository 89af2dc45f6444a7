"""Detection of files with one token per line, as in Marmot, and joining of their lines into segments.

If no line has more than one tag or number, each line may be a segment of one token, or one token of a segment. This
is determined from the numbers of tokens in the texts or else from empty lines between runs of non-empty lines. If
neither is conclusive, the user must specify it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Offsets, QeError, RaggedColumn, SourceLocation, offsets_from_lengths
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.files import check_segment_lengths
from qe_desktop.formats.importing.planned_file import Ambiguity, LineUnit
from qe_desktop.formats.messages import LineContent
from qe_desktop.i18n.messages import tr

Lengths = Ints
ColumnT = TypeVar("ColumnT", bound=RaggedColumn[Any])


@dataclass(frozen=True, slots=True, eq=False)
class SegmentedColumn(Generic[ColumnT]):
    """Column of values by segment.

    `first_lines` contains the 0-based number of the line on which each segment begins, shape (segments,). It is None if
    each segment is one line.
    """

    column: ColumnT
    first_lines: Lengths | None = None
    notes: tuple[str, ...] = ()

    @property
    def line(self) -> Callable[[int], int]:
        """Function that returns the 1-based line number of a segment; it holds no reference to the column."""
        return partial(_line, self.first_lines)


def _line(first_lines: Lengths | None, segment: int) -> int:
    return 1 + int(segment if first_lines is None else first_lines[segment])


@dataclass(frozen=True, slots=True, eq=False)
class _JoinedLines:
    """Lines joined into segments: offsets of the segments in the values, and 0-based numbers of their first lines."""

    offsets: Offsets
    first_lines: Lengths
    note: str

    @property
    def lengths(self) -> Lengths:
        return np.diff(self.offsets)


def line_unit_ambiguity(lengths: NDArray[Any]) -> Ambiguity | None:
    """Question of whether lines are segments or tokens; `lengths` are the numbers of values per line.

    The default answer is tokens if empty lines seem to separate segments; otherwise, there is no default. Returns None
    if there are fewer than two lines, if any line has several values, or if all lines are empty.
    """
    if not _has_one_value_lines(lengths):
        return None
    return Ambiguity(LineUnit, LineUnit.TOKENS if _looks_joined(lengths) else None)


def join_token_lines(
    column: ColumnT,
    answer: LineUnit | None,
    expected_lengths: Callable[[], Sequence[Lengths]],
    name: str,
    unit: LineContent = LineContent.TAGS,
) -> SegmentedColumn[ColumnT]:
    """Join lines of single tokens into segments, if needed.

    `expected_lengths` returns alternatives for the numbers of values per segment; it returns an empty list if the
    numbers are unknown.

    Raises QeError if it cannot be determined whether lines are segments or tokens, or if a segment is too long.
    """
    lengths = column.lengths()
    joined_lines = (
        _select_joined_lines(lengths, answer, expected_lengths(), name, unit) if _has_one_value_lines(lengths) else None
    )
    if joined_lines is None:
        segmented = SegmentedColumn(column)
    else:
        segmented = SegmentedColumn(
            type(column)(column.values, joined_lines.offsets), joined_lines.first_lines, (joined_lines.note,)
        )
    check_segment_lengths(segmented.column.lengths(), segmented.line, name)
    return segmented


def without_segments(segmented: SegmentedColumn[ColumnT], segments: Lengths) -> SegmentedColumn[ColumnT]:
    """Drop the values of the segments that the gold excludes (`segments`, 0-based), and add a note."""
    lengths = segmented.column.lengths()
    nonempty = segments[segments < len(lengths)]
    nonempty = nonempty[lengths[nonempty] > 0]
    if not len(nonempty):
        return segmented
    note = tr("{n:,} {n:segment|segments} left out, as in the gold", "", len(nonempty))
    return SegmentedColumn(segmented.column.without_segments(nonempty), segmented.first_lines, (*segmented.notes, note))


def _select_joined_lines(
    lengths: Lengths, answer: LineUnit | None, expected_lengths: Sequence[Lengths], name: str, unit: LineContent
) -> _JoinedLines | None:
    """Determine how to join lines into segments; None for no change. Raises QeError if lines are ambiguous."""
    if answer is LineUnit.SEGMENTS or (answer is None and _fits(lengths, expected_lengths)):
        return None
    candidates = [_join_at_empty_lines(lengths, unit)]
    candidates += [_blank_line_segments(lengths, unit, last=last) for last in (False, True)]
    if not _has_inner_empty_lines(lengths):
        candidates += [
            _segments_of_lengths(lengths, expected, unit)
            for expected in expected_lengths
            if expected.sum() == lengths.sum()
        ]
    for candidate in candidates:
        if _fits(candidate.lengths, expected_lengths):
            return candidate
    if answer is LineUnit.TOKENS or _looks_joined(lengths):
        return candidates[0]
    if expected_lengths:
        # neither matches; the caller reports the numbers
        return None
    if unit is LineContent.TAGS:
        message = tr("no line has more than one tag: a line may be a segment, or one token of a segment")
    else:
        message = tr("no line has more than one number: a line may be a segment, or one token of a segment")
    raise QeError(
        message,
        hint=tr("Select whether a line is a segment or a token, or add the MT."),
        command_hint=tr("Use --lines segments or --lines tokens, or provide the MT."),
        place=SourceLocation(name),
    )


def _has_one_value_lines(lengths: NDArray[Any]) -> bool:
    return len(lengths) > 1 and int(lengths.max()) == 1


def _looks_joined(lengths: NDArray[Any]) -> bool:
    """Whether there are empty lines between values, and also values on consecutive lines."""
    return _has_inner_empty_lines(lengths) and bool(((lengths[:-1] == 1) & (lengths[1:] == 1)).any())


def _has_inner_empty_lines(lengths: NDArray[Any]) -> bool:
    filled = np.flatnonzero(lengths)
    return len(filled) > 0 and int(filled[-1] - filled[0]) + 1 > len(filled)


def _fits(lengths: Lengths, expected_lengths: Sequence[Lengths]) -> bool:
    return any(np.array_equal(lengths, expected) for expected in expected_lengths)


def _join_at_empty_lines(lengths: Lengths, unit: LineContent) -> _JoinedLines:
    filled = np.flatnonzero(lengths)
    segment_starts = np.flatnonzero(np.diff(filled, prepend=-2) > 1)
    if unit is LineContent.TAGS:
        note = tr(
            "one tag per line: the lines were joined into {n:,} {n:segment|segments}, separated by empty lines",
            "",
            len(segment_starts),
        )
    else:
        note = tr(
            "one number per line: the lines were joined into {n:,} {n:segment|segments}, separated by empty lines",
            "",
            len(segment_starts),
        )
    return _JoinedLines(np.append(segment_starts, len(filled)), filled[segment_starts], note)


def _blank_line_segments(lengths: Lengths, unit: LineContent, *, last: bool) -> _JoinedLines:
    """Join lines into segments that end at empty lines; two empty lines in a row enclose an empty segment.

    With `last`, an empty line at the end of the file is followed by one more segment, which is empty.
    """
    empty = np.flatnonzero(lengths == 0)
    ends = np.append(empty, len(lengths)) if last or lengths[-1] else empty
    value_offsets = np.concatenate(([0], np.cumsum(lengths)))
    if unit is LineContent.TAGS:
        note = tr(
            "one tag per line: the lines were joined into {n:,} {n:segment|segments}; each empty line ends a segment",
            "",
            len(ends),
        )
    else:
        note = tr(
            "one number per line: the lines were joined into {n:,} {n:segment|segments}; each empty line ends a "
            "segment",
            "",
            len(ends),
        )
    return _JoinedLines(np.append(0, value_offsets[ends]), np.append(0, ends[:-1] + 1), note)


def _segments_of_lengths(lengths: Lengths, segment_lengths: Lengths, unit: LineContent) -> _JoinedLines:
    """Join consecutive lines into segments of the lengths `segment_lengths`."""
    filled, offsets = np.flatnonzero(lengths), offsets_from_lengths(segment_lengths)
    if unit is LineContent.TAGS:
        note = tr(
            "one tag per line, no empty lines: the lines were divided into {n:,} {n:segment|segments} of the "
            "expected lengths",
            "",
            len(segment_lengths),
        )
    else:
        note = tr(
            "one number per line, no empty lines: the lines were divided into {n:,} {n:segment|segments} of the "
            "expected lengths",
            "",
            len(segment_lengths),
        )
    return _JoinedLines(offsets, filled[np.minimum(offsets[:-1], len(filled) - 1)], note)
