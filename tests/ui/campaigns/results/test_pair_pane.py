"""The tab of system pairs: descriptions of the matrix cells, and copying as TSV."""

from __future__ import annotations

import csv
import io
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Ratings, Score
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from tests.ui.campaigns.conftest import adequacy_fluency, rankings

from .conftest import show_pane, visible_texts


def test_matrix_cell_shows_p_and_is_described_in_a_sentence(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    pane = show_pane(view, view.pairs)
    ranking = service.result.results.scale_ranking
    model = pane.pairs
    assert model.index(0, 1).data() == "<.001 ●"
    first, second = ranking.systems[:2]
    pane.view.setCurrentIndex(pane.pairs.index(0, 1))
    assert pane.details_label.text().startswith(
        f"{first} is significantly better than {second}: p < .001. total (2–10): "
    )
    totals = {system.name: system.scores.raw["total"].value for system in service.result.results.systems}
    assert model.index(1, 0).data() == f"+{totals[first] - totals[second]:.3f}".replace("+0.", "+.")
    assert "6 one-sided tests, not adjusted for multiple comparisons" in pane.method.text()
    view.correction.setCurrentIndex(view.correction.findData("holm"))
    view.correction.activated.emit(1)
    environment.wait()
    assert "p-values adjusted with the Holm correction" in pane.method.text()
    pane.view.setCurrentIndex(pane.pairs.index(0, 1))
    assert "(Holm), unadjusted" in pane.details_label.text()


def test_matrix_is_copied_in_full_precision(
    environment: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    service.show(rankings, None)
    environment.wait()
    pane = show_pane(view, view.pairs)
    pane.view.copy_tsv()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    ranking = service.result.results.wins_ranking
    assert rows[0] == ["system, unadjusted p", *ranking.systems]
    assert float(rows[1][2]) == ranking.p[0, 1]
    assert rows[1][1] == ""
    pane.view.selectAll()
    qtbot.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t")) == rows
    win_counts = service.result.distributions.wins
    a, b = (win_counts.systems.index(name) for name in ranking.systems[:2])
    share = win_counts.wins[a, b] / (win_counts.wins[a, b] + win_counts.wins[b, a])
    assert pane.pairs.index(1, 0).data() == f"{100 * share:.0f} %"
    pane.view.setCurrentIndex(pane.pairs.index(1, 0))
    assert f"{win_counts.wins[a, b]:,} wins, {win_counts.wins[b, a]:,} losses" in pane.details_label.text()


def test_copy_uses_the_current_results_although_the_tab_was_never_shown(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    for ratings in (rankings, lambda: adequacy_fluency(10)):
        service.show(ratings, None)
        environment.wait()
        show_pane(view, view.comments)
        [menu] = [button.menu() for button in view.findChildren(QPushButton) if button.menu() is not None]
        menu.aboutToShow.emit()
        menu.actions()[-1].trigger()
        results = service.result.results
        ranking = results.wins_ranking or results.scale_ranking
        assert QGuiApplication.clipboard().text().startswith("\t".join(["system, unadjusted p", *ranking.systems]))
        menu.actions()[0].trigger()
        rows = csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t")
        assert [row["system"] for row in rows] == [system.name for system in results.systems]


def test_single_system_has_no_comparison(environment: Any, service: CampaignResultsService, view: ResultsView) -> None:
    single_system = Ratings.of([Score("Ana", "MT", str(index), "adequacy", 1.0 + index % 5) for index in range(9)])
    service.show(lambda: single_system, None)
    environment.wait()
    show_pane(view, view.pairs)
    assert "At least two systems are needed for a comparison." in visible_texts(view)
    assert view.systems.table.systems.rowCount() == 1
