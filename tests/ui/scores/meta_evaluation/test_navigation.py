"""Navigation from tables to charts and segments, metric matrices, and export."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from qe_desktop.levels.chart_model import AxisChart, PairGoal, SystemGoal
from qe_desktop.significance import SignificanceLevel, adjust_p_matrix
from qe_desktop.studies.meta_eval.agreement_statistics import get_statistic
from qe_desktop.ui.scores.number_format import format_p, format_score, format_signed
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.legends import MatrixLegendSwatch
from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget
from tests.ui.scores.visible_texts import clipboard_text


def chart_texts(driver: Any) -> str:
    """Return the captions of the charts of the least reliable metric."""
    driver.service.set_metric("Bad")
    return " ".join(panel.caption for panel in panels(driver))


def panels(driver: Any) -> Any:
    driver.wait()
    return driver.page.views.chart_pane.content


def test_enter_and_click_show_the_chart_of_the_metric_vs_human_scores(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    driver.page.views.show_view("systems")
    driver.go_to("TER", "SPA")
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    assert driver.service.metric == "TER"
    # the chart is next to the tabs, which stay as they are
    assert driver.page.views.chart_pane.isVisible()
    assert driver.page.views.current_view == "systems"
    systems, pairs = panels(driver)
    assert pairs.title
    assert systems.title.startswith("TER vs. human scores: r ")
    drawing = systems.content
    assert isinstance(drawing, AxisChart)
    assert len(drawing.points) == 5
    assert drawing.error_bars
    driver.page.views.show_view("systems")
    row, column = driver.cell_position("Good", "Pearson")
    position = driver.view.visualRect(driver.view.cells.index(row, column)).center()
    qtbot.mouseClick(driver.view.viewport(), Qt.MouseButton.LeftButton, pos=position)
    assert panels(driver)[0].title.startswith("Good vs. human scores")
    assert driver.cell("Good", "Metric").token == "accent"


def test_segment_level_statistics_are_plotted_by_translation(driver: Any, task: Path) -> None:
    driver.open(task)
    driver.service.set_metric("TER")
    wanted: list[int] = []
    driver.environment.workspace.segment_requested.connect(wanted.append)
    for name in ("acc_eq", "segments-kendall"):
        driver.service.set_statistic(name)
        translations, systems = panels(driver)
        figure = driver.service.statistic
        value = format_score(figure.value(driver.study.agreements[driver.service.result.metrics.index("TER")]), 3)
        assert translations.title == f"TER vs. human scores of translations: {figure.title} {value}"
        assert systems.title.startswith("TER vs. human scores: r ")
        points = translations.content.points
        assert len(points) == 5 * driver.study.segments
        # in the units of the metric, for which lower is better
        assert points.y.min() >= 0
        driver.page.views.goal_requested.emit(points.goal(0))
    assert wanted == [0, 0]
    driver.service.set_statistic("pearson")
    assert "concordant" in panels(driver)[1].title


def test_current_row_selects_the_chart_and_reordering_keeps_the_metric(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    driver.view.setFocus()
    driver.view.setCurrentIndex(driver.view.cells.index(0, 1))
    best = driver.names()[0]
    qtbot.keyClick(driver.view, Qt.Key.Key_Down)
    current = driver.names()[1]
    assert driver.service.metric == current != best
    assert panels(driver)[0].title.startswith(f"{current} vs. human scores")
    driver.service.set_statistic("segments-kendall")
    assert driver.service.metric == current
    assert driver.names()[driver.view.currentIndex().row()] == current


def test_system_requests_its_segments_ordered_by_rank_gap(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    workspace, views = driver.environment.workspace, driver.page.views
    with qtbot.waitSignal(workspace.ranks_requested) as request:
        views.chart_pane.goal_requested.emit(SystemGoal(2))
    gap = request.args[0]
    assert (gap.system, gap.metric) == (driver.study.systems[2], driver.service.metric)
    assert gap.ranked == 5 * 40
    assert np.isfinite(gap.values).all()
    views.show_view("systems")
    view = views.systems.view
    view.setCurrentIndex(view.cells.index(0, 3))
    with qtbot.waitSignal(workspace.ranks_requested) as request:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert request.args[0].metric == view.cells.columns[3].header
    assert request.args[0].system == view.cells.rows[0][0].text
    driver.service.toggle_systems_only()
    driver.wait()
    with qtbot.waitSignal(workspace.failed) as failed:
        views.chart_pane.goal_requested.emit(SystemGoal(0))
    assert "are not available by segment" in failed.args[0].line()


def test_pair_requests_the_segments_that_separate_it(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    driver.service.set_metric("BLEU")
    with qtbot.waitSignal(driver.environment.workspace.segments_requested) as request:
        driver.page.views.chart_pane.goal_requested.emit(PairGoal(0, 3))
    first, second, metric, level, reference = request.args
    assert (first.name, second.name, metric) == (driver.study.systems[0], driver.study.systems[3], "BLEU")
    assert level.name == "translations"
    assert reference.name == ""


@pytest.mark.parametrize("figure", ["pearson", "spa", "segments-kendall", "acc_eq"])
def test_significance_between_metrics_uses_correction_and_alpha_of_the_area(
    driver: Any, task: Path, figure: str
) -> None:
    driver.open(task)
    driver.environment.comparison.set_options(replace(driver.environment.comparison.options, correction="bonferroni"))
    driver.service.set_statistic(figure)
    driver.page.views.show_view("better")
    grid, study = driver.page.views.significance_page.view.model(), driver.study
    adjusted_p = adjust_p_matrix(study.metric_p_values[get_statistic(figure).key], "bonferroni")
    values = get_statistic(figure).values(study)
    assert [grid.metric(index) for index in range(5)] == driver.names()
    levels = set()
    for row in range(5):
        for column in range(row + 1, 5):
            left, right = grid.order[row], grid.order[column]
            cell = grid.cell(row, column)
            significant = adjusted_p[left, right] <= 0.05 and values[left] != values[right]
            assert cell.level.is_significant == significant
            levels.add(cell.level)
            sentence = grid.sentence(grid.index(row, column))
            relation = "agrees significantly better with human scores than" if significant else "and"
            # rows and columns are sorted, best first
            assert f"{grid.metric(row)} {relation} {grid.metric(column)} do" in sentence
            assert format_signed(values[left] - values[right], 3) in sentence
            # below the diagonal, the sentence is the same, as its difference has the sign of the cell
            assert values[left] == values[right] or grid.sentence(grid.index(column, row)) == sentence
            # differences have no background colour, so that only significance has one
            difference = grid.cell(column, row)
            assert (difference.text, difference.scaled_value) == (format_signed(values[left] - values[right], 3), 0.0)
    assert SignificanceLevel.NOT_SIGNIFICANT in levels or SignificanceLevel.STRONG in levels
    driver.environment.comparison.set_options(
        replace(driver.environment.comparison.options, alpha=1e-4, correction="bonferroni")
    )
    for row in range(5):
        for column in range(row + 1, 5):
            left, right = grid.order[row], grid.order[column]
            significant = adjusted_p[left, right] <= 1e-4 and values[left] != values[right]
            assert grid.cell(row, column).level.is_significant == significant
    assert "p ≤ .0001 each" in chart_texts(driver)


def test_inter_metric_correlations_lead_to_the_chart(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    views = driver.page.views
    views.show_view("between")
    grid = views.correlation.view.model()
    first, second = grid.order[0], grid.order[1]
    assert grid.cell(0, 1).scaled_value == pytest.approx(driver.study.inter_metric[first, second])
    assert grid.cell(1, 0).text == grid.cell(0, 1).text
    swatches = views.correlation.findChildren(MatrixLegendSwatch)
    assert [swatch.text for swatch in swatches if swatch.isVisible()] == ["1", ".5", "0", "−.5", "−1"]
    views.correlation.view.setCurrentIndex(grid.index(3, 1))
    assert "Pearson's r of their system scores" in driver.page.description_label.text()
    qtbot.keyClick(views.correlation.view, Qt.Key.Key_Return)
    assert views.current_view == "between"
    assert driver.service.metric == grid.metric(3)


def test_curves_are_computed_when_shown_and_then_cached(driver: Any, task: Path) -> None:
    driver.open(task)
    views = driver.page.views
    assert driver.service.result.curves == {}
    views.show_view("recall")
    driver.wait()
    (curve,) = driver.service.result.curves["recall"]
    assert [point.x for point in curve.points] == pytest.approx(np.linspace(0, 1, 21))
    assert "recall weight" in views.curves["recall"].content[0].title
    views.show_view("references")
    driver.wait()
    assert [reference_curve.metric for reference_curve in driver.service.result.curves["references"]] == [
        "BLEU",
        "chrF",
        "TER",
    ]
    assert set(driver.service.result.curves) == {"recall", "references"}
    driver.service.set_study_options(replace(driver.service.study_options, seed=9))
    driver.wait()
    assert set(driver.service.result.curves) == {"references"}


@pytest.mark.parametrize("form", ["tsv", "tex", "html"])
def test_copied_text_equals_the_report(driver: Any, task: Path, form: Any) -> None:
    from qe_desktop.report.render.output_formats import get_output_format

    driver.open(task)
    driver.controller.copy(form)
    driver.wait()
    assert clipboard_text() == get_output_format(form).text(driver.service.report())
    assert "Good" in clipboard_text()


def test_copied_p_values_and_order_are_those_of_the_screen(driver: Any, task: Path) -> None:
    driver.open(task)
    driver.service.set_statistic("spa")
    comparison = driver.environment.comparison
    comparison.set_options(replace(comparison.options, correction="bonferroni", alpha=0.2))
    page = driver.page.views.significance_page
    grid = page.view.model()
    shown = [grid.metric(row) for row in range(5)]
    tables = {table.title: table for table in driver.service.report().tables()}
    (title,) = [title for title in tables if title.startswith("Significance of differences in SPA")]
    assert "p adjusted by Bonferroni" in title
    table = tables[title]
    assert [row[0] for row in table.rows] == shown == [row[0].text for row in driver.view.cells.rows]
    adjusted_p = adjust_p_matrix(driver.study.metric_p_values["spa"], "bonferroni")
    for row in range(5):
        for column in range(5):
            if row != column:
                p = float(adjusted_p[grid.order[row], grid.order[column]])
                assert str(table.rows[row][column + 1]).removeprefix("0") == format_p(p).replace("<.", "<0.")
    main = list(tables.values())[:3]
    assert [row[0] for row in main[0].rows] == [*shown, "n (systems)", "n (segments)"]
    assert main[0].rows[5][1:] == ("5", "5", "5")
    assert main[1].rows[5][1:] == ("10", "10", "10")
    assert main[2].rows[5][1:4] == ("200", "200", "")
    assert main[2].rows[6][1:4] == ("", "", "400")
    bold = [(row, column) for row in range(5) for column in range(1, 10) if driver.view.cells.rows[row][column].is_bold]
    in_tables = [(row, column + 3 * index) for index, table in enumerate(main) for row, column in table.best]
    assert sorted(in_tables) == sorted(bold) != []
    assert "Bold: no metric is significantly better." in main[1].caption


def test_table_alone_is_copied_as_latex(driver: Any, task: Path) -> None:
    driver.open(task)
    driver.controller.copy_table()
    driver.wait()
    text = clipboard_text()
    assert text.count("\\begin{table}") == 3
    assert "Significance of differences" not in text
    assert text.index("Good") < text.index("Bad")


def test_ctrl_c_copies_the_table_in_full_precision(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    driver.view.selectAll()
    qtbot.keyClick(driver.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    header, first, *_ = clipboard_text().splitlines()
    assert header.split("\t")[:4] == ["metric", "pearson", "pearson low", "pearson high"]
    assert header.split("\t")[-2:] == ["acc_eq high", "acc_eq epsilon"]
    name, pearson = first.split("\t")[:2]
    agreement = next(agreement for agreement in driver.study.agreements if agreement.metric.name == name)
    assert float(pearson) == agreement.correlations["pearson"]


def test_file_suffix_selects_the_format(driver: Any, task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    driver.open(task)
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *_: (str(task / "a.json"), ""))
    with driver.environment.qtbot.waitSignal(driver.environment.workspace.file_written):
        driver.controller.ask_file()
    driver.wait()
    assert (task / "a.json").read_text().startswith("{")


def test_enter_on_a_metric_focuses_the_plot_even_before_it_is_painted(driver: Any, task: Path, qtbot: QtBot) -> None:
    driver.open(task)
    driver.area.activateWindow()
    driver.go_to("TER", "SPA")
    driver.view.setFocus()
    qtbot.keyClick(driver.view, Qt.Key.Key_Return)
    panels(driver)
    qtbot.waitUntil(lambda: isinstance(driver.area.window().focusWidget(), InteractivePlotWidget))
    with qtbot.waitSignal(driver.page.views.goal_requested) as request:
        qtbot.keyClick(driver.area.window().focusWidget(), Qt.Key.Key_Right)
        qtbot.keyClick(driver.area.window().focusWidget(), Qt.Key.Key_Return)
    assert isinstance(request.args[0], SystemGoal)


def test_documents_are_a_resampling_unit_if_there_are_any(driver: Any, task: Path) -> None:
    driver.open(task)
    unit = driver.page.bar.unit
    assert driver.page.bar._pairs[unit].isHidden()
    (task / "task.docs").write_text("".join(f"d{line // 4}\n" for line in range(40)))
    driver.open(task)
    assert not driver.page.bar._pairs[unit].isHidden()
    caution = "40 segments of 10 documents are treated as independent"
    assert caution in " ".join(driver.service.report().notes())
    unit.setCurrentIndex(unit.findData("document"))
    unit.activated.emit(unit.currentIndex())
    driver.wait()
    assert driver.study.options.unit == "document"
    assert caution not in " ".join(driver.service.report().notes())
    assert set(driver.study.tests.tests.values()) == {"perm-both", "documents"}


def test_notes_offer_documents_while_their_segments_are_treated_as_independent(
    driver: Any, task: Path, qtbot: QtBot
) -> None:
    driver.open(task)
    views = driver.page.views
    views.show_view("remarks")
    assert not views.use_documents_button.isVisible()
    (task / "task.docs").write_text("".join(f"d{line // 4}\n" for line in range(40)))
    driver.open(task)
    views.show_view("better")
    assert views.significance_page.use_documents_button.isVisible()
    texts = " ".join(label.text() for label in views.significance_page.findChildren(Label) if label.isVisible())
    assert "Segments of 10 documents are treated as independent; p-values may be too small." in texts
    views.show_view("remarks")
    assert views.use_documents_button.isVisible()
    qtbot.mouseClick(views.use_documents_button, Qt.MouseButton.LeftButton)
    driver.wait()
    assert driver.study.options.unit == "document"
    assert not views.use_documents_button.isVisible()
