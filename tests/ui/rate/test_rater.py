"""From the choice of a campaign to the end: profile, instructions, training, resuming, and all empty states."""

from __future__ import annotations

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog, QLabel

from qe_desktop.corpus import QeError
from qe_desktop.ratings.admitting import MOST_TEXT
from qe_desktop.ratings.profile import Profile
from qe_desktop.ratings.work import Status
from qe_desktop.ui.rate import situations
from qe_desktop.ui.rate.skip_dialog import SkipDialog
from tests.ui.rate.conftest import make

Key = Qt.Key


def dialog_of(desk) -> SkipDialog:
    desk.press(Key.Key_S)
    return next(one for one in desk.items.findChildren(QDialog) if isinstance(one, SkipDialog) and one.isVisible())


# --- what is open


def test_without_a_project_there_is_one_button(desk, qtbot):
    assert desk.rater.page is desk.rater.quiet
    with qtbot.waitSignal(desk.rater.asked) as asked:
        desk.press(Key.Key_Space)
    assert asked.args == [situations.OPEN]


def test_without_a_campaign_an_owner_can_set_one_up_and_a_rater_waits(desk, qtbot):
    made = make("adequacy")
    made.campaigns = list
    desk.open(made)
    assert desk.rater.quiet.title.text() == "There is no campaign yet"
    with qtbot.waitSignal(desk.rater.asked) as asked:
        desk.rater.quiet.press_first()
    assert asked.args == [situations.SET_UP]
    made.role = "rater"
    desk.open(made)
    assert list(desk.rater.quiet.buttons) == [situations.AGAIN]


def test_a_campaign_for_others_says_so_and_can_be_looked_for_again(desk):
    made = make("adequacy", raters=("bob",)).known()
    made.role = "rater"
    desk.open(made)
    assert desk.rater.quiet.title.text() == "There is nothing to rate for ann"
    made.person = "bob"
    desk.rater.quiet.press_first()
    assert desk.rater.page is desk.rater.profile


def test_a_rater_without_items_is_told(desk):
    made = make("adequacy")
    made.screens.clear()
    desk.open(made)
    assert desk.rater.quiet.title.text() == "Campaign c1 has no items for ann"


def test_a_project_that_cannot_be_read_says_why(desk):
    made = make("adequacy")

    def fail(*_):
        raise QeError("the server does not answer", hint="Try again later.")

    made.work = fail
    desk.open(made)
    assert desk.rater.quiet.title.text() == "The server does not answer"
    assert desk.rater.quiet.text.text() == "Try again later."
    made.campaigns = fail
    desk.rater.quiet.press_first()
    assert desk.rater.quiet.title.text() == "The server does not answer"


def test_several_campaigns_and_raters_are_chosen_by_key(desk):
    made = make("adequacy", raters=("bob", "carla"))
    made.others = [make("rank", outputs=2, uid="c2", raters=("bob",))]
    made.person = "zoe"
    desk.open(made)
    choosing = desk.rater.choosing
    assert [entry.text() for entry in choosing.campaigns.entries()] == ["Campaign c1", "Campaign c2"]
    assert choosing.campaigns.entries()[0].accessibleName() == ("Campaign c1, Adequacy · English → German · 2 raters")
    desk.press(Key.Key_Return)
    assert choosing.title.text() == "Who are you?"
    assert [entry.accessibleName() for entry in choosing.raters.entries()] == [
        "bob, 0 of 4 done", "carla, 0 of 4 done",
    ]  # fmt: skip
    desk.press(Key.Key_Tab, Key.Key_Return)
    assert desk.sitting.work.rater == "carla"
    desk.do("campaigns")
    assert desk.rater.page is choosing
    assert desk.rater.sitting is None
    choosing.campaigns.entries()[1].click()
    # the only rater is chosen already
    assert desk.sitting.work.rater == "bob"


def test_a_new_campaign_is_found_and_nobody_at_work_is_disturbed(desk):
    made = make("adequacy").known()
    campaigns, made.campaigns = made.campaigns, list
    desk.open(made)
    made.campaigns = campaigns
    desk.area.rater.look_again()
    assert desk.rater.page is desk.rater.instructions
    sitting = desk.sitting
    desk.area.rater.look_again()
    assert desk.sitting is sitting


def test_raters_read_the_hash_of_the_design_before_they_begin(desk):
    made = make("adequacy").known()
    made.campaign = replace(made.campaign, design_hash="0123456789abcdef" * 4)
    desk.open(made)
    assert desk.rater.page is desk.rater.instructions
    assert made.campaign.design_hash in " ".join(label.text() for label in desk.rater.instructions.findChildren(QLabel))


def test_on_the_profile_page_letters_choose_from_lists(desk):
    desk.open(make("adequacy"))
    page = desk.rater.profile
    page.expertise.setFocus()
    desk.press(Key.Key_L)
    assert page.expertise.currentText() == "linguist"
    desk.press(Key.Key_I, Key.Key_4, Key.Key_S)
    assert desk.rater.page is page


