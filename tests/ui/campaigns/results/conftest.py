"""The results service of a workspace, and the view of its results."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.widgets.labels import Label


@pytest.fixture
def service(environment: Any) -> CampaignResultsService:
    results_service = CampaignResultsService(environment.workspace)
    results_service.options = RatingOptions(runs=100, rounds=200)
    return results_service


@pytest.fixture
def view(service: CampaignResultsService, qtbot: QtBot) -> ResultsView:
    results_view = ResultsView(service)
    qtbot.addWidget(results_view)
    results_view.resize(1208, 690)
    return results_view


def visible_texts(view: ResultsView) -> str:
    """Return the texts of all visible labels."""
    return " | ".join(label.text() for label in view.findChildren(Label) if label.isVisibleTo(view))


def show_pane(view: ResultsView, pane: Any) -> Any:
    """Select a tab of the results view and return it."""
    view.tabs.setCurrentWidget(pane)
    return pane
