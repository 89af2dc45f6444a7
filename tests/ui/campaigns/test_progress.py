"""The page of progress: it follows the ratings, and reads them once, while somebody looks."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.project.events import RemoteChanges
from qe_desktop.ui.campaigns import progress_page as progress
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.empty_states import PROGRESS
from qe_desktop.ui.rate.area import RATE_PAGE
from tests.project.store.test_event_checks import put

from .conftest import Desk


def test_progress_follows_the_ratings(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    begun = time.time()
    monkeypatch.setattr(progress, "time", SimpleNamespace(time=lambda: begun))
    world.open()
    design = desk.campaign()
    page = desk.show(PROGRESS)
    rows = page.content.raters.table.rows
    total = sum(screen.rater == "Ana" and not screen.training for screen in design.screens)
    assert [row[0].text for row in rows] == ["Ana", "王芳"]
    assert rows[0][1].text == f"0 of {total}"
    assert rows[0][8].text == "not yet"
    done = world.rate(design, "Ana", 0.5)
    desk.pages.keeper.on_saved()
    desk.settle()
    row = page.content.raters.table.rows[0]
    assert row[1].text == f"{done} of {total}"
    assert row[2].share == done / total
    assert row[3].text == "21 s"
    assert row[8].text == "just now"
    assert f"{done} of {2 * total} items done" in page.content.summary.text()
    assert "1 of 2 raters have begun" in page.content.summary.text()
    world.rate(design, "Ana", 1.0)
    desk.pages.keeper.on_news(RemoteChanges(campaigns=("another",)))
    desk.settle()
    assert page.content.raters.table.rows[0][5].text == "done"


def test_progress_says_whose_rows_could_not_be_read(world: Any, desk: Desk) -> None:
    """They are left out of all figures, and nobody is kept from the rest."""
    world.open()
    design = desk.campaign()
    done = world.rate(design, "Ana", 0.5)
    page = desk.show(PROGRESS)
    assert page.content.left_out.text() == ""
    screen = next(screen for screen in design.screens if screen.rater == "王芳")
    odd = [{"campaign": design.campaign.uid, "value": value, "uid": value} for value in ("007", "1e105", "4.7")]
    put(world.project, odd, screen.uid, "王芳")
    desk.refresh()
    assert page.content.left_out.text().startswith("Of 王芳, 3 rows were left out: ")
    assert page.content.raters.table.rows[0][1].text.startswith(f"{done} of ")
    assert any("王芳" in note for note in world.project.ratings(design.campaign.uid).notes)
    desk.show(RESULTS)
    assert any("of 王芳, 3 rows were left out" in note for note in desk.pages.results.computed.results.notes)


def test_news_of_ratings_are_read_once_for_a_burst(world: Any, desk: Desk, qtbot: QtBot) -> None:
    world.open()
    design = desk.campaign()
    desk.show(PROGRESS)
    keeper = desk.pages.keeper
    looks = []
    keeper.moved.connect(lambda: looks.append(1))
    world.rate(design, "Ana", 0.2)
    event = world.project.events(design.campaign.uid)[0]
    for _ in range(20):
        keeper.on_news(RemoteChanges(ratings=(event,)))
    desk.settle()
    assert looks == [1]


def test_nothing_is_read_while_nobody_looks(world: Any, desk: Desk) -> None:
    world.open()
    design = desk.campaign()
    page = desk.show(PROGRESS)
    desk.area.show_page(RATE_PAGE)
    looks: list[int] = []
    desk.pages.keeper.moved.connect(lambda: looks.append(1))
    done = world.rate(design, "Ana", 0.4)
    desk.pages.keeper.on_saved()
    desk.settle()
    assert looks == []
    desk.show(PROGRESS)
    assert looks == [1]
    assert page.content.raters.table.rows[0][1].text.startswith(f"{done} of ")
