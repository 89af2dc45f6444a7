"""The tab of raters: values, pace, repeats and control items, or the reason why there are none."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ui.campaigns.results.plot_data import Histogram, PaceSeries, RepeatedPairs
from qe_desktop.ui.campaigns.results.rater_summaries import describe_rater
from qe_desktop.ui.campaigns.results.result_plots import PacePlot
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from tests.ui.campaigns.conftest import adequacy_fluency

from .conftest import show_pane


def test_raters_tab_shows_values_pace_repeats_and_control_items(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    pane = show_pane(view, view.raters)
    assert [row[0].text for row in pane.view.table.rows] == ["Ana", "Björn", "王芳"]
    page = service.result.results.raters[0].scales["adequacy"]
    row = pane.view.table.rows[0]
    assert row[1].text == f"{page.n}"
    assert row[2].text == f"{page.mean:.2f}"
    assert "passed" in row[8].text
    assert "Quality control passed: degraded items" in describe_rater(service.result.results.raters[0], "adequacy")
    assert isinstance(pane.values.content, Histogram)
    assert pane.values.content.counts.tolist() == page.histogram.tolist()
    assert isinstance(pane.repeats.content, RepeatedPairs)
    assert len(pane.repeats.content.first) == page.repeats.n == 24
    assert isinstance(pane.controls.content, RepeatedPairs)
    assert pane.controls.content.first.mean() > pane.controls.content.second.mean() + 1
    assert pane.controls.caption.text().startswith("24 quality-control items")
    assert isinstance(pane.pace.content, PaceSeries)
    # the two scales of a screen count as one item
    assert len(pane.pace.content.seconds) == 40 * 3 + 8 * 3 * 2
    plot = PacePlot(lambda: "")
    assert plot._draw(replace(pane.pace.content, median=1230.0), QFont()).endswith(" items, median 20 min")
    qtbot.keyClick(pane.view, Qt.Key.Key_Down)
    assert pane.page().name == "Björn"


def test_tied_values_are_not_called_the_most_frequent_value(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    tied = Ratings.of([Score("Ana", "MT", str(value), "adequacy", value) for value in (2, 4, 5)])
    service.show(lambda: tied, None)
    environment.wait()
    pane = show_pane(view, view.raters)
    (page,) = service.result.results.raters
    sentence = "3 ratings; several values share the highest frequency (33 % each)."
    assert describe_rater(page, "adequacy").startswith(sentence)
    view.show()
    qtbot.waitUntil(lambda: pane.values.plot_widget.plot is not None)
    axis = pane.values.plot_widget.plot.widget.getAxis("left")
    assert all(value.is_integer() for _, values in axis.tickValues(0.0, 1.0, 300.0) for value in values)


def test_selected_rater_stays_selected_when_raters_are_added(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    service.show(lambda: adequacy_fluency(8, raters=("Björn", "王芳")), None)
    environment.wait()
    pane = show_pane(view, view.raters)
    assert pane.page().name == "Björn"
    service.show(lambda: adequacy_fluency(8), None)
    environment.wait()
    assert [row[0].text for row in pane.view.table.rows] == ["Ana", "Björn", "王芳"]
    assert pane.page().name == "Björn"
    # if the selected rater is removed, the row stays selected
    service.show(lambda: adequacy_fluency(8, raters=("Ana", "王芳")), None)
    environment.wait()
    assert pane.page().name == "王芳"


def test_missing_times_repeats_and_control_items_are_explained(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    bare = Ratings.of([Score("a", "MT", str(index), "adequacy", 1.0 + index % 5) for index in range(8)])
    service.show(lambda: bare, None)
    environment.wait()
    pane = show_pane(view, view.raters)
    assert "have no times" in pane.pace.content
    assert "This rater rated no item twice" in pane.repeats.content
    assert "did not rate both an original" in pane.controls.content
    assert pane.view.table.rows[0][5].text == "–"
