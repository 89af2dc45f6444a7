"""The matrix of pairs: each cell in words, and copied in full."""

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

from .conftest import look_at, texts


def test_a_cell_of_the_matrix_is_p_and_says_a_sentence(
    world: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    world.wait()
    pane = look_at(view, view.pairs)
    ranking = service.computed.results.scale_ranking
    model = pane.pairs
    assert model.index(0, 1).data() == "<.001 ●"
    one, other = ranking.systems[:2]
    pane.view.setCurrentIndex(pane.pairs.index(0, 1))
    assert pane.words.text().startswith(f"{one} is significantly better than {other}: p < .001. total 2–10: ")
    totals = {system.name: system.scores.raw["total"].value for system in service.computed.results.systems}
    assert model.index(1, 0).data() == f"+{totals[one] - totals[other]:.3f}".replace("+0.", "+.")
    assert "6 one-sided tests, not adjusted for multiple comparisons" in pane.method.text()
    view.correction.setCurrentIndex(view.correction.findData("holm"))
    view.correction.activated.emit(1)
    world.wait()
    assert "p adjusted with Holm" in pane.method.text()
    pane.view.setCurrentIndex(pane.pairs.index(0, 1))
    assert "(Holm), unadjusted" in pane.words.text()


def test_the_matrix_is_copied_in_full(
    world: Any, service: CampaignResultsService, view: ResultsView, qtbot: QtBot
) -> None:
    service.show(rankings, None)
    world.wait()
    pane = look_at(view, view.pairs)
    pane.copy_tsv()
    rows = list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t"))
    ranking = service.computed.results.wins_ranking
    assert rows[0] == ["system, uncorrected p", *ranking.systems]
    assert float(rows[1][2]) == ranking.p[0, 1]
    assert rows[1][1] == ""
    pane.view.selectAll()
    qtbot.keyClick(pane.view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert list(csv.reader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t")) == rows
    won = service.computed.shapes.wins
    a, b = (won.systems.index(name) for name in ranking.systems[:2])
    share = won.wins[a, b] / (won.wins[a, b] + won.wins[b, a])
    assert pane.pairs.index(1, 0).data() == f"{100 * share:.0f} %"
    pane.view.setCurrentIndex(pane.pairs.index(1, 0))
    assert f"{won.wins[a, b]:,} wins, {won.wins[b, a]:,} losses" in pane.words.text()


def test_what_is_copied_is_of_these_results_though_nobody_looked_at_the_pairs(
    world: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    for ratings in (rankings, lambda: adequacy_fluency(10)):
        service.show(ratings, None)
        world.wait()
        look_at(view, view.comments)
        [menu] = [button.menu() for button in view.findChildren(QPushButton) if button.menu() is not None]
        menu.aboutToShow.emit()
        menu.actions()[-1].trigger()
        found = service.computed.results
        ranking = found.wins_ranking or found.scale_ranking
        assert QGuiApplication.clipboard().text().startswith("\t".join(["system, uncorrected p", *ranking.systems]))
        menu.actions()[0].trigger()
        rows = csv.DictReader(io.StringIO(QGuiApplication.clipboard().text()), delimiter="\t")
        assert [row["system"] for row in rows] == [system.name for system in found.systems]


def test_one_system_has_nothing_to_be_compared_with(
    world: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    one = Ratings.of([Score("Ana", "MT", str(place), "adequacy", 1.0 + place % 5) for place in range(9)])
    service.show(lambda: one, None)
    world.wait()
    look_at(view, view.pairs)
    assert "At least two systems are needed for a comparison." in texts(view)
    assert view.systems.table.systems.rowCount() == 1
