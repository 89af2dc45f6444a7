"""The results page: empty, running, stopped, failed and ready states, and updates while it is visible."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, ItemRole, QeError, Ratings, Score
from qe_desktop.ui.campaigns import campaign_page
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_page import PROGRESS
from qe_desktop.ui.campaigns.results.plot_data import Histogram, PaceSeries, RepeatedPairs, ValueCounts
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.rate.area import RATE_PAGE
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData
from tests.ui.campaigns.conftest import RATERS, SYSTEMS, OwnerPagesDriver, adequacy_fluency, rankings

from .conftest import visible_texts


def test_page_without_ratings_links_to_the_progress_page(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    assert "No results yet" in visible_texts(view)
    service.show(Ratings.of, None)
    environment.wait()
    assert service.state == "empty"
    with qtbot.waitSignal(view.requested) as blocker:
        view.placeholder.buttons[campaign_page.PROGRESS].click()
    assert blocker.args == [campaign_page.PROGRESS]


def test_training_ratings_give_no_results(environment: Any, service: CampaignResultsService) -> None:
    training = Ratings.of([Score("Ana", "MT", "1", "adequacy", 3.0, ItemRole.TRAINING)])
    service.show(lambda: training, None)
    environment.wait()
    assert service.state == "empty"


def test_computation_can_be_stopped_and_restarted(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(10), None)
    assert service.state == "working"
    assert "Computing results" in visible_texts(view)
    service.cancel()
    assert "No results: the computation was cancelled" in visible_texts(view)
    view.placeholder.buttons[campaign_page.TRY_AGAIN].click()
    environment.wait()
    assert service.state == "ready"
    # 180 ratings of outputs and 36 of repeats; control items do not count
    assert view.facts.text().startswith("216 ratings · 3 systems · 10 segments · 3 raters")


def test_error_is_shown_and_previous_results_stay(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    broken = [False]

    def source() -> Ratings:
        if broken[0]:
            raise QeError("the server is away", hint="Try again later.")
        return adequacy_fluency(10)

    service.show(source, None)
    environment.wait()
    broken[0] = True
    service.run()
    environment.wait()
    assert service.state == "failed"
    assert view.facts.text() == "Results are outdated: the server is away. Try again later."
    assert view.systems.table.systems.rowCount() == 3
    service.show(lambda: source(), None)
    environment.wait()
    assert "No results: the server is away" in visible_texts(view)
    broken[0] = False
    view.placeholder.buttons[campaign_page.TRY_AGAIN].click()
    environment.wait()
    assert service.state == "ready"


def test_latest_request_wins(environment: Any, service: CampaignResultsService) -> None:
    service.show(lambda: adequacy_fluency(10), None)
    service.show(rankings, None)
    environment.wait()
    assert service.result is not None
    assert service.result.results.has_rankings
    assert not service.result.results.scales


def test_cancelled_trueskill_leaves_the_other_results(environment: Any, service: CampaignResultsService) -> None:
    def cancel_trueskill() -> None:
        if service.state == "working" and service.result is not None:
            service.cancel()

    service.changed.connect(cancel_trueskill)
    service.show(rankings, None)
    environment.wait()
    assert service.state == "ready"
    assert service.result.results.has_rankings
    assert service.result.results.trueskill is None


def test_results_follow_new_ratings_while_visible(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    design = driver.campaign()
    driver.show(PROGRESS)
    page = driver.show(RESULTS)
    assert "No results yet" in driver.texts()
    environment.rate(design, "Ana", 0.5)
    driver.pages.service.on_saved()
    driver.settle()
    assert isinstance(page.content, ResultsView)
    before = page.content.facts.text()
    assert "1 rater" in before
    driver.area.show_page(RATE_PAGE)
    environment.rate(design, "王芳", 0.5)
    driver.pages.service.on_saved()
    driver.settle()
    assert page.content.facts.text() == before, "out of view nothing is computed"
    driver.show(RESULTS)
    assert "2 raters" in page.content.facts.text()


def test_every_chart_is_drawn_in_every_theme(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    from PySide6.QtWidgets import QApplication

    from qe_desktop.ui import theme
    from qe_desktop.ui.campaigns.results.captioned_plot import CaptionedPlot

    service.show(lambda: adequacy_fluency(12), None)
    view.show()
    qtbot.waitExposed(view)
    environment.wait()
    app = QApplication.instance()
    drawn = set()
    try:
        for name in ("dark", "contrast", "light"):
            theme.apply(app, name)
            for pane in range(view.tabs.count()):
                view.tabs.setCurrentIndex(pane)
                environment.wait()
                for captioned in view.findChildren(CaptionedPlot):
                    plot_area = captioned.plot_widget
                    if plot_area is not None and captioned.isVisible():
                        qtbot.waitUntil(lambda plot_area=plot_area: plot_area.plot is not None)
                        assert not plot_area.grab().isNull()
                        assert plot_area.plot.widget.accessibleDescription()
                        header, *rows = plot_area.image_source.numbers()().splitlines()
                        assert rows
                        assert {row.count("\t") for row in rows} == {header.count("\t")}
                        drawn.add(type(captioned.content))
    finally:
        theme.apply(app, "light")
    assert drawn == {IntervalPlotData, ValueCounts, Histogram, PaceSeries, RepeatedPairs}


def test_empty_page_says_where_the_ratings_from_files_are(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus]
) -> None:
    environment.open(replace(corpus(), ratings=adequacy_fluency(8)))
    driver.campaign()
    driver.show(RESULTS)
    assert "quality-control items" in driver.texts()
    assert "select “All ratings, including those from files”" in driver.texts()


def test_every_campaign_of_ratings_in_the_corpus_can_be_selected(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus]
) -> None:
    """Regression: only ratings of all campaigns together could be selected, which cannot be combined."""
    rows = [row._replace(campaign="sample, first") for row in adequacy_fluency(4).scores.rows()]
    environment.open(replace(corpus(), ratings=Ratings.of(rows)))
    driver.campaign()
    driver.show(RESULTS)
    assert "select “Campaign sample, first, from files”" in driver.texts()
    service = driver.pages.service
    assert [title for _, title in service.choices] == ["News", "Campaign sample, first, from files"]
    service.choose("sample, first")
    driver.settle()
    assert set(driver.systems()) == set(SYSTEMS)
    with pytest.raises(QeError) as caught:
        environment.project.ratings()
    assert caught.value.hint == "Select one of: “News”, “sample, first”."


def test_another_campaign_opens_at_the_first_tab(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    for name in ("First", "Second"):
        environment.rate(driver.campaign(name=name), RATERS[0], 0.3)
    view = driver.show(RESULTS).content
    view.tabs.setCurrentIndex(4)
    driver.area.show_page(RATE_PAGE)
    driver.campaign(name="Third")
    assert view.tabs.currentIndex() == 0
    driver.show(RESULTS)
    view.tabs.setCurrentIndex(2)
    driver.pages.service.choose(driver.pages.service.choices[0][0])
    driver.settle()
    assert view.tabs.currentIndex() == 2, "campaigns that are selected on the page can be compared"
