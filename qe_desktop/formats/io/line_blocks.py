"""Blocks of whole lines: small enough for the cache, large enough for efficient numpy operations."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.text import LF, is_separator, token_starts
from qe_desktop.formats.io.text_files import TextFile

CACHED_BLOCK_BYTES = 1 << 18
"""Number of bytes in a block that is processed in several passes."""

ByteArray = NDArray[np.uint8]


def iter_blocks(opened: TextFile, size: int = CACHED_BLOCK_BYTES) -> Iterator[tuple[int, bytes]]:
    """Iterate over blocks of whole lines as (offset in `opened.data`, bytes).

    A block has at most `size` bytes, unless it is one longer line. If the last line has no line feed, one is added.
    """
    data = opened.data
    start, end = opened.start, len(data)
    while start < end:
        opened.watch()
        stop = min(start + size, end)
        block = data[start:stop]
        if stop < end:
            cut = block.rfind(b"\n") + 1
            if not cut:
                cut = _end_of_line(opened, stop) - start
                block = data[start : start + cut]
            block, stop = block[:cut], start + cut
        if not block.endswith(b"\n"):
            block += b"\n"
        yield start, block
        start = stop


def _end_of_line(opened: TextFile, offset: int) -> int:
    position = opened.data.find(b"\n", offset)
    return len(opened.data) if position < 0 else position + 1


@dataclass(frozen=True, slots=True, eq=False)
class TokenBlock:
    """Tokens of a block of lines.

    `starts` and `ends` are the byte offsets of tokens in `codes`, shape (tokens,). `counts` is the number of tokens in
    each line, shape (lines,).
    """

    codes: ByteArray
    starts: Ints
    ends: Ints
    counts: Ints

    def line_of(self, token: int) -> int:
        """1-based number of the line that contains a token; lines are counted within the block."""
        return 1 + int(np.searchsorted(np.cumsum(self.counts), token, side="right"))

    def text(self, token: int) -> str:
        """Return a token as text."""
        return self.codes[self.starts[token] : self.ends[token]].tobytes().decode("utf-8", "replace")


def split_tokens(block: bytes) -> TokenBlock:
    """Split a block into tokens, separated by spaces, tabs and line ends. The block must end with a line feed."""
    codes = np.frombuffer(block, np.uint8)
    separators = is_separator(codes)
    finish = separators.copy()
    finish[0] = False
    finish[1:] &= ~separators[:-1]
    starts, ends = np.flatnonzero(token_starts(separators)), np.flatnonzero(finish)
    until = np.searchsorted(starts, np.flatnonzero(codes == LF))
    return TokenBlock(codes, starts, ends, np.diff(until, prepend=0))


def gather_fields(codes: ByteArray, starts: Ints, ends: Ints, width: int) -> ByteArray:
    """First `width` bytes of each field, shape (fields, width); shorter fields are padded with zero bytes."""
    fields = np.empty((len(starts), width), np.uint8)
    offsets = np.arange(width)
    # the index arrays need eight times the memory of the result, so process a part at a time
    step = max(1, CACHED_BLOCK_BYTES // max(width, 1))
    for start in range(0, len(starts), step):
        first, last = starts[start : start + step, None], ends[start : start + step, None]
        field_bytes = codes.take(first + offsets, mode="clip")
        fields[start : start + step] = np.where(offsets < last - first, field_bytes, np.uint8(0))
    return fields
