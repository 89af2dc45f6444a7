"""Files of five systems with two references, two metrics and ratings, and the “Against human scores” page."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from qe_desktop.corpus import Corpus
from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS
from qe_desktop.ui.scores.meta_evaluation.meta_evaluation_controller import MetaEvaluationController
from tests.ui.scores.conftest import NamedRowsDriver, ScoresEnvironment

SYSTEMS = ("one", "two", "three", "four", "five")
SEGMENTS = 40
WORDS = ("a", "b", "c", "d", "e", "f", "g", "h")


def lines(rows: list[str]) -> str:
    """Return the rows as lines of a file."""
    return "".join(f"{row}\n" for row in rows)


def write_task(folder: Path, systems: tuple[str, ...] = SYSTEMS, *, rated: Callable[[str], str] = str) -> Path:
    """Write a task whose later systems share more words with the references and have better ratings."""
    generator = np.random.default_rng(9)
    (folder / "systems").mkdir(parents=True)
    texts = [list(generator.choice(WORDS, 6)) for _ in range(SEGMENTS)]
    (folder / "src").write_text(lines([" ".join(text[::-1]) for text in texts]))
    for name, words_kept in (("ref.A", 6), ("ref.B", 5)):
        (folder / name).write_text(lines([" ".join([*text[:words_kept], "x"]) for text in texts]))
    ratings = ["rater\tsystem\tsegment\tscore"]
    good: list[str] = []
    bad: list[str] = []
    for index, name in enumerate(systems):
        words_kept = generator.integers(index, index + 3, SEGMENTS)
        (folder / "systems" / name).write_text(
            lines([" ".join([*text[:count], "x"]) for text, count in zip(texts, words_kept, strict=True)])
        )
        values = np.clip(words_kept + generator.integers(-1, 2, SEGMENTS), 0, 9)
        ratings += [f"r{n % 3}\t{rated(name)}\t{n + 1}\t{value}" for n, value in enumerate(values.tolist())]
        good += [f"{name}\t{value + generator.normal(0, 0.5):.4f}" for value in words_kept.tolist()]
        bad += [f"{name}\t{-value + generator.normal(0, 4):.4f}" for value in words_kept.tolist()]
    (folder / "Good.seg.score").write_text(lines(good))
    (folder / "Bad.seg.score").write_text(lines(bad))
    (folder / "people.tsv").write_text(lines(ratings))
    return folder


def read_corpus(folder: Path) -> Corpus:
    """Return the corpus of a folder."""
    (plan,) = plan_imports([folder])
    return build_corpus(plan)


@pytest.fixture
def task(tmp_path: Path) -> Path:
    return write_task(tmp_path / "task")


class MetaEvaluationDriver(NamedRowsDriver):
    """The Scores area with its “Against human scores” page in view."""

    def __init__(self, environment: ScoresEnvironment) -> None:
        environment.settings.study_rounds = 100
        super().__init__(environment, MetaEvaluationController)

    @property
    def service(self) -> Any:
        return self.controller.service

    @property
    def study(self) -> Any:
        return self.service.result.study

    def open(self, folder: Path) -> None:
        self.environment.open(read_corpus(folder))

    def column_index(self, header: str) -> int:
        """Return the index of a column by its header or by the title of its statistic."""
        statistic = next((item.name for item in AGREEMENT_STATISTICS if item.title == header), None)
        return super().column_index(header) if statistic is None else self.view.table_data.sort_keys.index(statistic)

    def wait(self) -> None:
        self.environment.wait()


@pytest.fixture
def driver(environment: ScoresEnvironment) -> MetaEvaluationDriver:
    created = MetaEvaluationDriver(environment)
    created.open_page()
    return created
