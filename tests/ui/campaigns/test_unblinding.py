"""Systems are shown as letters until the owner unblinds the campaign, which is logged."""

from __future__ import annotations

import html
import re
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.formats.ratings import write_ratings
from qe_desktop.project import Session
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_page import PROGRESS
from qe_desktop.ui.widgets.labels import Label
from tests.timeouts import PATIENCE

from .conftest import SYSTEMS, OwnerPagesDriver, adequacy_fluency


def test_results_are_blind_until_the_owner_unblinds_and_this_is_logged(
    environment: Any, driver: OwnerPagesDriver, qtbot: QtBot
) -> None:
    project = environment.open()
    design = driver.campaign()
    for rater in design.campaign.raters:
        environment.rate(design, rater)
    page = driver.show(RESULTS)
    blind = driver.systems()
    assert sorted(blind) == ["System A", "System B", "System C"]
    assert page.bar.blind.text() == "Blind: systems are shown as letters"
    assert page.bar.blind.width() >= page.bar.blind.sizeHint().width(), "not cut off"
    tooltip = html.unescape(page.bar.blind.toolTip())
    assert "shown as letters. The letters were assigned" in tooltip, "two sentences"
    shown = driver.texts()
    # “WMT” may occur in the texts, so whole words are compared
    assert not any(re.search(rf"\b{re.escape(system)}\b", shown) for system in SYSTEMS)
    scores = [system.scores.raw["total"].value for system in driver.pages.results.result.results.systems]

    assert page.bar.unblind.text() == "&Unblind (show system names)…"
    page.bar.unblind.click()
    dialog = driver.pages.dialog
    assert "Unblinding cannot be undone" in " ".join(label.text() for label in dialog.findChildren(Label))
    dialog.reject()
    driver.settle()
    assert driver.systems() == blind
    assert not any(row.what == "unblinded" for row in project.audit())

    page.bar.unblind.click()
    assert not driver.pages.dialog.open_button.isEnabled(), "a reason goes into the log"
    driver.pages.dialog.field.setText("all ratings are in")
    driver.pages.dialog.open_button.click()
    driver.settle()
    assert sorted(driver.systems()) == sorted(SYSTEMS)
    assert [system.scores.raw["total"].value for system in driver.pages.results.result.results.systems] == scores
    (entry,) = [row for row in project.audit() if row.what == "unblinded"]
    assert entry.who == "Olga"
    assert entry.details["campaign"] == design.campaign.uid
    assert entry.details["reason"] == "all ratings are in"
    assert page.bar.blind.text().startswith("Unblinded by Olga, 20")
    assert not page.bar.unblind.isVisible()
    log = driver.show(PROGRESS).content.log
    assert log.table.rows[0][2].text == "unblinded"
    assert "reason: all ratings are in" in log.table.rows[0][3].text


def test_blind_names_stay_the_same_after_reopening_the_project(environment: Any, driver: OwnerPagesDriver) -> None:
    project = environment.open()
    environment.campaign()
    driver.refresh()
    names = driver.pages.service.view.names
    assert set(names) == set(SYSTEMS)
    environment.workspace.close()
    environment.workspace.open_project(project, Session(project.corpus(), person="Olga"))
    driver.settle()
    assert driver.pages.service.view.names == names


def test_campaign_stays_blind_if_unblinding_cannot_be_logged(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = environment.open()
    design = driver.campaign()
    environment.rate(design, "Ana", 0.3)
    driver.show(RESULTS)
    monkeypatch.setattr(project, "flush", lambda timeout=None: False)
    monkeypatch.setattr(project, "log", lambda what, details=None: None)
    driver.pages.service.unblind("")
    driver.settle()
    assert "the campaign is still blind, because the unblinding cannot be saved" in environment.failures[0]
    assert all(name.startswith("System ") for name in driver.systems())


def test_view_of_all_ratings_keeps_systems_of_a_blind_campaign_hidden(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    environment.open()
    design = environment.campaign()
    environment.rate(design, "Ana")
    write_ratings(adequacy_fluency(6), tmp_path / "one.tsv", "long")
    driver.read(tmp_path / "one.tsv").accept()
    service = driver.pages.service
    assert [title for _, title in service.choices] == ["News", "All ratings, including those from files"]
    service.choose("")
    driver.settle()
    driver.show(RESULTS)
    assert all(name.startswith("System ") for name in driver.systems())
    service.choose(design.campaign.uid)
    driver.settle()
    service.unblind("")
    driver.settle()
    service.choose("")
    driver.settle()
    driver.show(RESULTS)
    assert set(driver.systems()) == set(SYSTEMS)


def test_view_of_all_ratings_follows_changed_ratings(
    environment: Any, driver: OwnerPagesDriver, tmp_path: Path
) -> None:
    """Regression: only finished items were counted, so a changed rating did not change the results."""
    project = environment.open()
    design = environment.campaign()
    environment.rate(design, "Ana")
    write_ratings(adequacy_fluency(6), tmp_path / "one.tsv", "long")
    driver.read(tmp_path / "one.tsv").accept()
    driver.pages.service.choose("")
    driver.settle()
    driver.show(RESULTS)
    before = driver.pages.results.result
    work = project.rater_session(design.campaign.uid, "Ana")
    screen = next(screen.uid for screen in work.screens if not screen.training)
    project.rate(work.rate(screen, "fluency", 1.0 if work.value(screen, "fluency") != 1.0 else 2.0))
    assert project.flush(PATIENCE)
    driver.refresh()
    environment.qtbot.waitUntil(lambda: driver.pages.results.result is not before)
