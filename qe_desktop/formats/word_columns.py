"""From the rows of a word table to columns of tags: the wanted rows, in order, each word once and none missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import SHOWN, Fault, Kind, Place, QeError, TagColumn, faults_of, offsets_of
from qe_desktop.formats.language_pairs import wanted_pairs
from qe_desktop.formats.reading import FEW, few
from qe_desktop.formats.tables import WordTable
from qe_desktop.formats.tag_lines import shown
from qe_desktop.formats.word_tables import kind_of
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class WordColumn:
    """The tags of one kind, in the order of segments and words, with the table's rows in that same order."""

    kind: Kind
    tags: TagColumn
    rows: WordTable
    notes: tuple[str, ...] = ()


def for_pair(table: WordTable, language_pair: str = "") -> WordTable:
    """The rows for a language pair. QeError where a pair must be chosen, or the file is for another one."""
    if table.layout.pair is None:
        return table
    wanted = wanted_pairs(table.pairs, language_pair, table.opened, int(table.line[0]) if len(table) else 1)
    return table if len(wanted) == len(table.pairs) else table.rows(np.isin(table.pair, wanted))


def columns_of(table: WordTable, sizes: dict[Kind, int] | None = None) -> dict[Kind, WordColumn]:
    """The table's tags by kind; `sizes` says how many segments there must be, where known.

    QeError for several systems in one file, unknown types, and rows that are missing or there twice.
    """
    if len(table.methods) > 1:
        used = [table.methods[number] for number in np.unique(table.method)]
        if len(used) > 1:
            message = tr("the file holds several systems: {systems}", systems=few(used))
            raise QeError(message, hint=tr("Give each system a file of its own."), place=table.opened.place())
    if table.layout.kind is None:
        return {Kind.WORDS: _column(table, Kind.WORDS, sizes)}
    numbers: dict[Kind, list[int]] = {}
    for number in np.unique(table.kind):
        kind = kind_of(table.kinds[number])
        if kind is None:
            place = table.opened.place(int(table.line[table.kind == number][0]))
            message = tr("{text} is no type of word", text=shown(table.kinds[number]))
            raise QeError(message, hint=tr("Types are mt, gap and source."), place=place)
        # one kind may go by several names, such as src and source
        numbers.setdefault(kind, []).append(int(number))
    columns: dict[Kind, WordColumn] = {}
    for kind, named in numbers.items():
        chosen = np.isin(table.kind, named)
        columns[kind] = _column(table if chosen.all() else table.rows(chosen), kind, sizes)
    return columns


def _column(table: WordTable, kind: Kind, sizes: dict[Kind, int] | None) -> WordColumn:
    size = (sizes or {}).get(kind)
    table, notes = _counted_from_zero(table, size)
    table = _sorted(table)
    last = int(table.segment[-1])
    opened = table.opened
    if size is not None and last >= size:
        message = tr(
            "segment {segment:,} is beyond the {n:,} segments of the text (they count from 0)", "", size, segment=last
        )
        raise QeError(message, hint=tr("Give the file for this text."), place=opened.place(int(table.line[-1])))
    if size is None and last >= 2 * len(table) + 1000:
        message = tr(
            "segment {segment:,} in a file of {n:,} rows: most segments are missing", "", len(table), segment=last
        )
        raise QeError(message, hint=tr("Give all segments."), place=opened.place(int(table.line[-1])))
    counts = np.bincount(table.segment, minlength=size or 0)
    _refuse_twice(table)
    _refuse_holes(table, counts)
    tags = table.tag.copy()
    return WordColumn(kind, TagColumn(tags, offsets_of(counts)), table, notes)


def _counted_from_zero(table: WordTable, size: int | None) -> tuple[WordTable, tuple[str, ...]]:
    """Segments counted from 0, also where the file counts them from 1."""
    low, high = int(table.segment.min()), int(table.segment.max())
    if low != 1 or (size is not None and high != size):
        return table, ()
    return replace(table, segment=table.segment - 1), (tr("the file counts its segments from 1"),)


def _sorted(table: WordTable) -> WordTable:
    later, same = np.diff(table.segment), np.diff(table.index)
    if ((later > 0) | ((later == 0) & (same > 0))).all():
        return table
    return table.rows(np.lexsort((table.index, table.segment)))


def _refuse_twice(table: WordTable) -> None:
    again = np.flatnonzero((np.diff(table.segment) == 0) & (np.diff(table.index) == 0)) + 1
    if len(again):
        faults = [_twice(table, int(row)) for row in again[:SHOWN]]
        raise faults_of(faults[0].message, faults, hint=tr("Give each word once."), count=len(again))


def _twice(table: WordTable, row: int) -> Fault:
    first, second = sorted((int(table.line[row - 1]), int(table.line[row])))
    message = tr(
        "segment {segment}, word {word} stands here again, first in line {line}",
        segment=table.segment[row], word=table.index[row], line=first,
    )  # fmt: skip
    return Fault(table.opened.place(second), message)


def _refuse_holes(table: WordTable, counts: NDArray[np.int64]) -> None:
    offsets = offsets_of(counts)
    expected = np.arange(len(table)) - offsets[table.segment]
    holes = np.flatnonzero((table.index != expected) & (np.diff(table.segment, prepend=-1) >= 0))
    # behind the first hole of a segment all other words are out of step too
    holes = holes[np.diff(table.segment[holes], prepend=-1) > 0]
    if len(holes):
        faults = [
            Fault(
                table.opened.place(int(table.line[row])),
                tr(
                    "word {word} of segment {segment} where word {due} is due",
                    word=table.index[row], segment=table.segment[row], due=expected[row],
                ),
            )
            for row in holes[:SHOWN]
        ]  # fmt: skip
        hint = tr("Give a row for each word, counted from 0.")
        raise faults_of(faults[0].message, faults, hint=hint, count=len(holes))


def missing_segments(column: WordColumn, expected: NDArray[np.int32] | None, place: Place) -> None:
    """Refuse a column in which segments have no rows, though the text has tokens there (`expected`, where known)."""
    lengths = column.tags.lengths()
    wanted = np.ones(len(lengths), bool) if expected is None else expected > 0
    missing = np.flatnonzero((lengths == 0) & wanted)
    if len(missing):
        named = few([f"{segment:,}" for segment in missing[:FEW]], of=len(missing))
        message = tr(
            "there are no rows for {n:segment|segments} {segments} (counted from 0)", "", len(missing), segments=named
        )
        raise QeError(message, hint=tr("Give a row for each word of each segment."), place=place)
