"""Files of a shared task with two language pairs, and the All metrics page of a workspace."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from pytestqt.qtbot import QtBot

from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.findings.findings_controller import FindingsController
from qe_desktop.ui.scores.findings.findings_page import FindingsPage
from qe_desktop.ui.scores.page_controller import PageContext
from tests.ui.scores.conftest import ScoresEnvironment, build_page

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


class FindingsDriver:
    """The Scores area with its All metrics page in view."""

    def __init__(self, environment: ScoresEnvironment) -> None:
        self.environment = environment
        self.may_replace = True
        self.area = ScoresArea(environment.comparison)
        around = PageContext(environment.comparison, self.area.pages)
        around.may_replace = lambda again: self.may_replace
        self.controller = build_page(self.area, FindingsController(around))

    @property
    def page(self) -> FindingsPage:
        return self.controller.page

    @property
    def view(self) -> Any:
        return self.page.view

    def read(self, folder: Path) -> None:
        """Read the results of a folder and wait until they are computed."""
        self.controller.read(folder)
        self.environment.wait()

    def names(self) -> list[str]:
        return [row[0].text for row in self.view.cells.rows]

    def cell(self, name: str, header: str) -> Any:
        """Return the cell of a system in the column of a header."""
        row, column = self.cell_position(name, header)
        return self.view.cells.rows[row][column]

    def cell_position(self, name: str, header: str) -> tuple[int, int]:
        """Return the row and column of the cell of a system."""
        headers = [column.header for column in self.view.cells.columns]
        return self.names().index(name), headers.index(header)

    def go_to(self, name: str, header: str) -> None:
        self.view.setCurrentIndex(self.view.cells.index(*self.cell_position(name, header)))


@pytest.fixture
def driver(environment: ScoresEnvironment, qtbot: QtBot) -> FindingsDriver:
    created = FindingsDriver(environment)
    qtbot.addWidget(created.area)
    created.area.resize(1200, 720)
    created.area.show()
    created.area.pages.show_page("findings")
    return created
