"""The profile page asks each rater once and can be opened again."""

from __future__ import annotations

from PySide6.QtCore import Qt

from qe_desktop.ratings.rater_profile import RaterProfile
from tests.ui.rate.conftest import make

Key = Qt.Key


def test_letter_keys_select_list_entries_on_the_profile_page(controller):
    controller.open(make("adequacy"))
    page = controller.rater.profile
    page.expertise.setFocus()
    controller.press(Key.Key_L)
    assert page.expertise.currentText() == "linguist"
    controller.press(Key.Key_I, Key.Key_4, Key.Key_S)
    assert controller.rater.page is page


def test_profile_is_requested_once_and_can_be_edited(controller):
    project = controller.open(make("adequacy"))
    page = controller.rater.profile
    assert controller.rater.page is page
    assert [page.source.itemText(number) for number in range(2)] == ["select…", "first language"]
    page.source.setCurrentIndex(2)
    page.expertise.setCurrentIndex(1)
    page.others.setText("Czech ")
    page.press_first()
    assert RaterProfile.of(project.events[0].value) == RaterProfile(
        "very good", "", "Czech", "professional translator", ""
    )
    assert controller.rater.page is controller.rater.instructions
    controller.open(project)
    assert controller.rater.page is not page
    controller.rater.instructions.press_first()
    controller.do("profile")
    assert controller.rater.page is page
    assert page.others.text() == "Czech"
    page.remarks.setText("tired")
    page.press_first()
    assert RaterProfile.of(project.events[-1].value).remarks == "tired"
