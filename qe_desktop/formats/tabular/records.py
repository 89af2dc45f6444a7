"""Tables of the shared tasks as read: one row a word or a segment, in the file's order."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, TextRole
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.io.text_files import TextFile
from qe_desktop.formats.language_pairs import select_pair_rows
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import tr

GOLD_METHODS = {"reference", "gold"}
"""What the gold is called where a table names who gave its rows."""
EXCLUDED_MARK = b"hallucination"
"""What the golds of WMT23 have in place of tags or a score where the MT has nothing to do with the source: such a
segment is not scored.
"""


@dataclass(frozen=True, slots=True)
class TableLayout:
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
    text: int | None = None
    """Where the MT stands as it was written, in a layout whose rows are segments with all their words."""


@dataclass(frozen=True, slots=True, eq=False)
class WordTable:
    """Rows as read, in their order. All arrays have shape (rows,).

    `pair`, `method` and `kind` index into the names; `begin` and `end` are places of the word in the file's bytes;
    `line` is the row's line in the file, from 1. `left_out` are segments that the table names and gives no tags: the
    pair, the segment and the line of each, shape (segments, 3).
    """

    opened: TextFile
    layout: TableLayout
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
    left_out: NDArray[np.int64] = field(default_factory=lambda: np.zeros((0, 3), np.int64))

    def __len__(self) -> int:
        return len(self.tag)

    def rows(self, chosen: NDArray[np.bool_] | NDArray[np.int64]) -> WordTable:
        """The table with the chosen rows only, or with its rows in the given order."""
        names = ("pair", "method", "kind", "segment", "index", "begin", "end", "tag", "line")
        columns: dict[str, Any] = {name: getattr(self, name)[chosen] for name in names}
        return replace(self, **columns)


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTable:
    """One row a score, as read, in their order: arrays of shape (rows,); `pair` and `method` index into the names.

    `score` is NaN where the gold sets a segment aside, and finite elsewhere. `gold` has the gold scores that stand in
    each row, shape (rows, golds), which are called `golds`. `notes` say which columns hold something else.
    """

    opened: TextFile
    pairs: tuple[str, ...]
    methods: tuple[str, ...]
    pair: NDArray[np.int32]
    method: NDArray[np.int32]
    segment: NDArray[np.int64]
    score: NDArray[np.float64]
    line: NDArray[np.int64]
    golds: tuple[str, ...]
    gold: NDArray[np.float64]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ScoreGrid:
    """One row a segment, as read, in their order: `values` of shape (rows, golds and then systems).

    `segment` and `line` have shape (rows,). Of the `columns` of the file, `texts` are those with the source and the MT,
    and `notes` say which hold something else.
    """

    opened: TextFile
    golds: tuple[str, ...]
    systems: tuple[str, ...]
    segment: NDArray[np.int64]
    values: NDArray[np.float64]
    line: NDArray[np.int64]
    columns: int
    texts: Mapping[TextRole, int]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Scores by system in the order of the file, shape (segments,) each, read-only; NaN where there is none."""

    systems: Mapping[str, Scores]

    @property
    def size(self) -> int:
        """How many segments each system has; 1 where its score is that of the whole translation."""
        return len(next(iter(self.systems.values())))


def rows_for_pair(table: WordTable | ScoreTable, language_pair: str) -> NDArray[np.bool_]:
    """Rows of a language pair, shape (rows,). QeError if it must be selected, or if the file is for another one."""
    chosen = np.ones(len(table.line), bool)
    wanted = select_pair_rows(table.pairs, language_pair, table.opened, int(table.line[0]) if len(table.line) else 1)
    if len(wanted) < len(table.pairs):
        chosen = np.isin(table.pair, wanted)
    return chosen


def check_single_system(table: WordTable, chosen: NDArray[np.bool_]) -> None:
    """Refuse rows of several systems."""
    used = np.unique(table.method[chosen]) if len(table.methods) > 1 else ()
    if len(used) > 1:
        systems = list_names([table.methods[number] for number in used])
        message = tr("the file contains several systems: {systems}", systems=systems)
        raise QeError(message, hint=tr("Use a separate file for each system."), place=table.opened.place())


def zero_based_segments(segment: NDArray[np.int64], size: int | None) -> tuple[NDArray[np.int64], tuple[str, ...]]:
    """Segments counted from 0, also where a file counts them from 1, which a note says."""
    if int(segment.min()) != 1 or (size is not None and int(segment.max()) != size):
        return segment, ()
    return segment - 1, (tr("segments are counted from 1 in this file"),)


def check_segment_range(table: WordTable | ScoreTable | ScoreGrid, segment: int, line: int, size: int) -> None:
    """Refuse a last segment that a text of this size does not have."""
    if segment >= size:
        message = tr(
            "segment {segment:,} is beyond the {n:,} {n:segment|segments} of the text (counted from 0)",
            "", size, segment=segment,
        )  # fmt: skip
        raise QeError(message, hint=tr("Use the file for this text."), place=table.opened.place(line))
