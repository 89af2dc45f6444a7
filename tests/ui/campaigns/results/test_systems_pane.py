"""The tab of systems: scores, clusters, ranks and distributions, and their copies."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QAbstractItemModelTester
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ratings.results.rating_results import build_results
from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.results.plot_data import BoxPlotData, ValueCounts
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.campaigns.results.systems_table import SystemResultsModel
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData
from qe_desktop.ui.widgets.tables.table_model import CURRENT_ROLE, LAST_ROLE
from tests.ui.campaigns.conftest import OwnerPagesDriver, adequacy_fluency, rankings

from .conftest import show_pane, visible_texts


def test_table_shows_scores_and_clusters_of_the_results(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    results, model = service.computed.results, view.systems.table.systems
    assert len(results.clusters) == 3
    headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    assert headers == [
        "system", "ranks", "segments", "ratings", "adequacy", "fluency", "total 2–10", "z adequacy", "z fluency",
        "z total", "total 2–10, 95 %",
    ]  # fmt: skip
    for row, system in enumerate(results.systems):
        assert model.index(row, 0).data() == system.name
        assert system.scores is not None
        total = system.scores.raw["total"]
        assert model.index(row, 6).data() == f"{total.value:.3f}"
        assert model.index(row, 10).data() == f"[{total.low:.3f}, {total.high:.3f}]"
        assert model.index(row, 6).data(CURRENT_ROLE)
        assert model.index(row, 0).data(LAST_ROLE) is (row < 2)
        assert f"{total.value:.3f}, 95 % interval" in model.index(row, 6).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "3 clusters by" in visible_texts(view)


def test_selecting_a_score_column_draws_it(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(20), None)
    environment.wait()
    pane = view.systems
    content = pane.means.content
    assert isinstance(content, IntervalPlotData)
    assert [dot.name for dot in content.rows] == [system.name for system in service.computed.results.systems]
    assert all(dot.low < dot.value < dot.high for dot in content.rows)
    pane.table.entered_cell.emit(pane.table.systems.index(0, 5))
    assert pane.means.title.text() == "fluency"
    assert pane.means.content.rows[0].value == service.computed.results.systems[0].scores.raw["fluency"].value
    pane.table.entered_cell.emit(pane.table.systems.index(0, 2))
    assert pane.means.title.text() == "fluency", "systems are not compared by a count"
    service.run()
    environment.wait()
    assert pane.means.title.text() == "fluency", "a person's choice stays"


def test_systems_model_passes_the_qt_model_tester(environment: Any) -> None:
    model = SystemResultsModel(environment.workspace)
    tester = QAbstractItemModelTester(model, QAbstractItemModelTester.FailureReportingMode.Warning)
    for ratings in (adequacy_fluency(6), rankings(10)):
        model.show_results(build_results(ratings, options=RatingOptions(runs=20, rounds=20)))
        assert model.rowCount() == 3
        model.choose("fluency")
        model.set_decimals(4)
    model.show_results(None)
    assert tester.model() is model
    assert (model.rowCount(), model.columnCount()) == (0, 0)


def test_trueskill_is_shown_after_the_other_ranking_results(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    states: list[tuple[bool, bool, str]] = []

    def record_state() -> None:
        if service.computed is not None:
            states.append(
                (service.computed.results.trueskill is None, service.refining, view.systems.table.systems.chosen)
            )

    # record each state, because TrueSkill may follow at once
    service.changed.connect(record_state)
    service.show(rankings, None)
    environment.wait()
    assert (True, True, "expected-wins") in states
    assert not service.refining
    assert view.systems.table.systems.chosen == "trueskill"
    assert "TrueSkill resamples" in visible_texts(view)
    content = view.systems.ranks.content
    assert isinstance(content, IntervalPlotData)
    assert content.whole
    assert [dot.value for dot in content.rows] == [1.0, 2.0, 3.0]
    assert "100 TrueSkill resamples of 360 judgements" in view.systems.ranks.caption.text()
    assert view.systems.means.caption.text().startswith("360 judgements")


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
    assert view.systems.spreads["adequacy"].caption.text().startswith(f"{int(shares.counts.sum())} ratings")
    adequacy = scores.take(scores.scale == scores.scales.index("adequacy"))
    score_column = replace(adequacy, scales=("score", "x"), value=adequacy.value * 19.7)
    score_column = replace(score_column, scale=np.zeros(len(score_column), np.int32))
    service.show(lambda: replace(ratings, scores=score_column), None)
    environment.wait()
    boxes = view.systems.spreads["score"].content
    assert isinstance(boxes, BoxPlotData)
    assert boxes.bounds == (0.0, 100.0)
    assert np.all(np.diff(boxes.quantiles, axis=1) >= 0)


def test_totals_are_copied_as_tsv_and_latex(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(10), None)
    environment.wait()
    view.systems.table.copy_tsv()
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    for row, system in zip(rows, service.computed.results.systems, strict=True):
        assert row["system"] == system.name
        assert float(row["total"]) == system.scores.raw["total"].value
    table = view.systems.table
    table.selectAll()
    table.copy_selection()
    selection = next(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    for name in ("system", "total", "rank-low", "rank-high", "total low", "total high"):
        assert selection[name] == rows[0][name]
    table.copy_latex()
    assert "\\begin{tabular}" in QGuiApplication.clipboard().text()


def test_blind_names_do_not_change_trueskill_scores(environment: Any, service: CampaignResultsService) -> None:
    def trueskill_scores(names: dict[str, str] | None) -> dict[str, tuple[float, int, int]]:
        service.show(lambda: rankings(), names)
        environment.wait()
        skills = service.computed.results.trueskill
        return {
            name: (float(skills.score[index]), int(skills.rank_low[index]), int(skills.rank_high[index]))
            for index, name in enumerate(skills.systems)
        }

    plain = trueskill_scores(None)
    # these letters sort in reverse order
    names = {name: letter for name, letter in zip(sorted(plain), ("Z", "Y", "X"), strict=True)}
    assert trueskill_scores(names) == {names[name]: values for name, values in plain.items()}


def test_warning_about_few_raters_is_shown_with_clusters_and_pairs(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(8, raters=("Ana",)), None)
    environment.wait()
    # the other rater left only a comment
    assert "1 rater" in view.facts.text().split(" · ")
    warning = "Based on one rater and 8 segments."
    assert show_pane(view, view.systems).warning.text().startswith(warning)
    assert show_pane(view, view.pairs).warning.text().startswith(warning)
    service.show(lambda: adequacy_fluency(100), None)
    environment.wait()
    assert show_pane(view, view.systems).warning.text() == ""
    assert show_pane(view, view.pairs).warning.text() == ""


@pytest.mark.published
def test_wmt21_czech_english_equals_the_published_ranking(
    environment: Any, driver: OwnerPagesDriver, data_folder: Path
) -> None:
    environment.open()
    folder = data_folder / "ratings" / "wmt21_da_toen"
    driver.read(folder / "ad-csen-good-stnd-redup.csv.gz").accept()
    page = driver.show(RESULTS)
    lines = (folder / "ad-sys-ranking-cs-en-z.csv").read_text(encoding="utf-8").splitlines()
    published = [line.split() for line in lines if line.strip()]
    model = page.content.systems.table.systems
    shown = [[model.index(row, column).data() for column in (0, 2, 3, 4)] for row in range(model.rowCount())]
    expected = [[name, n, f"{int(ratings):,}", z] for _, z, n, ratings, name in published]
    assert [row[:3] for row in shown] == [row[:3] for row in expected]
    assert [float(row[3].replace("−", "-")) for row in shown] == [float(row[3]) for row in expected]
    assert len(driver.pages.results.computed.results.clusters) == 2


def test_missing_interval_is_explained(environment: Any, service: CampaignResultsService, view: ResultsView) -> None:
    scores = [
        Score("ann", "A", "1", "score", 9),
        *(Score("ann", "B", str(index), "score", index) for index in range(1, 9)),
    ]
    service.show(lambda: Ratings.of(scores), None)
    environment.wait()
    model = view.systems.table.systems
    row = [model.index(index, 0).data() for index in range(2)].index("A")
    last = model.columnCount() - 1
    assert model.index(row, last).data() == "–"
    assert "a bootstrap over segments needs at least two segments" in model.index(row, last).data(
        Qt.ItemDataRole.AccessibleTextRole
    )
    assert model.index(1 - row, last).data().startswith("[")
