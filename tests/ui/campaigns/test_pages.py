"""The owner's pages: what they say where there is nothing to show, and which campaign they look at."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.report.rating_exports import available_exports
from qe_desktop.ui.actions import ActionRegistry
from qe_desktop.ui.campaigns import commands, empty_states
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.commands import ACTIONS
from qe_desktop.ui.campaigns.empty_states import PROGRESS, SET_UP

from .conftest import SYSTEMS, Desk, adequacy_fluency


def test_without_anything_the_pages_say_what_to_open(desk: Desk, qtbot: QtBot) -> None:
    for page in (PROGRESS, RESULTS, SET_UP):
        desk.show(page)
        assert "Campaigns are kept in a project" in desk.texts()
    with qtbot.waitSignal(desk.pages.command_wanted) as told:
        desk.pages._set_up_place.quiet.buttons[empty_states.OPEN].click()
    assert told.args == ["file.open-project"]


def test_an_open_corpus_is_offered_to_be_saved(
    world: Any, desk: Desk, corpus: Callable[..., Corpus], qtbot: QtBot
) -> None:
    world.workspace.open(corpus())
    page = desk.show(PROGRESS)
    with qtbot.waitSignal(desk.pages.command_wanted) as told:
        page.quiet.buttons[empty_states.SAVE].click()
    assert told.args == ["file.project"]


def test_ratings_that_came_with_a_corpus_need_no_project(world: Any, desk: Desk, corpus: Callable[..., Corpus]) -> None:
    world.workspace.open(replace(corpus(), ratings=adequacy_fluency(8)))
    assert desk.pages.keeper.view is not None
    desk.show(RESULTS)
    assert set(desk.systems()) == set(SYSTEMS)
    assert "Ratings of news" in desk.texts()
    assert "They came with the corpus" in desk.texts()
    buttons = [one.text() for one in desk.area.findChildren(QPushButton) if one.isVisible()]
    assert "Export…" in buttons
    assert "Import…" not in buttons, "there is nothing to import into"
    desk.show(PROGRESS)
    assert "Campaigns are kept in a project" in desk.texts()
    world.workspace.close()
    assert desk.pages.keeper.view is None


def test_a_project_without_a_campaign_leads_to_setting_one_up(world: Any, desk: Desk) -> None:
    world.open()
    page = desk.show(PROGRESS)
    assert "There is no campaign yet" in desk.texts()
    page.quiet.buttons[empty_states.SET_UP].click()
    assert desk.area.current == SET_UP
    assert desk.pages.set_up.isVisible()


def test_what_cannot_be_read_is_said(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()

    def away() -> list[object]:
        raise QeError("the server is away", hint="Try again later.")

    monkeypatch.setattr(project, "campaigns", away)
    page = desk.show(PROGRESS)
    desk.refresh()
    assert "The server is away" in desk.texts()
    monkeypatch.undo()
    page.quiet.buttons[empty_states.TRY_AGAIN].click()
    desk.settle()
    assert "There is no campaign yet" in desk.texts()


def test_raters_do_not_see_the_owners_side(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()
    world.campaign()
    monkeypatch.setattr(project, "role", "rater")
    desk.pages.keeper._on_project()
    desk.settle()
    assert desk.pages.keeper.view is None
    desk.show(RESULTS)
    assert "Only the owner of the project sees this" in desk.texts()


def test_one_chooses_among_campaigns(world: Any, desk: Desk) -> None:
    world.open()
    first = world.campaign()
    second = world.campaign(name="Second", protocol="rank", repeats=0, training=0)
    page = desk.show(PROGRESS)
    desk.refresh()
    assert desk.pages.keeper.view.uid == second.campaign.uid, "the latest at first"
    assert "Ranking · English to German · 24 segments · 2 raters" in page.bar.facts.text()
    page.bar.choice.setCurrentIndex(page.bar.choice.findData(first.campaign.uid))
    page.bar.choice.activated.emit(0)
    desk.settle()
    assert page.bar.facts.text().startswith("Adequacy and fluency")
    assert [export.name for export in available_exports(desk.pages.keeper.view, scored=False, ranked=True)][2] == "wmt"


def test_another_project_is_another_list(world: Any, desk: Desk, qtbot: QtBot) -> None:
    world.open()
    world.campaign()
    desk.refresh()
    assert desk.pages.keeper.view is not None
    world.workspace.close()
    assert desk.pages.keeper.state == "none"
    assert desk.pages.keeper.campaigns == ()
    assert desk.pages.results.computed is None


def test_an_owner_does_all_by_command_too(world: Any, desk: Desk, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    qtbot.addWidget(window)
    table = ActionRegistry(window, world.settings)
    table.add_all(ACTIONS)
    desk.pages.connect_actions(table)
    assert not any(table[action.id].isEnabled() for action in ACTIONS)
    world.open()
    desk.campaign()
    assert all(table[action.id].isEnabled() for action in ACTIONS)
    table[commands.SET_UP].trigger()
    assert desk.area.current == SET_UP
    table[commands.EXPORT].trigger()
    assert desk.pages.files.dialog.isVisible()
    desk.pages.files.dialog.reject()
    table[commands.UNBLIND].trigger()
    desk.pages.dialog.accept()
    desk.settle()
    assert desk.pages.keeper.view.unblinded is not None
    assert not table[commands.UNBLIND].isEnabled()


def test_the_campaign_that_is_rated_is_looked_at_unless_a_person_chose_another(world: Any, desk: Desk) -> None:
    world.open()
    first, second = (world.campaign(name=name).campaign.uid for name in ("First", "Second"))
    keeper = desk.pages.keeper
    desk.refresh()
    assert keeper.view.uid == second
    desk.show(RESULTS)
    keeper.on_saved(first)
    desk.settle()
    assert keeper.view.uid == first
    keeper.choose(second)
    keeper.on_saved(first)
    desk.settle()
    assert keeper.view.uid == second
    keeper.follow(first)
    desk.settle()
    assert keeper.view.uid == first


def test_ratings_from_files_give_way_to_a_campaign(world: Any, desk: Desk, corpus: Callable[..., Corpus]) -> None:
    """They were there first, and stayed in view though they cannot be joined with those of the campaign."""
    world.open(replace(corpus(), ratings=adequacy_fluency(4)))
    keeper = desk.pages.keeper
    desk.refresh()
    assert keeper.view.campaign is None
    design = world.campaign()
    desk.refresh()
    assert keeper.view.uid == design.campaign.uid
