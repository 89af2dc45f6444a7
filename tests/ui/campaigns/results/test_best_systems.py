"""Which systems are bold in the results of a campaign, and the caution about few segments."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import Qt

from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.campaigns.results.systems_table import SystemResultsModel
from qe_desktop.ui.widgets.tables.table_header import HEADER_GROUP_ROLE
from tests.ui.campaigns.conftest import adequacy_fluency


def bold_systems(model: SystemResultsModel) -> set[str]:
    """Return the systems of rows with a bold cell."""
    return {row[0].exact_values[0] for row in model.rows if any(cell.is_bold for cell in row)}


def test_only_the_first_cluster_of_the_tested_statistic_is_bold(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    service.show(lambda: adequacy_fluency(40), None)
    environment.wait()
    results, model = service.result.results, view.systems.table.systems
    best = {system.name for system in results.systems if system.rank_low == 1}
    assert 0 < len(best) < len(results.systems)
    assert bold_systems(model) == best
    described = {
        row[0].exact_values[0] for row in model.rows if any("bold because" in cell.description for cell in row)
    }
    assert described == best
    # ranks are those of the statistic by which the systems are sorted
    model.choose(next(figure.key for figure in model.compared_statistics() if figure.key != model.selected_key))
    assert bold_systems(model) == set()


def test_single_system_is_not_bold_and_has_the_caution(
    environment: Any, service: CampaignResultsService, view: ResultsView
) -> None:
    ratings = adequacy_fluency(2)
    scores = ratings.scores.take(ratings.scores.system == 0)
    service.show(lambda: replace(ratings, scores=scores), None)
    environment.wait()
    model = view.systems.table.systems
    assert model.rowCount() == 1
    assert bold_systems(model) == set()
    assert model.headerData(2, Qt.Orientation.Horizontal, HEADER_GROUP_ROLE) == ("Basis", "under 100 segments")
