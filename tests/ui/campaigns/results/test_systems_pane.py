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
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.campaigns.results.systems_table import SystemResultsModel
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData
from qe_desktop.ui.widgets.tables.table_header import HEADER_GROUP_ROLE
from qe_desktop.ui.widgets.tables.table_model import COLOUR_ROLE, CURRENT_ROLE, LAST_ROLE
from tests.timeouts import PATIENCE
from tests.ui.campaigns.conftest import SYSTEMS, OwnerPagesDriver, adequacy_fluency, rankings

from .conftest import visible_texts


def grouped_headers(model: SystemResultsModel) -> list[tuple[str, list[str]]]:
    """Return the headers of adjacent columns of one group, with the name of the group."""
    groups: list[tuple[str, list[str]]] = []
    for column in range(model.columnCount()):
        group, _ = model.headerData(column, Qt.Orientation.Horizontal, HEADER_GROUP_ROLE)
        if not groups or groups[-1][0] != group:
            groups.append((group, []))
        groups[-1][1].append(model.headerData(column, Qt.Orientation.Horizontal))
    return groups


def one_scale(name: str, factor: float) -> Ratings:
    """Return ratings on one scale of adequacy, multiplied by a factor."""
    ratings = adequacy_fluency(10)
    scores = ratings.scores.take(ratings.scores.scale == ratings.scores.scales.index("adequacy"))
    scores = replace(scores, scales=(name,), scale=np.zeros(len(scores), np.int32), value=scores.value * factor)
    return replace(ratings, scores=scores)


