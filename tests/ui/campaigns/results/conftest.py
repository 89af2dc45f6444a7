"""Results over a workspace, and the view of them."""

from __future__ import annotations

from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.ratings.findings import Options
from qe_desktop.ui.campaigns.results.page import ResultsView
from qe_desktop.ui.campaigns.results.results_keeper import ResultsKeeper
from qe_desktop.ui.parts.labels import Label


@pytest.fixture
def keeper(world: Any) -> ResultsKeeper:
    made = ResultsKeeper(world.workspace)
    made.options = Options(runs=100, rounds=200)
    return made


@pytest.fixture
def view(keeper: ResultsKeeper, qtbot: QtBot) -> ResultsView:
    made = ResultsView(keeper)
    qtbot.addWidget(made)
    made.resize(1208, 690)
    return made


def texts(view: ResultsView) -> str:
    return " | ".join(label.text() for label in view.findChildren(Label) if label.isVisibleTo(view))


def look_at(view: ResultsView, pane: Any) -> Any:
    view.tabs.setCurrentWidget(pane)
    return pane
