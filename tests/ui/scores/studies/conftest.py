"""Four systems, two of them with P(BAD), and the page of studies."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, NumberColumn, Provenance
from qe_desktop.ui.scores.studies.studies_controller import StudiesController
from qe_desktop.ui.scores.studies.threshold_page import ThresholdPage
from tests.ui.scores.conftest import GOLD, PageDriver, ScoresEnvironment, make_corpus


def add_probabilities(corpus: Corpus, systems: int = 2) -> Corpus:
    """Return the corpus with P(BAD) of the first systems; earlier systems are closer to the gold."""
    gold = corpus.layers[GOLD].tags
    generator = np.random.default_rng(5)
    for number in range(systems):
        key = LayerKey(Provenance.SYSTEM, f"system {number}", Kind.PROBABILITIES)
        values = np.clip(0.4 * gold.values + generator.random(len(gold.values)) * (0.5 + 0.1 * number), 0, 1)
        column = NumberColumn(values.round(3).astype(np.float32), gold.offsets)
        corpus = corpus.with_layer(Layer(key, column))
    return corpus


class StudiesDriver(PageDriver):
    """The Scores area with its page of studies in view."""

    def __init__(self, environment: ScoresEnvironment) -> None:
        super().__init__(environment, StudiesController)

    @property
    def service(self) -> Any:
        return self.page.displayed_service

    @property
    def study(self) -> Any:
        return self.service.result.study

    def open(self, corpus: Corpus) -> None:
        """Open a corpus and wait until its study is ready or waits."""
        self.environment.open(corpus)
        self.wait()

    def show(self, name: str) -> None:
        """Show a study by name and wait for it."""
        self.page.show_study(name)
        self.wait()

    @property
    def thresholds(self) -> ThresholdPage:
        return self.controller.thresholds.tab.page

    def show_thresholds(self) -> None:
        """Show the Threshold view of the Systems page and wait for its study."""
        assert self.area.systems
        self.controller.thresholds.show()
        self.wait()

    def wait(self) -> None:
        """Wait until no job runs and no study is pending."""
        services = (*self.controller.services.values(), self.controller.thresholds.service)
        timers = [service._timer for service in services]
        self.environment.qtbot.waitUntil(
            lambda: self.environment.is_settled() and not any(timer.isActive() for timer in timers)
        )

    def headers(self) -> list[str]:
        return [column.header for column in self.view.cells.columns]

    def cell(self, row: int, header: str) -> Any:
        return self.view.cells.rows[row][self.headers().index(header)]

    def go_to(self, row: int, header: str) -> None:
        self.view.setCurrentIndex(self.view.cells.index(row, self.headers().index(header)))


@pytest.fixture
def driver(environment: ScoresEnvironment) -> StudiesDriver:
    created = StudiesDriver(environment)
    created.open_page()
    return created


@pytest.fixture
def corpus_with_probabilities() -> Corpus:
    """Corpus of four systems, two of them with P(BAD)."""
    return add_probabilities(make_corpus(4))
