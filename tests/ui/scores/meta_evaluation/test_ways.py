"""From a number to its picture, from there to segments; matrices of metrics; and everything by name."""

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
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.plots.interactive_plot import InteractivePlotWidget
from tests.ui.scores.meta_evaluation.looking import clipboard


def panels(people: Any) -> Any:
    people.wait()
    return people.page.views.picture.content


def test_enter_and_click_show_the_metric_against_people(people: Any, task: Path, qtbot: QtBot) -> None:
    people.open(task)
    people.page.views.show_view("systems")
    people.go_to("TER", "SPA")
    qtbot.keyClick(people.view, Qt.Key.Key_Return)
    assert people.service.metric == "TER"
    assert people.page.views.shown == "picture"
    systems, pairs = panels(people)
    assert pairs.title
    assert systems.title.startswith("TER vs. human scores: r ")
    drawing = systems.drawing
    assert isinstance(drawing, AxisChart)
    assert len(drawing.points) == 5
    assert drawing.crosses
    people.page.views.show_view("systems")
    row, column = people.place("Good", "Pearson")
    where = people.view.visualRect(people.view.cells.index(row, column)).center()
    qtbot.mouseClick(people.view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    assert people.page.views.shown == "picture"
    assert panels(people)[0].title.startswith("Good vs. human scores")
    assert people.cell("Good", "Metric").chosen


def test_walking_along_the_rows_changes_the_picture_and_orders_keep_the_metric(
    people: Any, task: Path, qtbot: QtBot
) -> None:
    people.open(task)
    people.view.setFocus()
    people.view.setCurrentIndex(people.view.cells.index(0, 1))
    best = people.names()[0]
    qtbot.keyClick(people.view, Qt.Key.Key_Down)
    looked = people.names()[1]
    assert people.service.metric == looked != best
    assert panels(people)[0].title.startswith(f"{looked} vs. human scores")
    people.service.set_figure("segments-kendall")
    assert people.service.metric == looked
    assert people.names()[people.view.currentIndex().row()] == looked


def test_a_system_leads_to_its_segments_those_first_that_are_ranked_most_otherwise(
    people: Any, task: Path, qtbot: QtBot
) -> None:
    people.open(task)
    workspace, views = people.world.workspace, people.page.views
    with qtbot.waitSignal(workspace.ranks_wanted) as wanted:
        views.picture.wanted.emit(SystemGoal(2))
    gap = wanted.args[0]
    assert (gap.system, gap.metric) == (people.study.systems[2], people.service.metric)
    assert gap.ranked == 5 * 40
    assert np.isfinite(gap.values).all()
    views.show_view("systems")
    view = views.systems.view
    view.setCurrentIndex(view.cells.index(0, 3))
    with qtbot.waitSignal(workspace.ranks_wanted) as wanted:
        qtbot.keyClick(view, Qt.Key.Key_Return)
    assert wanted.args[0].metric == view.cells.columns[3].header
    assert wanted.args[0].system == view.cells.rows[0][0].text
    people.service.compare_alone()
    people.wait()
    with qtbot.waitSignal(workspace.failed) as failed:
        views.picture.wanted.emit(SystemGoal(0))
    assert "are not available by segment" in failed.args[0].line()


def test_a_pair_leads_to_what_makes_it_differ(people: Any, task: Path, qtbot: QtBot) -> None:
    people.open(task)
    people.service.set_metric("BLEU")
    with qtbot.waitSignal(people.world.workspace.segments_wanted) as wanted:
        people.page.views.picture.wanted.emit(PairGoal(0, 3))
    one, other, metric, level, reference = wanted.args
    assert (one.name, other.name, metric) == (people.study.systems[0], people.study.systems[3], "BLEU")
    assert level.name == "translations"
    assert reference.name == ""


@pytest.mark.parametrize("figure", ["pearson", "spa", "segments-kendall", "acc_eq"])
def test_which_metric_is_better_is_judged_as_the_area_judges(people: Any, task: Path, figure: str) -> None:
    people.open(task)
    people.world.comparison.set_options(replace(people.world.comparison.options, correction="bonferroni"))
    people.service.set_figure(figure)
    people.page.views.show_view("better")
    grid, study = people.page.views.better.view.model(), people.study
    judged = adjust_p_matrix(study.better[get_statistic(figure).key], "bonferroni")
    values = get_statistic(figure).values(study)
    assert [grid.metric(place) for place in range(5)] == people.names()
    found = set()
    for row in range(5):
        for column in range(row + 1, 5):
            left, right = grid.order[row], grid.order[column]
            cell = grid.cell(row, column)
            significant = judged[left, right] <= 0.05 and values[left] != values[right]
            assert cell.level.significant == significant
            found.add(cell.level)
            assert "agrees better with people" in grid.sentence(grid.index(row, column)) or not significant
            assert grid.cell(column, row).lean == pytest.approx((values[left] - values[right]) / np.ptp(values))
    assert SignificanceLevel.NOT in found or SignificanceLevel.STRONG in found
    people.world.comparison.set_options(replace(people.world.comparison.options, alpha=1e-4, correction="bonferroni"))
    assert not any(grid.cell(0, column).level.significant for column in range(1, 5)) or figure == "pearson"


def test_metrics_with_each_other(people: Any, task: Path, qtbot: QtBot) -> None:
    people.open(task)
    views = people.page.views
    views.show_view("between")
    grid = views.between.view.model()
    one, other = grid.order[0], grid.order[1]
    assert grid.cell(0, 1).lean == pytest.approx(people.study.between[one, other])
    assert grid.cell(1, 0).text == grid.cell(0, 1).text
    views.between.view.setCurrentIndex(grid.index(3, 1))
    assert "Pearson’s r of their system scores" in views.between.words.text()
    qtbot.keyClick(views.between.view, Qt.Key.Key_Return)
    assert views.shown == "picture"
    assert people.service.metric == grid.metric(3)


def test_curves_are_computed_when_they_are_looked_at_and_kept(people: Any, task: Path) -> None:
    people.open(task)
    views = people.page.views
    assert people.service.result.curves == {}
    views.show_view("recall")
    people.wait()
    (curve,) = people.service.result.curves["recall"]
    assert [point.at for point in curve.points] == pytest.approx(np.linspace(0, 1, 21))
    assert "recall weight" in views.curves["recall"].content[0].title
    views.show_view("references")
    people.wait()
    assert [one.metric for one in people.service.result.curves["references"]] == ["BLEU", "chrF", "TER"]
    assert set(people.service.result.curves) == {"recall", "references"}
    people.service.set_wish(replace(people.service.wish, seed=9))
    people.wait()
    assert set(people.service.result.curves) == {"references"}


@pytest.mark.parametrize("form", ["tsv", "tex", "html"])
def test_all_is_copied_as_the_report(people: Any, task: Path, form: Any) -> None:
    from qe_desktop.report.render.output_formats import get_output_format

    people.open(task)
    people.controller.copy(form)
    people.wait()
    assert clipboard() == get_output_format(form).text(people.service.result.report())
    assert "Good" in clipboard()


def test_ctrl_c_copies_what_is_shown_in_full(people: Any, task: Path, qtbot: QtBot) -> None:
    people.open(task)
    people.view.selectAll()
    qtbot.keyClick(people.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    header, first, *_ = clipboard().splitlines()
    assert header.split("\t")[:4] == ["metric", "pearson", "pearson low", "pearson high"]
    assert header.split("\t")[-2:] == ["acc_eq high", "acc_eq epsilon"]
    name, pearson = first.split("\t")[:2]
    one = next(one for one in people.study.agreements if one.metric.name == name)
    assert float(pearson) == one.correlations["pearson"]


def test_it_is_saved_in_the_form_of_the_suffix(people: Any, task: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    people.open(task)
    monkeypatch.setattr(FileDialog, "getSaveFileName", lambda *_: (str(task / "a.json"), ""))
    with people.world.qtbot.waitSignal(people.controller.around.message_posted):
        people.controller.ask_file()
    people.wait()
    assert (task / "a.json").read_text().startswith("{")


def test_enter_on_a_metric_leads_to_the_dots_also_before_they_are_drawn(people: Any, task: Path, qtbot: QtBot) -> None:
    people.open(task)
    people.area.activateWindow()
    people.go_to("TER", "SPA")
    people.view.setFocus()
    qtbot.keyClick(people.view, Qt.Key.Key_Return)
    panels(people)
    qtbot.waitUntil(lambda: isinstance(people.area.window().focusWidget(), InteractivePlotWidget))
    with qtbot.waitSignal(people.page.views.goal_wanted) as wanted:
        qtbot.keyClick(people.area.window().focusWidget(), Qt.Key.Key_Right)
        qtbot.keyClick(people.area.window().focusWidget(), Qt.Key.Key_Return)
    assert isinstance(wanted.args[0], SystemGoal)


def test_documents_are_a_resampling_unit_if_there_are_any(people: Any, task: Path) -> None:
    people.open(task)
    unit = people.page.bar.unit
    assert not unit.isVisible()
    (task / "task.docs").write_text("".join(f"d{line // 4}\n" for line in range(40)))
    people.open(task)
    assert unit.isVisible()
    caution = "40 segments of 10 documents are treated as independent"
    assert caution in " ".join(people.service.result.report().notes())
    unit.setCurrentIndex(unit.findData("document"))
    unit.activated.emit(unit.currentIndex())
    people.wait()
    assert people.study.options.unit == "document"
    assert caution not in " ".join(people.service.result.report().notes())
    assert set(people.study.tests.tests.values()) == {"perm-both", "documents"}
