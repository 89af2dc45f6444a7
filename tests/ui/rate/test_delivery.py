"""Where the ratings are saved and whom to send them to: on the end page, in the instructions, and by a command."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QLabel

from qe_desktop.ui.rate.empty_states import ProjectPurpose
from tests.ui.rate.conftest import make_project

Key = Qt.Key


@pytest.mark.parametrize(
    ("owner", "place", "expected"),
    [
        ("Olga", "/data/for ann.qedesk", "saved in /data/for ann.qedesk. To deliver them, close the program and send"),
        ("", "/data/for ann.qedesk", "send this file to the person from whom you received it"),
        ("ann", "/data/own.qedesk", "Your ratings are saved in /data/own.qedesk"),
        ("Olga", "", "in the project on the server. There is nothing to send"),
    ],
)
def test_end_page_tells_where_the_ratings_are_and_whom_to_send_them_to(driver, qtbot, owner, place, expected):
    project = make_project("adequacy", items=1, created_by=owner)
    project.place = place
    driver.begin(project)
    driver.press(Key.Key_5)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    end = driver.rater.end
    assert expected in end.text.text()
    assert ("Olga" in end.text.text()) == (owner == "Olga" and bool(place))
    assert ("copy-path" in end.buttons) == (bool(place) and owner != "ann")
    assert ("results" in end.buttons) == (owner == "ann")
    if "copy-path" in end.buttons:
        end.buttons["copy-path"].click()
        assert driver.items.messages.text == "Path copied. Close the program before you send the file."
        assert QGuiApplication.clipboard().text() == place
        assert driver.rater.page is end


@pytest.mark.parametrize(
    ("owner", "place", "purpose", "expected"),
    [
        (
            "Olga",
            "/data/for ann.qedesk",
            ProjectPurpose.COPY,
            " Your ratings are saved in /data/for ann.qedesk. To deliver them, close the program and send this file to",
        ),
        (
            "",
            "/data/for ann.qedesk",
            ProjectPurpose.CAMPAIGN,
            " Your ratings are saved in /data/for ann.qedesk. To deliver them, close the program and send this file to "
            "the person from whom you received it",
        ),
        (
            "ann",
            "/data/copy.qedesk",
            ProjectPurpose.COPY,
            " Your ratings are saved in /data/copy.qedesk. To deliver them, close the program and send this file to",
        ),
        (
            "ann",
            "/data/own.qedesk",
            ProjectPurpose.CAMPAIGN,
            " Your ratings are saved in /data/own.qedesk. The pages “Results”",
        ),
        (
            "ann",
            "/data/own.qedesk",
            ProjectPurpose.PRACTICE,
            " This is only practice: your ratings are saved in /data/own.qedesk, and nothing needs to be sent. "
            "In a real campaign, this paragraph names the file to send and its recipient.",
        ),
        ("Olga", "", ProjectPurpose.CAMPAIGN, " Your ratings are in the project on the server: nothing needs to be"),
    ],
)
def test_instructions_end_with_how_to_stop_and_what_to_do_with_the_ratings(driver, owner, place, purpose, expected):
    """Regression: a rater who stopped early was not told where the file was or whom to send it to."""
    project = make_project("adequacy", created_by=owner).with_profile()
    project.place = place
    driver.rater.set_source(project, purpose)
    text = driver.rater.instructions.text.text()
    assert ("Raters see only the page “Rate”" in text) == (purpose is ProjectPurpose.PRACTICE)
    last = text.split("\n\n")[-1]
    assert last.startswith(f"You can stop at any time by closing the window.{expected}")
    assert last.endswith(".")
    assert ("send this file" in last) == ("send this file" in expected)
    assert ("copy-path" in driver.rater.instructions.buttons) == ("send this file" in expected)


@pytest.mark.parametrize(("items", "purpose", "says_so"), [
    (7, ProjectPurpose.PRACTICE, True), (5, ProjectPurpose.PRACTICE, False), (7, ProjectPurpose.COPY, False),
])  # fmt: skip
def test_practice_says_that_source_sentences_occur_again_only_if_they_do(driver, items, purpose, says_so):
    driver.rater.set_source(make_project("adequacy", items=items).with_profile(), purpose)
    text = driver.rater.instructions.text.text()
    assert ("Source sentences can occur more than once" in text) == says_so


def test_command_shows_where_to_send_the_ratings(driver, qtbot):
    """Regression: no entry of the menu answered this, and only the end page could copy the path."""
    project = make_project("adequacy", created_by="Olga", instructions="Names stay as they are.\n\n" * 40)
    project.place = "/data/for ann.qedesk"
    driver.begin(project)
    driver.area.add_page("progress", "Progress", QLabel)
    driver.area.show_page("progress")
    assert not driver.commands["rate.instructions"].isEnabled()
    driver.trigger("delivery")
    assert driver.area.current == "rate"
    page = driver.rater.instructions
    assert driver.rater.page is page
    assert page.text.text().split("\n\n")[1].startswith("You can stop at any time by closing the window.")
    assert page._scroll.verticalScrollBar().value() == 0
    page.buttons["copy-path"].click()
    assert QGuiApplication.clipboard().text() == "/data/for ann.qedesk"
    assert page.buttons["copy-path"].text() == "Path copied"
    assert driver.rater.page is page
    driver.press(Key.Key_I)
    driver.press(Key.Key_I)
    assert page.text.text().split("\n\n")[-1].startswith("You can stop at any time by closing the window.")
    assert page.buttons["copy-path"].text() == "Copy the path of the file"


def test_end_page_of_practice_says_what_a_real_campaign_shows(driver, qtbot):
    """Regression: only the instructions, which need not be opened, said that nothing needs to be sent."""
    project = make_project("adequacy", items=1, created_by="ann").with_profile()
    project.place = "/data/own.qedesk"
    driver.rater.set_source(project, ProjectPurpose.PRACTICE)
    driver.rater.instructions.press_first()
    driver.press(Key.Key_5)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    text = driver.rater.end.text.text()
    assert text.startswith("This was only practice: your ratings are saved in /data/own.qedesk")
    assert "names the file to send and its recipient" in text


def test_end_page_of_a_copy_for_raters_never_names_the_pages_that_it_lacks(driver, qtbot):
    """Regression: the end page linked to these pages if the rater had the login name of the owner."""
    project = make_project("adequacy", items=1, created_by="ann").with_profile()
    driver.rater.set_source(project, ProjectPurpose.COPY)
    driver.rater.instructions.press_first()
    driver.press(Key.Key_5)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    end = driver.rater.end
    assert "send this file to" in end.text.text()
    assert "Progress" not in end.text.text()
    assert "copy-path" in end.buttons
    assert "results" not in end.buttons