def test_whoever_works_here_is_not_asked(desk):
    desk.open(make("adequacy", raters=("bob", "ann")).known())
    assert desk.sitting.work.rater == "ann"


# --- before the items


def test_the_profile_is_asked_once(desk):
    made = desk.open(make("adequacy"))
    page = desk.rater.profile
    assert desk.rater.page is page
    assert [page.source.itemText(number) for number in range(2)] == ["choose…", "first language"]
    page.source.setCurrentIndex(2)
    page.expertise.setCurrentIndex(1)
    page.others.setText("Czech ")
    page.press_first()
    assert Profile.of(made.events[0].value) == Profile("very good", "", "Czech", "professional translator", "")
    assert desk.rater.page is desk.rater.instructions
    desk.open(made)
    assert desk.rater.page is not page
    desk.rater.instructions.press_first()
    desk.do("profile")
    assert desk.rater.page is page
    assert page.others.text() == "Czech"
    page.remarks.setText("tired")
    page.press_first()
    assert Profile.of(made.events[-1].value).remarks == "tired"


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


# --- at the items


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


def test_enter_finishes_a_comment_and_skips_nothing(desk, qtbot):
    """Enter begins a line in no other field of a form, and a rater expects it to keep what was written."""
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_3)
    desk.press(Key.Key_C)
    field = desk.items.comment
    QTest.keyClicks(field, "odd")
    QTest.keyClick(field, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(field, "word")
    assert made.said("comment") == []
    QTest.keyClick(field, Key.Key_Return)
    assert desk.items.hasFocus()
    assert made.said("comment") == ["odd\nword"]
    assert desk.place == 0
    assert field.isVisible()
    # the next Enter goes on, as it does without a comment
    desk.press(Key.Key_Return)
    assert desk.place == 1
    assert made.said("skip") == []


def test_a_comment_is_written_kept_and_left_by_escape(desk, qtbot):
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_C)
    field = desk.items.comment
    assert field.hasFocus()
    QTest.keyClicks(field, "3 suns?")
    # digits and letters in a text are text
    assert made.said("adequacy") == []
    assert field.toPlainText() == "3 suns?"
    # and the keys that walk, walk in the text
    desk.press(Key.Key_Left, Key.Key_Backspace, Key.Key_Home, Key.Key_Right, Key.Key_Down, Key.Key_End, Key.Key_Space)
    assert field.toPlainText() == "3 sun? "
    assert desk.place == 0
    field.setPlainText("3 suns?")
    desk.press(Key.Key_Escape)
    assert desk.items.hasFocus()
    assert made.said("comment")[-1] == "3 suns?"
    desk.press(Key.Key_Right)
    qtbot.waitUntil(lambda: not field.isVisible())
    desk.press(Key.Key_Left)
    qtbot.waitUntil(field.isVisible)
    assert field.toPlainText() == "3 suns?"
    desk.area.undo()
    qtbot.waitUntil(lambda: not field.isVisible())


def test_a_comment_is_no_longer_than_can_be_kept(desk):
    made = desk.begin(make("adequacy"))
    told = []
    desk.sitting.refused.connect(told.append)
    desk.press(Key.Key_C)
    field = desk.items.comment
    field.setPlainText("x" * (MOST_TEXT + 5))
    assert field.toPlainText() == "x" * MOST_TEXT
    assert "at most 10,000 characters" in told[0].message
    desk.press(Key.Key_Escape)
    assert made.said("comment")[-1] == "x" * MOST_TEXT


def test_a_comment_is_kept_by_a_pause_and_by_going_on(desk, qtbot):
    made = desk.begin(make("adequacy"))
    desk.press(Key.Key_C)
    QTest.keyClicks(desk.items.comment, "one")
    qtbot.waitUntil(lambda: made.said("comment") == ["one"])
    QTest.keyClicks(desk.items.comment, " two")
    desk.items.buttons["next"].click()
    assert made.said("comment") == ["one", "one two"]
    assert desk.place == 1


def test_skip_by_a_digit_in_own_words_and_taken_back(desk, qtbot):
    made = desk.begin(make("adequacy"))
    QTest.keyClick(dialog_of(desk), Key.Key_2)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert made.said("skip") == ["The source is in the wrong language"]
    dialog = dialog_of(desk)
    assert not dialog.skip.isEnabled()
    QTest.keyClicks(dialog.own, "2 sentences are missing")
    QTest.keyClick(dialog.own, Key.Key_Return)
    qtbot.waitUntil(lambda: desk.place == 2)
    assert made.said("skip")[-1] == "2 sentences are missing"
    desk.press(Key.Key_Left)
    assert desk.items.state.missing.text() == "Skipped: 2 sentences are missing"
    assert desk.items.state.progress.text() == "2 of 4 done (2 skipped)"
    dialog = dialog_of(desk)
    assert dialog.own.text() == "2 sentences are missing"
    dialog.take_back.click()
    assert desk.sitting.work.status(desk.sitting.screen.uid) is Status.OPEN
    QTest.keyClick(dialog_of(desk), Key.Key_Escape)
    assert desk.sitting.work.status(desk.sitting.screen.uid) is Status.OPEN