def test_table_shows_scores_and_clusters_of_the_results(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    results, model = service.result.results, view.systems.table.systems
    assert len(results.clusters) == 3
    assert grouped_headers(model) == [
        ("", ["System", "Rank"]), ("Basis", ["Segments", "Ratings"]),
        ("Mean rating", ["Total, 2–10", "95 % interval", "Adequacy", "Fluency"]),
        ("Mean z-score", ["Total", "Adequacy", "Fluency"]),
    ]  # fmt: skip
    for row, system in enumerate(results.systems):
        assert model.index(row, 0).data() == system.name
        assert system.scores is not None
        total = system.scores.raw["total"]
        assert model.index(row, 4).data() == f"{total.value:.3f}"
        assert model.index(row, 5).data() == f"[{total.low:.3f}, {total.high:.3f}]"
        assert bool(model.index(row, 4).data(CURRENT_ROLE)) == (system.rank_low == 1)
        assert model.index(row, 0).data(LAST_ROLE) is (row < 2)
        assert f"{total.value:.3f}, 95 % interval" in model.index(row, 4).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "3 clusters by" in visible_texts(view)


def test_interval_follows_the_selected_statistic_and_the_current_cell_stays_on_its_own(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(20), None)
    environment.wait()
    table, model = view.systems.table, view.systems.table.systems
    table.setCurrentIndex(model.index(1, 6))
    table.cell_activated.emit(table.currentIndex())
    scores = service.result.results.systems[1].scores
    assert grouped_headers(model)[2] == ("Mean rating", ["Total, 2–10", "Adequacy", "95 % interval", "Fluency"])
    assert table.currentIndex().data() == f"{scores.raw['adequacy'].value:.3f}"
    assert model.index(1, 6).data() == f"[{scores.raw['adequacy'].low:.3f}, {scores.raw['adequacy'].high:.3f}]"
    table.selectAll()
    table.copy_selection()
    header = QGuiApplication.clipboard().text().splitlines()[0].split("\t")
    assert {"adequacy low", "adequacy high", "z total", "segments", "rank-low"} <= set(header)


@pytest.mark.parametrize(
    ("ratings", "expected"),
    [
        (
            lambda: one_scale("score", 20.0),
            [
                ("", ["System", "Rank"]), ("Basis", ["Segments", "Ratings"]),
                ("Mean rating", ["Score", "95 % interval"]), ("Mean z-score", ["Score"]),
            ],
        ),
        (
            lambda: one_scale("fluency", 1.0),
            [
                ("", ["System", "Rank"]), ("Basis", ["Segments", "Ratings"]),
                ("Mean rating", ["Fluency", "95 % interval"]), ("Mean z-score", ["Fluency"]),
            ],
        ),
        (
            rankings,
            [
                ("", ["System", "Rank"]), ("Basis", ["Judgements", "Wins", "Ties", "Losses"]),
                ("Win rate", ["Expected wins", "≥ others", "> others", "No ties", "Half ties"]),
                ("Estimated skill", ["TrueSkill", "Bradley–Terry"]),
            ],
        ),
        (
            lambda: replace(one_scale("fluency", 1.0), pairs=rankings().pairs),
            [
                ("", ["System", "Rank"]),
                ("Basis", ["Segments", "Ratings", "Judgements", "Wins", "Ties", "Losses"]),
                ("Mean rating", ["Fluency", "95 % interval"]), ("Mean z-score", ["Fluency"]),
                ("Win rate", ["Expected wins", "≥ others", "> others", "No ties", "Half ties"]),
                ("Estimated skill", ["TrueSkill", "Bradley–Terry"]),
            ],
        ),
    ],
)  # fmt: skip
def test_groups_fit_the_protocol(
    environment: Any, service: CampaignResultsService, view: ResultsView, ratings: Any, expected: list[Any]
) -> None:
    service.show(ratings, None)
    environment.wait()
    table = view.systems.table
    assert grouped_headers(table.systems) == expected
    for sections, wanted in table.header.required_group_widths():
        assert sum(map(table.header.sectionSize, sections)) >= wanted


@pytest.mark.parametrize(("segments", "caution", "token"), [(20, "under 100 segments", "warning"), (100, "", "muted")])
def test_few_segments_have_a_caution_at_their_number(
    environment: Any, service: CampaignResultsService, view: ResultsView, segments: int, caution: str, token: str
) -> None:
    service.show(lambda: adequacy_fluency(segments), None)
    environment.wait()
    model = view.systems.table.systems
    assert model.headerData(2, Qt.Orientation.Horizontal, HEADER_GROUP_ROLE) == ("Basis", caution)
    assert model.headerData(4, Qt.Orientation.Horizontal, HEADER_GROUP_ROLE) == ("Mean rating", "")
    assert [model.index(0, column).data(COLOUR_ROLE) for column in (2, 3)] == [token, "muted"]
    assert model.index(0, 2).data() == f"{segments}"


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
        if service.result is not None:
            states.append(
                (
                    service.result.results.trueskill is None,
                    service.state == "working",
                    view.systems.table.systems.selected_key,
                )
            )

    # record each state, because TrueSkill may follow at once
    service.changed.connect(record_state)
    service.show(rankings, None)
    environment.wait()
    assert (True, True, "expected-wins") in states
    assert service.state == "ready"
    assert view.systems.table.systems.selected_key == "trueskill"
    assert "TrueSkill ranks" in visible_texts(view)
    content = view.systems.ranks.content
    assert isinstance(content, IntervalPlotData)
    assert content.has_integer_ticks
    assert [dot.value for dot in content.rows] == [1.0, 2.0, 3.0]
    assert "100 bootstrap resamples of 360 comparisons of two systems" in view.systems.ranks.caption.text()
    assert view.systems.means.caption.text().startswith("360 comparisons of two systems.")


def test_totals_are_copied_as_tsv_and_latex(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(10), None)
    environment.wait()
    view.systems.table.copy_tsv()
    rows = list(csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    for row, system in zip(rows, service.result.results.systems, strict=True):
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
        skills = service.result.results.trueskill
        return {
            name: (float(skills.score[index]), int(skills.rank_low[index]), int(skills.rank_high[index]))
            for index, name in enumerate(skills.systems)
        }

    plain = trueskill_scores(None)
    # these letters sort in reverse order
    names = {name: letter for name, letter in zip(sorted(plain), ("Z", "Y", "X"), strict=True)}
    assert trueskill_scores(names) == {names[name]: values for name, values in plain.items()}


def test_systems_without_ratings_are_listed(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    design = driver.campaign()
    systems = {key.output: key.systems[0] for key in design.output_keys}
    work = environment.project.rater_session(design.campaign.uid, "Ana")
    screen = next(screen for screen in work.screens if not screen.training)
    environment.project.rate(work.rate(screen.uid, "fluency", 3.0))
    assert environment.project.flush(PATIENCE)
    driver.refresh()
    page = driver.show(RESULTS)
    letters = driver.pages.service.view.names
    unrated = sorted(letters[name] for name in set(SYSTEMS) - {systems[screen.outputs[0]]})
    assert f"no ratings yet: {', '.join(unrated)}" in page.content.facts.text().split(" · ")


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
    assert len(driver.pages.results.result.results.clusters) == 2


def test_missing_interval_is_explained(environment: Any, service: CampaignResultsService, view: ResultsView) -> None:
    scores = [
        Score("ann", "A", "1", "score", 9),
        *(Score("ann", "B", str(index), "score", index) for index in range(1, 9)),
    ]
    service.show(lambda: Ratings.of(scores), None)
    environment.wait()
    model = view.systems.table.systems
    row = [model.index(index, 0).data() for index in range(2)].index("A")
    headers = [header for _, group in grouped_headers(model) for header in group]
    last = headers.index("95 % interval")
    assert model.index(row, last).data() == "–"
    assert "a bootstrap over segments needs at least two segments" in model.index(row, last).data(
        Qt.ItemDataRole.AccessibleTextRole
    )
    assert model.index(1 - row, last).data().startswith("[")


def test_caution_of_a_group_is_a_sign_if_the_columns_lack_room(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(10), None)
    environment.wait()
    view.show()
    table = view.systems.table
    header, basis = table.header, 2
    view.resize(1600, 690)
    assert not header.is_brief
    wide = header.widen_groups([header.required_width(column) for column in range(1, header.count())])
    view.resize(table.header.required_width(0) + sum(wide) + 20, 690)
    assert header.is_brief
    assert "under 100 segments" in table.systems.headerData(
        basis, Qt.Orientation.Horizontal, Qt.ItemDataRole.ToolTipRole
    )


def test_single_system_shows_why_it_has_neither_rank_nor_z_score(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    ratings = adequacy_fluency(10)
    scores = ratings.scores.take(ratings.scores.system == 0)
    service.show(lambda: replace(ratings, scores=scores), None)
    environment.wait()
    model = view.systems.table.systems
    headers = [model.headerData(column, Qt.Orientation.Horizontal) for column in range(model.columnCount())]
    groups = [
        model.headerData(column, Qt.Orientation.Horizontal, HEADER_GROUP_ROLE)[0] for column in range(len(headers))
    ]
    z_columns = [column for column, group in enumerate(groups) if group == "Mean z-score"]
    assert len(z_columns) == 3
    for columns, reason in (
        ([headers.index("Rank")], "no rank: only one system is rated"),
        (z_columns, "no z-score: only one system is rated"),
    ):
        for column in columns:
            assert model.index(0, column).data() == "–"
            assert reason in model.index(0, column).data(Qt.ItemDataRole.ToolTipRole)
    assert [figure.group for figure in model.compared_statistics()] == ["Mean rating"] * 3
