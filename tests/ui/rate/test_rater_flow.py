"""The steps of a rater from the instructions to the end: training, resuming, read-only projects, and the item page."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel

from qe_desktop.corpus import QeError
from qe_desktop.ui.rate.empty_states import ProjectPurpose
from qe_desktop.ui.rate.item_page import TRAINING_OVER_ADVANCING
from tests.ui.rate.conftest import make_project

Key = Qt.Key


def test_instructions_show_the_design_hash_on_request(driver):
    project = make_project("adequacy").with_profile()
    project.campaign = replace(project.campaign, design_hash="0123456789abcdef" * 4)
    driver.open(project)
    page = driver.rater.instructions
    assert driver.rater.page is page

    def shown() -> str:
        return " ".join(label.text() for label in page.findChildren(QLabel) if label.isVisible())

    assert project.campaign.design_hash not in shown()
    page.more.click()
    assert project.campaign.design_hash in shown()
    page.more.click()
    assert project.campaign.design_hash not in shown()
    assert page.more.isVisible()
    driver.rater.set_source(project, ProjectPurpose.PRACTICE)
    assert driver.rater.page is page
    assert not page.more.isVisible(), "practice needs no proof of its design"


def test_instructions_are_shown_first_and_again_by_key(driver, qtbot):
    project = driver.open(make_project("adequacy", training=1, instructions="Names stay as they are.").with_profile())
    page = driver.rater.instructions
    assert driver.rater.page is page
    for part in ("Names stay as they are.", "The first item is a training item", "1 to 5 select", "English → German"):
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


def test_escape_closes_instructions_that_were_opened_from_an_item(driver):
    driver.open(make_project("adequacy").with_profile())
    page = driver.rater.instructions
    # there is no item to return to before the start
    driver.press(Key.Key_Escape)
    assert driver.rater.page is page
    page.press_first()
    driver.press(Key.Key_I)
    assert driver.rater.page is page
    driver.press(Key.Key_Escape)
    assert driver.rater.page is driver.items


def test_campaigns_that_cannot_be_read_do_not_interrupt_an_item(driver, monkeypatch):
    project = driver.begin(make_project("adequacy"))
    item = driver.items

    def fail() -> None:
        raise QeError("the server does not respond")

    monkeypatch.setattr(project, "campaigns", fail)
    driver.press(Key.Key_I)
    assert driver.rater.page is driver.rater.instructions
    driver.press(Key.Key_I)
    driver.rater.refresh_campaigns()
    assert driver.rater.page is item
    driver.press(Key.Key_3)
    assert project.recorded_values("adequacy") == [3]


def test_training_items_are_labelled_and_do_not_count(driver, qtbot):
    driver.begin(make_project("adequacy", training=2))
    header = driver.items.header
    assert header.position_label.text() == "Training 1 of 2"
    assert "does not count" in header.guide.text()
    for _ in range(2):
        driver.press(Key.Key_4)
        driver.press(Key.Key_Right)
    assert header.position_label.text() == "Item 1 of 2"
    assert header.guide.text() == TRAINING_OVER_ADVANCING
    assert driver.items.footer.progress.text() == "0 of 2 done"


def test_unrated_training_items_are_mentioned_on_the_first_item(driver):
    driver.begin(make_project("adequacy", training=1))
    driver.press(Key.Key_Right)
    assert driver.items.header.guide.text().startswith("A training item is not rated yet. Go back to rate it")
    driver.press(Key.Key_Left, Key.Key_4, Key.Key_Right)
    assert "Training is over" in driver.items.header.guide.text()


def test_training_shows_instructions_and_waits_with_feedback(driver, qtbot, clock):
    driver.begin(make_project("adequacy-fluency", training=1))
    guide = driver.items.header.guide
    assert guide.isVisible()
    assert "rate fluency: read only the translation" in guide.text()
    clock.advance(7)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    assert "Rate adequacy: how much of the meaning" in guide.text()
    clock.advance(5)
    driver.press(Key.Key_2)
    assert guide.text() == ("Training item, rated in 12 s. Change your answer, or press Right to go on.")
    assert driver.session._pending_action is None
    assert driver.position == 0
    driver.press(Key.Key_Right)
    assert driver.position == 1
    assert "Training is over" in guide.text()


def test_first_items_have_guidance_and_later_ones_facts(driver, qtbot, clock):
    driver.begin(make_project("adequacy"))
    header = driver.items.header
    assert "how much of the meaning of the source" in header.guide.text()
    clock.advance(12)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    # the status bar shows the last answer
    assert not header.guide.isVisible()
    assert driver.items.messages.text == "Adequacy 4, item 1"
    driver.press(Key.Key_3)
    qtbot.waitUntil(lambda: driver.position == 2)
    assert not header.guide.isVisible()
    assert header.description.isVisible()
    assert header.description.text() == "as ann · Campaign c1 · doc"
    assert "<br>Campaign c1<br>Document: doc" in header.description.toolTip()


def test_campaign_reopens_at_the_last_position(driver, qtbot):
    project = driver.begin(make_project("adequacy-fluency"))
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    driver.press(Key.Key_2)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
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
    assert driver.items.header.description.text().startswith("as ann · Campaign c1")
    assert "as ann" in driver.items.accessibleName()
    driver.rater.open_campaign("c1", "bob")
    driver.rater.show_items()
    assert driver.items.header.description.text().startswith("as bob · ")


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
    assert "/data/ratings for ann.qedesk" in end.text.text()
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


def test_rater_with_one_own_campaign_is_not_offered_others(driver):
    project = make_project("adequacy")
    project.role = "rater"
    project.others = [make_project("adequacy", uid="c2", raters=("bob",))]
    driver.begin(project)
    assert driver.items.header.campaigns.isHidden()
    driver.rater.show_instructions()
    assert "campaigns" not in driver.rater.instructions.buttons
    project.others.append(make_project("adequacy", uid="c3"))
    driver.rater.show_instructions()
    assert "campaigns" in driver.rater.instructions.buttons


def test_practice_never_asks_for_a_profile(driver):
    driver.rater.set_source(make_project("adequacy"), ProjectPurpose.PRACTICE)
    assert driver.rater.page is driver.rater.instructions


def test_new_campaign_replaces_the_open_one(driver):
    """Regression: after creating a campaign, its owner still saw the old campaign on the Rate page."""
    project = driver.begin(make_project("adequacy"))
    assert not driver.items.header.campaigns.isVisible()
    project.others = [make_project("rank", outputs=3, uid="new").with_profile()]
    driver.rater.refresh_campaigns()
    assert driver.items.header.campaigns.isVisible()
    driver.rater.show_new_campaign("new")
    assert driver.session.work.campaign.uid == "new"
    driver.rater.instructions.press_first()
    assert "Campaign new" in driver.items.header.campaigns.text()
    driver.items.header.campaigns.click()
    assert driver.rater.page is driver.rater.chooser


def test_ampersand_in_the_name_of_a_campaign_does_not_mark_a_shortcut(driver):
    project = make_project("adequacy", name="R&D <b>trial</b>").with_profile()
    project.others = [make_project("rank", outputs=3, uid="new").with_profile()]
    driver.open(project)
    driver.rater.open_campaign("c1")
    driver.rater.instructions.press_first()
    button = driver.items.header.campaigns
    assert button.text() == "R&D <b>trial</b> ▾"
    assert button.shortcut().isEmpty()


def test_instructions_lead_to_other_campaigns(driver):
    project = make_project("adequacy").with_profile()
    project.others = [make_project("rank", outputs=3, uid="new").with_profile()]
    driver.open(project)
    driver.rater.open_campaign("c1")
    driver.rater.instructions.buttons["campaigns"].click()
    assert driver.rater.page is driver.rater.chooser


def test_very_short_rating_time_is_pointed_out(driver, qtbot, clock):
    driver.begin(make_project("adequacy"))
    clock.advance(0.6)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 1)
    messages = driver.items.messages
    # the message stays although another item is shown
    assert messages.text == "Item 1 took you less than a second. Read the texts before you rate them."
    assert not messages.is_undoable, "the link would not be about the message"
    clock.advance(9)
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.position == 2)
    assert messages.text == "Adequacy 4, item 2"
    assert messages.is_undoable


def test_end_page_offers_campaigns_after_one_is_added(driver, qtbot):
    project = driver.begin(make_project("adequacy", items=1))
    driver.press(Key.Key_3)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    assert "campaigns" not in driver.rater.end.buttons
    project.others = [make_project("adequacy", uid="new")]
    driver.area.rater.refresh_campaigns()
    assert "campaigns" in driver.rater.end.buttons


def test_read_only_project_shows_items_and_records_nothing(driver):
    project = make_project("adequacy").with_profile()
    project.read_only = "the file can only be read"
    before = len(project.events)
    driver.open(project)
    driver.rater.instructions.press_first()
    assert "read-only" in driver.items.header.description.text()
    driver.press(Key.Key_4)
    assert driver.items.messages.text == "The file can only be read."
    driver.press(Key.Key_S, Key.Key_Right)
    assert driver.position == 1
    driver.press(Key.Key_C)
    assert driver.items.messages.text == "The file can only be read."
    assert not driver.items.comment.isVisible()
    assert len(project.events) == before


def test_merge_takes_own_ratings_and_ignores_those_of_other_raters(driver):
    project = driver.begin(make_project("adequacy", raters=("ann", "bob")))
    elsewhere = project.rater_session("c1", "ann").rate(project.screens[0].uid, "adequacy", 2.0)
    other = project.rater_session("c1", "bob").rate(project.screens[4].uid, "adequacy", 5.0)
    driver.rater.merge([elsewhere, other])
    assert driver.items.footer.progress.text() == "1 of 4 done"


def test_owner_is_told_that_ratings_of_an_unblinded_campaign_are_not_blind(driver):
    driver.begin(make_project("adequacy"))
    note = "campaign unblinded: new ratings are not blind"
    assert note not in driver.items.header.description.text()
    driver.rater.set_unblinded_campaigns(frozenset({"c1"}))
    assert note in driver.items.header.description.text()
