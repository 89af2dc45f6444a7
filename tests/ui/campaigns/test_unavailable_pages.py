"""Tabs of the Rate area whose page has nothing to show: grey, with the reason and how to make them available."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.project.store import Project
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_page import PROGRESS, SET_UP
from qe_desktop.ui.rate import commands as names
from qe_desktop.ui.rate.area import RATE_PAGE
from qe_desktop.ui.rate.commands import ACTIONS
from qe_desktop.ui.rate.commands import OWNER_ACTIONS as CAMPAIGN_ACTIONS
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.placeholder_page import ReasonPopup

from .conftest import RATERS, OwnerPagesDriver, adequacy_fluency


def grey(driver: OwnerPagesDriver) -> set[str]:
    """Return the pages whose tabs are grey; their tooltips state why."""
    tabs = driver.area.pages.bar.tabs
    assert all(bool(tab.toolTip()) == bool(tab.reason) for tab in tabs.values())
    return {id for id, tab in tabs.items() if tab.reason}


def popup(driver: OwnerPagesDriver) -> ReasonPopup:
    """Return the popup that is open."""
    return next(popup for popup in driver.area.findChildren(ReasonPopup) if popup.isVisible())


def test_pages_without_data_are_grey_with_the_reason(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus]
) -> None:
    assert grey(driver) == {RATE_PAGE, PROGRESS, RESULTS, SET_UP}
    assert "Campaigns require a project" in driver.area.pages.reason(PROGRESS)
    environment.workspace.open(replace(corpus(), ratings=adequacy_fluency(8)))
    assert grey(driver) == {RATE_PAGE, PROGRESS, SET_UP}, "the corpus has ratings"
    environment.workspace.close()
    assert RESULTS in grey(driver)
    environment.open()
    driver.settle()
    assert grey(driver) == {RATE_PAGE, PROGRESS, RESULTS}
    assert "No campaigns yet" in driver.area.pages.reason(RESULTS)


def test_results_are_grey_until_the_first_rating_also_while_hidden(environment: Any, driver: OwnerPagesDriver) -> None:
    project = environment.open()
    design = driver.campaign()
    assert RESULTS in grey(driver)
    assert "No results yet" in driver.area.pages.reason(RESULTS)
    assert PROGRESS not in grey(driver)
    assert driver.area.current == RATE_PAGE
    environment.rate(design, RATERS[0], 0.2)
    driver.pages.service.on_saved(design.campaign.uid)
    driver.settle()
    assert RESULTS not in grey(driver)
    assert project.ratings(design.campaign.uid)
    driver.campaign(name="Second")
    assert RESULTS not in grey(driver), "the first campaign can be selected there"


def test_grey_tab_tells_the_reason_and_offers_the_remedy(
    environment: Any, driver: OwnerPagesDriver, qtbot: QtBot
) -> None:
    environment.open()
    driver.settle()
    tab = driver.area.pages.bar.tabs[RESULTS]
    QTest.mouseClick(tab, Qt.MouseButton.LeftButton)
    assert driver.area.current == RATE_PAGE
    opened = popup(driver)
    assert "No campaigns yet" in opened.accessibleName()
    assert opened.pos().x() == tab.mapToGlobal(tab.rect().bottomLeft()).x(), "it is below its tab"
    assert all(isinstance(button, FlatButton) for button in opened.buttons), "as on an empty page"
    opened.buttons[0].click()
    assert driver.area.current == SET_UP


def test_keys_of_a_grey_tab_tell_the_reason(environment: Any, driver: OwnerPagesDriver, qtbot: QtBot) -> None:
    registry = ActionRegistry(driver.area, environment.settings)
    registry.add_all(ACTIONS)
    driver.area.connect_actions(registry)
    assert registry.keys(f"rate.page-{PROGRESS}") == ["Alt+2"]
    registry[f"rate.page-{PROGRESS}"].trigger()
    assert driver.area.current == RATE_PAGE
    with qtbot.waitSignal(driver.pages.command_requested) as blocker:
        popup(driver).buttons[0].click()
    assert blocker.args == ["file.open-project"]
    environment.open()
    driver.settle()
    registry[f"rate.page-{SET_UP}"].trigger()
    assert driver.area.current == SET_UP


@pytest.mark.parametrize(("page", "expected"), [(SET_UP, SET_UP), (PROGRESS, RATE_PAGE)])
def test_set_up_is_shown_after_the_texts_were_saved_for_it(
    environment: Any, driver: OwnerPagesDriver, corpus: Callable[..., Corpus], page: str, expected: str
) -> None:
    workspace = environment.workspace
    workspace.open(corpus())
    driver.area.unavailable.explain(page)
    popup(driver).buttons[0].click()
    environment.project = Project.create(environment.folder / "saved.qedesk", workspace.corpus, person="Olga")
    workspace.continue_in_project(environment.project)
    driver.settle()
    assert driver.area.current == expected


def test_page_that_failed_or_is_read_is_not_grey(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = environment.open()

    def fail() -> list[object]:
        raise QeError("the server is away", hint="Try again later.")

    monkeypatch.setattr(project, "campaigns", fail)
    driver.refresh()
    assert driver.pages.service.state == "failed"
    assert not grey(driver) & {PROGRESS, RESULTS}, "the page tells what happened and offers to try again"


def test_read_only_project_offers_neither_import_nor_unblinding(environment: Any, driver: OwnerPagesDriver) -> None:
    """Regression: both commands were offered, and failed at the end."""
    project = environment.open()
    commands = ActionRegistry(driver.area, environment.settings)
    for action in ACTIONS:
        commands.add(action)
    for action in CAMPAIGN_ACTIONS:
        if action.id not in commands:
            commands.add(action)
    driver.pages.connect_actions(commands)
    driver.campaign()
    page = driver.show(PROGRESS)
    ids = (names.IMPORT, names.UNBLIND, names.EXPORT)
    assert [commands[id].isEnabled() for id in ids] == [True, True, True]
    assert page.bar.unblind.isEnabled()
    project.read_only = "the file can only be read"
    driver.pages.service.changed.emit()
    assert [commands[id].isEnabled() for id in ids] == [False, False, True]
    assert not page.bar.unblind.isEnabled()
    assert "read-only" in page.bar.unblind.toolTip()
    assert not any(button.isVisible() for button in driver.pages._import_buttons)
    driver.pages.ask_unblind()
    driver.pages.files.ask_import()
    assert (driver.pages.dialog, driver.pages.files.dialog) == (None, None)
