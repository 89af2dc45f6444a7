"""Systems go by letters until a logged act opens the key."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.formats.ratings import write_ratings
from qe_desktop.project import Session
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.empty_states import PROGRESS
from qe_desktop.ui.widgets.labels import Label

from .conftest import SYSTEMS, Desk, adequacy_fluency


def test_results_are_blind_until_a_logged_act_opens_the_key(world: Any, desk: Desk, qtbot: QtBot) -> None:
    project = world.open()
    design = desk.campaign()
    for rater in design.campaign.raters:
        world.rate(design, rater)
    page = desk.show(RESULTS)
    blind = desk.systems()
    assert sorted(blind) == ["System A", "System B", "System C"]
    assert page.bar.blind.text() == "Blind: systems go by letters"
    shown = desk.texts()
    # WMT is a word that may be said
    assert not any(re.search(rf"\b{re.escape(system)}\b", shown) for system in SYSTEMS)
    figures = [system.scores.raw["total"].value for system in desk.pages.results.computed.results.systems]

    page.bar.unblind.click()
    dialog = desk.pages.dialog
    assert "This cannot be taken back" in " ".join(label.text() for label in dialog.findChildren(Label))
    dialog.reject()
    desk.settle()
    assert desk.systems() == blind
    assert not any(row.what == "unblinded" for row in project.audit())

    page.bar.unblind.click()
    assert not desk.pages.dialog.open_button.isEnabled(), "a reason goes into the log"
    desk.pages.dialog.field.setText("all ratings are in")
    desk.pages.dialog.open_button.click()
    desk.settle()
    assert sorted(desk.systems()) == sorted(SYSTEMS)
    assert [system.scores.raw["total"].value for system in desk.pages.results.computed.results.systems] == figures
    (entry,) = [row for row in project.audit() if row.what == "unblinded"]
    assert entry.who == "Olga"
    assert entry.details["campaign"] == design.campaign.uid
    assert entry.details["reason"] == "all ratings are in"
    assert page.bar.blind.text().startswith("Unblinded by Olga, 20")
    assert not page.bar.unblind.isVisible()
    log = desk.show(PROGRESS).content.log
    assert log.table.rows[0][2].text == "unblinded"
    assert "reason: all ratings are in" in log.table.rows[0][3].text


def test_letters_stay_the_same_after_opening_the_project_again(world: Any, desk: Desk) -> None:
    project = world.open()
    world.campaign()
    desk.refresh()
    names = desk.pages.keeper.view.names
    assert set(names) == set(SYSTEMS)
    world.workspace.close()
    world.workspace.open_project(project, Session(project.corpus(), person="Olga"))
    desk.settle()
    assert desk.pages.keeper.view.names == names


def test_a_key_that_cannot_be_logged_stays_closed(world: Any, desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    project = world.open()
    design = desk.campaign()
    world.rate(design, "Ana", 0.3)
    desk.show(RESULTS)
    monkeypatch.setattr(project, "flush", lambda timeout=None: False)
    monkeypatch.setattr(project, "log", lambda what, details=None: None)
    desk.pages.keeper.unblind("")
    desk.settle()
    assert "the key stays closed" in world.failures[0]
    assert all(name.startswith("System ") for name in desk.systems())


def test_all_ratings_keep_the_systems_of_a_blind_campaign_hidden(world: Any, desk: Desk, tmp_path: Path) -> None:
    world.open()
    design = world.campaign()
    world.rate(design, "Ana")
    write_ratings(adequacy_fluency(6), tmp_path / "one.tsv", "long")
    desk.read(tmp_path / "one.tsv").accept()
    keeper = desk.pages.keeper
    assert [title for _, title in keeper.choices] == ["News", "All ratings, with those from files"]
    keeper.choose("")
    desk.settle()
    desk.show(RESULTS)
    assert all(name.startswith("System ") for name in desk.systems())
    keeper.choose(design.campaign.uid)
    desk.settle()
    keeper.unblind("")
    desk.settle()
    keeper.choose("")
    desk.settle()
    desk.show(RESULTS)
    assert set(desk.systems()) == set(SYSTEMS)
