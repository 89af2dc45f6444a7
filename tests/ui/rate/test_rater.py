"""From instructions to the end: training, resuming, reading only, and what stands on the page of items."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.ui.rate.conftest import make

Key = Qt.Key


def test_raters_read_the_hash_of_the_design_before_they_begin(desk):
    made = make("adequacy").known()
    made.campaign = replace(made.campaign, design_hash="0123456789abcdef" * 4)
    desk.open(made)
    assert desk.rater.page is desk.rater.instructions
    assert made.campaign.design_hash in " ".join(label.text() for label in desk.rater.instructions.findChildren(QLabel))


def test_instructions_come_before_the_first_item_and_again_by_key(desk, qtbot):
    made = desk.open(make("adequacy", training=1, instructions="Names stay as they are.").known())
    page = desk.rater.instructions
    assert desk.rater.page is page
    for part in ("Names stay as they are.", "The first item is practice", "1 to 5 choose", "English → German"):
        assert part in page.text.text()
    assert page.buttons["done"].text() == "Begin"
    desk.press(Key.Key_Return)
    assert desk.rater.page is desk.items
    desk.press(Key.Key_I)
    assert desk.rater.page is page
    assert page.buttons["done"].text() == "Back to the items"
    desk.press(Key.Key_3)
    desk.press(Key.Key_I)
    assert desk.rater.page is desk.items
    assert made.said("adequacy") == []


def test_training_is_said_to_be_practice_and_counts_nowhere(desk, qtbot):
    desk.begin(make("adequacy", training=2))
    assert desk.items.where.text() == "Training 1 of 2"
    assert "does not count" in desk.items.about.text()
    for number in range(2):
        desk.press(Key.Key_4)
        qtbot.waitUntil(lambda number=number: desk.place == number + 1)
    assert desk.items.where.text() == "Item 1 of 2"
    assert desk.items.state.missing.text() == "The practice is over: from here on everything counts"
    assert "does not count" not in desk.items.about.text()
    assert desk.items.state.progress.text() == "0 of 2 done"


def test_it_opens_where_it_was_left(desk, qtbot):
    made = desk.begin(make("adequacy-fluency"))
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.sitting.revealed)
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.place == 1)
    desk.press(Key.Key_2)
    qtbot.waitUntil(lambda: desk.sitting.revealed)
    desk.open(made)
    assert desk.rater.page is desk.items
    assert desk.place == 1
    assert desk.sitting.asked.name == "adequacy"
    assert desk.card.texts.source.pane.isVisible()
    assert desk.area.undo_text == "fluency 2, item 2"


def test_the_item_page_says_as_whom_one_rates(desk):
    """An owner may rate in another's place, and two people may share a computer."""
    made = make("adequacy", raters=("ann", "bob"))
    desk.begin(made)
    assert desk.items.about.text().startswith("as ann · Campaign c1")
    assert "as ann" in desk.items.accessibleName()
    desk.rater.open_campaign("c1", "bob")
    desk.rater.show_items()
    assert desk.items.about.text().startswith("as bob · ")


def test_the_end_says_what_is_open_and_leads_there(desk, qtbot):
    desk.begin(make("adequacy", items=3))
    desk.press(Key.Key_End, Key.Key_Right)
    end = desk.rater.end
    assert desk.rater.page is end
    assert end.text.text() == "0 of 3 items rated. 3 items still need a rating."
    desk.press(Key.Key_Left)
    assert desk.place == 2
    desk.press(Key.Key_Right)
    end.press_first()
    assert desk.place == 0
    for number in range(3):
        assert desk.place == number
        desk.press(Key.Key_5)
        qtbot.waitUntil(lambda number=number: desk.place == number + 1)
    assert end.title.text() == "Thank you: everything is rated"
    desk.area.undo()
    assert desk.rater.page is desk.items
    assert desk.place == 2


def test_all_done_opens_at_the_end(desk, qtbot):
    made = desk.begin(make("adequacy", items=1))
    desk.press(Key.Key_5)
    qtbot.waitUntil(lambda: desk.rater.page is desk.rater.end)
    desk.open(made)
    assert desk.rater.page is desk.rater.end
    desk.rater.end.press_first()
    assert desk.place == 0
    assert desk.rater.page is desk.items


def test_the_end_shows_the_way_to_a_campaign_that_came_meanwhile(desk, qtbot):
    made = desk.begin(make("adequacy", items=1))
    desk.press(Key.Key_3)
    qtbot.waitUntil(lambda: desk.rater.page is desk.rater.end)
    assert "campaigns" not in desk.rater.end.buttons
    made.others = [make("adequacy", uid="new")]
    desk.area.rater.look_again()
    assert "campaigns" in desk.rater.end.buttons


def test_read_only_shows_everything_and_takes_nothing(desk):
    made = make("adequacy").known()
    made.read_only = "the file can only be read"
    before = len(made.events)
    desk.open(made)
    desk.rater.instructions.press_first()
    assert "for reading only" in desk.items.about.text()
    desk.press(Key.Key_4)
    assert desk.items.state.missing.text() == "The file can only be read."
    desk.press(Key.Key_S, Key.Key_Right)
    assert desk.place == 1
    assert len(made.events) == before


@pytest.mark.parametrize("text", ["Saved 12:03:04", "2 changes wait: the disk is full; trying again"])
def test_what_is_saved_stands_in_the_state_line(desk, text):
    desk.begin(make("adequacy"))
    desk.area.rater.set_saved(text)
    assert desk.items.state.saved.text() == text


def test_what_others_say_is_left_out_and_what_one_said_elsewhere_is_taken_in(desk):
    made = desk.begin(make("adequacy", raters=("ann", "bob")))
    elsewhere = made.work("c1", "ann").rate(made.screens[0].uid, "adequacy", 2.0)
    other = made.work("c1", "bob").rate(made.screens[4].uid, "adequacy", 5.0)
    desk.rater.merge([elsewhere, other])
    assert desk.items.state.progress.text().startswith("1 of 4 done")
