"""Layouts of tag lines: tags of words, of words and `<EOS>`, of gaps, or of interleaved gaps and words.

The layout is determined from the number of tokens in the text, never from whether the number of tags is odd or even.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, QeError, SourceLocation, TagColumn, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.formats.messages import (
    Compared,
    LineContent,
    expected_any,
    expected_like_others,
    line_count_message,
    line_mismatch_message,
    segment_count_message,
    segment_mismatch_message,
)
from qe_desktop.i18n.messages import tr

LAYOUT_BLOCK_SEGMENTS = 1 << 16
"""Number of segments processed in one step."""


class TagLayout(enum.Enum):
    """Layout of a tag line; the value states the number of tags for n tokens."""

    WORDS = "n"
    EOS = "n+1 <EOS>"
    GAPS = "n+1"
    INTERLEAVED = "2n+1"

    def count_tags(self, tokens: NDArray[np.int32]) -> Ints:
        """Number of tags in each segment, where `tokens` are the numbers of tokens, shape (segments,)."""
        tags_per_token, more = {TagLayout.WORDS: (1, 0), TagLayout.INTERLEAVED: (2, 1)}.get(self, (1, 1))
        return tags_per_token * tokens.astype(np.int64) + more


@dataclass(frozen=True, slots=True)
class TaggedItems:
    """Origin of tags, for messages.

    `file` is the name of the file, and `location` returns the location of a segment from its 0-based number.
    `are_lines` is true if each segment is one line.
    """

    file: str
    location: Callable[[int], SourceLocation]
    are_lines: bool = True
    first_number: int = 1
    """Number of the first segment in messages: 1 if segments are lines, 0 if they are segments of a submission."""


def detect_layout(
    lengths: Ints,
    tokens: NDArray[np.int32],
    forms: tuple[TagLayout, ...],
    items: TaggedItems,
    text: Compared,
    unit: LineContent = LineContent.TAGS,
) -> TagLayout:
    """Layout in `forms` that fits all segments of a file.

    `lengths` and `tokens` are the numbers of tags and of tokens per segment. `text` identifies the text that contains
    the tokens, such as the MT. Raises QeError if the file and the text have different numbers of segments, or if no
    layout fits; the error then lists the segments that the best layout does not fit.
    """
    if len(lengths) != len(tokens):
        message = (line_count_message if items.are_lines else segment_count_message)(len(lengths), len(tokens), text)
        hint = tr("The file and the text must have the same segments.")
        raise QeError(message, hint=hint, place=SourceLocation(items.file))
    misfits = {form: np.flatnonzero(lengths != form.count_tags(tokens)) for form in forms}
    best = min(misfits, key=lambda form: len(misfits[form]))
    lines = misfits[best]
    usual = best if 2 * len(lines) < len(lengths) else None

    def error(segment: int) -> Fault:
        actual_count = int(lengths[segment])
        expected_counts = [int(form.count_tags(tokens[segment : segment + 1])[0]) for form in forms]
        expected = _expected_text(
            actual_count,
            expected_counts,
            None if usual is None else expected_counts[forms.index(usual)],
            lines=items.are_lines,
        )
        misfit = line_mismatch_message if items.are_lines else segment_mismatch_message
        message = misfit(segment + items.first_number, unit, actual_count, text, int(tokens[segment]), expected)
        return Fault(items.location(segment), message)

    hint, command_hint = tr("Check that this is the right text, with the right tokenization."), ""
    if (
        unit is LineContent.TAGS
        and TagLayout.WORDS in forms
        and np.array_equal(lengths, TagLayout.GAPS.count_tags(tokens))
    ):
        hint = tr("Each segment has one more tag than tokens: if these are gap tags, select gaps under “Used as”.")
        command_hint = tr(
            "Each segment has one more tag than tokens: if these are gap tags, use --kind gaps or, for convert, "
            "--to gaps."
        )
    raise_for_rows(lines, error, hint, command_hint)
    return best


def _expected_text(actual_count: int, expected_counts: list[int], usual: int | None, *, lines: bool) -> str:
    if actual_count in expected_counts and usual is not None:
        return expected_like_others(usual, lines=lines)
    return expected_any(list(dict.fromkeys(expected_counts)))


def interleave(words: TagColumn, gaps: TagColumn) -> TagColumn:
    """Interleave gaps and words, beginning with a gap, into 2n + 1 tags for n words.

    Raises ValueError unless each segment has one more gap than words.
    """
    if len(words) != len(gaps) or (gaps.lengths() != words.lengths() + 1).any():
        raise ValueError("each segment must have one more gap than words")
    values = np.empty(len(words.values) + len(gaps.values), np.uint8)
    offsets = offsets_from_lengths(words.lengths() + gaps.lengths())
    for first, last in _spans(len(words)):
        part = values[offsets[first] : offsets[last]]
        is_gap = _is_gap(offsets[first : last + 1])
        part[is_gap] = gaps.take(first, last).values
        part[~is_gap] = words.take(first, last).values
    return TagColumn(values, offsets)


def deinterleave(column: TagColumn) -> tuple[TagColumn, TagColumn]:
    """Separate interleaved words and gaps. Raises ValueError if a segment has an even number of tags."""
    lengths = column.lengths()
    if (lengths % 2 == 0).any():
        raise ValueError("interleaved gaps and words have an odd number of tags")
    word_offsets, gap_offsets = offsets_from_lengths(lengths // 2), offsets_from_lengths(lengths // 2 + 1)
    words, gaps = np.empty(word_offsets[-1], np.uint8), np.empty(gap_offsets[-1], np.uint8)
    for first, last in _spans(len(column)):
        part = column.take(first, last)
        is_gap = _is_gap(part.offsets)
        words[word_offsets[first] : word_offsets[last]] = part.values[~is_gap]
        gaps[gap_offsets[first] : gap_offsets[last]] = part.values[is_gap]
    return TagColumn(words, word_offsets), TagColumn(gaps, gap_offsets)


def _is_gap(offsets: Ints) -> NDArray[np.bool_]:
    """Mask of the gaps in interleaved segments: the first, third, fifth … tag of each segment."""
    indices = np.arange(offsets[-1] - offsets[0], dtype=np.int32)
    starts = (offsets[:-1] - offsets[0]).astype(np.int32)
    is_even: NDArray[np.bool_] = ((indices ^ np.repeat(starts, np.diff(offsets))) & 1) == 0
    return is_even


def _spans(segments: int) -> list[tuple[int, int]]:
    return [
        (first, min(first + LAYOUT_BLOCK_SEGMENTS, segments)) for first in range(0, segments, LAYOUT_BLOCK_SEGMENTS)
    ]
