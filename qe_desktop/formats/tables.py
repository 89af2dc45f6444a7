"""Tables of the shared tasks as read: one row a word or a segment, in the file's order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.formats.opening import OpenedFile


@dataclass(frozen=True, slots=True)
class Layout:
    """Where the fields of a row stand, counted from 0; None for what the layout does not have."""

    title: str
    columns: int
    segment: int
    index: int
    word: int
    tag: int
    pair: int | None = None
    method: int | None = None
    kind: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """Rows as read, in their order. All arrays have shape (rows,).

    `pair`, `method` and `kind` index into the names; `begin` and `end` are places of the word in the file's bytes;
    `line` is the row's line in the file, from 1.
    """

    opened: OpenedFile
    layout: Layout
    pairs: tuple[str, ...]
    methods: tuple[str, ...]
    kinds: tuple[str, ...]
    pair: NDArray[np.int32]
    method: NDArray[np.int32]
    kind: NDArray[np.int32]
    segment: NDArray[np.int64]
    index: NDArray[np.int64]
    begin: NDArray[np.int64]
    end: NDArray[np.int64]
    tag: NDArray[np.uint8]
    line: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.tag)

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> WordTable:
        """The table with the chosen rows only, or with its rows in the given order."""
        names = ("pair", "method", "kind", "segment", "index", "begin", "end", "tag", "line")
        columns: dict[str, Any] = {name: getattr(self, name)[chosen] for name in names}
        return replace(self, **columns)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """Rows as read, in their order: arrays of shape (rows,); `pair` and `method` index into the names."""

    opened: OpenedFile
    pairs: tuple[str, ...]
    methods: tuple[str, ...]
    pair: NDArray[np.int32]
    method: NDArray[np.int32]
    segment: NDArray[np.int64]
    score: NDArray[np.float64]
    line: NDArray[np.int64]
