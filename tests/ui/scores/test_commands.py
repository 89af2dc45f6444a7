"""Commands of the Scores area: search in the palette, the menu, and their effects."""

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


class ScoresWindow:
    """A window that shows tags and scores of three systems in the Scores area."""

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
        self.qtbot.waitUntil(lambda: self.shell.jobs.is_idle() and not comparison._timer.isActive())

    def search(self, letters: str) -> list[str]:
        """Return the names that the palette finds, best first."""
        palette = CommandPalette(self.shell.commands, self.shell)
        palette._field.setText(letters)
        names = [palette._model.index(row).data() for row in range(palette._model.rowCount())]
        palette.close()
        return names

    def run_first(self, letters: str) -> None:
        """Run the first command that the palette finds."""
        name = self.search(letters)[0]
        table = self.shell.commands
        (action,) = (candidate for candidate in table.available_actions() if table.text(candidate.id) == name)
        table[action.id].trigger()
        self.wait()


@pytest.fixture
def controller(qtbot: QtBot) -> Iterator[ScoresWindow]:
    created = ScoresWindow(qtbot)
    qtbot.addWidget(created.shell)
    yield created
    created.shell.jobs.close()


def test_palette_finds_and_selects_metrics_levels_charts_and_gold(controller: ScoresWindow) -> None:
    workspace, comparison = controller.wiring.workspace, controller.wiring.comparison
    for name in workspace.level.metrics:
        assert f"Compare by {name}" in controller.search(name)
    assert "Compare by Pearson" not in controller.search("Pearson")
    controller.run_first("Compare by MCC")
    assert comparison.metric == "MCC"
    assert controller.shell.commands["scores.metric-MCC"].isChecked()
    assert not controller.shell.commands["scores.metric-F1-mult"].isChecked()
    controller.run_first("chart Hits")
    assert controller.area.systems.gallery.current_chart() == "hits-and-misses"
    controller.run_first("Score level sentences")
    assert workspace.level.name == "sentences"
    assert "Compare by MCC" not in controller.search("MCC")
    controller.run_first("Compare by Spearman")
    assert comparison.metric == "Spearman"
    assert "Score against HTER" in controller.search("score against")
    controller.run_first("Score against direct")
    assert workspace.reference == DA
    assert controller.shell.commands["scores.against-2"].isChecked()
    controller.run_first("chart Between")
    assert controller.area.systems.gallery.current_chart() == "between-systems"
    titles = controller.area.systems.gallery.chart_titles().values()
    assert all(f"Show chart: {title}" in controller.search(title) for title in titles)


def test_palette_shows_a_chart_from_the_all_metrics_page(controller: ScoresWindow) -> None:
    controller.shell.commands["scores.page-findings"].trigger()
    controller.run_first("chart discriminative")
    assert controller.area.pages.current == "systems"
    assert controller.area.systems.gallery.current_chart() == "coefficients"
    # a table cannot be saved as an image
    assert "Save chart as PNG…" not in controller.search("chart png")


def test_scores_matrix_and_chart_are_copied_and_saved_in_every_format(
    controller: ScoresWindow, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def chosen(parent: object, title: str, name: str, kinds: str, complete: object = None) -> tuple[str, str]:
        return str(tmp_path / Path(name).name), kinds

    monkeypatch.setattr(FileDialog, "getSaveFileName", chosen)
    corpus = controller.wiring.workspace.corpus
    assert corpus is not None
    for what, ending in (("scores", "scores"), ("matrix", "significance")):
        for form in FILE_FORMATS:
            controller.run_first(f"Copy {what} as {form.title}")
            copied = QGuiApplication.clipboard().text()
            assert copied
            controller.run_first(f"Save {what} as {form.title}")
            assert (tmp_path / f"{corpus.name}.{ending}.{form.suffix}").read_text() == copied
    controller.qtbot.waitUntil(lambda: "Save chart as PNG…" in controller.search("chart png"))
    begins = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    for form in begins:
        controller.run_first(f"Save matrix as {form.upper()}")
        controller.run_first(f"Save chart as {form.upper()}")
        for name in ("significance matrix", "intervals"):
            assert (tmp_path / f"{corpus.name} F1-mult {name}.{form}").read_bytes().startswith(begins[form])
    controller.run_first("Copy chart data")
    assert QGuiApplication.clipboard().text().count("\t") > 3


def test_offering_chart_export_does_not_finish_painting_the_chart(
    controller: ScoresWindow, monkeypatch: pytest.MonkeyPatch
) -> None:
    # painting all panels in one event-loop iteration would block the window
    from qe_desktop.ui.scores.plots.plot_panels import PanelGrid

    controller.run_first("Score level sentences")
    finished: list[PanelGrid] = []
    finish = PanelGrid.finish
    monkeypatch.setattr(PanelGrid, "finish", lambda grid: (finished.append(grid), finish(grid)))
    controller.run_first("chart System vs")
    controller.qtbot.waitUntil(lambda: "Save chart as SVG…" in controller.search("chart svg"))
    assert finished == []
    controller.run_first("Copy chart as image")
    assert len(finished) == 1


def test_menu_lists_the_currently_available_commands(controller: ScoresWindow) -> None:
    menu = controller.shell.findChild(QMenu, "scores")
    assert menu is not None

    def listed_commands() -> dict[str, list[str]]:
        menu.aboutToShow.emit()
        submenus = {entry.text(): entry.menu() for entry in menu.actions() if isinstance(entry.menu(), QMenu)}
        return {title: [action.text() for action in submenu.actions()] for title, submenu in submenus.items()}

    menus = listed_commands()
    assert menus["&Metric"] == list(controller.wiring.workspace.level.metrics)
    assert {"&Level", "Cha&rt", "&Copy", "&Save"} <= set(menus)
    # there is only one gold layer of words
    assert "&Gold" not in menus
    controller.run_first("Score level sentences")
    assert listed_commands()["&Gold"] == ["Score against HTER", "Score against direct assessments"]
    # the pages have the names of their tabs, and a line below them
    separator = "-"
    names = [separator if entry.isSeparator() else entry.text().replace("&", "") for entry in menu.actions()]
    pages = ["One metric", "All metrics", "Against human scores", "Without human scores", "Post-editing"]
    assert names[: len(pages) + 1] == [*pages, separator]
    commands = [name for name in names if name != separator]
    assert len(set(commands)) == len(commands)


def test_commands_are_not_offered_without_a_corpus(controller: ScoresWindow) -> None:
    controller.wiring.workspace.close()
    controller.shell.show_area("scores")
    assert controller.search("Compare by") == []
    assert not any(
        name.startswith(("Copy scores", "Save matrix"))
        for name in controller.search("Copy") + controller.search("Save")
    )
