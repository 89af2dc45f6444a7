"""Values of the page of studies compared with the studies and with the command line."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtGui import QGuiApplication

from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.report.labellings import DISTINCTIONS
from qe_desktop.ui import icons
from qe_desktop.ui.scores.number_format import format_interval, format_score
from tests.command_line import json_output

SAMPLE = icons.resource_folder() / "samples/en-de"
GOLD = ("--gold", SAMPLE / "sample.tags", "--mt", SAMPLE / "sample.mt")
TAGS = sorted((SAMPLE / "systems").glob("*.tags"))
SHARES = ("5", "6", "8")


def as_json(driver: Any, controller: Any = None) -> Any:
    (controller or driver.controller).copy("json")
    driver.wait()
    return json.loads(QGuiApplication.clipboard().text())


def without_files(content: Any) -> Any:
    """Return the answer without notes and signature, which only the command derives from files."""
    return {name: value for name, value in content.items() if name not in ("notes", "signature")}


def close_to(content: Any) -> Any:
    """Return the answer with a tolerance, because open data have P(BAD) in single precision."""
    if isinstance(content, dict):
        return {name: close_to(value) for name, value in content.items()}
    if isinstance(content, list):
        return [close_to(value) for value in content]
    return pytest.approx(content, rel=1e-6, abs=1e-7) if isinstance(content, float) else content


@pytest.fixture
def sample(driver: Any) -> Any:
    (plan,) = plan_imports([SAMPLE])
    driver.open(build_corpus(plan))
    return driver


def test_labellings_of_the_sample_equal_the_command(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--rounds", "1000", "--correction", "none")
    expected = json_output(capsys, "study", "labellings", *GOLD, "--system", *TAGS, *options)
    assert set(expected["metrics"]) > {"F1-mult", "MCC"}
    assert without_files(as_json(sample)) == without_files(expected)


def test_thresholds_of_the_sample_equal_the_command(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sample.show_thresholds()
    probabilities = sorted((SAMPLE / "systems").glob("*.probabilities"))
    expected = json_output(capsys, "study", "thresholds", *GOLD, "--system", *probabilities)
    assert set(expected["systems"]) == {"strong", "weak"}
    assert without_files(as_json(sample, sample.controller.thresholds)) == close_to(without_files(expected))


def test_sampling_of_the_sample_equals_the_command(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sample.show("sampling")
    sample.page.bar.errors.setText(", ".join(SHARES))
    sample.page.bar.sizes.setText("10 50")
    sample.page.bar.errors.editingFinished.emit()
    sample.service.run()
    sample.wait()
    expected = json_output(
        capsys, "study", "sampling", *GOLD, "--system", *TAGS, "--errors", *SHARES, "--sizes", "10", "50",
        "--correction", "none",
    )  # fmt: skip
    assert len(expected["metrics"]["F1-mult"]) == 3
    assert without_files(as_json(sample)) == without_files(expected)


def test_labelling_table_has_all_values_of_the_study(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    study = driver.study
    labellings = [labelling.name for labelling in study.labellings]
    # words in the header, the symbols of the literature in its tooltip
    shares = ["all 4", "top 2", "bottom 2"]
    assert driver.headers() == ["Metric", *shares, *labellings, "Total"]
    columns = driver.view.cells.columns
    assert [column.second_line for column in columns[1:4]] == ["6 pairs", "1 pair", "1 pair"]
    assert {column.group for column in columns[1:4]} == {"Discriminative power, share of pairs"}
    assert {column.group for column in columns[4:]} == {"Systems (of 4) ranked below a trivial baseline"}
    assert all("Monte Carlo error" in column.tooltip for column in columns[1:4])
    assert [column.exported_headers[0] for column in columns[1:4]] == list(DISTINCTIONS)
    for row, metric in enumerate(study.metrics):
        assert driver.cell(row, "Metric").text == metric.name
        for part, name in enumerate(shares):
            assert driver.cell(row, name).text == format_score(study.distinctions[row, part], 3)
        for labelling in study.labellings:
            assert driver.cell(row, labelling.name).text == str(int(labelling.lower_counts[row, 0]))
            assert (
                f"ranks {int(labelling.lower_counts[row, 0])} of 4 systems below {labelling.name}"
                in driver.cell(row, labelling.name).description
            )
        assert driver.cell(row, "Total").exact_values == (float(study.totals[row]),)


def test_header_sorts_the_baselines_table(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    view = driver.view
    for _ in range(2):
        view.header.sectionClicked.emit(view.cells.columnCount() - 1)
    totals = [row[-1].exact_values[0] for row in view.cells.rows]
    assert totals == sorted(totals)
    view.header.sectionClicked.emit(0)
    names = [row[0].text for row in view.cells.rows]
    assert names == sorted(names, key=str.casefold)
    assert [targets[0].metric for targets in view.table_data.targets] == names


def test_header_sorts_the_systems_by_metric(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    page = driver.page.views.tables[1]
    driver.page.views.setCurrentWidget(page)
    view = page.view
    view.setCurrentIndex(view.cells.index(0, 1))
    best = view.cells.rows[0][1].text
    for _ in range(2):
        view.header.sectionClicked.emit(0)
    ranks = [row[0].exact_values[0] for row in view.cells.rows]
    assert ranks == sorted(ranks, reverse=True)
    assert view.cells.rows[view.currentIndex().row()][1].text == best
    view.header.sectionClicked.emit(1)
    names = [row[1].text for row in view.cells.rows]
    assert names == sorted(names, key=str.casefold)


def test_ranges_of_draws_and_intervals_are_shown_below_the_counts(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.page.bar.draws.setValue(3)
    driver.wait()
    assert driver.study.options.draws == 3
    random = next(labelling for labelling in driver.study.labellings if labelling.name == "random")
    lower = random.lower_counts[0]
    assert driver.cell(0, "random").second_line == f"{lower.min()}–{lower.max()}"
    assert f"{driver.study.totals[0]:.2f} times on average; lower is better." in driver.cell(0, "Total").description
    driver.page.bar._intervals.setCurrentIndex(1)
    driver.page.bar._intervals.activated.emit(1)
    driver.wait()
    random = next(labelling for labelling in driver.study.labellings if labelling.name == "random")
    low, high = random.lower_intervals[0]
    assert driver.cell(0, "random").second_line == f"[{low:g}, {high:g}]"


def test_thresholds_are_shown_with_intervals_and_a_warning(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.show_thresholds()
    page = driver.thresholds
    page.views.show_view("best")
    study, view = page.service.result.study, page.view
    metrics = len(study.metrics)
    assert [system.name for system in study.systems] == ["system 0", "system 1"]
    assert len(view.cells.rows) == 2 * metrics
    columns = [column.header for column in view.cells.columns]
    best_column, score_column = columns.index("Best threshold"), columns.index("Score")
    for row in range(2 * metrics):
        system, index = study.systems[row // metrics], row % metrics
        best = system.best[index]
        assert view.cells.rows[row][best_column].text == format_score(best.threshold, 3)
        assert view.cells.rows[row][best_column].suffix == format_interval(*best.interval, 3)
        assert view.cells.rows[row][score_column].exact_values == (best.score,)
    assert page.error.text() == "Optimistic: tuned on gold."
    assert "Thresholds are tuned on this gold" in page.error.toolTip()


def test_thresholds_follow_the_system_and_metric_of_the_page(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    driver.show_thresholds()
    table, service = driver.area.systems.table, driver.controller.thresholds.service
    rows = {table.scores_model.layer(row).name: row for row in range(4)}
    table.setCurrentIndex(table.scores_model.index(rows["system 1"], 1))
    assert (service.target.metric, service.target.system) == ("F1-mult", "system 1")
    # a system without P(BAD) keeps the chart of the last one
    table.setCurrentIndex(table.scores_model.index(rows["system 3"], 1))
    driver.environment.comparison.set_metric("MCC")
    assert (service.target.metric, service.target.system) == ("MCC", "system 1")
    driver.wait()
    page = driver.thresholds
    page.views.show_view("best")
    page.view.setCurrentIndex(page.view.cells.index(0, 2))
    assert "is highest if words with P(BAD) above" in driver.area.systems.sentence.text_label.text()


def test_metrics_are_selected_in_a_menu(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    menu = driver.page.bar.metrics.menu()
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.isCheckable() and action.isChecked() and action.text() not in ("MCC", "F1-mult"):
            action.setChecked(False)
    driver.wait()
    assert {metric.name for metric in driver.study.metrics} == {"MCC", "F1-mult"}
    assert len(driver.view.cells.rows) == 2
    menu.actions()[-1].trigger()
    driver.wait()
    assert len(driver.view.cells.rows) == 6


def test_changing_the_correction_does_not_repeat_the_tests(driver: Any, corpus_with_probabilities: Any) -> None:
    driver.open(corpus_with_probabilities)
    before = driver.study
    comparison = driver.environment.comparison
    comparison.set_options(replace(comparison.options, correction="bonferroni", alpha=0.01))
    driver.wait()
    now = driver.study
    assert now.options.comparison.correction == "bonferroni"
    assert now.labellings is before.labellings
    assert now.comparison.metrics[0].p is before.comparison.metrics[0].p
    expected = [(metric.d, metric.d_top, metric.d_bottom) for metric in now.comparison.metrics]
    assert now.distinctions.tolist() == [pytest.approx(ds, nan_ok=True) for ds in expected]
