"""From instructions to the end: training, resuming, reading only, and what stands on the page of items."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.ui.rate.conftest import make

Key = Qt.Key


def test_raters_read_the_hash_of_the_design_before_they_begin(controller):
    made = make("adequacy").known()
    made.campaign = replace(made.campaign, design_hash="0123456789abcdef" * 4)
    controller.open(made)
    assert controller.rater.page is controller.rater.instructions
    assert made.campaign.design_hash in " ".join(
        label.text() for label in controller.rater.instructions.findChildren(QLabel)
    )


def test_instructions_come_before_the_first_item_and_again_by_key(controller, qtbot):
    made = controller.open(make("adequacy", training=1, instructions="Names stay as they are.").known())
    page = controller.rater.instructions
    assert controller.rater.page is page
    for part in ("Names stay as they are.", "The first item is training", "1 to 5 select", "English → German"):
        assert part in page.text.text()
    assert page.buttons["done"].text() == "Start"
    controller.press(Key.Key_Return)
    assert controller.rater.page is controller.items
    controller.press(Key.Key_I)
    assert controller.rater.page is page
    assert page.buttons["done"].text() == "Back to items"
    controller.press(Key.Key_3)
    controller.press(Key.Key_I)
    assert controller.rater.page is controller.items
    assert made.said("adequacy") == []


def test_training_is_said_to_be_practice_and_counts_nowhere(controller, qtbot):
    controller.begin(make("adequacy", training=2))
    assert controller.items.where.text() == "Training 1 of 2"
    assert "does not count" in controller.items.about.text()
    for number in range(2):
        controller.press(Key.Key_4)
        qtbot.waitUntil(lambda number=number: controller.place == number + 1)
    assert controller.items.where.text() == "Item 1 of 2"
    assert controller.items.state.missing.text() == "Training is over. From now on, all ratings count."
    assert "does not count" not in controller.items.about.text()
    assert controller.items.state.progress.text() == "0 of 2 done"


def test_it_opens_where_it_was_left(controller, qtbot):
    made = controller.begin(make("adequacy-fluency"))
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.session.revealed)
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.place == 1)
    controller.press(Key.Key_2)
    qtbot.waitUntil(lambda: controller.session.revealed)
    controller.open(made)
    assert controller.rater.page is controller.items
    assert controller.place == 1
    assert controller.session.asked.name == "adequacy"
    assert controller.card.texts.source.pane.isVisible()
    assert controller.area.undo_text == "fluency 2, item 2"


def test_the_item_page_says_as_whom_one_rates(controller):
    """An owner may rate in another's place, and two people may share a computer."""
    made = make("adequacy", raters=("ann", "bob"))
    controller.begin(made)
    assert controller.items.about.text().startswith("as ann · Campaign c1")
    assert "as ann" in controller.items.accessibleName()
    controller.rater.open_campaign("c1", "bob")
    controller.rater.show_items()
    assert controller.items.about.text().startswith("as bob · ")


def test_the_end_says_what_is_open_and_leads_there(controller, qtbot):
    controller.begin(make("adequacy", items=3))
    controller.press(Key.Key_End, Key.Key_Right)
    end = controller.rater.end
    assert controller.rater.page is end
    assert end.text.text() == "0 of 3 items rated. 3 items still need a rating."
    controller.press(Key.Key_Left)
    assert controller.place == 2
    controller.press(Key.Key_Right)
    end.press_first()
    assert controller.place == 0
    for number in range(3):
        assert controller.place == number
        controller.press(Key.Key_5)
        qtbot.waitUntil(lambda number=number: controller.place == number + 1)
    assert end.title.text() == "Thank you: all items are rated"
    controller.area.undo()
    assert controller.rater.page is controller.items
    assert controller.place == 2


def test_all_done_opens_at_the_end(controller, qtbot):
    made = controller.begin(make("adequacy", items=1))
    controller.press(Key.Key_5)
    qtbot.waitUntil(lambda: controller.rater.page is controller.rater.end)
    controller.open(made)
    assert controller.rater.page is controller.rater.end
    controller.rater.end.press_first()
    assert controller.place == 0
    assert controller.rater.page is controller.items


def test_the_end_shows_the_way_to_a_campaign_that_came_meanwhile(controller, qtbot):
    made = controller.begin(make("adequacy", items=1))
    controller.press(Key.Key_3)
    qtbot.waitUntil(lambda: controller.rater.page is controller.rater.end)
    assert "campaigns" not in controller.rater.end.buttons
    made.others = [make("adequacy", uid="new")]
    controller.area.rater.look_again()
    assert "campaigns" in controller.rater.end.buttons


def test_read_only_shows_everything_and_takes_nothing(controller):
    made = make("adequacy").known()
    made.read_only = "the file can only be read"
    before = len(made.events)
    controller.open(made)
    controller.rater.instructions.press_first()
    assert "read-only" in controller.items.about.text()
    controller.press(Key.Key_4)
    assert controller.items.state.missing.text() == "The file can only be read."
    controller.press(Key.Key_S, Key.Key_Right)
    assert controller.place == 1
    assert len(made.events) == before


@pytest.mark.parametrize("text", ["Saved 12:03:04", "2 changes wait: the disk is full; trying again"])
def test_what_is_saved_stands_in_the_state_line(controller, text):
    controller.begin(make("adequacy"))
    controller.area.rater.set_saved(text)
    assert controller.items.state.saved.text() == text


def test_what_others_say_is_left_out_and_what_one_said_elsewhere_is_taken_in(controller):
    made = controller.begin(make("adequacy", raters=("ann", "bob")))
    elsewhere = made.work("c1", "ann").rate(made.screens[0].uid, "adequacy", 2.0)
    other = made.work("c1", "bob").rate(made.screens[4].uid, "adequacy", 5.0)
    controller.rater.merge([elsewhere, other])
    assert controller.items.state.progress.text().startswith("1 of 4 done")
