"""Sentence submissions of the shared tasks: one row a segment, fields apart by tabs.

WMT12-17   METHOD SEGMENT SCORE RANK
WMT20-23   LP METHOD SEGMENT SCORE (behind 0, 2 or 3 lines with one number each)
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import SHOWN, Fault, QeError, faults_of
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.blocks import blocks
from qe_desktop.formats.fields import decimals, header_lines, integers, labels, rows_of
from qe_desktop.formats.language_pairs import wanted_pairs
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading, few
from qe_desktop.formats.tables import ScoreTable
from qe_desktop.formats.tag_lines import shown
from qe_desktop.formats.word_tables import BLOCK
from qe_desktop.wording import tr

_WHOLE = re.compile(rb"\d+")
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_PAIR = re.compile(rb"[a-z]{2,3}-[a-z]{2,3}", re.IGNORECASE)


def _layout(head: bytes) -> tuple[bool, int, int] | None:
    """Whether rows begin with a language pair, how many columns and how many header lines; None for another file."""
    header = header_lines(head)
    row = next((line for line in head.split(b"\n")[header:] if line.strip()), b"").rstrip(b"\r").split(b"\t")
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
    faults: list[Fault] = []
    parts: list[tuple[NDArray[np.generic], ...]] = []
    lines = wrong = 0
    for low, block in blocks(opened, BLOCK):
        rows = rows_of(block, columns, skip if low == opened.start else 0)
        pair = np.zeros(len(rows.lines), np.int32)
        if paired:
            pair = labels(rows.codes, rows.starts[:, 0], rows.ends[:, 0], pairs)
        method = labels(rows.codes, rows.starts[:, shift], rows.ends[:, shift], methods)
        segment, whole = integers(rows.codes, rows.starts[:, shift + 1], rows.ends[:, shift + 1])
        score, finite = decimals(rows.codes, rows.starts[:, shift + 2], rows.ends[:, shift + 2])
        bad = np.flatnonzero(~(whole & finite))
        wrong += len(rows.odd) + len(bad)
        for line in rows.odd[: SHOWN - len(faults)]:
            faults.append(Fault(opened.place(lines + int(line) + 1), tr("the row has not {n} columns", "", columns)))
        for row in bad[: SHOWN - len(faults)]:
            text = shown(rows.text(int(row), shift + (2 if whole[row] else 1)))
            place = opened.place(lines + int(rows.lines[row]) + 1)
            if whole[row]:
                faults.append(Fault(place, tr("{text} is no score", text=text)))
            else:
                faults.append(Fault(place, tr("{text} is no segment number", text=text)))
        parts.append((pair, method, segment, score, rows.lines + lines + 1))
        lines += rows.total
    if wrong:
        hint = tr("Rows are LP METHOD SEGMENT SCORE or METHOD SEGMENT SCORE RANK.")
        raise faults_of(faults[0].message, faults, hint=hint, count=wrong)
    columns_read = [np.concatenate(column) for column in zip(*parts, strict=True)]
    names = [tuple(name.decode("utf-8", "replace") for name in group) for group in (pairs, methods)]
    return ScoreTable(opened, names[0], names[1], *columns_read)


def scores_of(table: ScoreTable, language_pair: str = "", size: int | None = None) -> tuple[Scores, tuple[str, ...]]:
    """The scores in the order of segments, shape (segments,), and notes; `size` is how many there must be.

    QeError for another language pair, several systems, and segments that are missing or there twice.
    """
    chosen = _chosen(table, language_pair)
    segment, line, notes = table.segment[chosen], table.line[chosen], list[str]()
    high = int(segment.max())
    if int(segment.min()) == 1 and (size is None or high == size):
        segment, high = segment - 1, high - 1
        notes.append(tr("the file counts its segments from 1"))
    order = np.argsort(segment, kind="stable")
    again = np.flatnonzero(np.diff(segment[order]) == 0) + 1
    if len(again):
        faults = [_twice(table, segment[order[place]], line[order[place - 1 : place + 1]]) for place in again[:SHOWN]]
        raise faults_of(faults[0].message, faults, hint=tr("Give each segment once."), count=len(again))
    wanted = high + 1 if size is None else size
    if high >= wanted:
        message = tr(
            "segment {segment:,} is beyond the {n:,} segments of the text (they count from 0)", "", wanted, segment=high
        )
        place = table.opened.place(int(line[order[-1]]))
        raise QeError(message, hint=tr("Give the file for this text."), place=place)
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
    return scores, tuple(notes)


def _chosen(table: ScoreTable, language_pair: str) -> NDArray[np.bool_]:
    chosen = np.ones(len(table.segment), bool)
    if table.pairs:
        wanted = wanted_pairs(table.pairs, language_pair, table.opened, int(table.line[0]))
        chosen = np.isin(table.pair, wanted)
    used = np.unique(table.method[chosen])
    if len(used) > 1:
        systems = few([table.methods[number] for number in used])
        message = tr("the file holds several systems: {systems}", systems=systems)
        raise QeError(message, hint=tr("Give each system a file of its own."), place=table.opened.place())
    return chosen


def _twice(table: ScoreTable, segment: int, lines: NDArray[np.int64]) -> Fault:
    first, second = sorted(int(line) for line in lines)
    message = tr("segment {segment} stands here again, first in line {line}", segment=segment, line=first)
    return Fault(table.opened.place(second), message)


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
