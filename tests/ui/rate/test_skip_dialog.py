"""Skipping an item: a reason by digit or in own words, and the item stays in view meanwhile."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.ui.rate.skip_dialog import SkipDialog
from tests.ui.rate.conftest import make

Key = Qt.Key


def dialog_of(controller) -> SkipDialog:
    controller.press(Key.Key_S)
    return next(
        one for one in controller.items.findChildren(QDialog) if isinstance(one, SkipDialog) and one.isVisible()
    )


def test_skip_by_a_digit_in_own_words_and_taken_back(controller, qtbot):
    made = controller.begin(make("adequacy"))
    QTest.keyClick(dialog_of(controller), Key.Key_2)
    qtbot.waitUntil(lambda: controller.place == 1)
    assert made.said("skip") == ["The source is in the wrong language"]
    dialog = dialog_of(controller)
    assert not dialog.skip.isEnabled()
    QTest.keyClicks(dialog.own, "2 sentences are missing")
    QTest.keyClick(dialog.own, Key.Key_Return)
    qtbot.waitUntil(lambda: controller.place == 2)
    assert made.said("skip")[-1] == "2 sentences are missing"
    controller.press(Key.Key_Left)
    assert controller.items.state.missing.text() == "Skipped: 2 sentences are missing"
    assert controller.items.state.progress.text() == "2 of 4 done (2 skipped)"
    dialog = dialog_of(controller)
    assert dialog.own.text() == "2 sentences are missing"
    dialog.take_back.click()
    assert controller.session.work.status(controller.session.screen.uid) is ScreenStatus.OPEN
    QTest.keyClick(dialog_of(controller), Key.Key_Escape)
    assert controller.session.work.status(controller.session.screen.uid) is ScreenStatus.OPEN


def test_what_is_asked_about_an_item_keeps_it_in_view(controller, qtbot):
    """The dialog may be opened in the moment before the next item comes by itself."""
    made = controller.begin(make("adequacy"))
    pauses = []
    controller.session.waiting.connect(pauses.append)
    controller.press(Key.Key_3)
    dialog = dialog_of(controller)
    assert len(pauses) == 2
    assert pauses[-1] == 0, "it still goes on by itself"
    dialog.row.chosen.emit(0)
    (event,) = [one for one in made.events if one.field == "skip"]
    assert event.screen == "c1-ann-0"


def test_a_letter_in_the_skip_dialog_begins_a_reason(controller):
    made = controller.begin(make("adequacy"))
    dialog = dialog_of(controller)
    QTest.keyClicks(dialog, "H")
    QTest.keyClicks(dialog.own, "alf a sentence")
    dialog.skip.click()
    assert made.said("skip") == ["Half a sentence"]
