"""A rater's way from instructions to the end: training, resuming, read-only projects, and the item page."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from tests.ui.rate.conftest import make

Key = Qt.Key


def test_instructions_show_the_design_hash(controller):
    project = make("adequacy").known()
    project.campaign = replace(project.campaign, design_hash="0123456789abcdef" * 4)
    controller.open(project)
    assert controller.rater.page is controller.rater.instructions
    assert project.campaign.design_hash in " ".join(
        label.text() for label in controller.rater.instructions.findChildren(QLabel)
    )


def test_instructions_are_shown_first_and_again_by_key(controller, qtbot):
    project = controller.open(make("adequacy", training=1, instructions="Names stay as they are.").known())
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
    assert project.said("adequacy") == []


def test_training_items_are_labelled_and_do_not_count(controller, qtbot):
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


def test_campaign_reopens_at_the_last_position(controller, qtbot):
    project = controller.begin(make("adequacy-fluency"))
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.session.revealed)
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.place == 1)
    controller.press(Key.Key_2)
    qtbot.waitUntil(lambda: controller.session.revealed)
    controller.open(project)
    assert controller.rater.page is controller.items
    assert controller.place == 1
    assert controller.session.current_scale.name == "adequacy"
    assert controller.card.texts.source.pane.isVisible()
    assert controller.area.undo_text == "fluency 2, item 2"


def test_item_page_names_the_rater(controller):
    """An owner may rate for another person, and two people may share a computer."""
    project = make("adequacy", raters=("ann", "bob"))
    controller.begin(project)
    assert controller.items.about.text().startswith("as ann · Campaign c1")
    assert "as ann" in controller.items.accessibleName()
    controller.rater.open_campaign("c1", "bob")
    controller.rater.show_items()
    assert controller.items.about.text().startswith("as bob · ")


def test_end_page_counts_open_items_and_leads_to_them(controller, qtbot):
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
    assert end.title.text() == "Thank you: all items are done"
    controller.area.undo()
    assert controller.rater.page is controller.items
    assert controller.place == 2


def test_completed_campaign_opens_at_the_end_page(controller, qtbot):
    project = controller.begin(make("adequacy", items=1))
    controller.press(Key.Key_5)
    qtbot.waitUntil(lambda: controller.rater.page is controller.rater.end)
    controller.open(project)
    assert controller.rater.page is controller.rater.end
    controller.rater.end.press_first()
    assert controller.place == 0
    assert controller.rater.page is controller.items


def test_end_page_offers_campaigns_after_one_is_added(controller, qtbot):
    project = controller.begin(make("adequacy", items=1))
    controller.press(Key.Key_3)
    qtbot.waitUntil(lambda: controller.rater.page is controller.rater.end)
    assert "campaigns" not in controller.rater.end.buttons
    project.others = [make("adequacy", uid="new")]
    controller.area.rater.look_again()
    assert "campaigns" in controller.rater.end.buttons


def test_read_only_project_shows_items_and_records_nothing(controller):
    project = make("adequacy").known()
    project.read_only = "the file can only be read"
    before = len(project.events)
    controller.open(project)
    controller.rater.instructions.press_first()
    assert "read-only" in controller.items.about.text()
    controller.press(Key.Key_4)
    assert controller.items.state.missing.text() == "The file can only be read."
    controller.press(Key.Key_S, Key.Key_Right)
    assert controller.place == 1
    assert len(project.events) == before


@pytest.mark.parametrize("text", ["Saved 12:03:04", "2 changes wait: the disk is full; trying again"])
def test_state_line_shows_the_save_status(controller, text):
    controller.begin(make("adequacy"))
    controller.area.rater.set_saved(text)
    assert controller.items.state.saved.text() == text


def test_merge_takes_own_ratings_and_ignores_those_of_other_raters(controller):
    project = controller.begin(make("adequacy", raters=("ann", "bob")))
    elsewhere = project.work("c1", "ann").rate(project.screens[0].uid, "adequacy", 2.0)
    other = project.work("c1", "bob").rate(project.screens[4].uid, "adequacy", 5.0)
    controller.rater.merge([elsewhere, other])
    assert controller.items.state.progress.text().startswith("1 of 4 done")
