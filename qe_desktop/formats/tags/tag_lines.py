"""Tag lines: one segment per line, and one tag, OK or BAD, per token."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, SourceLocation, TagColumn, offsets_from_lengths
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.text import LF, SPACE
from qe_desktop.formats.file_format import Format, ParseResult
from qe_desktop.formats.io.atomic_write import atomic_write
from qe_desktop.formats.io.limits import check_line_count
from qe_desktop.formats.io.line_blocks import (
    CACHED_BLOCK_BYTES,
    ByteArray,
    TokenBlock,
    gather_fields,
    iter_blocks,
    split_tokens,
)
from qe_desktop.formats.io.text_files import TextFile, display_name
from qe_desktop.formats.tags.layouts import interleave
from qe_desktop.i18n.messages import tr

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

    Returns the tags and the number of tags per line. The five letters of OK and BAD are all different, so a block is
    plain if each byte may follow the byte before it.
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
    return tr(
        "tags, {n:,} {n:line|lines}, {tags:,} {tags:tag|tags}, {bad:.1f} % BAD",
        "", len(column), tags=len(column.values), bad=100 * column.bad_share(),
    )  # fmt: skip


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
    # extra line feeds only for segments without tags; the others replace their last separator
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
