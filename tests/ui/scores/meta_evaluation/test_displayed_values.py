"""Values of the “Against human scores” page: equality with the command line, and every cell of the tables."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt

from qe_desktop.studies.charts import metric_vs_human_panels
from qe_desktop.studies.meta_eval.agreement_statistics import AGREEMENT_STATISTICS, metric_verdicts
from qe_desktop.studies.meta_eval.agreement_tests import TESTED_STATISTICS
from qe_desktop.ui.scores.number_format import format_interval, format_score
from tests.command_line import json_output
from tests.ui.scores.visible_texts import clipboard_text, visible_texts


def command_output(capsys: Any, task: Any, *more: object) -> Any:
    return json_output(
        capsys, "study", "humans", "--human", task / "people.tsv", "--reference", task / "ref.A", task / "ref.B",
        "--system", task / "systems", "--scores", f"Bad={task / 'Bad.seg.score'}", f"Good={task / 'Good.seg.score'}",
        "--rounds", "100", *more,
    )  # fmt: skip


def as_json(driver: Any) -> Any:
    driver.controller.copy("json")
    driver.wait()
    return json.loads(clipboard_text())


def test_copied_json_equals_the_output_of_the_command(
    driver: Any, task: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    driver.open(task)
    expected = command_output(capsys, task)
    assert set(expected["metrics"]) == {"BLEU", "chrF", "TER", "Bad", "Good"}
    assert set(expected["better"]) == set(expected["tests"]) == set(TESTED_STATISTICS)
    assert as_json(driver) == expected
    comparison = driver.environment.comparison
    comparison.set_options(replace(comparison.options, correction="bonferroni", alpha=0.01))
    corrected = command_output(capsys, task, "--correction", "bonferroni", "--alpha", "0.01")
    assert corrected["better"] == expected["better"]
    assert as_json(driver) == corrected


def test_viewed_curves_equal_those_of_the_command(driver: Any, task: Any, capsys: pytest.CaptureFixture[str]) -> None:
    driver.open(task)
    assert driver.service.result.curves == {}
    for name in ("references", "recall"):
        driver.page.views.show_view(name)
        driver.wait()
    assert as_json(driver) == command_output(capsys, task, "--curve", "recall", "references")


def test_options_give_the_results_of_the_same_command_options(
    driver: Any, task: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    driver.open(task)
    bar = driver.page.bar
    bar.seed.setValue(7)
    bar._orientation.setCurrentIndex(1)
    bar._orientation.activated.emit(1)
    driver.wait()
    assert driver.environment.settings.seed == 7
    assert as_json(driver) == command_output(capsys, task, "--seed", "7", "--orientation", "listed")
    bar._sides.setCurrentIndex(1)
    bar._sides.activated.emit(1)
    driver.wait()
    one_sided = command_output(capsys, task, "--seed", "7", "--orientation", "listed", "--sides", "one")
    assert as_json(driver) == one_sided
    assert {test["sides"] for test in one_sided["tests"].values()} == {"one"}
    assert one_sided["better"]["acc_eq"]["Good"]["Bad"] <= 0.05
    bar._sides.setCurrentIndex(0)
    bar._sides.activated.emit(0)
    driver.wait()
    bar._segments.setCurrentIndex(1)
    bar._segments.activated.emit(1)
    driver.wait()
    assert as_json(driver) == command_output(
        capsys, task, "--seed", "7", "--orientation", "listed", "--segments", "all"
    )
    bar._segments.setCurrentIndex(0)
    bar._segments.activated.emit(0)
    driver.wait()
    bar._level.setCurrentIndex(1)
    bar._level.activated.emit(1)
    driver.wait()
    expected = command_output(capsys, task, "--seed", "7", "--orientation", "listed", "--systems-only")
    assert expected["metrics"]["Good"]["spa"] is None
    assert as_json(driver) == expected


def test_unit_of_human_scores_is_named_in_the_options_and_on_the_axis(driver: Any, task: Any) -> None:
    driver.open(task)
    box, chart = driver.page.bar._aggregation, driver.page.views.chart_pane
    assert box.currentText() == "mean rating (default)"
    driver.wait()
    assert chart.content[0].content.x_label == "human score (mean rating)"


def test_header_tooltips_state_what_n_counts_on_separate_lines(driver: Any, task: Any) -> None:
    driver.open(task)
    columns = {column.header: column for column in driver.view.cells.columns}
    assert "n is the number of systems" in columns["Spearman"].tooltip.splitlines()
    assert "n is the number of system pairs" in columns["SPA"].tooltip.splitlines()
    assert (columns["Spearman"].second_line, columns["SPA"].second_line) == ("n 5", "n 10")
    last = driver.view.cells.columns[-1]
    assert "n is the number of translation pairs" in last.tooltip.splitlines()
    section = driver.column_index("SPA")
    tooltip = driver.view.cells.headerData(section, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole)
    bold = "Bold: no metric is significantly better"
    assert f"<br>n is the number of system pairs<br>{bold}<br>⚠ too few systems" in tooltip


def test_metrics_are_selected_in_a_menu(driver: Any, task: Any, capsys: pytest.CaptureFixture[str]) -> None:
    driver.open(task)
    menu = driver.page.bar.metrics.menu()
    menu.aboutToShow.emit()
    chosen = {action.text(): action for action in menu.actions() if action.isCheckable()}
    assert {name for name, action in chosen.items() if action.isChecked()} == {"BLEU", "chrF", "TER", "Bad", "Good"}
    for name in ("BLEU", "TER", "Bad"):
        chosen[name].setChecked(False)
    driver.wait()
    assert set(driver.names()) == {"chrF", "Good"}
    assert as_json(driver) == command_output(capsys, task, "--metric", "chrF", "Good")
    menu.actions()[-1].trigger()
    driver.wait()
    assert len(driver.names()) == 5


def test_every_statistic_is_shown_in_its_cell(driver: Any, task: Any) -> None:
    driver.open(task)
    headers = [column.header for column in driver.view.cells.columns]
    assert headers == [
        "Metric", "Pearson", "Spearman", "Kendall", "Accuracy", "SPA", "Differences", "Pearson", "Kendall", "acc*eq"
    ]  # fmt: skip
    groups = [column.group for column in driver.view.cells.columns]
    assert groups == ["", *3 * ["System level"], *3 * ["Pairwise"], *3 * ["Segment level"]]
    for agreement in driver.study.agreements:
        for figure in AGREEMENT_STATISTICS:
            cell = driver.cell(agreement.metric.name, figure.title)
            assert cell.text == format_score(figure.value(agreement), 3)
            low, high = agreement.intervals[figure.key]
            # the other intervals are in the descriptions
            interval = format_interval(low, high, 3) if figure.name in ("pearson", "spearman", "kendall") else ""
            assert cell.second_line == interval
            assert f"95 % interval {format_score(low, 3)} to {format_score(high, 3)}" in cell.description
        assert f"at most {agreement.tied.epsilon:.4g} apart" in driver.cell(agreement.metric.name, "acc*eq").description
    description = driver.cell("BLEU", "Pearson").description
    low, high = driver.cell("BLEU", "Pearson").second_line.strip("[]").split(", ")
    assert description.startswith(
        f"BLEU vs. human scores: Pearson {driver.cell('BLEU', 'Pearson').text}, 95 % interval {low} to {high}"
    )


def test_columns_over_few_systems_have_a_caution_and_muted_values(driver: Any, task: Any) -> None:
    driver.open(task)
    for figure in AGREEMENT_STATISTICS:
        cell = driver.cell("BLEU", figure.title)
        column = driver.view.cells.columns[driver.cell_position("BLEU", figure.title)[1]]
        few = column.group != "Segment level"
        assert (cell.token == "muted") == column.has_second_line_caution == few
        assert column.caution == {"System level": "5 systems: too few", "Pairwise": "too few systems"}.get(
            column.group, ""
        )
        # segment-level statistics are computed over all translations, acc*eq over their pairs
        segments = driver.study.segments
        sizes = {"System level": 5, "Pairwise": 10}
        size = sizes.get(column.group, segments * (10 if figure.name == "acc_eq" else 5))
        assert column.second_line == f"n {size}"
        chance = figure.name in ("pearson", "spearman", "kendall", "differentials")
        assert ("With only 5 systems" in cell.description) == chance


def test_correlations_between_metrics_have_the_caution_of_few_systems(driver: Any, task: Any) -> None:
    driver.open(task)
    page = driver.page.views.correlation
    assert page.basis.isVisibleTo(page)
    assert page.basis.text() == "⚠ 5 systems: too few"
    assert "scores of 5 systems" in page.basis.toolTip()


def test_bold_values_are_not_significantly_beaten(driver: Any, task: Any) -> None:
    driver.open(task)
    options = driver.service.options
    for figure in AGREEMENT_STATISTICS:
        verdicts = metric_verdicts(driver.study, figure, options.correction, options.alpha)
        beaten = verdicts is not None and verdicts.beats.any()
        for place, name in enumerate(driver.service.result.metrics):
            top = bool(beaten and verdicts is not None and not verdicts.beats[:, place].any())
            assert driver.cell(name, figure.title).is_bold == top


def test_sentence_below_the_table_names_the_metrics_that_none_outperforms(driver: Any, task: Any) -> None:
    driver.open(task)
    for statistic in AGREEMENT_STATISTICS:
        driver.service.set_statistic(statistic.name)
        verdicts = metric_verdicts(driver.study, statistic, "none", 0.05)
        best = driver.view.cells.rows[0][0].text
        index = driver.service.result.metrics.index(best)
        bold = [row[0].text for row in driver.view.cells.rows if row[1 + AGREEMENT_STATISTICS.index(statistic)].is_bold]
        text = driver.page.description_label.text()
        if not verdicts.beats.any():
            assert text == f"No two metrics differ significantly in {statistic.title}."
            continue
        beaten = np.count_nonzero(verdicts.beats[index])
        if beaten:
            assert f"In {statistic.title}, no metric is significantly better than {best} (" in text
            assert f"which is significantly better than {beaten} metric" in text
        else:
            assert f"In {statistic.title}, {best} has the best value (" in text
        assert (f"{len(bold) - 1} other metric" in text) == (len(bold) > 1)
    comparison = driver.environment.comparison
    comparison.set_options(replace(comparison.options, alpha=1e-4))
    assert driver.page.description_label.text().startswith("No two metrics differ significantly in acc*eq.")
    tooltip = driver.page.bar.panel_button.toolTip()
    assert "exchanges two metrics" in tooltip


def test_rows_are_ordered_best_first_by_the_selected_statistic(driver: Any, task: Any, qtbot: Any) -> None:
    driver.open(task)
    for figure in AGREEMENT_STATISTICS:
        column = driver.cell_position("BLEU", figure.title)[1]
        driver.view.header.sectionClicked.emit(column)
        values = dict(zip(driver.service.result.metrics, figure.values(driver.study), strict=True))
        ordered = [values[name] for name in driver.names()]
        assert ordered == sorted(ordered, reverse=True)
        assert driver.view.cells.columns[column].is_current
        assert driver.page.bar._figure.currentData() == figure.name
    driver.page.bar._figure.setCurrentIndex(0)
    driver.page.bar._figure.activated.emit(0)
    assert driver.service.statistic.name == "pearson"


def test_lower_is_better_is_shown_and_reverses_the_sign(driver: Any, task: Any) -> None:
    driver.open(task)
    assert driver.cell("TER", "Metric").second_line == "lower is better"
    assert "scores are negated" in driver.cell("TER", "Metric").description
    ter = next(agreement for agreement in driver.study.agreements if agreement.metric.name == "TER")
    assert np.corrcoef(ter.scores, driver.study.human_scores)[0, 1] == pytest.approx(-ter.correlations["pearson"])


def test_systems_only_states_why_other_statistics_are_undefined(driver: Any, task: Any) -> None:
    driver.open(task)
    driver.service.toggle_systems_only()
    driver.wait()
    for header in ("SPA", "segment-level Pearson", "acc*eq"):
        assert driver.cell("BLEU", header).text == "–"
        assert "The segment level is turned off" in driver.cell("BLEU", header).description
    driver.page.views.show_view("better")
    driver.page.bar._figure.setCurrentIndex(4)
    driver.page.bar._figure.activated.emit(4)
    missing = "The segment level is turned off (level: “systems only”)."
    assert f"{missing} Tested measures: Pearson." in visible_texts(driver.page)
    notes = driver.page.views._remarks.text()
    assert f"{missing} SPA is undefined, and systems are compared by their overall scores only." in notes
    panel = metric_vs_human_panels(driver.study, 0)[0]
    assert f"No pair is tested. {missing}" in panel.caption
    assert not any("No segment has" in text or "need segments" in text for text in (notes, panel.caption))


def test_intervals_with_fixed_human_scores_have_a_caution(driver: Any, task: Any) -> None:
    driver.open(task)
    caution = "The bootstrap holds human scores fixed, so the intervals are too narrow."

    def texts() -> dict[str, str]:
        position = driver.cell_position("BLEU", "Pearson")
        return {
            "header": driver.view.cells.columns[position[1]].tooltip,
            "cell": driver.cell("BLEU", "Pearson").description,
            "notes": driver.page.views._remarks.text(),
            "export": "\n".join(driver.service.report().notes()),
            "chart": metric_vs_human_panels(driver.study, 0)[0].caption,
        }

    assert not [name for name, text in texts().items() if caution.removesuffix(".") in text]
    driver.service.toggle_systems_only()
    driver.wait()
    assert [name for name, text in texts().items() if caution.removesuffix(".") not in text] == []


def test_systems_table_has_human_scores_and_every_metric(driver: Any, task: Any) -> None:
    driver.open(task)
    views = driver.page.views
    views.show_view("systems")
    cells = views.systems.view.cells
    study = driver.study
    order = np.argsort(-study.human_scores, kind="stable").tolist()
    assert [row[0].text for row in cells.rows] == [study.systems[index] for index in order]
    assert [row[1].exact_values[0] for row in cells.rows] == [study.human_scores[index] for index in order]
    for column, agreement in enumerate(study.agreements, 2):
        assert cells.columns[column].header == agreement.metric.name
        assert [row[column].exact_values[0] for row in cells.rows] == [agreement.scores[index] for index in order]
        best = int(np.argmax(agreement.metric.better * agreement.scores))
        assert cells.rows[order.index(best)][column].suffix == "1"


def test_column_with_a_wide_heading_is_as_wide_as_the_heading(driver: Any, task: Any) -> None:
    driver.open(task)
    column = driver.column_index("Differences")
    assert driver.view._width(column) == driver.view.header.required_width(column)
