"""The progress page follows the ratings, and reads them once per change and only while it is visible."""

from __future__ import annotations

import time
from types import SimpleNamespace
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from qe_desktop.project.events import RemoteChanges
from qe_desktop.ui.campaigns import progress_page as progress
from qe_desktop.ui.campaigns.campaign_controller import RESULTS
from qe_desktop.ui.campaigns.campaign_page import PROGRESS, SET_UP
from qe_desktop.ui.rate.area import RATE_PAGE
from tests.project.store.test_event_validation import insert_event
from tests.timeouts import PATIENCE

from .conftest import OwnerPagesDriver


def test_progress_page_follows_the_ratings(
    environment: Any, driver: OwnerPagesDriver, monkeypatch: pytest.MonkeyPatch
) -> None:
    start = time.time()
    monkeypatch.setattr(progress, "time", SimpleNamespace(time=lambda: start))
    environment.open()
    design = driver.campaign()
    page = driver.show(PROGRESS)
    rows = page.content.raters.table.rows
    total = sum(screen.rater == "Ana" and not screen.training for screen in design.screens)
    assert [row[0].text for row in rows] == ["Ana", "王芳"]
    assert rows[0][1].text == f"0 of {total}"
    assert rows[0][8].text == "not started"
    assert page.content.next_step.isVisible()
    assert "Save a copy for raters" in page.content.next_step.text()
    done = environment.rate(design, "Ana", 0.5)
    driver.pages.service.on_saved()
    driver.settle()
    row = page.content.raters.table.rows[0]
    assert row[1].text == f"{done} of {total}"
    assert row[2].bar_fraction == done / total
    assert row[3].text == "21 s"
    assert row[8].text == "just now"
    assert not page.content.next_step.isVisible()
    assert f"{done} of {2 * total} items done" in page.content.summary.text()
    assert "1 of 2 raters started" in page.content.summary.text()
    environment.rate(design, "Ana", 1.0)
    driver.pages.service.on_remote_changes(RemoteChanges(campaigns=("another",)))
    driver.settle()
    assert page.content.raters.table.rows[0][5].text == "done"


def test_rater_without_a_finished_item_has_started(environment: Any, driver: OwnerPagesDriver) -> None:
    """The summary agrees with the column of the last event."""
    environment.open()
    design = driver.campaign()
    screen = next(screen for screen in design.screens if screen.rater == "Ana" and not screen.training)
    work = environment.project.rater_session(design.campaign.uid, "Ana")
    environment.project.rate(work.rate(screen.uid, "comment", "Only a comment", 5.0))
    assert environment.project.flush(PATIENCE)
    page = driver.show(PROGRESS)
    driver.refresh()
    assert page.content.raters.table.rows[0][1].text.startswith("0 of ")
    assert page.content.raters.table.rows[0][8].text == "just now"
    assert "1 of 2 raters started" in page.content.summary.text()


def test_set_up_and_progress_pages_show_the_same_estimate(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    driver.show(SET_UP)
    set_up = driver.pages.setup_page
    set_up.form.raters.setPlainText("Ana\nBen")
    set_up.refresh()
    summary = {text.text(): number.text() for number, text in set_up.footer.sums}
    set_up.footer.create_button.click()
    driver.settle()
    page = driver.show(PROGRESS)
    left = {row[5].text for row in page.content.raters.table.rows}
    assert left == {summary["per rater"]}
    assert f"about {summary['total']} of rating time remaining" in page.content.summary.text()


def test_progress_page_reports_skipped_rows_of_each_rater(environment: Any, driver: OwnerPagesDriver) -> None:
    """Invalid rows are left out of all counts, and all other rows are read."""
    environment.open()
    design = driver.campaign()
    done = environment.rate(design, "Ana", 0.5)
    page = driver.show(PROGRESS)
    assert page.content.left_out.text() == ""
    screen = next(screen for screen in design.screens if screen.rater == "王芳")
    invalid = [{"campaign": design.campaign.uid, "value": value, "uid": value} for value in ("007", "1e105", "4.7")]
    insert_event(environment.project, invalid, screen.uid, "王芳")
    driver.refresh()
    assert page.content.left_out.text().startswith("3 invalid rows of 王芳 were left out: ")
    assert page.content.raters.table.rows[0][1].text.startswith(f"{done} of ")
    assert any("王芳" in note for note in environment.project.ratings(design.campaign.uid).notes)
    driver.show(RESULTS)
    assert any("3 invalid rows of 王芳 were left out" in note for note in driver.pages.results.result.results.notes)


def test_burst_of_remote_changes_is_read_once(environment: Any, driver: OwnerPagesDriver, qtbot: QtBot) -> None:
    environment.open()
    design = driver.campaign()
    driver.show(PROGRESS)
    service = driver.pages.service
    reads = []
    service.refreshed.connect(lambda: reads.append(1))
    environment.rate(design, "Ana", 0.2)
    event = environment.project.events(design.campaign.uid)[0]
    for _ in range(20):
        service.on_remote_changes(RemoteChanges(ratings=(event,)))
    driver.settle()
    assert reads == [1]


def test_hidden_page_reads_nothing_after_the_first_rating(environment: Any, driver: OwnerPagesDriver) -> None:
    environment.open()
    design = driver.campaign()
    page = driver.show(PROGRESS)
    environment.rate(design, "Ana", 0.2)
    driver.refresh()
    driver.area.show_page(RATE_PAGE)
    reads: list[int] = []
    driver.pages.service.refreshed.connect(lambda: reads.append(1))
    done = environment.rate(design, "Ana", 0.4)
    driver.pages.service.on_saved()
    driver.settle()
    assert reads == []
    driver.show(PROGRESS)
    assert reads == [1]
    assert page.content.raters.table.rows[0][1].text.startswith(f"{done} of ")
