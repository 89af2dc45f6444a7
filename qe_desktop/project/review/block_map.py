"""Immutable mapping from segments to values; a modified copy shares unchanged blocks with the original."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import TypeVar

Value = TypeVar("Value")
Default = TypeVar("Default")
BLOCK_BITS = 10
"""Number of bits of the index within a block.

Changing the value of one segment copies one block, which has at most 1,024 values, and the mapping of blocks.
"""
MERGE_RATIO = 8
"""If at least `1 / MERGE_RATIO` of all values are read at once, the blocks are merged first."""


class SegmentBlocks(Mapping[int, Value]):
    """Immutable mapping from segments to values; `with_changes` returns a copy that shares all unchanged blocks."""

    __slots__ = ("_blocks", "_size")

    def __init__(self, blocks: dict[int, dict[int, Value]] | None = None) -> None:
        self._blocks = blocks or {}
        self._size = sum(map(len, self._blocks.values()))

    def with_changes(self, changes: Mapping[int, Value | None]) -> SegmentBlocks[Value]:
        """Return a copy with changes (None removes a value), or the object itself if the changes have no effect."""
        blocks, copied = self._blocks, set[int]()
        last, block = -1, dict[int, Value]()
        for segment, value in changes.items():
            number = segment >> BLOCK_BITS
            if number != last:
                # neighbouring segments are in the same block
                last, block = number, blocks.get(number, {})
            if block.get(segment) == value:
                continue
            if number not in copied:
                if blocks is self._blocks:
                    blocks = dict(blocks)
                block = blocks[number] = dict(block)
                copied.add(number)
            if value is None:
                del block[segment]
            else:
                block[segment] = value
        return self if blocks is self._blocks else SegmentBlocks(blocks)

    def __getitem__(self, segment: int) -> Value:
        return self._blocks[segment >> BLOCK_BITS][segment]

    def get(self, segment: int, default: Default | None = None) -> Value | Default | None:  # type: ignore[override]
        """Return the value of a segment, as `dict.get` does, without the overhead of `Mapping.get`."""
        block = self._blocks.get(segment >> BLOCK_BITS)
        return default if block is None else block.get(segment, default)

    def values_of(self, segments: Sequence[int]) -> list[Value | None]:
        """Return the values of segments (None if there is no value); faster than `get` for thousands of segments."""
        if len(segments) * MERGE_RATIO < self._size:
            return [*map(self.get, segments)]
        values: dict[int, Value] = {}
        for block in self._blocks.values():
            values.update(block)
        return [*map(values.get, segments)]

    def __contains__(self, segment: object) -> bool:
        return isinstance(segment, int) and segment in self._blocks.get(segment >> BLOCK_BITS, ())

    def __iter__(self) -> Iterator[int]:
        return chain.from_iterable(self._blocks.values())

    def __len__(self) -> int:
        return self._size
