"""A small corpus in memory, the services that the Scores area reads, and a driver of its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, Documents, Kind, Layer, LayerKey, Provenance, TagColumn, TextColumn, TextRole
from qe_desktop.corpus.columns import offsets_from_lengths
from qe_desktop.project import Edit
from qe_desktop.ui.jobs import JobRunner
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.live_score_service import LiveScoreService
from qe_desktop.ui.scores.page_controller import PageContext, PageController
from qe_desktop.ui.scores.significance.significance_matrix_pane import SignificanceMatrixView
from qe_desktop.ui.scores.significance.significance_service import SignificanceService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.workspace import Workspace

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
SEGMENTS, WORDS = 60, 10
Controller = TypeVar("Controller", bound=PageController)


def system_key(name: str) -> LayerKey:
    return LayerKey(Provenance.SYSTEM, name, Kind.WORDS)


def make_corpus(systems: int, *, gold: bool = True, documents: bool = False, twins: bool = False) -> Corpus:
    """Return a corpus: system 0 is the best, later ones have more errors; with `twins` the last equals the first."""
    draw = np.random.default_rng(7)
    offsets = offsets_from_lengths([WORDS] * SEGMENTS)
    truth = (draw.random(SEGMENTS * WORDS) < 0.3).astype(np.uint8)
    layers = {}
    if gold:
        layers[GOLD] = Layer(GOLD, TagColumn(truth, offsets))
    columns: list[TagColumn] = []
    for number in range(systems):
        flips = draw.random(len(truth)) < 0.05 + 0.4 * number / max(1, systems)
        column = (
            columns[0] if twins and number == systems - 1 else TagColumn(np.where(flips, 1 - truth, truth), offsets)
        )
        columns.append(column)
        key = system_key(f"system {number}")
        layers[key] = Layer(key, column)
    mt = TextColumn.of([" ".join(f"w{index}" for index in range(WORDS))] * SEGMENTS)
    names = [f"d{segment // 10}" for segment in range(SEGMENTS)]
    return Corpus(
        "test", SEGMENTS, {TextRole.MT: mt}, layers, documents=Documents.from_names(names) if documents else None
    )


class ScoresEnvironment:
    """A workspace with the score and significance services; `wait` returns when no job runs."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.settings = Settings(str(folder / "settings.ini"))
        self.settings.rounds, self.settings.correction = 1000, "none"
        self.jobs = JobRunner()
        self.workspace = Workspace(self.settings, self.jobs)
        self.scores = LiveScoreService(self.workspace)
        self.comparison = SignificanceService(self.workspace, self.scores)

    def open(self, corpus: Corpus) -> None:
        """Open a corpus and wait until its scores are computed."""
        self.workspace.open(corpus)
        self.wait()

    def wait(self) -> None:
        self.qtbot.waitUntil(self.is_settled)

    def is_settled(self) -> bool:
        """Return whether no job runs and no comparison is pending."""
        timer = self.comparison._timer
        return self.jobs.is_idle() and not timer.isActive()

    def flip_tag(self, segment: int, word: int, layer: LayerKey = GOLD) -> None:
        """Toggle the tag of a word, as a user edit."""
        session = self.workspace.session
        assert session is not None
        before = int(session.view.segment_tags(layer, segment)[word])
        self.workspace.edit(Edit(layer, segment, (word,), (1 - before,)))


def build_page(area: ScoresArea, controller: Controller) -> Controller:
    """Build the page of a controller immediately and return the controller."""
    area.pages.add(controller.id, controller.id, controller.build)
    area.pages.page(controller.id)
    return controller


class PageDriver:
    """The Scores area with one page, which is built by a controller."""

    def __init__(self, environment: ScoresEnvironment, controller: type[PageController]) -> None:
        self.environment = environment
        self.area = ScoresArea(environment.comparison)
        self.context = PageContext(environment.comparison, self.area.pages)
        self.controller: Any = build_page(self.area, controller(self.context))

    @property
    def page(self) -> Any:
        return self.controller.page

    @property
    def view(self) -> Any:
        return self.page.view

    def open_page(self, height: int = 800) -> None:
        """Show the area with the page in view."""
        self.environment.qtbot.addWidget(self.area)
        self.area.resize(1200, height)
        self.area.show()
        self.area.pages.show_page(self.controller.id)


class NamedRowsDriver(PageDriver):
    """Driver of a page whose rows have different names."""

    def names(self) -> list[str]:
        return [row[0].text for row in self.view.cells.rows]

    def column_index(self, header: str) -> int:
        return [column.header for column in self.view.cells.columns].index(header)

    def cell_position(self, name: str, header: str) -> tuple[int, int]:
        """Return the row and column of a cell."""
        return self.names().index(name), self.column_index(header)

    def cell(self, name: str, header: str) -> Any:
        row, column = self.cell_position(name, header)
        return self.view.cells.rows[row][column]

    def go_to(self, name: str, header: str) -> None:
        self.view.setCurrentIndex(self.view.cells.index(*self.cell_position(name, header)))


@pytest.fixture
def environment(qtbot: QtBot, tmp_path: Path) -> Iterator[ScoresEnvironment]:
    created = ScoresEnvironment(qtbot, tmp_path)
    yield created
    created.jobs.close()


@pytest.fixture
def corpus() -> Callable[..., Corpus]:
    return make_corpus


@pytest.fixture
def area(environment: ScoresEnvironment, qtbot: QtBot) -> ScoresArea:
    scores_area = ScoresArea(environment.comparison)
    assert scores_area.systems
    qtbot.addWidget(scores_area)
    scores_area.resize(1200, 720)
    return scores_area


@pytest.fixture
def view(environment: ScoresEnvironment, qtbot: QtBot) -> SignificanceMatrixView:
    """View of the significance matrix."""
    matrix_view = SignificanceMatrixView(environment.comparison)
    qtbot.addWidget(matrix_view)
    matrix_view.resize(600, 500)
    return matrix_view
