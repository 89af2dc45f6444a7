"""Columns with several values per segment: a flat array and the offset of each segment."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, Self, TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)
Offsets = NDArray[np.int64]
Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


class RaggedColumn(Generic[Scalar]):
    """Read-only flat array that is split into segments.

    `values` has shape (items,) and `offsets` shape (segments + 1,): segment i is `values[offsets[i]:offsets[i+1]]`.
    Raises ValueError unless the offsets run from 0 to the number of values.
    """

    __slots__ = ("offsets", "values")

    def __init__(self, values: NDArray[Scalar], offsets: Offsets) -> None:
        if offsets.ndim != 1 or len(offsets) == 0 or offsets[0] != 0 or offsets[-1] != len(values):
            raise ValueError("offsets must run from 0 to the number of values")
        self.values = values.view()
        self.offsets = offsets.view()
        self.values.flags.writeable = False
        self.offsets.flags.writeable = False

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def __getitem__(self, segment: int) -> NDArray[Scalar]:
        return self.values[self.offsets[segment] : self.offsets[segment + 1]]

    def __eq__(self, other: object) -> bool:
        return (
            type(other) is type(self)
            and isinstance(other, RaggedColumn)
            and np.array_equal(self.offsets, other.offsets)
            and np.array_equal(self.values, other.values)
        )

    __hash__ = None  # type: ignore[assignment]

    def lengths(self) -> Ints:
        """Number of values of each segment, shape (segments,)."""
        return np.diff(self.offsets)

    def select_segments(self, keep: NDArray[np.bool_]) -> Self:
        """Copy of this column with only the segments for which `keep`, shape (segments,), is true."""
        lengths = self.lengths()
        return type(self)(self.values[np.repeat(keep, lengths)], offsets_from_lengths(lengths[keep]))

    def without_segments(self, segments: NDArray[np.integer[Any]]) -> Self:
        """Copy of this column in which the segments at the indices `segments`, shape (k,), are empty."""
        lengths = self.lengths()
        keep = np.ones(len(self), bool)
        keep[segments] = False
        return type(self)(self.values[np.repeat(keep, lengths)], offsets_from_lengths(np.where(keep, lengths, 0)))

    def without_last(self) -> Self:
        """Copy of this column without the last value of each segment; every segment must have a value."""
        keep = np.ones(len(self.values), bool)
        keep[self.offsets[1:] - 1] = False
        return type(self)(self.values[keep], offsets_from_lengths(self.lengths() - 1))


class TagColumn(RaggedColumn[np.uint8]):
    """Tags of MT tokens, gaps or source tokens: 1 is BAD (the positive class), 0 is OK."""

    __slots__ = ()

    @classmethod
    def of(cls, segments: Sequence[Sequence[int]]) -> TagColumn:
        """Build a column from the tags of each segment, such as `[[0, 1], [1]]`."""
        flat = [tag for segment in segments for tag in segment]
        return cls(np.asarray(flat, np.uint8), offsets_from_lengths([len(segment) for segment in segments]))

    def bad_share(self) -> float:
        """Share of BAD tags among all tags, 0..1; 0 for an empty column."""
        return float(self.values.mean()) if len(self.values) else 0.0

    def bad_segments(self) -> NDArray[np.bool_]:
        """Mask of the segments with at least one BAD tag, shape (segments,)."""
        bad = np.zeros(len(self), bool)
        is_nonempty = self.offsets[1:] > self.offsets[:-1]
        if is_nonempty.any():
            # as in `segment_sums`, but without widening, which halves the time
            bad[is_nonempty] = np.bitwise_or.reduceat(self.values, self.offsets[:-1][is_nonempty]) != 0
        return bad

    def take(self, first: int, last: int) -> TagColumn:
        """Column with the segments from `first` to `last` (exclusive); its `values` are a view of this column."""
        start = self.offsets[first]
        return TagColumn(self.values[start : self.offsets[last]], self.offsets[first : last + 1] - start)

    def with_segments(self, segments: dict[int, NDArray[np.uint8]]) -> TagColumn:
        """Copy of this column with new tags for some segments; `segments` maps segment indices to tags.

        The number of tags in a segment must not change. If `segments` is empty, this column itself is returned.
        """
        if not segments:
            return self
        values = self.values.copy()
        for segment, new in segments.items():
            values[self.offsets[segment] : self.offsets[segment + 1]] = new
        return TagColumn(values, self.offsets)


class NumberColumn(RaggedColumn[np.float32]):
    """Numeric values of tokens, such as P(BAD)."""

    __slots__ = ()


def offsets_from_lengths(lengths: Sequence[int] | NDArray[Any]) -> Offsets:
    """Compute the offsets of segments, shape (segments + 1,), from their lengths."""
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    return offsets


def segment_sums(values: NDArray[Any], offsets: Offsets) -> NDArray[Any]:
    """Sum of each segment's values; 0 for empty segments.

    `values` has shape (items, …), and the result has shape (segments, …). The result is int64 if `values` are integers
    or booleans, else float64.
    """
    result_dtype = np.int64 if values.dtype.kind in "biu" else np.float64
    # counts of booleans fit into 32 bits, and numpy sums into these several times faster
    sum_dtype = np.int32 if values.dtype == bool and len(values) < 1 << 31 else result_dtype
    is_nonempty = offsets[1:] > offsets[:-1]
    if is_nonempty.all() and len(is_nonempty):
        return np.asarray(
            np.add.reduceat(values, offsets[:-1], axis=0, dtype=sum_dtype).astype(result_dtype, copy=False)
        )
    sums = np.zeros((len(offsets) - 1, *values.shape[1:]), result_dtype)
    if is_nonempty.any():
        # reduceat does not support empty slices, so only non-empty segments take part
        sums[is_nonempty] = np.add.reduceat(values, offsets[:-1][is_nonempty], axis=0, dtype=sum_dtype)
    return sums


def segment_indices(offsets: Offsets) -> Ints:
    """Segment index of each value, shape (items,)."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


