"""The skip dialog: a reason by digit or in the rater's own words, while the item stays visible."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QDialog

from qe_desktop.ratings.rater_session import ScreenStatus
from qe_desktop.ui.rate.item_remarks import SkipDialog
from tests.ui.rate.conftest import make_project

Key = Qt.Key


def dialog_of(controller) -> SkipDialog:
    controller.press(Key.Key_S)
    return next(
        dialog
        for dialog in controller.items.findChildren(QDialog)
        if isinstance(dialog, SkipDialog) and dialog.isVisible()
    )


def test_skip_by_digit_or_own_words_can_be_undone(driver, qtbot):
    project = driver.begin(make_project("adequacy"))
    QTest.keyClick(dialog_of(driver), Key.Key_2)
    qtbot.waitUntil(lambda: driver.position == 1)
    assert project.recorded_values("skip") == ["The source is in the wrong language"]
    dialog = dialog_of(driver)
    assert not dialog.skip.isEnabled()
    QTest.keyClicks(dialog.other_reason, "2 sentences are missing")
    QTest.keyClick(dialog.other_reason, Key.Key_Return)
    qtbot.waitUntil(lambda: driver.position == 2)
    assert project.recorded_values("skip")[-1] == "2 sentences are missing"
    driver.press(Key.Key_Left)
    assert driver.items.header.description.text().endswith("Skipped: 2 sentences are missing")
    assert driver.items.footer.progress.text() == "2 of 4 done (2 skipped)"
    dialog = dialog_of(driver)
    assert dialog.other_reason.text() == "2 sentences are missing"
    dialog.clear_button.click()
    assert driver.session.work.status(driver.session.screen.uid) is ScreenStatus.OPEN
    QTest.keyClick(dialog_of(driver), Key.Key_Escape)
    assert driver.session.work.status(driver.session.screen.uid) is ScreenStatus.OPEN


def test_skip_dialog_keeps_its_item_visible(driver, qtbot):
    """The dialog may be opened just before the session advances by itself."""
    project = driver.begin(make_project("adequacy"))
    pauses = []
    driver.session.auto_advance_changed.connect(pauses.append)
    driver.press(Key.Key_3)
    dialog = dialog_of(driver)
    assert len(pauses) == 2
    assert pauses[-1] == 0, "the session still advances automatically"
    dialog.row.chosen.emit(0)
    (event,) = [candidate for candidate in project.events if candidate.field == "skip"]
    assert event.screen == "c1-ann-0"


def test_letter_key_in_the_skip_dialog_starts_a_reason(driver):
    project = driver.begin(make_project("adequacy"))
    dialog = dialog_of(driver)
    QTest.keyClicks(dialog, "H")
    QTest.keyClicks(dialog.other_reason, "alf a sentence")
    dialog.skip.click()
    assert project.recorded_values("skip") == ["Half a sentence"]


def test_reasons_are_about_the_source_only_while_it_is_visible(driver, qtbot):
    """Regression: the dialog offered “The source makes no sense” to raters who had not seen the source."""
    driver.begin(make_project("adequacy-fluency"))
    dialog = dialog_of(driver)
    assert not [button.label for button in dialog.row.buttons if "source" in button.label]
    dialog.reject()
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.session.is_revealed)
    assert "The source makes no sense" in [button.label for button in dialog_of(driver).row.buttons]
