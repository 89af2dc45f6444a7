"""The owner's pages: their texts in empty states, and the campaign that they show."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, ItemRole, QeError, Ratings, Score
from qe_desktop.project.events import RemoteChanges
from qe_desktop.report.rating_exports import available_exports
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.campaigns import campaign_page
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_page import PROGRESS, SET_UP
from qe_desktop.ui.rate import commands
from qe_desktop.ui.rate.commands import OWNER_ACTIONS

from .conftest import SYSTEMS, OwnerPagesDriver, adequacy_fluency


def test_pages_without_a_project_offer_to_open_one(driver: OwnerPagesDriver, qtbot: QtBot) -> None:
    for page in (PROGRESS, RESULTS, SET_UP):
        driver.show(page)
        assert "Campaigns require a project" in driver.texts()
        visible = [button for button in driver.area.findChildren(QPushButton) if button.isVisible()]
        assert [button.objectName() for button in visible if button.text() == "Rate the sample"] == ["file.rate-sample"]
    with qtbot.waitSignal(driver.pages.command_requested) as blocker:
        driver.pages._setup_container.placeholder.buttons[campaign_page.OPEN].click()
    assert blocker.args == ["file.open-project"]


def test_page_offers_to_save_an_open_corpus_as_a_project(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus], qtbot: QtBot
) -> None:
    environment.workspace.open(corpus())
    page = driver.show(PROGRESS)
    with qtbot.waitSignal(driver.pages.command_requested) as blocker:
        page.placeholder.buttons[campaign_page.SAVE].click()
    assert blocker.args == ["file.project"]


def test_ratings_of_a_corpus_are_shown_without_a_project(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus]
) -> None:
    environment.workspace.open(replace(corpus(), ratings=adequacy_fluency(8)))
    assert driver.pages.service.view is not None
    driver.show(RESULTS)
    assert set(driver.systems()) == set(SYSTEMS)
    assert "Ratings of news" in driver.texts()
    assert "From the corpus" in driver.texts()
    buttons = [button.text() for button in driver.area.findChildren(QPushButton) if button.isVisible()]
    assert "Export…" in buttons
    assert "Import…" not in buttons, "there is nothing to import into"
    driver.show(PROGRESS)
    assert "Campaigns require a project" in driver.texts()
    environment.workspace.close()
    assert driver.pages.service.view is None


def test_corpus_without_ratings_that_count_offers_only_what_is_possible(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus]
) -> None:
    """Regression: the page named a hidden list and had an import button that did nothing without a project."""
    training = Score("Ana", "MT", "1", "adequacy", 3.0, ItemRole.TRAINING)
    environment.workspace.open(replace(corpus(), ratings=Ratings.of([training])))
    page = driver.show(RESULTS)
    assert not page.bar.choice.isVisible()
    state = page.content.placeholder.state
    assert state.title == "No results yet"
    assert "in the list above" not in state.text
    assert [name for name, _ in state.buttons] == [PROGRESS]


def test_project_without_a_campaign_leads_to_the_setup_page(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    page = driver.show(PROGRESS)
    assert "No campaigns yet" in driver.texts()
    page.placeholder.buttons[campaign_page.SET_UP].click()
    assert driver.area.current == SET_UP
    assert driver.pages.setup_page.isVisible()


def test_read_error_is_shown_and_can_be_retried(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = environment.open()

    def fail() -> list[object]:
        raise QeError("the server is away", hint="Try again later.")

    monkeypatch.setattr(project, "campaigns", fail)
    page = driver.show(PROGRESS)
    driver.refresh()
    assert "The server is away" in driver.texts()
    monkeypatch.undo()
    page.placeholder.buttons[campaign_page.TRY_AGAIN].click()
    driver.settle()
    assert "No campaigns yet" in driver.texts()


def test_raters_cannot_see_the_owners_pages(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = environment.open()
    environment.campaign()
    monkeypatch.setattr(project, "role", "rater")
    driver.pages.service._on_project()
    driver.settle()
    assert driver.pages.service.view is None
    driver.show(RESULTS)
    assert "Only the project owner can see this page" in driver.texts()


def test_campaign_can_be_selected_and_the_latest_is_selected_first(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    first = environment.campaign()
    second = environment.campaign(name="Second", protocol="rank", repeats=0, training=0)
    page = driver.show(PROGRESS)
    driver.refresh()
    assert driver.pages.service.view.uid == second.campaign.uid, "the latest at first"
    assert "Ranking · English to German · 24 segments · 2 raters" in page.bar.facts.text()
    page.bar.choice.setCurrentIndex(page.bar.choice.findData(first.campaign.uid))
    page.bar.choice.activated.emit(0)
    driver.settle()
    assert page.bar.facts.text().startswith("Adequacy and fluency")
    assert [export.name for export in available_exports(driver.pages.service.view, scored=False, ranked=True)][
        2
    ] == "wmt"


def test_closing_the_project_clears_campaigns_and_results(
    environment: Any, driver: OwnerPagesDriver, qtbot: QtBot
) -> None:
    environment.open()
    environment.campaign()
    driver.refresh()
    assert driver.pages.service.view is not None
    environment.workspace.close()
    assert driver.pages.service.state == "none"
    assert driver.pages.service.campaigns == ()
    assert driver.pages.results.result is None


def test_commands_are_enabled_with_a_campaign_and_run(environment: Any, driver: OwnerPagesDriver, qtbot: QtBot) -> None:
    from PySide6.QtWidgets import QMainWindow

    window = QMainWindow()
    qtbot.addWidget(window)
    registry = ActionRegistry(window, environment.settings)
    registry.add_all(OWNER_ACTIONS)
    driver.pages.connect_actions(registry)
    assert not any(registry[action.id].isEnabled() for action in OWNER_ACTIONS)
    environment.open()
    driver.campaign()
    assert all(registry[action.id].isEnabled() for action in OWNER_ACTIONS)
    registry[commands.SET_UP].trigger()
    assert driver.area.current == SET_UP
    registry[commands.EXPORT].trigger()
    assert driver.pages.files.dialog.isVisible()
    driver.pages.files.dialog.reject()
    registry[commands.UNBLIND].trigger()
    driver.pages.dialog.accept()
    driver.settle()
    assert driver.pages.service.view.unblinding is not None
    assert not registry[commands.UNBLIND].isEnabled()


def test_saved_rating_selects_its_campaign_unless_another_was_selected(
    environment: Any, driver: OwnerPagesDriver
) -> None:
    environment.open()
    first, second = (environment.campaign(name=name).campaign.uid for name in ("First", "Second"))
    service = driver.pages.service
    driver.refresh()
    assert service.view.uid == second
    driver.show(RESULTS)
    service.on_saved(first)
    driver.settle()
    assert service.view.uid == first
    service.choose(second)
    service.on_saved(first)
    driver.settle()
    assert service.view.uid == second
    service.select_new(first)
    driver.settle()
    assert service.view.uid == first


def test_new_campaign_replaces_ratings_from_files_in_the_view(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus]
) -> None:
    """Regression: the ratings from files stayed selected, although they cannot be combined with a campaign."""
    environment.open(replace(corpus(), ratings=adequacy_fluency(4)))
    service = driver.pages.service
    driver.refresh()
    assert service.view.campaign is None
    design = environment.campaign()
    driver.refresh()
    assert service.view.uid == design.campaign.uid


def test_saved_rating_shows_a_campaign_that_was_not_known(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    driver.refresh()
    service = driver.pages.service
    assert service.state == "empty"
    design = environment.campaign()
    service.on_saved()
    driver.settle()
    assert service.state == "empty", "an edit is no reason to read the campaigns"
    environment.rate(design, "Ana", 0.2)
    service.on_saved(design.campaign.uid)
    driver.settle()
    assert service.view.uid == design.campaign.uid


def test_ratings_of_an_unknown_campaign_by_others_show_it(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    driver.refresh()
    design = environment.campaign()
    work = environment.project.rater_session(design.campaign.uid, "Ana")
    driver.pages.service.on_remote_changes(
        RemoteChanges(ratings=(work.rate(work.screens[0].uid, "fluency", 4.0, 9.0),))
    )
    driver.settle()
    assert driver.pages.service.view.uid == design.campaign.uid
