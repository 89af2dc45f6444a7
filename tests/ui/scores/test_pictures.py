"""Pictures of scores in the window: chosen in the table, walked by keys and mouse, followed to segments, exported."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QSize, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QMenu
from pytestqt.qtbot import QtBot

from qe_desktop.levels.chart_model import ChartPoints
from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.plots.plot_pane import DRAWING_STOPPED, DRAWING_TEXT, HINT, LevelPlotPane
from qe_desktop.ui.widgets.plots.interactive_plot import PointNavigator
from tests.levels import toy

DICE = np.random.default_rng(8)
GOLD = DICE.normal(size=40)
NEAR, FAR = GOLD + DICE.normal(size=40) / 4, DICE.normal(size=40)


@pytest.fixture
def area(world: Any, qtbot: QtBot) -> ScoresArea:
    made = ScoresArea(world.comparison)
    assert made.systems
    qtbot.addWidget(made)
    made.resize(1400, 900)
    return made


@pytest.fixture
def shown(world: Any, area: ScoresArea, qtbot: QtBot) -> Any:
    """A picture of these scores, drawn."""

    def show(name: str, gold: Any = GOLD, **systems: Any) -> LevelPlotPane:
        world.open(toy.corpus(gold, **(systems or {"near": NEAR, "far": FAR})))
        area.show()
        pane = area.systems.gallery.pane(name)
        area.systems.gallery.setCurrentWidget(pane)
        qtbot.waitUntil(lambda: pane.place.plot is not None)
        world.wait()
        pane.place.plot.finish()
        return pane

    return show


def frames(pane: LevelPlotPane) -> Any:
    return [frame for frame in pane.place.plot.frames if frame.isVisibleTo(pane)]


def titles(pane: LevelPlotPane) -> list[str]:
    return [frame.panel.title for frame in frames(pane)]


# --- what is shown


def test_the_chosen_system_is_beside_the_gold(world: Any, area: ScoresArea, shown: Any, qtbot: QtBot) -> None:
    pane = shown("beside-gold")
    # the best stands first, and nobody chose yet
    assert area.systems.gallery.chosen.name == "near"
    assert f"r {np.corrcoef(NEAR, GOLD)[0, 1]:.3f}".replace("0.", ".") in titles(pane)[2]
    table = area.systems.table
    table.setCurrentIndex(table.scores_model.index(0, 1))
    qtbot.keyClick(table, Qt.Key.Key_Down)
    world.wait()
    assert area.systems.gallery.chosen.name == "far"
    assert f"MAE {np.abs(FAR - GOLD).mean():.3f}".replace("0.", ".") in titles(pane)[0]


def test_a_picture_that_nobody_sees_is_not_made(world: Any, area: ScoresArea, shown: Any) -> None:
    shown("beside-gold")
    hidden = area.systems.gallery.pane("if-rescaled")
    assert isinstance(hidden.content, str)
    area.systems.gallery.setCurrentWidget(hidden)
    world.qtbot.waitUntil(lambda: hidden.place.plot is not None)
    world.wait()
    hidden.place.plot.finish()
    assert titles(hidden)[:2] == ["MAE: lower is better", "RMSE: lower is better"]


def test_of_another_corpus_nothing_stays(world: Any, area: ScoresArea, shown: Any, qtbot: QtBot) -> None:
    pane = shown("beside-gold")
    area.systems.gallery.setCurrentWidget(area.systems.intervals)
    world.open(toy.corpus(GOLD, near=FAR, far=NEAR))
    assert pane.content == DRAWING_TEXT
    area.systems.gallery.setCurrentWidget(pane)
    assert pane.place._note.text() == DRAWING_TEXT
    world.wait()
    pane.place.plot.finish()
    assert f"MAE {np.abs(NEAR - GOLD).mean():.3f}".replace("0.", ".") in titles(pane)[0]
    table = area.systems.table
    table.setCurrentIndex(table.scores_model.index(1, 1))
    # another system of the same takes the place of the one before when it is there
    assert not isinstance(pane.content, str)
    world.wait()


def test_every_level_has_its_own_pictures(world: Any, corpus: Any, area: ScoresArea) -> None:
    def tabs() -> list[str]:
        gallery = area.systems.gallery
        return [gallery.tabText(place) for place in range(gallery.count()) if gallery.isTabVisible(place)]

    world.open(corpus(3))
    assert tabs() == ["Intervals", "Hits and misses", "d coefficients"]
    world.open(toy.corpus(GOLD, near=NEAR, far=FAR))
    assert tabs() == ["Intervals", "System vs. gold", "Rescaled", "Between systems", "d coefficients"]
    world.open(toy.corpus(GOLD, near=NEAR))
    assert tabs() == ["System vs. gold", "Rescaled", "Between systems"]


def test_what_cannot_be_drawn_is_said(world: Any, area: ScoresArea, shown: Any) -> None:
    pane = shown("beside-gold", flat=np.full(40, 0.5))
    _, _, standardised, _ = frames(pane)
    assert standardised.painter() is None
    assert standardised._words.text() == "r is undefined: flat is constant, .500."
    one = shown("beside-gold", np.asarray([0.2]), only=np.asarray([0.4]))
    assert one.place._note.text().startswith("Correlation with the gold needs at least two segments")
    assert not one.words.isVisibleTo(area)
    between = shown("between-systems", near=NEAR)
    assert "at least two systems" in between.place._note.text()
    assert between.place.exported.widget() is None


def test_a_picture_that_fails_says_why(world: Any, shown: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    import qe_desktop.levels.sentences.charts.rescaling_gain as made

    def fails(*arguments: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(made, "rescaling_errors", fails)
    pane = shown("if-rescaled")
    assert "The chart cannot be drawn" in pane.place._note.text()
    assert "out of memory" in pane.place._note.text()


def test_a_picture_that_is_stopped_says_so_and_is_made_when_it_is_next_seen(
    world: Any, area: ScoresArea, shown: Any, qtbot: QtBot
) -> None:
    pane = shown("beside-gold")
    pane.refresh(pane._chosen)
    world.jobs.cancel(next(job for job in world.jobs.running() if job.key == pane._job))
    world.wait()
    assert pane.content == DRAWING_STOPPED
    assert pane.place._note.text() == DRAWING_STOPPED
    area.systems.gallery.setCurrentWidget(area.systems.intervals)
    area.systems.gallery.setCurrentWidget(pane)
    world.wait()
    pane.place.plot.finish()
    assert titles(pane)


def test_what_draws_is_made_in_a_step_of_its_own_and_once(shown: Any, qtbot: QtBot) -> None:
    grid = shown("beside-gold").place.plot
    font = grid.font()
    panels = [frame.panel for frame in grid.frames]
    assert {len(frame.steps(frame.panel, font)) for frame in grid.frames} == {1}
    again = type(grid)(lambda: tuple(panels))
    qtbot.addWidget(again)
    assert again.refresh(font) == ""
    first, *others = again.frames
    assert first._painters
    assert first.painter() is None
    assert not any(frame._painters for frame in others)
    again.finish()
    assert all(frame.painter() is not None for frame in again.frames)
    assert [frame.panel for frame in again.frames] == panels
    made = [frame.painter() for frame in again.frames]
    assert again.refresh(font) == ""
    again.finish()
    assert [frame.painter() for frame in again.frames] == made


def test_what_is_drawn_is_said(shown: Any) -> None:
    pane = shown("beside-gold")
    raw, spread, standardised, values = (frame.painter().widget for frame in frames(pane))
    assert raw.accessibleName().startswith("Original scores: MAE")
    assert raw.accessibleDescription().startswith("near vs. gold, 40 segments: MAE")
    assert "mean" in spread.accessibleDescription()
    assert "standard deviations" in standardised.accessibleDescription()
    assert values.accessibleName() == "Values"
    legend = frames(pane)[1]._legend
    assert legend.accessibleName() == "Legend: dashed line: gold, line: near"
    rescaled = shown("if-rescaled")
    assert "near: MAE" in frames(rescaled)[0].painter().widget.accessibleDescription()


# --- walking and going


def test_arrows_walk_along_the_dots_and_enter_goes(world: Any, shown: Any, qtbot: QtBot) -> None:
    pane = shown("beside-gold")
    view = frames(pane)[0].painter().view
    order = np.argsort(NEAR)
    view.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.keyClick(view, Qt.Key.Key_Home)
    for key, place in (
        (Qt.Key.Key_Right, 1), (Qt.Key.Key_Right, 2), (Qt.Key.Key_Left, 1), (Qt.Key.Key_PageDown, 5),
        (Qt.Key.Key_End, 39), (Qt.Key.Key_Right, 39), (Qt.Key.Key_Home, 0), (Qt.Key.Key_Left, 0),
    ):  # fmt: skip
        qtbot.keyClick(view, key)
        assert view.place == order[place]
        assert pane.words.text().startswith(f"segment {order[place] + 1}: gold ")
    qtbot.keyClick(view, Qt.Key.Key_Up)
    above = np.argsort(GOLD).tolist()
    assert view.place == above[above.index(order[0]) + 1]
    with qtbot.waitSignal(world.workspace.segment_wanted) as wanted:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert wanted.args == [view.place]
    qtbot.keyClick(view, Qt.Key.Key_Escape)
    assert view.place is None
    assert pane.words.text() == HINT
    with qtbot.assertNotEmitted(world.workspace.segment_wanted):
        qtbot.keyClick(view, Qt.Key.Key_Enter)


def test_the_mouse_names_a_dot_and_a_click_goes(world: Any, shown: Any, qtbot: QtBot) -> None:
    pane = shown("beside-gold")
    view = frames(pane)[2].painter().view
    farthest = int(np.argmax(NEAR))
    where = view.pixel_of(farthest).toPoint()
    qtbot.mouseMove(view.viewport(), where)
    assert view.place == farthest
    assert pane.words.text().startswith(f"segment {farthest + 1}: gold ")
    with qtbot.waitSignal(world.workspace.segment_wanted) as wanted:
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert wanted.args == [farthest]
    qtbot.mouseMove(view.viewport(), QPoint(1, 1))
    with qtbot.assertNotEmitted(world.workspace.segment_wanted):
        qtbot.mouseClick(view.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(1, 1))


def test_bars_are_walked_side_by_side(world: Any, shown: Any, qtbot: QtBot) -> None:
    pane = shown("beside-gold")
    view = frames(pane)[3].painter().view
    points = frames(pane)[3].panel.drawing.points
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert " in gold" in pane.words.text()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert " in near" in pane.words.text()
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert points.series[view.place] == 1
    qtbot.keyClick(view, Qt.Key.Key_End)
    assert points.x[view.place] == points.x[points.series == 1].max()
    qtbot.keyClick(view, Qt.Key.Key_Up)
    assert " in gold" in pane.words.text()
    with qtbot.waitSignal(world.workspace.segment_wanted) as wanted:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert f"segment {wanted.args[0] + 1}:" in pane.words.text()


def test_systems_are_walked_from_the_best_down(world: Any, shown: Any, qtbot: QtBot) -> None:
    pane = shown("if-rescaled")
    view = frames(pane)[0].painter().view
    qtbot.keyClick(view, Qt.Key.Key_Home)
    assert pane.words.text().startswith("near: MAE")
    qtbot.keyClick(view, Qt.Key.Key_Down)
    assert pane.words.text().startswith("far: MAE")
    with qtbot.assertNotEmitted(world.workspace.segment_wanted):
        qtbot.keyClick(view, Qt.Key.Key_Return)


def test_a_cell_between_systems_is_said_and_asks_for_segments(world: Any, shown: Any, qtbot: QtBot) -> None:
    pane = shown("between-systems")
    view = frames(pane)[0].painter().widget
    view.setCurrentIndex(view.model().index(0, 0))
    assert pane.words.text().startswith("near correlates with the gold: r ")
    qtbot.keyClick(view, Qt.Key.Key_Right)
    assert pane.words.text().startswith("near and far correlate: r ")
    with qtbot.waitSignal(world.workspace.segments_wanted) as wanted:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert [key.name for key in wanted.args[:2]] == ["near", "far"]
    assert wanted.args[2] == world.comparison.metric


def test_walking_needs_no_picture() -> None:
    points = ChartPoints(np.asarray([3.0, 1.0, 2.0]), np.asarray([1.0, 3.0, 2.0]), str)
    walk = PointNavigator(points)
    assert [walk.first(), walk.along(1, 1), walk.along(0, 1), walk.up(0, 1), walk.up(1, 1), walk.up(None, 1)] == [
        1, 2, 0, 2, 1, 1,
    ]  # fmt: skip
    assert walk.at(2.1, 2.1, 0.1, 0.1) == 2
    assert walk.at(2.5, 9.0, 0.1, 0.1) is None


# --- exporting


def test_numbers_are_copied_whole(world: Any, shown: Any, qtbot: QtBot) -> None:
    pane = shown("if-rescaled")
    view = frames(pane)[0].painter().view
    qtbot.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    world.wait()
    first, density, again = QGuiApplication.clipboard().text().split("\n\n")
    lines = [line.split("\t") for line in first.splitlines()]
    assert lines[0] == ["system", "MAE", "MAE rescaled", "RMSE", "RMSE rescaled"]
    assert lines[1][0] == "near"
    assert float(lines[1][1]) == pytest.approx(np.abs(NEAR - GOLD).mean(), rel=1e-15)
    assert density.startswith("of\tscore\tdensity\n")
    assert density != again


def test_pictures_are_saved_in_every_form(shown: Any, tmp_path: Path) -> None:
    for name in ("beside-gold", "if-rescaled", "between-systems"):
        pane = shown(name)
        for form in ("png", "svg", "pdf"):
            pane.place.save(str(tmp_path / f"{name}.{form}"))
        image = QImage(str(tmp_path / f"{name}.png"))
        assert image.size() == pane.place.plot.widget.size()
        assert image.pixelColor(1, 1).lightness() > 250
        drawn = (tmp_path / f"{name}.svg").read_text()
        # lines and letters, and nothing that was a picture of the screen
        assert "<image" not in drawn
        assert ">near<" in drawn
        assert QSvgRenderer(str(tmp_path / f"{name}.svg")).isValid()
        assert (tmp_path / f"{name}.pdf").read_bytes().startswith(b"%PDF")


def test_the_menu_has_what_can_be_done(area: ScoresArea, shown: Any, qtbot: QtBot) -> None:
    pane = shown("beside-gold")
    menu = QMenu(area)
    area.systems._fill_copying(menu)
    texts = [action.text().replace("&", "") for action in menu.actions()]
    submenus = ["Copy table", "Save table", "Copy matrix", "Save matrix values"]
    submenus += ["Save matrix as image", "Save the chart"]
    for text in (*submenus, "Copy the chart's data as TSV"):
        assert text in texts
    within = next(action.menu() for action in menu.actions() if action.text() == "Copy &table")
    assert [action.text() for action in within.actions()] == [form.about for form in FILE_FORMATS]
    area.systems._fill_copying(menu)
    qtbot.waitUntil(lambda: len(menu.findChildren(QMenu)) == len(submenus))
    copied = next(action for action in menu.actions() if action.text() == "&Copy the chart as an image")
    copied.trigger()
    picture = QGuiApplication.clipboard().pixmap()
    assert picture.size() == pane.place.plot.widget.size()


def test_the_matrix_is_saved_whole(world: Any, area: ScoresArea, shown: Any, tmp_path: Path) -> None:
    from qe_desktop.ui.widgets.image_export import save_image

    shown("beside-gold")
    save_image(area.systems.matrix.view._whole(), str(tmp_path / "matrix.svg"))
    assert "near" in (tmp_path / "matrix.svg").read_text()


# --- room


def test_panels_share_the_room(shown: Any, qtbot: QtBot) -> None:
    grid = shown("beside-gold").place.plot

    def columns(size: QSize) -> int:
        return grid._columns_for(size.width(), size.height())

    assert columns(QSize(2400, 400)) == 4
    assert columns(QSize(900, 700)) == 2
    assert columns(QSize(200, 700)) == 1


def test_names_of_any_script_are_shown_as_they_are(shown: Any) -> None:
    pane = shown("beside-gold", **{"מערכת <b>": NEAR, "品質推定システム" * 9: FAR})
    assert not pane.grab().isNull()
    assert "מערכת <b>" in frames(pane)[0].painter().widget.accessibleDescription()
    rescaled = shown("if-rescaled", **{"מערכת <b>": NEAR, "品質推定システム" * 9: FAR})
    assert not rescaled.grab().isNull()
    assert "…" in frames(rescaled)[0].panel.drawing.names[1]


# --- tests that say little by their number


def test_williams_tests_come_with_a_caution_and_others_do_not(world: Any, area: ScoresArea, shown: Any) -> None:
    shown("beside-gold")
    state = area.systems.matrix.line._state
    assert "Do not rank systems by their number of wins" in state.text()
    assert "number of wins" in state.toolTip()
    assert "swapping" not in state.toolTip()
    world.comparison.set_metric("MAE")
    world.wait()
    assert "wins" not in state.text()
    assert "segments are permuted in tests" in state.toolTip()
