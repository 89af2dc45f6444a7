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
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.campaigns import commands, empty_states
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.commands import ACTIONS
from qe_desktop.ui.campaigns.empty_states import PROGRESS, SET_UP

from .conftest import SYSTEMS, Desk, adequacy_fluency


def test_without_anything_the_pages_say_what_to_open(controller: Desk, qtbot: QtBot) -> None:
    for page in (PROGRESS, RESULTS, SET_UP):
        controller.show(page)
        assert "Campaigns require a project" in controller.texts()
    with qtbot.waitSignal(controller.pages.command_wanted) as told:
        controller.pages._set_up_place.quiet.buttons[empty_states.OPEN].click()
    assert told.args == ["file.open-project"]


def test_an_open_corpus_is_offered_to_be_saved(
    world: Any, controller: Desk, corpus: Callable[..., Corpus], qtbot: QtBot
) -> None:
    world.workspace.open(corpus())
    page = controller.show(PROGRESS)
    with qtbot.waitSignal(controller.pages.command_wanted) as told:
        page.quiet.buttons[empty_states.SAVE].click()
    assert told.args == ["file.project"]


def test_ratings_that_came_with_a_corpus_need_no_project(
    world: Any, controller: Desk, corpus: Callable[..., Corpus]
) -> None:
    world.workspace.open(replace(corpus(), ratings=adequacy_fluency(8)))
    assert controller.pages.service.view is not None
    controller.show(RESULTS)
    assert set(controller.systems()) == set(SYSTEMS)
    assert "Ratings of news" in controller.texts()
    assert "From the corpus" in controller.texts()
    buttons = [one.text() for one in controller.area.findChildren(QPushButton) if one.isVisible()]
    assert "Export…" in buttons
    assert "Import…" not in buttons, "there is nothing to import into"
    controller.show(PROGRESS)
    assert "Campaigns require a project" in controller.texts()
    world.workspace.close()
    assert controller.pages.service.view is None


def test_a_project_without_a_campaign_leads_to_setting_one_up(world: Any, controller: Desk) -> None:
    world.open()
    page = controller.show(PROGRESS)
    assert "No campaigns yet" in controller.texts()
    page.quiet.buttons[empty_states.SET_UP].click()
    assert controller.area.current == SET_UP
    assert controller.pages.set_up.isVisible()


def test_what_cannot_be_read_is_said(world: Any, controller: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()

    def away() -> list[object]:
        raise QeError("the server is away", hint="Try again later.")

    monkeypatch.setattr(project, "campaigns", away)
    page = controller.show(PROGRESS)
    controller.refresh()
    assert "The server is away" in controller.texts()
    monkeypatch.undo()
    page.quiet.buttons[empty_states.TRY_AGAIN].click()
    controller.settle()
    assert "No campaigns yet" in controller.texts()


def test_raters_do_not_see_the_owners_side(world: Any, controller: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()
    world.campaign()
    monkeypatch.setattr(project, "role", "rater")
    controller.pages.service._on_project()
    controller.settle()
    assert controller.pages.service.view is None
    controller.show(RESULTS)
    assert "Only the project owner can see this page" in controller.texts()


def test_one_chooses_among_campaigns(world: Any, controller: Desk) -> None:
    world.open()
    first = world.campaign()
    second = world.campaign(name="Second", protocol="rank", repeats=0, training=0)
    page = controller.show(PROGRESS)
    controller.refresh()
    assert controller.pages.service.view.uid == second.campaign.uid, "the latest at first"
    assert "Ranking · English to German · 24 segments · 2 raters" in page.bar.facts.text()
    page.bar.choice.setCurrentIndex(page.bar.choice.findData(first.campaign.uid))
    page.bar.choice.activated.emit(0)
    controller.settle()
    assert page.bar.facts.text().startswith("Adequacy and fluency")
    assert [export.name for export in available_exports(controller.pages.service.view, scored=False, ranked=True)][
        2
    ] == "wmt"


def test_another_project_is_another_list(world: Any, controller: Desk, qtbot: QtBot) -> None:
    world.open()
    world.campaign()
    controller.refresh()
    assert controller.pages.service.view is not None
    world.workspace.close()
    assert controller.pages.service.state == "none"
    assert controller.pages.service.campaigns == ()
    assert controller.pages.results.computed is None


def test_an_owner_does_all_by_command_too(world: Any, controller: Desk, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    qtbot.addWidget(window)
    table = ActionRegistry(window, world.settings)
    table.add_all(ACTIONS)
    controller.pages.connect_actions(table)
    assert not any(table[action.id].isEnabled() for action in ACTIONS)
    world.open()
    controller.campaign()
    assert all(table[action.id].isEnabled() for action in ACTIONS)
    table[commands.SET_UP].trigger()
    assert controller.area.current == SET_UP
    table[commands.EXPORT].trigger()
    assert controller.pages.files.dialog.isVisible()
    controller.pages.files.dialog.reject()
    table[commands.UNBLIND].trigger()
    controller.pages.dialog.accept()
    controller.settle()
    assert controller.pages.service.view.unblinded is not None
    assert not table[commands.UNBLIND].isEnabled()


def test_the_campaign_that_is_rated_is_looked_at_unless_a_person_chose_another(world: Any, controller: Desk) -> None:
    world.open()
    first, second = (world.campaign(name=name).campaign.uid for name in ("First", "Second"))
    service = controller.pages.service
    controller.refresh()
    assert service.view.uid == second
    controller.show(RESULTS)
    service.on_saved(first)
    controller.settle()
    assert service.view.uid == first
    service.choose(second)
    service.on_saved(first)
    controller.settle()
    assert service.view.uid == second
    service.follow(first)
    controller.settle()
    assert service.view.uid == first


def test_ratings_from_files_give_way_to_a_campaign(world: Any, controller: Desk, corpus: Callable[..., Corpus]) -> None:
    """They were there first, and stayed in view though they cannot be joined with those of the campaign."""
    world.open(replace(corpus(), ratings=adequacy_fluency(4)))
    service = controller.pages.service
    controller.refresh()
    assert service.view.campaign is None
    design = world.campaign()
    controller.refresh()
    assert service.view.uid == design.campaign.uid
