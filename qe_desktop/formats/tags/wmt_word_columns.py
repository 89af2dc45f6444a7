"""From the rows of a word table to columns of tags: the wanted rows, in order, each word once and none missing."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Kind, Place, QeError, TagColumn, offsets_of, refuse_all
from qe_desktop.formats.sentences import FEW, few
from qe_desktop.formats.tables import WordTable, counted_from_zero, refuse_beyond, refuse_several, rows_for_pair
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
    """The rows for a language pair. QeError where it must be chosen, and for several systems in one file."""
    chosen = rows_for_pair(table, language_pair)
    refuse_several(table, chosen)
    if chosen.all():
        return table
    left_out = table.left_out[np.isin(table.left_out[:, 0], np.unique(table.pair[chosen]))]
    return replace(table.rows(chosen), left_out=left_out)


def columns_of(
    table: WordTable, sizes: dict[Kind, int] | None = None, without: NDArray[np.int64] | None = None
) -> dict[Kind, WordColumn]:
    """The table's tags by kind; `sizes` says how many segments there must be, where known.

    Words of the segments `without`, counted from 0, are not taken.

    QeError for unknown types, and rows that are missing or there twice.
    """
    if table.layout.kind is None:
        return {Kind.WORDS: _column(table, Kind.WORDS, sizes, without)}
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
        of_kind = table if chosen.all() else table.rows(chosen)
        columns[kind] = _column(of_kind, kind, sizes, without if kind is Kind.WORDS else None)
    return columns


def _column(
    table: WordTable, kind: Kind, sizes: dict[Kind, int] | None, without: NDArray[np.int64] | None = None
) -> WordColumn:
    if not len(table):
        message, hint = tr("no segment has tags in this file"), tr("Give a row for each word of each segment.")
        raise QeError(message, hint=hint, place=table.opened.place())
    size = (sizes or {}).get(kind)
    segments = np.concatenate((table.segment, table.left_out[:, 1])) if len(table.left_out) else table.segment
    named, notes = counted_from_zero(segments, size)
    left_out = table.left_out.copy()
    left_out[:, 1] = named[len(table) :]
    table = _sorted(replace(table, segment=named[: len(table)], left_out=left_out))
    _refuse_both(table)
    last, opened = int(table.segment[-1]), table.opened
    if size is not None:
        refuse_beyond(table, last, int(table.line[-1]), size)
        refuse_beyond(table, int(named.max()), int(left_out[-1, 2]) if len(left_out) else 1, size)
    if without is not None and np.isin(table.segment, without).any():
        dropped = np.isin(table.segment, without)
        said = tr(
            "the words of {n:,} {n:segment|segments} that the gold leaves out are left out here too",
            "", len(np.unique(table.segment[dropped])),
        )  # fmt: skip
        table, notes = table.rows(~dropped), (*notes, said)
    if size is None and last >= 2 * len(table) + 1000:
        message = tr(
            "segment {segment:,} in a file of {n:,} {n:row|rows}: most segments are missing",
            "",
            len(table),
            segment=last,
        )
        raise QeError(message, hint=tr("Give all segments."), place=opened.place(int(table.line[-1])))
    counts = np.bincount(table.segment, minlength=size or int(named.max()) + 1)
    _refuse_twice(table)
    _refuse_holes(table, counts)
    tags = table.tag.copy()
    return WordColumn(kind, TagColumn(tags, offsets_of(counts)), table, notes)


def _sorted(table: WordTable) -> WordTable:
    later, same = np.diff(table.segment), np.diff(table.index)
    if ((later > 0) | ((later == 0) & (same > 0))).all():
        return table
    return table.rows(np.lexsort((table.index, table.segment)))


def _refuse_both(table: WordTable) -> None:
    """Refuse segments that have words and are left out, or are left out twice."""
    segments, lines = table.left_out[:, 1], table.left_out[:, 2]
    again = np.isin(segments, table.segment)
    again[np.setdiff1d(np.arange(len(segments)), np.unique(segments, return_index=True)[1])] = True

    def fault(row: int) -> Fault:
        return Fault(
            table.opened.place(int(lines[row])), tr("segment {segment} stands here again", segment=segments[row])
        )

    refuse_all(np.flatnonzero(again), fault, tr("Give each segment once."))


def _refuse_twice(table: WordTable) -> None:
    def fault(row: int) -> Fault:
        first, second = sorted((int(table.line[row - 1]), int(table.line[row])))
        message = tr(
            "segment {segment}, word {word} stands here again, first in line {line}",
            segment=table.segment[row], word=table.index[row], line=first,
        )  # fmt: skip
        return Fault(table.opened.place(second), message)

    again = np.flatnonzero((np.diff(table.segment) == 0) & (np.diff(table.index) == 0)) + 1
    refuse_all(again, fault, tr("Give each word once."))


def _refuse_holes(table: WordTable, counts: NDArray[np.int64]) -> None:
    offsets = offsets_of(counts)
    expected = np.arange(len(table)) - offsets[table.segment]
    holes = np.flatnonzero((table.index != expected) & (np.diff(table.segment, prepend=-1) >= 0))
    # behind the first hole of a segment all other words are out of step too
    holes = holes[np.diff(table.segment[holes], prepend=-1) > 0]

    def fault(row: int) -> Fault:
        message = tr(
            "word {word} of segment {segment} where word {due} is due",
            word=table.index[row], segment=table.segment[row], due=expected[row],
        )  # fmt: skip
        return Fault(table.opened.place(int(table.line[row])), message)

    refuse_all(holes, fault, tr("Give a row for each word, counted from 0."))


def missing_segments(column: WordColumn, expected: NDArray[np.int32] | None, place: Place) -> None:
    """Refuse a column in which segments have no rows, though the text has tokens there (`expected`, where known)."""
    lengths = column.tags.lengths()
    wanted = np.ones(len(lengths), bool) if expected is None else expected > 0
    wanted[column.rows.left_out[:, 1]] = False
    missing = np.flatnonzero((lengths == 0) & wanted)
    if len(missing):
        named = few([f"{segment:,}" for segment in missing[:FEW]], of=len(missing))
        message = tr(
            "there are no rows for {n:segment|segments} {segments} (counted from 0)", "", len(missing), segments=named
        )
        raise QeError(message, hint=tr("Give a row for each word of each segment."), place=place)
