"""Values of the Metric checks page compared with the studies and with the command line."""

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


def as_json(studies: Any) -> Any:
    studies.controller.copy("json")
    studies.wait()
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
def sample(studies: Any) -> Any:
    (plan,) = plan_imports([SAMPLE])
    studies.open(build_corpus(plan))
    return studies


def test_labellings_of_the_sample_equal_the_command(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    options = ("--rounds", "1000", "--correction", "none")
    expected = json_output(capsys, "study", "labellings", *GOLD, "--system", *TAGS, *options)
    assert set(expected["metrics"]) > {"F1-mult", "MCC"}
    assert without_files(as_json(sample)) == without_files(expected)


def test_thresholds_of_the_sample_equal_the_command(sample: Any, capsys: pytest.CaptureFixture[str]) -> None:
    sample.show("thresholds")
    probabilities = sorted((SAMPLE / "systems").glob("*.probabilities"))
    expected = json_output(capsys, "study", "thresholds", *GOLD, "--system", *probabilities)
    assert set(expected["systems"]) == {"strong", "weak"}
    assert without_files(as_json(sample)) == close_to(without_files(expected))


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


def test_labelling_table_has_all_values_of_the_study(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    study = studies.study
    labellings = [labelling.name for labelling in study.labellings]
    assert studies.headers() == ["Metric", *DISTINCTIONS, *labellings, "Total"]
    for row, metric in enumerate(study.metrics):
        assert studies.cell(row, "Metric").text == metric.name
        for part, name in enumerate(DISTINCTIONS):
            assert studies.cell(row, name).text == format_score(study.distinctions[row, part], 2)
        for labelling in study.labellings:
            assert studies.cell(row, labelling.name).text == str(int(labelling.lower[row, 0]))
            assert (
                f"ranks {int(labelling.lower[row, 0])} of 4 systems below {labelling.name}"
                in studies.cell(row, labelling.name).description
            )
        assert studies.cell(row, "Total").exact == (float(study.totals[row]),)


def test_ranges_of_draws_and_intervals_are_shown_below_the_counts(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    studies.page.bar.draws.setValue(3)
    studies.wait()
    assert studies.study.options.draws == 3
    random = next(labelling for labelling in studies.study.labellings if labelling.name == "random")
    lower = random.lower[0]
    assert studies.cell(0, "random").below == f"{lower.min()}–{lower.max()}"
    studies.page.bar._intervals.setCurrentIndex(1)
    studies.page.bar._intervals.activated.emit(1)
    studies.wait()
    random = next(labelling for labelling in studies.study.labellings if labelling.name == "random")
    low, high = random.lower_intervals[0]
    assert studies.cell(0, "random").below == f"[{low:g}, {high:g}]"


def test_thresholds_are_shown_with_intervals_and_a_warning(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    studies.show("thresholds")
    study, metrics = studies.study, len(studies.study.metrics)
    assert [system.name for system in study.systems] == ["system 0", "system 1"]
    assert len(studies.view.cells.rows) == 2 * metrics
    for row in range(2 * metrics):
        system, index = study.systems[row // metrics], row % metrics
        best = system.best[index]
        assert studies.cell(row, "Best threshold").text == format_score(best.threshold, 3)
        assert studies.cell(row, "Best threshold").suffix == format_interval(*best.interval, 3)
        assert studies.cell(row, "Score").exact == (best.score,)
    assert "tuned on the gold they are scored on" in studies.page.error.text()


def test_metrics_are_selected_in_a_menu(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    menu = studies.page.bar.metrics.menu()
    menu.aboutToShow.emit()
    for action in menu.actions():
        if action.isCheckable() and action.isChecked() and action.text() not in ("MCC", "F1-mult"):
            action.setChecked(False)
    studies.wait()
    assert {metric.name for metric in studies.study.metrics} == {"MCC", "F1-mult"}
    assert len(studies.view.cells.rows) == 2
    menu.actions()[-1].trigger()
    studies.wait()
    assert len(studies.view.cells.rows) == 6


def test_changing_the_correction_does_not_repeat_the_tests(studies: Any, tagged: Any) -> None:
    studies.open(tagged)
    before = studies.study
    comparison = studies.world.comparison
    comparison.set_options(replace(comparison.options, correction="bonferroni", alpha=0.01))
    studies.wait()
    now = studies.study
    assert now.options.comparison.correction == "bonferroni"
    assert now.labellings is before.labellings
    assert now.comparison.metrics[0].p is before.comparison.metrics[0].p
    expected = [(metric.d, metric.d_top, metric.d_bottom) for metric in now.comparison.metrics]
    assert now.distinctions.tolist() == [pytest.approx(ds, nan_ok=True) for ds in expected]
