"""The commands of the Scores area: what the palette finds, what its menu holds, and what they do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance
from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.command_palette import CommandPalette
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets.dialogs import FileDialog
from tests.ui.scores.conftest import make_corpus

HTER, DA = (LayerKey(Provenance.GOLD, name, Kind.SCORES) for name in ("hter", "da"))


class Desk:
    """The window with tags and scores of three systems open, in the Scores area."""

    def __init__(self, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.shell = Shell(Settings())
        self.wiring = MainController(self.shell)
        tagged = make_corpus(3)
        draw = np.random.default_rng(3)
        keys = [HTER, DA, *(LayerKey(Provenance.SYSTEM, name, Kind.SCORES) for name in ("one", "two"))]
        numbers = {key: Layer(key, draw.random(tagged.size)) for key in keys}
        self.shell.show()
        self.wiring.workspace.open(replace(tagged, layers={**tagged.layers, **numbers}))
        self.shell.show_area("scores")
        self.wait()

    @property
    def area(self) -> ScoresArea:
        area = self.shell.area("scores")
        assert isinstance(area, ScoresArea)
        return area

    def wait(self) -> None:
        comparison = self.wiring.comparison
        self.qtbot.waitUntil(lambda: self.shell.jobs.idle() and not comparison._timer.isActive())

    def found(self, letters: str) -> list[str]:
        """What the palette finds, best first."""
        palette = CommandPalette(self.shell.commands, self.shell)
        palette._field.setText(letters)
        names = [palette._model.index(row).data() for row in range(palette._model.rowCount())]
        palette.close()
        return names

    def do(self, letters: str) -> None:
        """Run the first command that the palette finds."""
        name = self.found(letters)[0]
        table = self.shell.commands
        (action,) = (one for one in table.available() if table.text(one.id) == name)
        table[action.id].trigger()
        self.wait()


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[Desk]:
    made = Desk(qtbot)
    qtbot.addWidget(made.shell)
    yield made
    made.shell.jobs.close()


def test_every_metric_level_picture_and_gold_is_found_and_chosen(controller: Desk) -> None:
    workspace, comparison = controller.wiring.workspace, controller.wiring.comparison
    for name in workspace.level.metrics:
        assert f"Compare by {name}" in controller.found(name)
    assert "Compare by Pearson" not in controller.found("Pearson")
    controller.do("Compare by MCC")
    assert comparison.metric == "MCC"
    assert controller.shell.commands["scores.metric-MCC"].isChecked()
    assert not controller.shell.commands["scores.metric-F1-mult"].isChecked()
    controller.do("chart Hits")
    assert controller.area.systems.gallery.picture() == "hits-and-misses" or controller.area.systems.gallery.tabText(
        controller.area.systems.gallery.currentIndex()
    ).startswith("Hits")
    controller.do("Score level sentences")
    assert workspace.level.name == "sentences"
    assert "Compare by MCC" not in controller.found("MCC")
    controller.do("Compare by Spearman")
    assert comparison.metric == "Spearman"
    assert "Score against HTER" in controller.found("score against")
    controller.do("Score against direct")
    assert workspace.reference == DA
    assert controller.shell.commands["scores.against-2"].isChecked()
    controller.do("chart Between")
    assert controller.area.systems.gallery.picture() == "between-systems"
    titles = controller.area.systems.gallery.pictures().values()
    assert all(f"Show chart: {title}" in controller.found(title) for title in titles)


def test_a_picture_is_found_from_the_findings_as_well(controller: Desk) -> None:
    controller.shell.commands["scores.page-findings"].trigger()
    controller.do("chart coefficients")
    assert controller.area.pages.current == "systems"
    assert controller.area.systems.gallery.picture() == "coefficients"
    # a table has no picture to be saved
    assert "Save chart as PNG…" not in controller.found("chart png")


def test_all_is_copied_and_saved_in_every_form(
    controller: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen(parent: object, title: str, name: str, kinds: str) -> tuple[str, str]:
        return str(tmp_path / name), kinds

    monkeypatch.setattr(FileDialog, "getSaveFileName", chosen)
    for what, name in (("scores", "scores"), ("matrix", "significance-matrix")):
        for form in FILE_FORMATS:
            controller.do(f"Copy {what} as {form.title}")
            copied = QGuiApplication.clipboard().text()
            assert copied
            controller.do(f"Save {what} as {form.title}")
            assert (tmp_path / f"{name}.{form.suffix}").read_text() == copied
    controller.qtbot.waitUntil(lambda: "Save chart as PNG…" in controller.found("chart png"))
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for form in begins:
        controller.do(f"Save matrix as {form.upper()}")
        controller.do(f"Save chart as {form.upper()}")
        for name in ("significance-matrix", "intervals"):
            assert (tmp_path / f"{name}.{form}").read_bytes().startswith(begins[form])
    controller.do("Copy chart data")
    assert QGuiApplication.clipboard().text().count("\t") > 3


def test_to_offer_a_picture_does_not_draw_it_to_its_end(controller: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    # drawn in one turn, all panels together keep the window from answering
    from qe_desktop.ui.scores.plots.plot_panels import PanelGrid

    controller.do("Score level sentences")
    finished: list[PanelGrid] = []
    finish = PanelGrid.finish
    monkeypatch.setattr(PanelGrid, "finish", lambda grid: (finished.append(grid), finish(grid)))
    controller.do("chart System vs")
    controller.qtbot.waitUntil(lambda: "Save chart as SVG…" in controller.found("chart svg"))
    assert finished == []
    controller.do("Copy chart as image")
    assert len(finished) == 1


def test_the_menu_holds_what_can_be_done_now(controller: Desk) -> None:
    menu = controller.shell.findChild(QMenu, "scores")
    assert menu is not None

    def listed() -> dict[str, list[str]]:
        menu.aboutToShow.emit()
        found = {one.text(): one.menu() for one in menu.actions() if isinstance(one.menu(), QMenu)}
        return {title: [action.text() for action in within.actions()] for title, within in found.items()}

    now = listed()
    assert now["&Metric"] == list(controller.wiring.workspace.level.metrics)
    assert {"&Level", "C&hart", "&Copy", "&Save"} <= set(now)
    # there is one gold of words
    assert "&Gold" not in now
    controller.do("Score level sentences")
    assert listed()["&Gold"] == ["Score against HTER", "Score against direct assessments"]
    assert [one.text() for one in menu.actions() if one.menu() is None][:2] == [
        "Show systems, significance tests and charts", "Show all metrics: all systems by all metrics",
    ]  # fmt: skip


def test_with_nothing_to_score_nothing_of_it_is_offered(controller: Desk) -> None:
    controller.wiring.workspace.close()
    controller.shell.show_area("scores")
    assert controller.found("Compare by") == []
    assert not any(
        name.startswith(("Copy scores", "Save matrix")) for name in controller.found("Copy") + controller.found("Save")
    )
