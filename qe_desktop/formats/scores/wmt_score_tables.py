"""Sentence submissions and golds of the shared tasks: one row a segment of a method, fields apart by tabs.

WMT12-17   METHOD SEGMENT SCORE RANK
WMT20-23   LP METHOD SEGMENT SCORE (behind 0, 2 or 3 lines with one number each)
WMT24      LP TYPE METHOD SEGMENT SCORE (the same)

Where the first row names the columns they stand in any order, and golds may stand beside the scores:

WMT23      lp gold sid score                 (in the second column stands “gold”)
Graham     METRIC SID SCORE RANK HUMAN       (several methods; the gold of the segment is HUMAN)
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError
from qe_desktop.formats.commas import with_tabs
from qe_desktop.formats.fields import Rows, decoded, first_row, table_rows, unquoted
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.score_columns import described, names_of
from qe_desktop.formats.score_headers import METHODS, PAIRS, SCORE, SEGMENTS, Header, header_of
from qe_desktop.formats.sentences import few
from qe_desktop.formats.tables import GOLD_METHODS, LEFT_OUT, ScoreTable
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

_WHOLE = re.compile(rb"\d+")
_NUMBER = re.compile(rb"[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?")
_PAIR = re.compile(rb"[a-z]{2,3}-[a-z]{2,3}", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _Layout:
    """How many columns and lines of a header there are, and where the columns stand; None for what is not there."""

    columns: int
    skip: int
    method: int
    segment: int
    score: int
    pair: int | None = None
    golds: tuple[int, ...] = ()
    header: Header | None = None
    """The columns' names, where the first row has them."""

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the other columns, where they have names."""
        read = {self.method, self.segment, self.score, self.pair, *self.golds}
        return () if self.header is None else self.header.unread_notes(read)


def _layout(head: bytes) -> _Layout | None:
    """The layout that a file's first bytes show; None for another file."""
    return _without_names(head) or _with_names(head)


def _without_names(head: bytes) -> _Layout | None:
    row, header = first_row(head)
    columns = len(row)
    if columns not in (3, 4, 5) or header > 3:
        return None
    whole = [_WHOLE.fullmatch(field) is not None for field in row]
    number = [_NUMBER.fullmatch(field) is not None for field in row]
    paired = _PAIR.fullmatch(row[0]) is not None
    if columns == 5:
        return _Layout(5, header, 2, 3, 4, pair=0) if paired and whole[3] and number[4] else None
    if columns == 4 and whole[2] and number[3] and (paired or not whole[1]):
        return _Layout(4, header, 1, 2, 3, pair=0)
    if whole[1] and number[2] and (columns == 3 or number[3]):
        return _Layout(columns, header, 0, 1, 2)
    return None


def _with_names(head: bytes) -> _Layout | None:
    header = header_of(head)
    if header is None:
        return None
    segment, score = header.place(SEGMENTS), header.place(SCORE)
    named = [place for place, word in enumerate(header.plain) if word in METHODS | GOLD_METHODS]
    method = next((place for place in named if not header.numeric(place)), None)
    if segment is None or score is None or method is None:
        return None
    others = [place for place in range(len(header.names)) if place not in (segment, score, method)]
    golds = tuple(place for place in others if header.holds_scores(place) and header.is_gold(place))
    # scores of what is called a system may be what people said of its translations
    sure = bool(golds) or header.plain[method] in ("metric", "method") or _all_gold(header, method)
    found = _Layout(len(header.names), 1, method, segment, score, header.place(PAIRS), golds, header)
    return found if sure else None


def _all_gold(header: Header, column: int) -> bool:
    return all(name.lower() in GOLD_METHODS for name in _named(row[column] for row in header.rows))


def read_score_table(opened: OpenedFile) -> ScoreTable:
    """All rows of a score table. QeError that names the lines with faulty fields."""
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the columns are not those of a submission of segment scores")
        raise QeError(message, hint=tr("Rows are: LP METHOD SEGMENT SCORE."), place=opened.place(1))
    opened = opened if layout.header is None else with_tabs(opened)
    pairs: dict[bytes, int] = {}
    methods: dict[bytes, int] = {}
    faults = Faults()
    parts: list[tuple[NDArray[np.generic], ...]] = []
    for rows in table_rows(opened, layout.columns, layout.skip, faults):
        pair = rows.labels(layout.pair, pairs)
        method = rows.labels(layout.method, methods)
        segment, valid = rows.integers(layout.segment)
        faults.add(np.flatnonzero(~valid), partial(_no_segment, opened, rows, layout.segment))
        scores = np.empty((len(segment), 1 + len(layout.golds)))
        for place, column in enumerate((layout.score, *layout.golds)):
            scores[:, place], finite = rows.decimals(column)
            if column == layout.score and not finite.all():
                aside = rows.are(column, LEFT_OUT) & _by_gold(methods)[method]
                scores[aside, place], finite[aside] = np.nan, True
            faults.add(np.flatnonzero(~finite), partial(_no_score, opened, rows, column))
        parts.append((pair, method, segment, scores[:, 0], rows.lines, scores[:, 1:]))
    faults.first.sort(key=lambda fault: fault.place.line or 0)
    faults.refuse(tr("Rows are LP METHOD SEGMENT SCORE or METHOD SEGMENT SCORE RANK."))
    pair, method, segment, score, line, gold = (np.concatenate(column) for column in zip(*parts, strict=True))
    golds = () if layout.header is None else tuple(layout.header.names[place] for place in layout.golds)
    return ScoreTable(
        opened, _named(pairs), _named(methods), pair, method, segment, score, line, golds, gold, layout.notes
    )  # fmt: skip


def _named(labels: Iterable[bytes]) -> tuple[str, ...]:
    return decoded(unquoted(label.strip()) for label in labels)


def _by_gold(methods: Mapping[bytes, int]) -> NDArray[np.bool_]:
    """Which methods, in the order of their numbers, are called as gold is."""
    return np.asarray([name.lower() in GOLD_METHODS for name in _named(methods)], bool)


def _no_segment(opened: OpenedFile, rows: Rows, column: int, row: int) -> Fault:
    message = tr("{text} is no segment number", text=shown(rows.text(row, column)))
    return Fault(opened.place(int(rows.lines[row])), message)


def _no_score(opened: OpenedFile, rows: Rows, column: int, row: int) -> Fault:
    message = tr("{text} is no score", text=shown(rows.text(row, column)))
    return Fault(opened.place(int(rows.lines[row])), message)


def _confidence(head: bytes, name: str) -> float:
    return 0.98 if _layout(head) else 0.0


def _read(opened: OpenedFile) -> Reading:
    table = read_score_table(opened)
    if len(table.methods) > 1 or table.golds:
        segments = len(np.unique(table.segment))
        return Reading(FORMAT.name, described(segments, *names_of(table)), table, table.notes)
    scores, pairs = len(table.score), few(table.pairs, joined=True)
    what = tr("segment scores as submitted, {n:,} {n:score|scores}", "", scores)
    if pairs:
        what = tr("segment scores as submitted, {n:,} {n:score|scores}, {pairs}", "", scores, pairs=pairs)
    return Reading(FORMAT.name, what, table, table.notes)


FORMAT = Format("score table", _confidence, _read)