def test_the_strip_leads_to_any_item_by_mouse_and_key(desk, qtbot):
    desk.begin(make("adequacy", items=5, training=1))
    strip = desk.items.strip
    QTest.mouseClick(strip, Qt.MouseButton.LeftButton, pos=strip.rect_of(3).center().toPoint())
    assert desk.place == 3
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    desk.press(Key.Key_Right, Key.Key_Right, Key.Key_Left, Key.Key_Return)
    assert desk.place == 3
    strip.setFocus(Qt.FocusReason.TabFocusReason)
    desk.press(Key.Key_Home, Key.Key_Space)
    assert desk.place == 0
    assert desk.items.hasFocus()
    assert strip.describe(0) == "Training item 1: open, in view"
    assert strip.accessibleDescription() == "4 open, 0 begun, 0 done, 0 skipped"
    assert strip.place_at(10_000) is None


def test_a_long_strip_shows_what_is_around(desk):
    desk.begin(make("adequacy", items=900))
    strip = desk.items.strip
    desk.sitting.go_to_place(450)
    assert 450 in strip.shown()
    assert len(strip.shown()) < 100
    assert strip.place_at(strip.rect_of(450).center().x()) == 450


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


# --- time


def test_time_is_kept_without_idleness_and_absence(desk, qtbot, clock):
    made = desk.begin(make("adequacy"))
    clock.pass_(6)
    QTest.mouseMove(desk.items, QPoint(50, 50))
    desk.rater._presence.felt.emit()
    clock.pass_(400)
    desk.rater._presence.felt.emit()
    clock.pass_(4)
    desk.rater._on_application(Qt.ApplicationState.ApplicationInactive)
    clock.pass_(1000)
    desk.rater._on_application(Qt.ApplicationState.ApplicationActive)
    clock.pass_(2)
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert made.events[-1].seconds == 6 + 30 + 4 + 2
    assert desk.items.state.progress.text() == "1 of 4 done · median 42 s an item"


def test_time_on_other_pages_does_not_count(desk, qtbot, clock):
    made = desk.begin(make("adequacy"))
    clock.pass_(5)
    desk.press(Key.Key_I)
    clock.pass_(20)
    desk.press(Key.Key_I)
    clock.pass_(3)
    desk.area.hide()
    clock.pass_(20)
    desk.area.show()
    clock.pass_(1)
    desk.items.setFocus()
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.place == 1)
    assert [event.seconds for event in made.events if event.screen] == [5, 4]


def test_signs_of_life_come_from_the_whole_window(desk, qtbot):
    desk.begin(make("adequacy"))
    with qtbot.waitSignal(desk.rater._presence.felt):
        QTest.mouseMove(desk.window.windowHandle(), QPoint(300, 300))


# --- one thing at a time


def test_what_is_asked_about_an_item_keeps_it_in_view(desk, qtbot):
    """The dialog may be opened in the moment before the next item comes by itself."""
    made = desk.begin(make("adequacy"))
    pauses = []
    desk.sitting.waiting.connect(pauses.append)
    desk.press(Key.Key_3)
    dialog = dialog_of(desk)
    assert len(pauses) == 2
    assert pauses[-1] == 0, "it still goes on by itself"
    dialog.row.chosen.emit(0)
    (event,) = [one for one in made.events if one.field == "skip"]
    assert event.screen == "c1-ann-0"


def test_a_letter_in_the_skip_dialog_begins_a_reason(desk):
    made = desk.begin(make("adequacy"))
    dialog = dialog_of(desk)
    QTest.keyClicks(dialog, "H")
    QTest.keyClicks(dialog.own, "alf a sentence")
    dialog.skip.click()
    assert made.said("skip") == ["Half a sentence"]


def test_the_one_campaign_with_items_left_is_gone_on_with(desk):
    made = make("adequacy", uid="done", items=1).known()
    made.others = [make("adequacy", uid="open").known(), make("adequacy", uid="other", raters=("bob",))]
    desk.open(made)
    # both have items left for ann, so that she chooses
    assert desk.rater.page is desk.rater.choosing
    made.rate(made.work("done", "ann").rate("done-ann-0", "adequacy", 4.0))
    desk.open(made)
    assert desk.sitting.work.campaign.uid == "open"


def test_the_end_shows_the_way_to_a_campaign_that_came_meanwhile(desk, qtbot):
    made = desk.begin(make("adequacy", items=1))
    desk.press(Key.Key_3)
    qtbot.waitUntil(lambda: desk.rater.page is desk.rater.end)
    assert "campaigns" not in desk.rater.end.buttons
    made.others = [make("adequacy", uid="new")]
    desk.area.rater.look_again()
    assert "campaigns" in desk.rater.end.buttons
