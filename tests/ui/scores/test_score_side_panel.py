from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.ui.scores.number_format import format_score
from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.legends import MatrixLegendSwatch


@pytest.fixture
def panel(environment: Any, qtbot: QtBot) -> ScoreSidePanel:
    created = ScoreSidePanel(environment.scores, environment.comparison)
    qtbot.addWidget(created)
    created.resize(300, 600)
    return created


def texts(panel: ScoreSidePanel) -> str:
    return " | ".join(label.text() for label in panel.findChildren(Label) if label.isVisibleTo(panel))


def listed_metrics(panel: ScoreSidePanel) -> list[str]:
    return [metric.name for metric in panel.table.scores_model.metrics()]


def test_selected_metric_comes_first(environment: Any, corpus: Any, panel: ScoreSidePanel) -> None:
    environment.open(corpus(3))
    assert listed_metrics(panel) == ["F1-mult", "MCC"]
    environment.comparison.set_metric("F1-BAD")
    assert listed_metrics(panel) == ["F1-BAD", "MCC"]
    environment.comparison.set_metric("MCC")
    assert listed_metrics(panel) == ["MCC", "F1-mult"]
    environment.wait()


def test_summary_names_the_best_system_by_the_current_metric(environment: Any, corpus: Any, qtbot: QtBot) -> None:
    panel = ScoreSidePanel(environment.scores, environment.comparison)
    qtbot.addWidget(panel)
    button = panel.summary.button
    button.setParent(panel.table)
    assert button.isHidden()
    environment.open(corpus(3))
    for name in ("MCC", "F1-mult"):
        environment.comparison.set_metric(name)
        values = environment.scores.values[name]
        best = environment.scores.layers[int(values.argmax())]
        assert button.text() == f"{name}: {best.name} {format_score(float(values.max()), 3)}"
        assert not button.isHidden()
    environment.wait()
    environment.open(corpus(0))
    assert button.isHidden()


def test_panel_fits_into_a_narrow_dock(environment: Any, corpus: Any, panel: ScoreSidePanel) -> None:
    for systems in (0, 1, 2, 5, 17):
        environment.open(corpus(systems))
        panel.ensurePolished()
        assert panel.minimumSizeHint().width() <= 300
        assert not panel.grab().isNull()


def test_matrix_describes_its_cell_and_requests_segments(
    environment: Any, corpus: Any, panel: ScoreSidePanel, qtbot: QtBot
) -> None:
    environment.open(corpus(3))
    view = panel.matrix.view
    view.setCurrentIndex(view.matrix.index(0, 1))
    assert view.matrix.sentence(view.currentIndex()) in texts(panel)
    with qtbot.waitSignal(environment.workspace.segments_requested):
        qtbot.keyClick(view, Qt.Key.Key_Enter)
    with qtbot.waitSignal(environment.workspace.segments_requested):
        view.clicked.emit(view.matrix.index(0, 2))


def test_values_follow_edits(environment: Any, corpus: Any, panel: ScoreSidePanel, qtbot: QtBot) -> None:
    environment.open(corpus(2))
    model = panel.table.scores_model
    before = [model.index(row, 1).data() for row in range(2)]
    with qtbot.waitSignal(environment.scores.scores_changed):
        environment.flip_tag(0, 0)
        environment.flip_tag(0, 1)
    assert [model.index(row, 1).data() for row in range(2)] != before
    environment.wait()


def test_missing_gold_is_reported_with_a_button_that_adds_files(
    environment: Any, corpus: Any, panel: ScoreSidePanel, qtbot: QtBot
) -> None:
    environment.open(corpus(1, gold=False))
    assert "There is no gold for words" in texts(panel)
    (add,) = (button for button in panel.findChildren(QPushButton) if button.text() == "Add files…")
    with qtbot.waitSignal(panel.files_requested):
        add.click()


def test_legend_of_the_panel_explains_signs_below_the_diagonal(
    environment: Any, corpus: Any, panel: ScoreSidePanel
) -> None:
    environment.open(corpus(3))
    assert "column − row" in [swatch.text for swatch in panel.findChildren(MatrixLegendSwatch) if not swatch.isHidden()]


def test_single_system_has_no_matrix(environment: Any, corpus: Any, panel: ScoreSidePanel) -> None:
    environment.open(corpus(1))
    assert not panel.matrix.isVisibleTo(panel)
    assert "Add a second system" in texts(panel)
