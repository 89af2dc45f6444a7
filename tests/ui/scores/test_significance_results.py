"""Significance results: resampling unit, p-values, warnings, and frozen values in models and painters."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QAbstractItemModel, QCoreApplication, Qt
from pytestqt.qtbot import QtBot

from qe_desktop.metrics import PAPER_METRICS, compute_rows, metric_families
from qe_desktop.significance import (
    SignificanceLevel,
    SignificanceOptions,
    group_by_family,
    percentile_intervals,
    resampled_scores,
    sum_by_document,
)
from qe_desktop.ui.scores.area import ScoresArea
from qe_desktop.ui.scores.score_descriptions import method_note, method_sentence
from qe_desktop.ui.scores.score_model import INTERVAL
from qe_desktop.ui.scores.score_side_panel import ScoreSidePanel
from qe_desktop.ui.scores.score_values import interval_plot_data
from qe_desktop.ui.widgets.legends import MatrixLegendSwatch
from tests.levels import toy_level
from tests.tag_comparison import word_metrics


@pytest.fixture
def area(environment: Any, qtbot: QtBot) -> ScoresArea:
    scores_area = ScoresArea(environment.comparison)
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
def test_intervals_resample_the_unit_of_the_test(environment: Any, corpus: Any, unit: str) -> None:
    opened = corpus(3, documents=True)
    environment.comparison.options = replace(environment.comparison.options, unit=unit)
    environment.open(opened)
    result = environment.comparison.result
    assert result.intervals == pytest.approx(expected_intervals(opened, documents=unit == "document"))
    assert result.intervals != pytest.approx(expected_intervals(opened, documents=unit != "document"))
    assert result.resampled_units == ("6 documents" if unit == "document" else "60 segments")


def test_accessible_text_of_intervals_names_the_resampling_unit(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.comparison.options = replace(environment.comparison.options, unit="document")
    environment.open(corpus(3, documents=True))
    model = area.systems.table.scores_model
    text = str(model.index(0, model.column_of(INTERVAL)).data(Qt.ItemDataRole.AccessibleTextRole))
    assert text.endswith("(percentile bootstrap over 6 documents)")


# --- displayed p-values and their significance


@pytest.mark.parametrize("correction", ["none", "bonferroni", "holm"])
def test_cells_show_the_adjusted_p_and_their_sentence_the_unadjusted(
    environment: Any, corpus: Any, area: ScoresArea, correction: Any
) -> None:
    environment.comparison.options = replace(environment.comparison.options, correction=correction, rounds=400)
    environment.open(corpus(9))
    metric_comparison = environment.comparison.result.comparison.of("F1-mult")
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
    environment: Any, corpus: Any, area: ScoresArea, alpha: float
) -> None:
    environment.comparison.options = replace(environment.comparison.options, alpha=alpha, rounds=5_000)
    environment.open(corpus(9, twins=True))
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
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.comparison.options = replace(environment.comparison.options, correction="bonferroni", rounds=1_000)
    environment.open(corpus(9))
    line = area.systems.matrix.status_bar
    assert "1,000 trials are too few" in line.warning.text()
    assert "5,000 trials suffice" in line.warning.text()
    assert line.more_trials_button.text() == "Use 5,000 trials"
    panel = ScoreSidePanel(environment.scores, environment.comparison)
    qtbot.addWidget(panel)
    assert panel.matrix.status_bar.warning.text() == "1,000 trials are too few for small p-values."
    line.more_trials_button.click()
    environment.wait()
    assert environment.comparison.result.comparison.rounds == 5_000
    assert line.warning.text() == ""
    assert line.more_trials_button.isHidden()
    # changing another option must not reset the number of trials
    area.systems.options._seed.setValue(7)
    environment.wait()
    assert (environment.comparison.options.rounds, environment.comparison.options.seed) == (5_000, 7)


def test_the_line_above_the_matrix_keeps_its_height_when_its_button_disappears(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    area.show()
    environment.open(corpus(9))
    line = area.systems.matrix.status_bar
    for size in (1.0, 1.5):
        font = area.font()
        font.setPointSizeF(font.pointSizeF() * size)
        area.setFont(font)
        heights: set[int] = set()

        def note_height(heights: set[int] = heights) -> None:
            if line._button.isVisibleTo(area):
                QCoreApplication.sendPostedEvents()
                heights.add(line.sizeHint().height())

        environment.comparison.changed.connect(note_height)
        environment.comparison.set_options(replace(environment.comparison.options, seed=round(10 * size)))
        environment.wait()
        environment.comparison.changed.disconnect(note_height)
        QCoreApplication.sendPostedEvents()
        assert not line._button.isVisibleTo(area)
        assert heights == {line.sizeHint().height()}


def test_too_few_documents_are_reported_without_a_button(environment: Any, corpus: Any, area: ScoresArea) -> None:
    environment.comparison.options = replace(environment.comparison.options, unit="document", correction="bonferroni")
    environment.open(corpus(5, documents=True))
    assert "6 documents are too few to permute" in area.systems.matrix.status_bar.warning.text()
    assert area.systems.matrix.status_bar.more_trials_button.isHidden()


def test_segments_of_documents_give_a_warning_with_a_documents_button(
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    environment.open(corpus(3, documents=True))
    line = area.systems.matrix.status_bar
    assert "Segments may be correlated." in line.warning.text()
    assert "belong to 6 documents" in line.warning.toolTip()
    assert not line.use_documents_button.isHidden()
    panel = ScoreSidePanel(environment.scores, environment.comparison)
    qtbot.addWidget(panel)
    assert panel.matrix.status_bar.warning.text() == "Segments may be correlated."
    line.use_documents_button.click()
    environment.wait()
    assert environment.comparison.result.comparison.options.unit == "document"
    assert area.systems.options._unit.currentData() == "document"
    assert "may be correlated" not in line.warning.text()
    assert line.use_documents_button.isHidden()
    assert not line.use_segments_button.isHidden()
    assert line.use_segments_button.toolTip()
    line.use_segments_button.click()
    environment.wait()
    assert environment.comparison.result.comparison.options.unit == "segment"
    assert line.use_segments_button.isHidden()
    assert not line.use_documents_button.isHidden()


def test_more_trials_than_the_maximum_are_reported_but_not_offered(
    environment: Any, corpus: Any, area: ScoresArea
) -> None:
    environment.comparison.options = replace(environment.comparison.options, correction="holm", alpha=1e-6, rounds=100)
    environment.open(corpus(9))
    assert "50,000,000 trials suffice" in area.systems.matrix.status_bar.warning.text()
    assert area.systems.matrix.status_bar.more_trials_button.isHidden()


# --- frozen values

ROLES = (
    Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole,
    Qt.ItemDataRole.TextAlignmentRole, *(int(Qt.ItemDataRole.UserRole) + index for index in range(1, 6)),
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
    environment: Any, corpus: Any, area: ScoresArea, qtbot: QtBot
) -> None:
    """Painting may happen in the middle of a change, so models and painters must not read the open session."""
    panel = ScoreSidePanel(environment.scores, environment.comparison)
    qtbot.addWidget(panel)
    environment.open(corpus(4, twins=True))
    area.show()
    qtbot.waitUntil(lambda: area.systems.intervals.plot is not None)
    models = [
        area.systems.table.scores_model, area.systems.matrix.view.matrix, area.systems.coefficients.table.coefficients,
        panel.table.scores_model, panel.matrix.view.matrix,
    ]  # fmt: skip
    before = [all_data(model) for model in models]
    saved = (
        environment.workspace.session,
        environment.scores.live,
        environment.scores.values,
        environment.comparison.result,
    )
    environment.workspace.session = environment.scores.live = environment.comparison.result = None
    environment.scores.values, environment.comparison.metric, environment.comparison.is_data_outdated = (
        {},
        "none such",
        True,
    )
    assert [all_data(model) for model in models] == before
    for widget in (area, panel, area.systems.intervals.plot.widget):
        assert not widget.grab().isNull()
    assert area.systems.intervals.plot.refresh(area.font()) == ""
    environment.workspace.session, environment.scores.live, environment.scores.values, environment.comparison.result = (
        saved
    )


def test_undefined_score_has_no_interval(environment: Any, area: ScoresArea) -> None:
    gold = np.random.default_rng(2).normal(size=30)
    environment.open(
        toy_level.make_corpus(gold, fair=gold + np.random.default_rng(3).normal(size=30), flat=np.zeros(30))
    )
    environment.wait()
    table = area.systems.table.scores_model
    shown = {table.index(row, 0).data(): table.index(row, table.column_of(INTERVAL)) for row in range(2)}
    assert shown["flat"].data() == "–"
    assert "is undefined and has no interval" in shown["flat"].data(Qt.ItemDataRole.AccessibleTextRole)
    assert shown["fair"].data().startswith("[")
    plot_data = interval_plot_data(environment.comparison.snapshot(), 3)
    assert [row.name for row in plot_data.rows] == ["fair"]
    note = method_note(environment.comparison.result.comparison, "F1-mult")
    assert note.endswith("undefined score are not tested.")
    environment.open(toy_level.make_corpus(gold, fair=gold, other=gold + np.random.default_rng(3).normal(size=30)))
    environment.wait()
    note = method_note(environment.comparison.result.comparison, "F1-mult")
    assert note.endswith("Every system above a line is significantly better by F1-mult than every system below it.")


def test_untested_undefined_score_is_not_said_to_count_as_0(environment: Any, area: ScoresArea) -> None:
    gold = np.random.default_rng(2).normal(size=30)
    environment.open(
        toy_level.make_corpus(gold, fair=gold + np.random.default_rng(3).normal(size=30), flat=np.zeros(30))
    )
    matrix = area.systems.matrix.view.matrix
    assert matrix.metric == "Pearson"
    sentence = matrix.sentence(matrix.index(0, 1))
    assert "the difference in Pearson" in sentence
    assert "flat (undefined) and" in sentence or "and flat (undefined)" in sentence


def test_pairs_with_an_undefined_score_are_not_counted_as_tests(environment: Any, area: ScoresArea) -> None:
    rng = np.random.default_rng(2)
    gold = rng.normal(size=30)
    environment.comparison.set_options(replace(environment.comparison.options, correction="bonferroni"))
    environment.open(
        toy_level.make_corpus(gold, near=gold + rng.normal(size=30) / 9, fair=gold + rng.normal(size=30),
                              flat=np.zeros(30))
    )  # fmt: skip
    environment.wait()
    matrix = area.systems.matrix.view.matrix
    sentences = [matrix.sentence(matrix.index(row, column)) for row in range(3) for column in range(3)]
    tested = [sentence for sentence in sentences if "correction for" in sentence]
    assert tested
    assert all("correction for 1 pair," in sentence for sentence in tested)
    coefficient = area.systems.coefficients.table.coefficients.index(0, 1)
    assert "separates 1 of 1 tested pair significantly" in str(coefficient.data(Qt.ItemDataRole.AccessibleTextRole))


def test_the_method_does_not_claim_to_resample_for_fishers_z() -> None:
    options = SignificanceOptions(test="randomisation", interval_method="fisher")
    for unit in ("segment", "document"):
        sentence = method_sentence(replace(options, unit=unit))
        assert "intervals other than those of r (Fisher's z)" in sentence


def test_single_segment_has_no_interval_and_its_cell_states_why(environment: Any, area: ScoresArea) -> None:
    environment.comparison.set_metric("MAE")
    environment.open(toy_level.make_corpus(np.array([0.5]), near=np.array([0.4]), far=np.array([0.1])))
    environment.comparison.set_metric("MAE")
    environment.wait()
    table = area.systems.table.scores_model
    cell = table.index(0, table.column_of(INTERVAL))
    assert cell.data() == "–"
    assert "too few segments or documents," in cell.data(Qt.ItemDataRole.AccessibleTextRole)
    plot_data = interval_plot_data(environment.comparison.snapshot(), 3)
    assert [(row.low, row.high) for row in plot_data.rows] == [(None, None)] * 2
