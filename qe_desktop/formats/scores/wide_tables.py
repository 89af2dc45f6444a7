"""Tables of segment scores with one column a system: one row a segment, fields apart by tabs or commas, the names
in the first.

seg gold SYSTEM SYSTEM …                                                  gold, and systems beside it
index original translation scores mean z_scores z_mean model_scores       direct assessments of MLQE and WMT20-24

A column is gold by its name. Where no name says gold, the numbers must look like those that programs write, for a
column of people's ratings looks the same otherwise.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, TextRole
from qe_desktop.formats.commas import with_tabs
from qe_desktop.formats.fields import Rows, table_rows
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.score_columns import described, names_of
from qe_desktop.formats.score_headers import METHODS, SEGMENTS, Header, header_of
from qe_desktop.formats.score_tables import FORMAT as SCORE_TABLE
from qe_desktop.formats.sentences import few
from qe_desktop.formats.tables import ScoreGrid
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

_FINE = re.compile(rb"\s*[-+]?(\d*\.\d{3,}|\d+\.?\d*[eE]-\d+)\s*")
"""Numbers finer than people rate."""


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the columns stand: of the segments, of golds, of systems and of texts."""

    header: Header
    segment: int
    golds: tuple[int, ...]
    systems: tuple[int, ...]
    texts: Mapping[TextRole, int]

    @property
    def notes(self) -> tuple[str, ...]:
        """What is to be said of the other columns."""
        return self.header.unread_notes({self.segment, *self.golds, *self.systems, *self.texts.values()})


def _layout(head: bytes) -> _Layout | None:
    header = header_of(head)
    segment = None if header is None else header.place(SEGMENTS)
    if header is None or segment is None:
        return None
    places = [place for place in range(len(header.names)) if place != segment]
    if any(header.plain[place] in METHODS and not header.numeric(place) for place in places):
        # one row a system and segment, which is another table
        return None
    scores = [place for place in places if header.holds_scores(place)]
    golds = tuple(place for place in scores if header.is_gold(place))
    systems = tuple(place for place in scores if place not in golds)
    fine = bool(systems) and all(_is_fine(header, place) for place in systems)
    return _Layout(header, segment, golds, systems, header.texts()) if golds or fine else None


def _is_fine(header: Header, column: int) -> bool:
    return any(_FINE.fullmatch(row[column]) for row in header.rows)


def read_score_grid(opened: OpenedFile) -> ScoreGrid:
    """All rows. QeError that names the lines with faulty fields, and columns that have one name."""
    layout = _layout(opened.head())
    if layout is None:
        message = tr("the columns are not those of a table of segment scores")
        hint = tr("The first row names the columns, such as seg, gold and the systems.")
        raise QeError(message, hint=hint, place=opened.place(1))
    columns = (*layout.golds, *layout.systems)
    names = [layout.header.names[place] for place in columns]
    twice = next((name for place, name in enumerate(names) if name in names[:place]), None)
    if twice is not None:
        message = tr("two columns are called {name}", name=shown(twice))
        raise QeError(message, hint=tr("Give each column a name of its own."), place=opened.place(1))
    opened = with_tabs(opened)
    faults = Faults()
    parts: list[tuple[NDArray[np.int64], NDArray[np.float64], NDArray[np.int64]]] = []
    for rows in table_rows(opened, len(layout.header.names), 1, faults):
        segment, whole = rows.integers(layout.segment)
        faults.add(np.flatnonzero(~whole), partial(_segment_fault, opened, rows, layout.segment))
        values = np.empty((len(segment), len(columns)))
        for place, column in enumerate(columns):
            values[:, place], finite = rows.decimals(column)
            faults.add(np.flatnonzero(~finite), partial(_score_fault, opened, rows, column, names[place]))
        parts.append((segment, values, rows.lines))
    faults.first.sort(key=lambda fault: fault.place.line or 0)
    faults.refuse(tr("Each row has the number of a segment, and a score in each column of scores."))
    segments, scores, lines = (np.concatenate(part) for part in zip(*parts, strict=True))
    golds = len(layout.golds)
    return ScoreGrid(
        opened, tuple(names[:golds]), tuple(names[golds:]), segments, scores, lines, len(layout.header.names),
        layout.texts, layout.notes,
    )  # fmt: skip


def _segment_fault(opened: OpenedFile, rows: Rows, column: int, row: int) -> Fault:
    message = tr("{text} is no segment number", text=shown(rows.text(row, column)))
    return Fault(opened.place(int(rows.lines[row])), message)


def _score_fault(opened: OpenedFile, rows: Rows, column: int, name: str, row: int) -> Fault:
    message = tr("{text} is no score, in the column {name}", text=shown(rows.text(row, column)), name=shown(name))
    return Fault(opened.place(int(rows.lines[row])), message)


def _confidence(head: bytes, name: str) -> float:
    layout = _layout(head)
    return 0.0 if layout is None else 0.97 if layout.golds else 0.6


def _read(opened: OpenedFile) -> Reading:
    grid = read_score_grid(opened)
    what = described(len(grid.segment), *names_of(grid))
    notes = grid.notes
    if grid.texts:
        texts = few([role.shown for role in grid.texts], joined=True)
        notes = (*notes, tr("there are texts beside the scores: {texts}", texts=texts))
    return Reading(FORMAT.name, what, grid, notes)


FORMAT = Format("score grid", _confidence, _read, like=SCORE_TABLE.name)
