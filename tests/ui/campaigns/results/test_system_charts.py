"""Charts of the tab of systems: scores with intervals, distributions, legend and colours."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import PairwiseJudgement, Ratings
from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.results.captioned_plot import DistributionTabs
from qe_desktop.ui.campaigns.results.plot_data import BoxPlotData, ValueCounts, value_labels
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.campaigns.results.value_legend import value_colours
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData
from qe_desktop.ui.widgets.tables.table_model import BAR_FRACTION_ROLE
from tests.ui.campaigns.conftest import adequacy_fluency


def test_selecting_a_score_column_draws_it(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(20), None)
    environment.wait()
    pane = view.systems
    content = pane.means.content
    assert isinstance(content, IntervalPlotData)
    assert [dot.name for dot in content.rows] == [system.name for system in service.result.results.systems]
    assert all(dot.low < dot.value < dot.high for dot in content.rows)
    pane.table.cell_activated.emit(pane.table.systems.index(0, 7))
    assert pane.means.title.text() == "Mean rating: Fluency"
    assert pane.means.content.rows[0].value == service.result.results.systems[0].scores.raw["fluency"].value
    pane.table.cell_activated.emit(pane.table.systems.index(0, 2))
    assert pane.means.title.text() == "Mean rating: Fluency", "systems are not compared by a count"
    service.run()
    environment.wait()
    assert pane.means.title.text() == "Mean rating: Fluency", "a person's choice stays"


def test_legend_is_next_to_the_tabs_as_far_as_there_is_room(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    service.show(lambda: adequacy_fluency(20), None)
    environment.wait()
    view.show()
    pane = view.systems
    tabs = pane.spreads["adequacy"].parentWidget().parentWidget()
    assert isinstance(tabs, DistributionTabs)
    assert [tabs.tabText(index) for index in range(tabs.count())] == ["Adequacy", "Fluency", "Rank ranges"]
    caption = pane.spreads["adequacy"].caption
    bar = sum(tabs.tabBar().tabSizeHint(index).width() for index in range(tabs.count()))

    def state(width: int) -> tuple[bool, tuple[str, ...], bool]:
        tabs.resize(width, 300)
        return tabs.legend.isVisibleTo(tabs), tabs.legend.names, caption.isVisibleTo(tabs)

    qtbot.waitUntil(lambda: state(1000) == (True, ("1 None", "2", "3", "4", "5 All"), False))
    short = bar + tabs.legend.sizeHint().width() - 1
    assert state(short) == (True, ("1", "2", "3", "4", "5"), False)
    assert (state(bar)[0], state(bar)[2]) == (False, True)
    assert state(1000)[0]
    tabs.setCurrentWidget(pane.ranks)
    assert not tabs.legend.isVisibleTo(tabs)
    assert pane.ranks.caption.isVisibleTo(tabs)


def test_low_window_shows_three_systems_before_the_charts(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(20), None)
    environment.wait()
    pane = view.systems
    # the height of a low window, which leaves the charts little space
    assert pane._table_height(200) >= pane.table.natural_height()


@pytest.mark.parametrize(
    ("scale", "values", "labels"),
    [
        ("adequacy", ("1", "2", "3", "4", "5"), ("1 None", "2", "3", "4", "5 All")),
        ("adequacy", ("1", "2", "3"), ("1", "2", "3")),
        ("ease", ("1", "2", "3", "4", "5"), ("1", "2", "3", "4", "5")),
    ],
)
def test_only_the_ends_of_a_protocols_scale_are_named(
    scale: str, values: tuple[str, ...], labels: tuple[str, ...]
) -> None:
    assert value_labels(values, scale) == labels


def test_distributions_are_shares_for_few_values_and_box_plots_for_many(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    ratings = adequacy_fluency(10)
    service.show(lambda: ratings, None)
    environment.wait()
    shares = view.systems.spreads["adequacy"].content
    assert isinstance(shares, ValueCounts)
    assert shares.values == ("1", "2", "3", "4", "5")
    scores = ratings.scores
    best = (scores.system == scores.systems.index(shares.names[0])) & np.isin(scores.role, (0, 1))
    best_values = scores.value[best & (scores.scale == scores.scales.index("adequacy"))]
    assert shares.counts[0].tolist() == [int((best_values == value).sum()) for value in range(1, 6)]
    assert shares.title == f"percentage of each value of adequacy, {int(shares.counts.sum())} ratings"
    adequacy = scores.take(scores.scale == scores.scales.index("adequacy"))
    score_column = replace(adequacy, scales=("score", "x"), value=adequacy.value * 19.7)
    score_column = replace(score_column, scale=np.zeros(len(score_column), np.int32))
    service.show(lambda: replace(ratings, scores=score_column), None)
    environment.wait()
    boxes = view.systems.spreads["score"].content
    assert isinstance(boxes, BoxPlotData)
    assert boxes.bounds == (0.0, 100.0)
    assert np.all(np.diff(boxes.quantiles, axis=1) >= 0)


def test_bars_show_the_position_on_the_scale(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    model = view.systems.table.systems
    for key, low, high in (("total", 2, 10), ("adequacy", 1, 5)):
        model.choose(key)
        column = model.column_of(model.selected_statistic())
        for row, system in enumerate(service.result.results.systems):
            share = model.index(row, column).data(BAR_FRACTION_ROLE)
            assert share == pytest.approx((system.scores.raw[key].value - low) / (high - low))
    # z-scores have no limits
    model.choose("z total")
    assert model.index(0, model.column_of(model.selected_statistic())).data(BAR_FRACTION_ROLE) is None


def test_points_of_the_chart_are_labelled_with_their_values(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    content, systems = view.systems.means.content, service.result.results.systems
    assert isinstance(content, IntervalPlotData)
    assert [row.label for row in content.rows] == [f"{system.scores.raw['total'].value:.3f}" for system in systems]


@pytest.mark.parametrize("name", ["light", "dark", "contrast"])
def test_colours_of_values_differ_from_the_background_and_their_numbers_are_readable(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(theme.themes, "theme", theme.THEMES[name])
    for count in (3, 5):
        for colour in value_colours(count):
            assert theme.contrast_ratio(colour, theme.current().surface) > 2
            assert theme.contrast_ratio(colour, theme.current().text_colour_on(colour)) > 4.5


def test_caption_says_why_there_are_more_comparisons_than_judgements(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    judgements = [PairwiseJudgement("Ana", str(index), "A+B", "C", 1, 2 + index % 2, f"s{index}") for index in range(9)]
    service.show(lambda: Ratings.of((), judgements), None)
    environment.wait()
    assert "9 pairwise judgements" in view.facts.text()
    assert view.systems.means.caption.text().startswith(
        "27 comparisons of two systems. A translation shared by several systems counts for each of them, and as a tie "
        "between them."
    )
