"""The owner's pages: their texts in empty states, and the campaign that they show."""

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


def test_pages_without_a_project_offer_to_open_one(controller: Desk, qtbot: QtBot) -> None:
    for page in (PROGRESS, RESULTS, SET_UP):
        controller.show(page)
        assert "Campaigns require a project" in controller.texts()
    with qtbot.waitSignal(controller.pages.command_wanted) as blocker:
        controller.pages._set_up_place.quiet.buttons[empty_states.OPEN].click()
    assert blocker.args == ["file.open-project"]


def test_page_offers_to_save_an_open_corpus_as_a_project(
    world: Any, controller: Desk, corpus: Callable[..., Corpus], qtbot: QtBot
) -> None:
    world.workspace.open(corpus())
    page = controller.show(PROGRESS)
    with qtbot.waitSignal(controller.pages.command_wanted) as blocker:
        page.quiet.buttons[empty_states.SAVE].click()
    assert blocker.args == ["file.project"]


def test_ratings_of_a_corpus_are_shown_without_a_project(
    world: Any, controller: Desk, corpus: Callable[..., Corpus]
) -> None:
    world.workspace.open(replace(corpus(), ratings=adequacy_fluency(8)))
    assert controller.pages.service.view is not None
    controller.show(RESULTS)
    assert set(controller.systems()) == set(SYSTEMS)
    assert "Ratings of news" in controller.texts()
    assert "From the corpus" in controller.texts()
    buttons = [button.text() for button in controller.area.findChildren(QPushButton) if button.isVisible()]
    assert "Export…" in buttons
    assert "Import…" not in buttons, "there is nothing to import into"
    controller.show(PROGRESS)
    assert "Campaigns require a project" in controller.texts()
    world.workspace.close()
    assert controller.pages.service.view is None


def test_project_without_a_campaign_leads_to_the_setup_page(world: Any, controller: Desk) -> None:
    world.open()
    page = controller.show(PROGRESS)
    assert "No campaigns yet" in controller.texts()
    page.quiet.buttons[empty_states.SET_UP].click()
    assert controller.area.current == SET_UP
    assert controller.pages.set_up.isVisible()


def test_read_error_is_shown_and_can_be_retried(world: Any, controller: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()

    def fail() -> list[object]:
        raise QeError("the server is away", hint="Try again later.")

    monkeypatch.setattr(project, "campaigns", fail)
    page = controller.show(PROGRESS)
    controller.refresh()
    assert "The server is away" in controller.texts()
    monkeypatch.undo()
    page.quiet.buttons[empty_states.TRY_AGAIN].click()
    controller.settle()
    assert "No campaigns yet" in controller.texts()


def test_raters_cannot_see_the_owners_pages(world: Any, controller: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()
    world.campaign()
    monkeypatch.setattr(project, "role", "rater")
    controller.pages.service._on_project()
    controller.settle()
    assert controller.pages.service.view is None
    controller.show(RESULTS)
    assert "Only the project owner can see this page" in controller.texts()


def test_campaign_can_be_selected_and_the_latest_is_selected_first(world: Any, controller: Desk) -> None:
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


def test_closing_the_project_clears_campaigns_and_results(world: Any, controller: Desk, qtbot: QtBot) -> None:
    world.open()
    world.campaign()
    controller.refresh()
    assert controller.pages.service.view is not None
    world.workspace.close()
    assert controller.pages.service.state == "none"
    assert controller.pages.service.campaigns == ()
    assert controller.pages.results.computed is None


def test_commands_are_enabled_with_a_campaign_and_run(world: Any, controller: Desk, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    qtbot.addWidget(window)
    registry = ActionRegistry(window, world.settings)
    registry.add_all(ACTIONS)
    controller.pages.connect_actions(registry)
    assert not any(registry[action.id].isEnabled() for action in ACTIONS)
    world.open()
    controller.campaign()
    assert all(registry[action.id].isEnabled() for action in ACTIONS)
    registry[commands.SET_UP].trigger()
    assert controller.area.current == SET_UP
    registry[commands.EXPORT].trigger()
    assert controller.pages.files.dialog.isVisible()
    controller.pages.files.dialog.reject()
    registry[commands.UNBLIND].trigger()
    controller.pages.dialog.accept()
    controller.settle()
    assert controller.pages.service.view.unblinded is not None
    assert not registry[commands.UNBLIND].isEnabled()


def test_saved_rating_selects_its_campaign_unless_another_was_selected(world: Any, controller: Desk) -> None:
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


def test_new_campaign_replaces_ratings_from_files_in_the_view(
    world: Any, controller: Desk, corpus: Callable[..., Corpus]
) -> None:
    """The ratings from files stayed selected although they cannot be combined with those of the campaign."""
    world.open(replace(corpus(), ratings=adequacy_fluency(4)))
    service = controller.pages.service
    controller.refresh()
    assert service.view.campaign is None
    design = world.campaign()
    controller.refresh()
    assert service.view.uid == design.campaign.uid
