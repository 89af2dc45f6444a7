"""Sentence submissions of the shared tasks: one row a segment, fields apart by tabs.

WMT12-17   METHOD SEGMENT SCORE RANK
WMT20-23   LP METHOD SEGMENT SCORE (behind 0, 2 or 3 lines with one number each)
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, refuse_all
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.fields import Rows, decoded, first_row, table_rows
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.sentences import few
from qe_desktop.formats.tables import ScoreTable, counted_from_zero, refuse_beyond, rows_for_pair
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

_WHOLE = re.compile(rb"\d+")
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_PAIR = re.compile(rb"[a-z]{2,3}-[a-z]{2,3}", re.IGNORECASE)


def _layout(head: bytes) -> tuple[bool, int, int] | None:
    """Whether rows begin with a language pair, how many columns and how many header lines; None for another file."""
    row, header = first_row(head)
    if len(row) not in (3, 4) or header > 3:
        return None
    whole = [_WHOLE.fullmatch(field) is not None for field in row]
    number = [_NUMBER.fullmatch(field) is not None for field in row]
    if len(row) == 4 and whole[2] and number[3] and (_PAIR.fullmatch(row[0]) or not whole[1]):
        return True, 4, header
    if whole[1] and number[2] and (len(row) == 3 or number[3]):
        return False, len(row), header
    return None


def read_score_table(opened: OpenedFile) -> ScoreTable:
    """All rows of a score table. QeError that names the lines with faulty fields."""
    found = _layout(opened.head())
    if found is None:
        message = tr("the columns are not those of a submission of segment scores")
        raise QeError(message, hint=tr("Rows are: LP METHOD SEGMENT SCORE."), place=opened.place(1))
    paired, columns, skip = found
    shift = 1 if paired else 0
    pairs: dict[bytes, int] = {}
    methods: dict[bytes, int] = {}
    faults = Faults()
    parts: list[tuple[NDArray[np.generic], ...]] = []
    for rows in table_rows(opened, columns, skip, faults):
        pair = rows.labels(0 if paired else None, pairs)
        method = rows.labels(shift, methods)
        segment, whole = rows.integers(shift + 1)
        score, finite = rows.decimals(shift + 2)
        faults.add(np.flatnonzero(~(whole & finite)), partial(_field_fault, opened, rows, shift, whole))
        parts.append((pair, method, segment, score, rows.lines))
    faults.refuse(tr("Rows are LP METHOD SEGMENT SCORE or METHOD SEGMENT SCORE RANK."))
    columns_read = [np.concatenate(column) for column in zip(*parts, strict=True)]
    return ScoreTable(opened, decoded(pairs), decoded(methods), *columns_read)


def _field_fault(opened: OpenedFile, rows: Rows, shift: int, whole: NDArray[np.bool_], row: int) -> Fault:
    place = opened.place(int(rows.lines[row]))
    if whole[row]:
        return Fault(place, tr("{text} is no score", text=shown(rows.text(row, shift + 2))))
    return Fault(place, tr("{text} is no segment number", text=shown(rows.text(row, shift + 1))))


def scores_of(table: ScoreTable, language_pair: str = "", size: int | None = None) -> tuple[Scores, tuple[str, ...]]:
    """The scores in the order of segments, shape (segments,), and notes; `size` is how many there must be.

    QeError for another language pair, several systems, and segments that are missing or there twice.
    """
    chosen = rows_for_pair(table, language_pair)
    line = table.line[chosen]
    segment, notes = counted_from_zero(table.segment[chosen], size)
    order = np.argsort(segment, kind="stable")

    def twice(place: int) -> Fault:
        first, second = sorted(line[order[place - 1 : place + 1]].tolist())
        message = tr(
            "segment {segment} stands here again, first in line {line}", segment=segment[order[place]], line=first
        )
        return Fault(table.opened.place(second), message)

    refuse_all(np.flatnonzero(np.diff(segment[order]) == 0) + 1, twice, tr("Give each segment once."))
    high = int(segment[order[-1]])
    wanted = high + 1 if size is None else size
    refuse_beyond(table, high, int(line[order[-1]]), wanted)
    if len(segment) < wanted:
        lacking = segment[order] != np.arange(len(segment))
        first = int(np.argmax(lacking)) if lacking.any() else len(segment)
        message = tr(
            "{n:,} of {wanted:,} segments are missing, the first is {first:,} (counted from 0)",
            "", wanted - len(segment), wanted=wanted, first=first,
        )  # fmt: skip
        raise QeError(message, hint=tr("Give a row for each segment."), place=table.opened.place())
    scores = table.score[chosen][order]
    scores.flags.writeable = False
    return scores, notes


def _confidence(head: bytes, name: str) -> float:
    return 0.98 if _layout(head) else 0.0


def _read(opened: OpenedFile) -> Reading:
    table = read_score_table(opened)
    scores, pairs = len(table.score), few(table.pairs, joined=True)
    what = tr("segment scores as submitted, {n:,} {n:score|scores}", "", scores)
    if pairs:
        what = tr("segment scores as submitted, {n:,} {n:score|scores}, {pairs}", "", scores, pairs=pairs)
    return Reading(FORMAT.name, what, table)


FORMAT = Format("score table", _confidence, _read)
