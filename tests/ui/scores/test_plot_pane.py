"""Charts of the Scores area: content, states, export and layout."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.plots.plot_pane import DRAWING_STOPPED, DRAWING_TEXT, LevelPlotPane
from tests.levels import toy_level

GENERATOR = np.random.default_rng(8)
GOLD = GENERATOR.normal(size=40)
NEAR, FAR = GOLD + GENERATOR.normal(size=40) / 4, GENERATOR.normal(size=40)


def chart_opener(environment: Any, area: ScoresArea, qtbot: QtBot) -> Any:
    """Return a function that opens scores and returns the pane of a finished chart."""
    area.resize(1400, 900)

    def show(name: str, gold: Any = GOLD, **systems: Any) -> LevelPlotPane:
        environment.open(toy_level.make_corpus(gold, **(systems or {"near": NEAR, "far": FAR})))
        area.show()
        pane = area.systems.gallery.pane(name)
        area.systems.gallery.setCurrentWidget(pane)
        qtbot.waitUntil(lambda: pane.plot_widget.plot is not None)
        environment.wait()
        pane.plot_widget.plot.finish()
        return pane

    return show


@pytest.fixture
def show_chart(environment: Any, area: ScoresArea, qtbot: QtBot) -> Any:
    return chart_opener(environment, area, qtbot)


def frames(pane: LevelPlotPane) -> Any:
    return [frame for frame in pane.plot_widget.plot.frames if frame.isVisibleTo(pane)]


def titles(pane: LevelPlotPane) -> list[str]:
    return [frame.panel.title for frame in frames(pane)]


# --- content


def test_chart_compares_the_selected_system_with_the_gold(
    environment: Any, area: ScoresArea, show_chart: Any, qtbot: QtBot
) -> None:
    pane = show_chart("beside-gold")
    # the best system is selected by default
    assert area.systems.gallery.current_layer.name == "near"
    assert f"r {np.corrcoef(NEAR, GOLD)[0, 1]:.3f}".replace("0.", ".") in titles(pane)[2]
    table = area.systems.table
    table.setCurrentIndex(table.scores_model.index(0, 1))
    qtbot.keyClick(table, Qt.Key.Key_Down)
    environment.wait()
    assert area.systems.gallery.current_layer.name == "far"
    assert f"MAE {np.abs(FAR - GOLD).mean():.3f}".replace("0.", ".") in titles(pane)[0]


def test_hidden_chart_is_not_painted(environment: Any, area: ScoresArea, show_chart: Any) -> None:
    show_chart("beside-gold")
    hidden = area.systems.gallery.pane("if-rescaled")
    assert isinstance(hidden.content, str)
    area.systems.gallery.setCurrentWidget(hidden)
    environment.qtbot.waitUntil(lambda: hidden.plot_widget.plot is not None)
    environment.wait()
    hidden.plot_widget.plot.finish()
    assert titles(hidden)[:2] == ["MAE: lower is better", "RMSE: lower is better"]


def test_opening_another_corpus_clears_the_charts(
    environment: Any, area: ScoresArea, show_chart: Any, qtbot: QtBot
) -> None:
    pane = show_chart("beside-gold")
    area.systems.gallery.setCurrentWidget(area.systems.intervals)
    environment.open(toy_level.make_corpus(GOLD, near=FAR, far=NEAR))
    assert pane.content == DRAWING_TEXT
    area.systems.gallery.setCurrentWidget(pane)
    assert pane.plot_widget._note.text() == DRAWING_TEXT
    environment.wait()
    pane.plot_widget.plot.finish()
    assert f"MAE {np.abs(NEAR - GOLD).mean():.3f}".replace("0.", ".") in titles(pane)[0]
    table = area.systems.table
    table.setCurrentIndex(table.scores_model.index(1, 1))
    # the chart of the previous system stays until the new one is ready
    assert not isinstance(pane.content, str)
    environment.wait()


def test_every_level_has_its_own_charts(environment: Any, corpus: Any, area: ScoresArea) -> None:
    def tabs() -> list[str]:
        gallery = area.systems.gallery
        return [gallery.tabText(index) for index in range(gallery.count()) if gallery.isTabVisible(index)]

    environment.open(corpus(3))
    assert tabs() == ["Intervals", "Hits and misses", "Discriminative power"]
    environment.open(toy_level.make_corpus(GOLD, near=NEAR, far=FAR))
    assert tabs() == ["Intervals", "System vs. gold", "Rescaled", "Between systems", "Discriminative power"]
    environment.open(toy_level.make_corpus(GOLD, near=NEAR))
    assert tabs() == ["System vs. gold", "Rescaled", "Between systems"]


def test_chart_that_cannot_be_painted_states_why(environment: Any, area: ScoresArea, show_chart: Any) -> None:
    pane = show_chart("beside-gold", flat=np.full(40, 0.5))
    _, _, standardised, _ = frames(pane)
    assert standardised.current_plot() is None
    assert standardised._message.text() == "r is undefined: flat is constant (.500)."
    single_segment = show_chart("beside-gold", np.asarray([0.2]), single=np.asarray([0.4]))
    assert single_segment.plot_widget._note.text().startswith("This chart needs at least two segments")
    between = show_chart("between-systems", near=NEAR)
    assert "at least two systems" in between.plot_widget._note.text()
    assert between.plot_widget.image_source.widget() is None


def test_failed_chart_reports_the_error(environment: Any, show_chart: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import qe_desktop.levels.sentences.system_panels as made

    def raise_memory_error(*arguments: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(made, "rescaling_errors", raise_memory_error)
    pane = show_chart("if-rescaled")
    assert "The chart cannot be drawn" in pane.plot_widget._note.text()
    assert "out of memory" in pane.plot_widget._note.text()


def test_cancelled_chart_says_so_and_is_painted_when_next_shown(
    environment: Any, area: ScoresArea, show_chart: Any, qtbot: QtBot
) -> None:
    pane = show_chart("beside-gold")
    pane.refresh(pane._selected_layer, pane._row_layers)
    environment.jobs.cancel(next(job for job in environment.jobs.running_jobs() if job.key == pane._job))
    environment.wait()
    assert pane.content == DRAWING_STOPPED
    assert pane.plot_widget._note.text() == DRAWING_STOPPED
    area.systems.gallery.setCurrentWidget(area.systems.intervals)
    area.systems.gallery.setCurrentWidget(pane)
    environment.wait()
    pane.plot_widget.plot.finish()
    assert titles(pane)


def test_each_panel_painter_is_created_once_in_a_separate_step(show_chart: Any, qtbot: QtBot) -> None:
    grid = show_chart("beside-gold").plot_widget.plot
    font = grid.font()
    panels = [frame.panel for frame in grid.frames]
    assert {len(frame.steps(frame.panel, font)) for frame in grid.frames} == {1}
    again = type(grid)(lambda: tuple(panels))
    qtbot.addWidget(again)
    assert again.refresh(font) == ""
    first, *others = again.frames
    assert first._plots
    assert first.current_plot() is None
    assert not any(frame._plots for frame in others)
    again.finish()
    assert all(frame.current_plot() is not None for frame in again.frames)
    assert [frame.panel for frame in again.frames] == panels
    painters = [frame.current_plot() for frame in again.frames]
    assert again.refresh(font) == ""
    again.finish()
    assert [frame.current_plot() for frame in again.frames] == painters


def test_charts_have_accessible_names_and_descriptions(show_chart: Any) -> None:
    pane = show_chart("beside-gold")
    raw, spread, standardised, values = (frame.current_plot().widget for frame in frames(pane))
    assert raw.accessibleName().startswith("Original scores: MAE")
    assert raw.accessibleDescription().startswith("near vs. gold, 40 segments: MAE")
    assert "mean" in spread.accessibleDescription()
    assert "standard deviations" in standardised.accessibleDescription()
    assert values.accessibleName() == "Values"
    legend = frames(pane)[1]._legend
    assert legend.accessibleName() == "Legend: Lines: distributions of segment scores; dashed line: gold, line: near"
    rescaled = show_chart("if-rescaled")
    assert "near: MAE" in frames(rescaled)[0].current_plot().widget.accessibleDescription()


# --- exporting


def test_chart_data_are_copied_in_full_precision(environment: Any, show_chart: Any, qtbot: QtBot) -> None:
    pane = show_chart("if-rescaled")
    view = frames(pane)[0].current_plot().view
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    environment.wait()
    first, density, again = QGuiApplication.clipboard().text().split("\n\n")
    lines = [line.split("\t") for line in first.splitlines()]
    assert lines[0] == ["system", "MAE", "MAE rescaled", "RMSE", "RMSE rescaled"]
    assert lines[1][0] == "near"
    assert float(lines[1][1]) == pytest.approx(np.abs(NEAR - GOLD).mean(), rel=1e-15)
    assert density.startswith("of\tscore\tdensity\n")
    assert density != again


def test_charts_are_saved_in_every_format(show_chart: Any, tmp_path: Path) -> None:
    for name in ("beside-gold", "if-rescaled", "between-systems"):
        pane = show_chart(name)
        for form in ("png", "svg", "pdf"):
            pane.plot_widget.save(str(tmp_path / f"{name}.{form}"))
        image = QImage(str(tmp_path / f"{name}.png"))
        widget = pane.plot_widget.plot.widget
        assert image.width() == widget.width() * 2
        assert image.height() <= widget.height() * 2
        assert image.pixelColor(1, 1).lightness() > 250
        drawn = (tmp_path / f"{name}.svg").read_text()
        # vector graphics and text, no raster image
        assert "<image" not in drawn
        assert ">near<" in drawn
        assert QSvgRenderer(str(tmp_path / f"{name}.svg")).isValid()
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_copy_menu_lists_the_available_actions(area: ScoresArea, show_chart: Any, qtbot: QtBot) -> None:
    pane = show_chart("beside-gold")
    menu = QMenu(area)
    area.systems._fill_copying(menu)
    texts = [action.text().replace("&", "") for action in menu.actions()]
    submenus = ["Copy table", "Save table", "Copy matrix", "Save matrix values"]
    submenus += ["Save matrix as image", "Save the chart"]
    for text in (*submenus, "Copy the chart's data as TSV"):
        assert text in texts
    submenu = next(action.menu() for action in menu.actions() if action.text() == "Copy &table")
    assert [action.text() for action in submenu.actions()] == [form.description for form in FILE_FORMATS]
    area.systems._fill_copying(menu)
    qtbot.waitUntil(lambda: len(menu.findChildren(QMenu)) == len(submenus))
    copied = next(action for action in menu.actions() if action.text() == "&Copy the chart as an image")
    copied.trigger()
    picture = QGuiApplication.clipboard().pixmap()
    assert picture.width() == pane.plot_widget.plot.widget.width()


def test_whole_matrix_is_saved_as_image(environment: Any, area: ScoresArea, show_chart: Any, tmp_path: Path) -> None:
    from qe_desktop.ui.widgets.image_export import save_image

    show_chart("beside-gold")
    save_image(area.systems.matrix.view.image_source.widget(), str(tmp_path / "matrix.svg"))
    assert "near" in (tmp_path / "matrix.svg").read_text()


# --- layout


def test_number_of_panel_columns_depends_on_the_size(show_chart: Any, qtbot: QtBot) -> None:
    grid = show_chart("beside-gold").plot_widget.plot

    def columns(size: QSize) -> int:
        return grid._columns_for(size.width(), size.height())

    assert columns(QSize(2400, 400)) == 4
    assert columns(QSize(900, 700)) == 2
    assert columns(QSize(200, 700)) == 1


def test_names_of_any_script_are_shown_unchanged(show_chart: Any) -> None:
    pane = show_chart("beside-gold", **{"מערכת <b>": NEAR, "品質推定システム" * 9: FAR})
    assert not pane.grab().isNull()
    assert "מערכת <b>" in frames(pane)[0].current_plot().widget.accessibleDescription()
    rescaled = show_chart("if-rescaled", **{"מערכת <b>": NEAR, "品質推定システム" * 9: FAR})
    assert not rescaled.grab().isNull()
    assert "…" in frames(rescaled)[0].panel.content.names[1]


# --- notes on tests


def test_only_williams_tests_have_a_warning_about_wins(environment: Any, area: ScoresArea, show_chart: Any) -> None:
    show_chart("beside-gold")
    line = area.systems.matrix.status_bar
    state = line._state
    assert line.warning.text() == "Do not rank systems by wins."
    assert "the smaller the difference that is significant (Graham 2015" in line.warning.toolTip()
    assert "number of wins" in state.toolTip()
    assert "swapping" not in state.toolTip()
    environment.comparison.set_metric("MAE")
    environment.wait()
    assert "wins" not in line.warning.text()
    assert "segments are permuted in tests" in state.toolTip()
