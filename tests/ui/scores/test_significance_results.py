"""Significance results: resampling unit, p-values, warnings, and frozen values in models and painters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, Qt
from pytestqt.qtbot import QtBot

from qe_desktop.metrics import PAPER_METRICS, compute_rows, metric_families
from qe_desktop.significance import (
    SignificanceLevel,
    group_by_family,
    percentile_intervals,
    resampled_scores,
    sum_by_document,
)
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
from qe_desktop.ui.scores.score_values import interval_plot_data
from qe_desktop.ui.widgets.matrix.matrix_legend import MatrixLegendSwatch
from tests.levels import toy_level
from tests.tag_comparison import word_metrics


@pytest.fixture
def area(world: Any, qtbot: QtBot) -> ScoresArea:
    scores_area = ScoresArea(world.comparison)
    assert scores_area.systems
    qtbot.addWidget(scores_area)
    scores_area.resize(1100, 800)
    return scores_area


def expected_intervals(opened: Any, *, documents: bool) -> np.ndarray:
    gold, *systems = (layer.tags for layer in opened.layers.values())
    metrics = word_metrics(PAPER_METRICS)
    families = group_by_family(metrics, compute_rows(metric_families(metrics), gold, systems))
    if documents:
        families = [
            replace(family, rows=sum_by_document(family.rows, opened.documents.of_segment)) for family in families
        ]
    return percentile_intervals(resampled_scores(families, rounds=1000, seed=1))


@pytest.mark.parametrize("unit", ["segment", "document"])
def test_intervals_resample_the_unit_of_the_test(world: Any, corpus: Any, unit: str) -> None:
    opened = corpus(3, documents=True)
    world.comparison.options = replace(world.comparison.options, unit=unit)
    world.open(opened)
    result = world.comparison.result
    assert result.intervals == pytest.approx(expected_intervals(opened, documents=unit == "document"))
    assert result.intervals != pytest.approx(expected_intervals(opened, documents=unit != "document"))
    assert result.resampled == ("6 documents" if unit == "document" else "60 segments")


def test_accessible_text_of_intervals_names_the_resampling_unit(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.comparison.options = replace(world.comparison.options, unit="document")
    world.open(corpus(3, documents=True))
    model = area.systems.table.scores_model
    text = str(model.index(0, model.columnCount() - 1).data(Qt.ItemDataRole.AccessibleTextRole))
    assert text.endswith("(bootstrap over 6 documents)")


# --- which p is shown, and its significance


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
def test_cells_show_the_adjusted_p_and_their_sentence_the_unadjusted(
    world: Any, corpus: Any, area: ScoresArea, correction: Any
) -> None:
    world.comparison.options = replace(world.comparison.options, correction=correction, rounds=400)
    world.open(corpus(9))
    metric_comparison = world.comparison.result.comparison.of("F1-mult")
    matrix, order = area.systems.matrix.view.matrix, [int(index) for index in metric_comparison.order]
    for row in range(9):
        for column in range(row + 1, 9):
            left, right = order[row], order[column]
            cell = matrix.cell(row, column)
            assert cell.text == f"{metric_comparison.adjusted[left, right]:.3f}".removeprefix("0")
            uncorrected = f"{metric_comparison.p[left, right]:.3f}".replace("0.", ".")
            assert f" {uncorrected} " in matrix.sentence(matrix.index(row, column)).replace(",", " ")


@pytest.mark.parametrize("alpha", [0.001, 0.05, 0.2])
def test_legend_has_one_swatch_for_every_sign_of_the_matrix(
    world: Any, corpus: Any, area: ScoresArea, alpha: float
) -> None:
    world.comparison.options = replace(world.comparison.options, alpha=alpha, rounds=5_000)
    world.open(corpus(9, twins=True))
    swatches = [swatch for swatch in area.systems.matrix.findChildren(MatrixLegendSwatch) if not swatch.isHidden()]
    signs = [swatch._cell.sign for swatch in swatches]
    assert len(set(signs)) == len(signs)
    grounds = [swatch._cell.level for swatch in swatches]
    assert len(set(grounds)) == len(grounds)
    matrix = area.systems.matrix.view.matrix
    shown = {matrix.cell(row, column).sign for row in range(9) for column in range(row + 1, 9)}
    assert SignificanceLevel.STRONG.sign in shown
    assert shown <= set(signs)
    levels = {matrix.cell(row, column).level for row in range(9) for column in range(row + 1, 9)}
    assert levels <= set(grounds)


def test_too_few_trials_are_reported_with_a_button_for_enough(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    world.comparison.options = replace(world.comparison.options, correction="bonferroni", rounds=1_000)
    world.open(corpus(9))
    line = area.systems.matrix.line
    assert "1,000 trials are too few" in line.warning.text()
    assert "5,000 trials suffice" in line.warning.text()
    assert line.more.text() == "Use 5,000 trials"
    panel = ScoreSidePanel(world.scores, world.comparison)
    qtbot.addWidget(panel)
    assert panel.matrix.line.warning.text() == "1,000 trials are too few."
    line.more.click()
    world.wait()
    assert world.comparison.result.comparison.rounds == 5_000
    assert line.warning.text() == ""
    assert line.more.isHidden()
    # changing another option must not reset the number of trials
    area.systems.options._seed.setValue(7)
    world.wait()
    assert (world.comparison.options.rounds, world.comparison.options.seed) == (5_000, 7)


def test_too_few_documents_are_reported_without_a_button(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.comparison.options = replace(world.comparison.options, unit="document", correction="bonferroni")
    world.open(corpus(5, documents=True))
    assert "6 documents are too few to permute" in area.systems.matrix.line.warning.text()
    assert area.systems.matrix.line.more.isHidden()


def test_segments_of_documents_give_a_warning_with_a_documents_button(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    world.open(corpus(3, documents=True))
    line = area.systems.matrix.line
    assert "belong to 6 documents" in line.warning.text()
    assert not line.documents.isHidden()
    panel = ScoreSidePanel(world.scores, world.comparison)
    qtbot.addWidget(panel)
    assert panel.matrix.line.warning.text() == "Segments of a document may be correlated."
    line.documents.click()
    world.wait()
    assert world.comparison.result.comparison.options.unit == "document"
    assert area.systems.options._unit.currentData() == "document"
    assert "belong to" not in line.warning.text()
    assert line.documents.isHidden()


def test_more_trials_than_the_maximum_are_reported_but_not_offered(world: Any, corpus: Any, area: ScoresArea) -> None:
    world.comparison.options = replace(world.comparison.options, correction="holm", alpha=1e-6, rounds=100)
    world.open(corpus(9))
    assert "50,000,000 trials suffice" in area.systems.matrix.line.warning.text()
    assert area.systems.matrix.line.more.isHidden()


# --- frozen values

ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.TextAlignmentRole, *(int(Qt.ItemDataRole.UserRole) + place for place in range(1, 6)),
)  # fmt: skip


def all_data(model: QAbstractItemModel) -> list[object]:
    rows, columns = range(model.rowCount()), range(model.columnCount())
    orientations = (Qt.Orientation.Horizontal, Qt.Orientation.Vertical)
    cells = [model.index(row, column).data(role) for row in rows for column in columns for role in ROLES]
    return cells + [
        model.headerData(section, orientation, role)
        for orientation in orientations
        for section in columns
        for role in ROLES
    ]


def test_models_and_painters_use_frozen_values_during_a_change(
    world: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    """Painting may happen in the middle of a change, so models and painters must not read the open session."""
    panel = ScoreSidePanel(world.scores, world.comparison)
    qtbot.addWidget(panel)
    world.open(corpus(4, twins=True))
    area.show()
    qtbot.waitUntil(lambda: area.systems.intervals.plot is not None)
    models = [
        area.systems.table.scores_model, area.systems.matrix.view.matrix, area.systems.coefficients.table.coefficients,
        panel.table.scores_model, panel.matrix.view.matrix,
    ]  # fmt: skip
    before = [all_data(model) for model in models]
    saved = world.workspace.session, world.scores.live, world.scores.values, world.comparison.result
    world.workspace.session = world.scores.live = world.comparison.result = None
    world.scores.values, world.comparison.metric, world.comparison.stale = {}, "none such", True
    assert [all_data(model) for model in models] == before
    for widget in (area, panel, area.systems.intervals.plot.widget):
        assert not widget.grab().isNull()
    assert area.systems.intervals.plot.refresh(area.font()) == ""
    world.workspace.session, world.scores.live, world.scores.values, world.comparison.result = saved


def test_undefined_score_has_no_interval(world: Any, area: ScoresArea) -> None:
    gold = np.random.default_rng(2).normal(size=30)
    world.open(toy_level.corpus(gold, fair=gold + np.random.default_rng(3).normal(size=30), flat=np.zeros(30)))
    world.wait()
    table = area.systems.table.scores_model
    shown = {table.index(row, 0).data(): table.index(row, table.columnCount() - 1) for row in range(2)}
    assert shown["flat"].data() == "–"
    assert "is undefined and has no interval" in shown["flat"].data(Qt.ItemDataRole.AccessibleTextRole)
    assert shown["fair"].data().startswith("[")
    plot_data = interval_plot_data(world.comparison.looked(), 3)
    assert [row.name for row in plot_data.rows] == ["fair"]


def test_single_segment_has_no_interval_and_its_cell_states_why(world: Any, area: ScoresArea) -> None:
    world.comparison.set_metric("MAE")
    world.open(toy_level.corpus(np.array([0.5]), near=np.array([0.4]), far=np.array([0.1])))
    world.comparison.set_metric("MAE")
    world.wait()
    table = area.systems.table.scores_model
    cell = table.index(0, table.columnCount() - 1)
    assert cell.data() == "–"
    assert "too few segments or documents to resample" in cell.data(Qt.ItemDataRole.AccessibleTextRole)
    plot_data = interval_plot_data(world.comparison.looked(), 3)
    assert [(row.low, row.high) for row in plot_data.rows] == [(None, None)] * 2
