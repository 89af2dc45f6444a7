"""The profile page asks each rater once and can be opened again."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from qe_desktop.ratings.rater_progress import RaterProfile
from tests.ui.rate.conftest import make_project

Key = Qt.Key


@pytest.mark.parametrize("answered", [True, False])
def test_profile_cannot_be_edited_in_a_read_only_project(driver, answered):
    """Regression: the page had a Save button, which then reported that nothing could be saved."""
    project = make_project("adequacy")
    if answered:
        project.with_profile()
    project.read_only = "the file can only be read"
    events = list(driver.open(project).events)
    driver.rater.instructions.press_first()
    driver.trigger("profile")
    page = driver.rater.profile
    assert driver.rater.page is page
    assert [button.text() for button in page.buttons.values()] == ["Back"]
    assert not page.source.isEnabled()
    assert "read-only" in page.text.text()
    page.press_first()
    assert driver.rater.page is driver.rater.instructions
    driver.rater.instructions.press_first()
    assert driver.items.messages.text == ""
    assert project.events == events


def test_letter_keys_select_list_entries_on_the_profile_page(driver):
    driver.open(make_project("adequacy"))
    page = driver.rater.profile
    page.expertise.setFocus()
    driver.press(Key.Key_L)
    assert page.expertise.currentText() == "linguist"
    driver.press(Key.Key_I, Key.Key_4, Key.Key_S)
    assert driver.rater.page is page


def test_profile_is_requested_once_and_can_be_edited(driver):
    project = driver.open(make_project("adequacy"))
    page = driver.rater.profile
    assert driver.rater.page is page
    assert [page.source.itemText(number) for number in range(2)] == ["select…", "first language"]
    page.source.setCurrentIndex(2)
    page.expertise.setCurrentIndex(1)
    page.other_languages.setText("Czech ")
    page.press_first()
    assert page.text.text().endswith("To change your answers later, select Rate ▸ Edit your rater profile.")
    assert RaterProfile.of(project.events[0].value) == RaterProfile(
        "very good", "", "Czech", "professional translator", ""
    )
    assert driver.rater.page is driver.rater.instructions
    driver.open(project)
    assert driver.rater.page is not page
    driver.rater.instructions.press_first()
    driver.trigger("profile")
    assert driver.rater.page is page
    assert page.other_languages.text() == "Czech"
    page.remarks.setText("tired")
    page.press_first()
    assert RaterProfile.of(project.events[-1].value).remarks == "tired"
