"""The steps of a rater from the instructions to the end: training, resuming, read-only projects, and the item page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.ui.rate.conftest import make_project

Key = Qt.Key


def test_instructions_show_the_design_hash(driver):
    project = make_project("adequacy").with_profile()
    project.campaign = replace(project.campaign, design_hash="0123456789abcdef" * 4)
    driver.open(project)
    assert driver.rater.page is driver.rater.instructions
    assert project.campaign.design_hash in " ".join(
        label.text() for label in driver.rater.instructions.findChildren(QLabel)
    )


def test_instructions_are_shown_first_and_again_by_key(driver, qtbot):
    project = driver.open(make_project("adequacy", training=1, instructions="Names stay as they are.").with_profile())
    page = driver.rater.instructions
    assert driver.rater.page is page
    for part in ("Names stay as they are.", "The first item is training", "1 to 5 select", "English → German"):
        assert part in page.text.text()
    assert page.buttons["done"].text() == "Start"
    driver.press(Key.Key_Return)
    assert driver.rater.page is driver.items
    driver.press(Key.Key_I)
    assert driver.rater.page is page
    assert page.buttons["done"].text() == "Back to items"
    driver.press(Key.Key_3)
    driver.press(Key.Key_I)
    assert driver.rater.page is driver.items
    assert project.recorded_values("adequacy") == []


def test_training_items_are_labelled_and_do_not_count(driver, qtbot):
    driver.begin(make_project("adequacy", training=2))
    assert driver.items.where.text() == "Training 1 of 2"
    assert "does not count" in driver.items.about.text()
    for number in range(2):
        driver.press(Key.Key_4)
        qtbot.waitUntil(lambda number=number: driver.position == number + 1)
    assert driver.items.where.text() == "Item 1 of 2"
    assert driver.items.state.missing.text() == "Training is over. From now on, all ratings count."
    assert "does not count" not in driver.items.about.text()
    assert driver.items.state.progress.text() == "0 of 2 done"


def test_campaign_reopens_at_the_last_position(driver, qtbot):
    project = driver.begin(make_project("adequacy-fluency"))
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.revealed)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    driver.press(Key.Key_2)
    qtbot.waitUntil(lambda: driver.session.revealed)
    driver.open(project)
    assert driver.rater.page is driver.items
    assert driver.position == 1
    assert driver.session.current_scale.name == "adequacy"
    assert driver.card.texts.source.pane.isVisible()
    assert driver.area.undo_text == "fluency 2, item 2"


def test_item_page_names_the_rater(driver):
    """An owner may rate for another person, and two people may share a computer."""
    project = make_project("adequacy", raters=("ann", "bob"))
    driver.begin(project)
    assert driver.items.about.text().startswith("as ann · Campaign c1")
    assert "as ann" in driver.items.accessibleName()
    driver.rater.open_campaign("c1", "bob")
    driver.rater.show_items()
    assert driver.items.about.text().startswith("as bob · ")


def test_end_page_counts_open_items_and_leads_to_them(driver, qtbot):
    driver.begin(make_project("adequacy", items=3))
    driver.press(Key.Key_End, Key.Key_Right)
    end = driver.rater.end
    assert driver.rater.page is end
    assert end.text.text() == "0 of 3 items rated. 3 items still need a rating."
    driver.press(Key.Key_Left)
    assert driver.position == 2
    driver.press(Key.Key_Right)
    end.press_first()
    assert driver.position == 0
    for number in range(3):
        assert driver.position == number
        driver.press(Key.Key_5)
        qtbot.waitUntil(lambda number=number: driver.position == number + 1)
    assert end.title.text() == "Thank you: all items are done"
    driver.area.undo()
    assert driver.rater.page is driver.items
    assert driver.position == 2


def test_completed_campaign_opens_at_the_end_page(driver, qtbot):
    project = driver.begin(make_project("adequacy", items=1))
    driver.press(Key.Key_5)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    driver.open(project)
    assert driver.rater.page is driver.rater.end
    driver.rater.end.press_first()
    assert driver.position == 0
    assert driver.rater.page is driver.items


def test_end_page_offers_campaigns_after_one_is_added(driver, qtbot):
    project = driver.begin(make_project("adequacy", items=1))
    driver.press(Key.Key_3)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    assert "campaigns" not in driver.rater.end.buttons
    project.others = [make_project("adequacy", uid="new")]
    driver.area.rater.look_again()
    assert "campaigns" in driver.rater.end.buttons


def test_read_only_project_shows_items_and_records_nothing(driver):
    project = make_project("adequacy").with_profile()
    project.read_only = "the file can only be read"
    before = len(project.events)
    driver.open(project)
    driver.rater.instructions.press_first()
    assert "read-only" in driver.items.about.text()
    driver.press(Key.Key_4)
    assert driver.items.state.missing.text() == "The file can only be read."
    driver.press(Key.Key_S, Key.Key_Right)
    assert driver.position == 1
    assert len(project.events) == before


@pytest.mark.parametrize("text", ["Saved 12:03:04", "2 changes wait: the disk is full; trying again"])
def test_state_line_shows_the_save_status(driver, text):
    driver.begin(make_project("adequacy"))
    driver.area.rater.set_saved(text)
    assert driver.items.state.saved.text() == text


def test_merge_takes_own_ratings_and_ignores_those_of_other_raters(driver):
    project = driver.begin(make_project("adequacy", raters=("ann", "bob")))
    elsewhere = project.work("c1", "ann").rate(project.screens[0].uid, "adequacy", 2.0)
    other = project.work("c1", "bob").rate(project.screens[4].uid, "adequacy", 5.0)
    driver.rater.merge([elsewhere, other])
    assert driver.items.state.progress.text().startswith("1 of 4 done")
