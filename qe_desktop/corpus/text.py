"""Text columns: the unchanged bytes of a file, with the offsets of its lines."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Ints, Offsets, segment_sums
from qe_desktop.corpus.languages import (
    MAX_COUNTED_CHARS,
    MAX_DIRECTION_LINES,
    MAX_SCRIPT_LINES,
    Direction,
    has_hardly_any_spaces,
    majority_direction,
    script_language,
)

Span = tuple[int, int]
"""Start and stop (exclusive) of a part of a text, in characters."""
Spans = list[Span]

LINE_BLOCK_BYTES = 1 << 22
"""Bytes per block: large enough for numpy to be efficient, small enough to fit in the cache and to save memory."""

MAX_COMPARED_BYTES = 1 << 17
"""Maximum number of bytes that a comparison of lines reads at once; it always reads at least one byte per line."""
MAX_SAMPLED_BYTES = 12
"""Maximum number of bytes of a line that a comparison reads first; they distinguish most lines of equal length."""

LF, CR, SPACE, TAB = 10, 13, 32, 9


class TextColumn:
    """One line of text per segment, decoded on demand.

    Only LF and CRLF end a line; U+2028 and U+0085 are text. Only spaces and tabs separate tokens; NBSP does not. `data`
    must be UTF-8. `starts` and `ends` (exclusive) are the byte offsets of the lines in `data`, shape (segments,).
    """

    __slots__ = ("_counts", "_direction", "_script", "data", "ends", "starts")

    def __init__(self, data: bytes, starts: Offsets, ends: Offsets) -> None:
        self.data = data
        self.starts = starts
        self.ends = ends
        self._counts: NDArray[np.int32] | None = None
        self._direction: Direction | None = None
        self._script: tuple[str, bool] | None = None

    @classmethod
    def of(cls, lines: Sequence[str]) -> TextColumn:
        """Build a column from `lines`, which must not contain line ends."""
        return cls.from_bytes("".join(f"{line}\n" for line in lines).encode())

    @classmethod
    def from_bytes(cls, data: bytes, start: int = 0) -> TextColumn:
        """Build a column from the bytes of a file, beginning at offset `start`; the last line end may be missing."""
        ends = line_feed_positions(data, start)
        size = len(data)
        if size > start and (len(ends) == 0 or ends[-1] != size - 1):
            ends = np.append(ends, size)
        starts = np.empty_like(ends)
        if len(ends):
            starts[0] = start
            starts[1:] = ends[:-1] + 1
            view = np.frombuffer(data, np.uint8)
            before = view[np.maximum(ends - 1, 0)]
            ends = ends - ((before == CR) & (ends > starts))
        return cls(data, starts, ends)

    def __len__(self) -> int:
        return len(self.starts)

    def __getitem__(self, segment: int) -> str:
        return self.raw(segment).decode("utf-8", "replace")

    def raw(self, segment: int) -> bytes:
        """Bytes of a line, without the line end."""
        # `item` creates no numpy scalar, and this is called for every segment that is read
        return self.data[self.starts.item(segment) : self.ends.item(segment)]

    def equal_lines(self, line: bytes, segments: Ints) -> Ints:
        """Select those of `segments` whose line equals `line`, shape (k,); their order is kept."""
        segments = segments[self.ends[segments] - self.starts[segments] == len(line)]
        data, line_bytes = np.frombuffer(self.data, np.uint8), np.frombuffer(line, np.uint8)
        offsets = np.arange(len(line))
        sample = np.linspace(0, max(0, len(line) - 1), min(len(line), MAX_SAMPLED_BYTES)).astype(np.int64)
        offsets = np.concatenate([sample, np.delete(offsets, sample)])
        while len(offsets) and len(segments):
            block, offsets = np.split(offsets, [max(1, MAX_COMPARED_BYTES // len(segments))])
            segments = segments[(data[self.starts[segments, None] + block] == line_bytes[block]).all(axis=1)]
        return segments

    def lines_of(self, segments: Sequence[int]) -> list[str]:
        """Lines of some segments; for thousands of segments, this is faster than reading single lines."""
        indices, data = list(segments), self.data
        bounds = zip(self.starts[indices].tolist(), self.ends[indices].tolist(), strict=True)
        return [data[start:end].decode("utf-8", "replace") for start, end in bounds]

    def tokens(self, segment: int) -> list[str]:
        """Tokens of a line."""
        return [token for token in re.split("[ \t]", self[segment]) if token]

    def lines(self) -> Iterator[str]:
        """Iterate over the lines."""
        return (self[segment] for segment in range(len(self)))

    def token_counts(self) -> NDArray[np.int32]:
        """Number of tokens of each line, shape (segments,); cached."""
        if self._counts is None:
            # several threads use the counts, and must not see them half-filled
            self._counts = self._count_tokens()
        return self._counts

    def _count_tokens(self) -> NDArray[np.int32]:
        counts = np.zeros(len(self), np.int32)
        for first, last in self.blocks():
            low, high = int(self.starts[first]), int(self.ends[last - 1])
            begins = token_starts(is_separator(np.frombuffer(self.data, np.uint8)[low:high]))
            counts[first:last] = segment_sums(begins, np.append(self.starts[first:last] - low, high - low))
        return counts

    def direction(self) -> Direction:
        """Writing direction of most letters in a sample of the lines; cached."""
        if self._direction is None:
            self._direction = majority_direction(self._sample(MAX_DIRECTION_LINES))
        return self._direction

    def cjk_language(self) -> str:
        """Language code `zh`, `ja` or `ko` that the script of a sample of the lines indicates, else empty; cached."""
        language, _ = self._sampled_script()
        return language if language in ("zh", "ja", "ko") else ""

    def unspaced_language(self) -> str:
        """Language code if a sample of the lines is untokenized and in a script without spaces, else empty; cached.

        The language codes are `zh`, `ja`, `th`, `lo`, `km` and `my`.
        """
        language, unspaced = self._sampled_script()
        return language if unspaced and language != "ko" else ""

    def _sampled_script(self) -> tuple[str, bool]:
        """Language inferred from the script of a sample of the lines, and whether the sample has hardly any spaces."""
        if self._script is None:
            sample = list(self._sample(MAX_SCRIPT_LINES))
            language = script_language(sample)
            self._script = language, bool(language) and has_hardly_any_spaces(sample)
        return self._script

    def _sample(self, lines: int) -> Iterator[str]:
        """Up to `lines` evenly spaced lines; long lines are cut after at least `MAX_COUNTED_CHARS` characters."""
        indices = np.unique(np.linspace(0, len(self) - 1, lines).astype(np.int64)) if len(self) else ()
        # a character has at most four bytes
        return (self.raw(int(index))[: 4 * MAX_COUNTED_CHARS].decode("utf-8", "ignore") for index in indices)

    def blocks(self) -> Iterator[tuple[int, int]]:
        """Yield the range of segments (stop exclusive) of each block of lines that is processed in one step."""
        first = 0
        while first < len(self):
            last = max(first + 1, int(np.searchsorted(self.ends, self.starts[first] + LINE_BLOCK_BYTES)))
            yield first, last
            first = last

    def matches(self, needle: str) -> NDArray[np.bool_]:
        """Mask of the lines that contain `needle`, ignoring case, shape (segments,); all lines if `needle` is empty."""
        mask = np.zeros(len(self), bool)
        if not needle or not len(self):
            return ~mask
        # one match per line is enough, so a match skips the rest of its line
        pattern = re.compile(b"".join(_case_insensitive_pattern(character) for character in needle) + b"[^\n]*")
        match_offsets = np.fromiter((match.start() for match in pattern.finditer(self.data)), np.int64)
        lines = np.searchsorted(self.starts, match_offsets, side="right") - 1
        mask[lines[lines >= 0]] = True
        return mask


def line_feed_positions(data: bytes, start: int = 0) -> Offsets:
    """Offsets in `data` of all line feeds at or after offset `start`."""
    view = np.frombuffer(data, np.uint8)
    chunks = [
        np.flatnonzero(view[offset : offset + LINE_BLOCK_BYTES] == LF) + offset
        for offset in range(start, len(data), LINE_BLOCK_BYTES)
    ]
    return np.concatenate(chunks) if chunks else np.zeros(0, np.int64)


def is_separator(codes: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Mask of the bytes that separate tokens: spaces, tabs and line ends."""
    feeds = codes == LF
    separators = feeds | (codes == SPACE) | (codes == TAB)
    # a CR is text too, except in CRLF
    separators[:-1] |= (codes[:-1] == CR) & feeds[1:]
    return np.asarray(separators)


def token_starts(separators: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Mask of the bytes at which tokens begin, given the mask of the bytes that separate tokens."""
    begins = ~separators
    begins[1:] &= separators[:-1]
    return begins


def _case_insensitive_pattern(character: str) -> bytes:
    forms = {character, character.lower(), character.upper()}
    return b"(?:" + b"|".join(re.escape(form.encode()) for form in sorted(forms)) + b")"
