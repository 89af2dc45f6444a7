"""Results over a workspace, and the view of them."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.ratings.results.result_types import RatingOptions
from qe_desktop.ui.campaigns.results.results_page import ResultsView
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.widgets.labels import Label


@pytest.fixture
def service(world: Any) -> CampaignResultsService:
    made = CampaignResultsService(world.workspace)
    made.options = RatingOptions(runs=100, rounds=200)
    return made


@pytest.fixture
def view(service: CampaignResultsService, qtbot: QtBot) -> ResultsView:
    made = ResultsView(service)
    qtbot.addWidget(made)
    made.resize(1208, 690)
    return made


def texts(view: ResultsView) -> str:
    return " | ".join(label.text() for label in view.findChildren(Label) if label.isVisibleTo(view))


def look_at(view: ResultsView, pane: Any) -> Any:
    view.tabs.setCurrentWidget(pane)
    return pane
