"""Files of a shared task with two language pairs, and the All metrics page of a workspace."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from qe_desktop.ui.scores.findings.findings_controller import FindingsController
from tests.ui.scores.conftest import NamedRowsDriver, ScoresEnvironment

SEGMENTS, WORDS = 60, 8


def tag_lines(tags: NDArray[np.bool_]) -> str:
    return "".join(" ".join("BAD" if tag else "OK" for tag in line) + "\n" for line in tags)


def write_tag_folder(folder: Path, dice: np.random.Generator, **noise: float) -> None:
    """Write a folder with gold tags, and tags of systems that flip a share of them."""
    (folder / "systems").mkdir(parents=True)
    gold = dice.random((SEGMENTS, WORDS)) < 0.3
    (folder / "test.mt").write_text("a b c d e f g h\n" * SEGMENTS)
    (folder / "test.tags").write_text(tag_lines(gold))
    for name, share in noise.items():
        (folder / "systems" / f"{name}.tags").write_text(tag_lines(gold ^ (dice.random(gold.shape) < share)))


@pytest.fixture
def task(tmp_path: Path) -> Path:
    """Return a folder of two pairs; system `late` is in only one of them."""
    generator = np.random.default_rng(3)
    write_tag_folder(tmp_path / "task" / "en-de", generator, good=0.05, fair=0.2, twin=0.2, late=0.1)
    write_tag_folder(tmp_path / "task" / "ne-en", generator, good=0.1, fair=0.12, twin=0.4)
    return tmp_path / "task"


class FindingsDriver(NamedRowsDriver):
    """The Scores area with its All metrics page in view."""

    def __init__(self, environment: ScoresEnvironment) -> None:
        super().__init__(environment, FindingsController)
        self.may_replace = True
        self.context.may_replace = lambda again: self.may_replace

    def read(self, folder: Path) -> None:
        """Read the results of a folder and wait until they are computed."""
        self.controller.read(folder)
        self.environment.wait()


@pytest.fixture
def driver(environment: ScoresEnvironment) -> FindingsDriver:
    created = FindingsDriver(environment)
    created.open_page(720)
    return created