class AlignmentColumn(RaggedColumn[np.int32]):
    """Word alignments: each row of `values`, shape (links, 2), is a 0-based pair (source token, MT token)."""

    __slots__ = ()

    @classmethod
    def of(cls, segments: Sequence[Sequence[tuple[int, int]]]) -> AlignmentColumn:
        """Build a column from the pairs (source token, MT token) of each segment."""
        flat = [pair for segment in segments for pair in segment]
        return cls(
            np.asarray(flat, np.int32).reshape(-1, 2), offsets_from_lengths([len(segment) for segment in segments])
        )

    def source_of(self, segment: int, token: int) -> list[int]:
        """Indices of the source tokens aligned to an MT token."""
        pairs = self[segment]
        return [int(index) for index in pairs[pairs[:, 1] == token, 0]]

    def mt_of(self, segment: int, token: int) -> list[int]:
        """Indices of the MT tokens aligned to a source token."""
        pairs = self[segment]
        return [int(index) for index in pairs[pairs[:, 0] == token, 1]]


@dataclass(frozen=True, slots=True, eq=False)
class Documents:
    """Document of each segment.

    `names` are the document names in order of first appearance. `of_segment`, shape (segments,), has indices into
    `names`.
    """

    names: tuple[str, ...]
    of_segment: NDArray[np.int32]

    @classmethod
    def from_names(cls, lines: Sequence[str]) -> Documents:
        """Assign segments to documents; `lines` has the document name of each segment."""
        id_by_name: dict[str, int] = {}
        ids = np.fromiter((id_by_name.setdefault(line, len(id_by_name)) for line in lines), np.int32, len(lines))
        return cls(tuple(id_by_name), ids)

    def name(self, segment: int) -> str:
        """Document name of a segment."""
        return self.names[int(self.of_segment[segment])]


def count_split_documents(of_segment: NDArray[np.integer] | None) -> int:
    """Return the number of documents if permuting or resampling single segments would split a document, else 0.

    `of_segment` has the document index of each segment. The result is 0 if there are no documents, if there is only one
    document, or if every document has only one segment.
    """
    if of_segment is None or len(of_segment) == 0:
        return 0
    count = len(np.unique(of_segment))
    return count if 1 < count < len(of_segment) else 0
