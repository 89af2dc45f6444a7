"""Tag lines: one segment per line, with one tag, OK or BAD, per token, gap or both.

The layout is determined from the number of tokens in the text, never from whether the number of tags is odd or even.
"""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, SourceLocation, TagColumn, offsets_from_lengths, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.text import LF, SPACE
from qe_desktop.formats.atomic_write import atomic_write
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.files import check_line_count
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
from qe_desktop.formats.text_files import (
    CACHED_BLOCK_BYTES,
    ByteArray,
    TextFile,
    TokenBlock,
    display_name,
    gather_fields,
    iter_blocks,
    split_tokens,
)
from qe_desktop.i18n.messages import tr

LAYOUT_BLOCK_SEGMENTS = 1 << 16
"""Number of segments processed in one step."""


class TagLayout(enum.Enum):
    """Layout of a tag line; the value of a member states the number of tags for n tokens."""

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
    """Layout in `forms` that fits all segments of a file; an odd or even number of tags alone does not decide.

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
        hint = tr(
            "Each segment has one more tag than tokens: if these are gap tags, select “gold: gaps” or “system: gaps” "
            "under “Used as”."
        )
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
    """Separate interleaved tags into words and gaps. Raises ValueError if a segment has an even number of tags."""
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
    """Mask of the gaps in interleaved segments, shape (tags,): the first, third, fifth … tag of each segment."""
    indices = np.arange(offsets[-1] - offsets[0], dtype=np.int32)
    starts = (offsets[:-1] - offsets[0]).astype(np.int32)
    is_even: NDArray[np.bool_] = ((indices ^ np.repeat(starts, np.diff(offsets))) & 1) == 0
    return is_even


def _spans(segments: int) -> list[tuple[int, int]]:
    return [
        (first, min(first + LAYOUT_BLOCK_SEGMENTS, segments)) for first in range(0, segments, LAYOUT_BLOCK_SEGMENTS)
    ]


MIN_LINES_WITH_GAPS = 10
"""Minimum number of lines, all with an odd number of tags, for the description “of words and gaps”."""
LETTER_O, LETTER_K, LETTER_B, LETTER_A, LETTER_D = b"OKBAD"
TagCodes = NDArray[np.uint8]


def read_tag_lines(opened: TextFile) -> TagColumn:
    """Read all tags of a file, one segment per line; an empty line is a segment without tags.

    Tags are OK, GOOD and BAD, ignoring case. Raises QeError if there are other tokens or too many lines.
    """
    check_line_count(opened.data, opened.name)
    size = len(opened.data) - opened.start
    # a tag needs at least three bytes, and the last line may lack its end
    tags = np.empty(size // 3 + 1, np.uint8)
    lengths: list[NDArray[np.int32]] = []
    errors, filled, lines = Faults(), 0, 0
    for _, raw in iter_blocks(opened):
        block = raw.replace(b"\r\n", b"\n") if b"\r" in raw else raw
        parsed = _parse_plain_block(block)
        if parsed is None:
            parts = split_tokens(block)
            values, valid = classify_tags(parts.codes, parts.starts, parts.ends)
            errors.add(np.flatnonzero(~valid), partial(_invalid_tag_error, opened, parts, lines))
            parsed = values, parts.counts
        values, counts = parsed
        if not errors.count:
            tags[filled : filled + len(values)] = values
            filled += len(values)
        lengths.append(counts.astype(np.int32))
        lines += len(counts)
    errors.raise_if_any(tr("Tags must be OK or BAD, separated by spaces."))
    # the unused part of the buffer is never touched, so it costs no memory; a mostly unused buffer is trimmed
    column = tags[:filled] if filled > size // 8 else tags[:filled].copy()
    return TagColumn(column, offsets_from_lengths(np.concatenate(lengths)))


def _invalid_tag_error(opened: TextFile, parts: TokenBlock, lines: int, token: int) -> Fault:
    return Fault(
        opened.location(lines + parts.line_of(token)),
        tr("{text} is not OK or BAD", text=quote_token(parts.text(token))),
    )


def _parse_plain_block(block: bytes) -> tuple[TagCodes, Ints] | None:
    """Parse a plain block, which contains only OK, BAD and single separators; return None for other blocks.

    Returns the tags and the number of tags per line. The five letters of OK and BAD are all different, so it is
    enough to check that each byte may follow the byte before it.
    """
    codes = np.frombuffer(block, np.uint8)
    is_d, space, feed = codes == LETTER_D, codes == SPACE, codes == LF
    first = (codes == LETTER_O) | (codes == LETTER_B)
    last = is_d | (codes == LETTER_K)
    is_invalid = (codes[:-1] == LETTER_O) != (codes[1:] == LETTER_K)
    is_invalid |= (codes[:-1] == LETTER_B) != (codes[1:] == LETTER_A)
    is_invalid |= (codes[:-1] == LETTER_A) != is_d[1:]
    is_invalid |= last[:-1] > (space | feed)[1:]
    is_invalid |= space[:-1] > first[1:]
    is_invalid |= feed[:-1] > (first | feed)[1:]
    if is_invalid.any() or not (first[0] or feed[0]):
        return None
    last_offsets = np.flatnonzero(last)
    tags = is_d[last_offsets].view(np.uint8)
    until = np.flatnonzero(feed[last_offsets + 1]) + 1
    if len(until) < np.count_nonzero(feed):
        # some lines are empty, and do not end in a tag
        until = np.searchsorted(last_offsets, np.flatnonzero(feed))
    return tags, np.diff(until, prepend=0)


def classify_tags(codes: ByteArray, starts: Ints, ends: Ints) -> tuple[TagCodes, NDArray[np.bool_]]:
    """Classify tokens: return the tag of each (1 for BAD) and a mask of the valid tags."""
    field_bytes = gather_fields(codes, starts, ends, 4)
    # clearing this bit converts letters to upper case
    small = (field_bytes >= ord("a")) & (field_bytes <= ord("z"))
    field_bytes = np.where(small, field_bytes & 0xDF, field_bytes)
    words = np.ascontiguousarray(field_bytes).view("<u4")[:, 0]
    is_bad = words == int.from_bytes(b"BAD\0", "little")
    is_ok = (words == int.from_bytes(b"OK\0\0", "little")) | (words == int.from_bytes(b"GOOD", "little"))
    return is_bad.view(np.uint8), (is_bad | is_ok) & (ends - starts <= 4)


def _confidence(head: bytes, name: str) -> float:
    parts = split_tokens(head if head.endswith(b"\n") else head + b"\n")
    if not len(parts.starts):
        return 0.0
    _, valid = classify_tags(parts.codes, parts.starts, parts.ends)
    # a file with “tags” in its name is an invalid tag file rather than a text
    return 0.9 if valid.mean() > (0.2 if "tags" in name else 0.6) else 0.0


def _read(opened: TextFile) -> ParseResult:
    column = read_tag_lines(opened)
    return ParseResult(FORMAT.name, describe_tags(column), column)


def describe_tags(column: TagColumn) -> str:
    """One-line description of a tag column, such as `tags, 511 lines, 20,238 tags, 3.1 % BAD`."""
    if _has_tags_of_gaps(column):
        return tr(
            "tags, {n:,} {n:line|lines}, {tags:,} {tags:tag|tags} of words and gaps, {bad:.1f} % BAD",
            "", len(column), tags=len(column.values), bad=100 * column.bad_share(),
        )  # fmt: skip
    return tr(
        "tags, {n:,} {n:line|lines}, {tags:,} {tags:tag|tags}, {bad:.1f} % BAD",
        "", len(column), tags=len(column.values), bad=100 * column.bad_share(),
    )  # fmt: skip


def _has_tags_of_gaps(column: TagColumn) -> bool:
    """Return whether the tags seem to be of words and gaps: n words and n + 1 gaps have an odd number of tags."""
    return len(column) >= MIN_LINES_WITH_GAPS and bool((column.lengths() % 2 == 1).all())


def quote_token(token: str) -> str:
    """Quote a token for messages; long tokens are shortened, and non-printable characters are escaped."""
    short = token if len(token) <= 40 else token[:39] + "…"
    return '"' + "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in short) + '"'


def tag_line_bytes(column: TagColumn, first: int, last: int) -> bytes:
    """Format segments `first` to `last` (exclusive) as tag lines."""
    part = column.take(first, last)
    lengths = part.lengths()
    bad = part.values != 0
    widths = np.where(bad, 4, 3)
    filled = lengths > 0
    after = np.cumsum(widths)
    # only segments without tags need extra bytes; in others, the line feed replaces the last separator
    shift = np.cumsum(~filled)
    ends = after + np.repeat(shift, lengths)
    size = (int(after[-1]) if len(after) else 0) + int((~filled).sum())
    out = np.full(size, LF, np.uint8)
    starts = ends - widths
    out[starts] = np.where(bad, LETTER_B, LETTER_O)
    out[starts + 1] = np.where(bad, LETTER_A, LETTER_K)
    out[starts[bad] + 2] = LETTER_D
    inner = np.ones(len(ends), bool)
    inner[part.offsets[1:][filled] - 1] = False
    out[ends[inner] - 1] = SPACE
    return out.tobytes()


def write_tag_lines(path: Path, column: TagColumn) -> None:
    """Write one line of OK and BAD tags per segment, atomically (see `atomic_write`)."""
    with atomic_write(path) as file:
        first = 0
        while first < len(column):
            last = int(np.searchsorted(column.offsets, column.offsets[first] + CACHED_BLOCK_BYTES, side="right")) - 1
            last = min(max(last, first + 1), first + CACHED_BLOCK_BYTES, len(column))
            file.write(tag_line_bytes(column, first, last))
            first = last


def write_tags(path: Path, column: TagColumn, *, gaps: TagColumn | None = None) -> None:
    """Write tags atomically, one segment per line.

    With `gaps`, the word tags in `column` are interleaved with the gap tags (2n+1 tags for n words). Without `gaps`,
    any column (words, words with <EOS>, gaps or source tokens) is written unchanged.

    Raises QeError if `gaps` does not have one more tag than `column` in each segment, or if the file cannot be written.
    """
    if gaps is None:
        write_tag_lines(path, column)
        return
    try:
        interleaved = interleave(column, gaps)
    except ValueError:
        message = tr("each segment must have one more gap than words")
        raise QeError(
            message, hint=tr("Use words and gaps of the same MT."), place=SourceLocation(display_name(path))
        ) from None
    write_tag_lines(path, interleaved)


FORMAT = Format("tags", _confidence, _read)
