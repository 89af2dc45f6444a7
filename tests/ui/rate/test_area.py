"""The Rate area: its pages, the state of its commands, and keys without conflicts."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from qe_desktop.ui.rate.area import RATE_PAGE, RateArea
from qe_desktop.ui.rate.commands import ACTIONS, AREA
from qe_desktop.ui.rate.empty_states import sample_state
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.commands import ACTIONS as EVERYWHERE
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets.placeholder_page import ReasonPopup
from tests.ui.rate.conftest import make_project

Key = Qt.Key


class OwnersPage(QWidget):
    """A page with a text field."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        QVBoxLayout(self).addWidget(self.field)
        self.setFocusProxy(self.field)


def test_single_page_shows_no_tab_bar(driver):
    assert list(driver.area.pages.bar.tabs) == [RATE_PAGE]
    assert not driver.area.pages.bar.isVisible()


def test_pages_are_built_when_first_shown_and_have_shortcuts(driver, qtbot):
    built = []

    def factory() -> QWidget:
        built.append(1)
        return QLabel("results")

    driver.rater.set_sample_offer(sample_state())
    driver.area.add_page("set-up", "Set up", QWidget)
    driver.area.add_page("results", "Results", factory)
    assert driver.area.pages.bar.isVisible()
    assert built == []
    with qtbot.waitSignal(driver.area.page_shown):
        driver.press(Key.Key_3, modifier=Qt.KeyboardModifier.AltModifier)
    assert driver.area.current == "results"
    assert driver.area.page("results").text() == "results"
    QTest.mouseClick(driver.area.pages.bar.tabs[RATE_PAGE], Qt.MouseButton.LeftButton)
    assert driver.area.current == RATE_PAGE
    driver.area.show_page("results")
    assert built == [1]


def test_rate_page_is_grey_without_items(driver, qtbot):
    driver.area.add_page("results", "Results", QWidget)
    tab = driver.area.pages.bar.tabs[RATE_PAGE]
    assert "Open the project to start" in tab.reason
    driver.rater.set_sample_offer(sample_state())
    assert not tab.reason, "the sample can be rated"
    driver.rater.set_sample_offer(None)
    driver.begin(make_project("adequacy"))
    assert not tab.reason
    driver.open(make_project("adequacy", raters=()))
    assert "for other raters" in tab.reason
    driver.area.show_page("results")
    driver.press(Key.Key_1, modifier=Qt.KeyboardModifier.AltModifier)
    assert driver.area.current == "results"
    popup = driver.area.findChild(ReasonPopup)
    assert popup.isVisible()
    popup.close()


def test_keys_do_not_rate_on_another_page(driver):
    project = driver.begin(make_project("adequacy"))
    driver.area.add_page("set-up", "Set up", OwnersPage)
    assert driver.commands["rate.digit-4"].isEnabled()
    driver.area.show_page("set-up")
    assert not driver.commands["rate.digit-4"].isEnabled()
    assert driver.area.undo_text == ""
    page = driver.area.page("set-up")
    driver.press(Key.Key_4, Key.Key_S)
    assert page.field.text() == "4s"
    page.setFocus()
    assert project.recorded_values("adequacy") == []
    driver.area.show_page(RATE_PAGE)
    assert driver.commands["rate.digit-4"].isEnabled()
    assert driver.items.hasFocus()


def test_commands_are_enabled_only_where_they_apply(driver, qtbot):
    def enabled_commands() -> set[str]:
        return {name for name in ("next", "back", "digit-1", "skip", "instructions", "profile", "campaigns")
                if driver.commands[f"{AREA}.{name}"].isEnabled()}  # fmt: skip

    assert enabled_commands() == {"campaigns"}
    project = driver.open(make_project("adequacy", items=1).with_profile())
    assert enabled_commands() == {"campaigns", "instructions", "profile"}
    driver.trigger("profile")
    assert enabled_commands() == {"campaigns"}
    driver.rater.profile.press_first()
    driver.rater.instructions.press_first()
    assert len(enabled_commands()) == 7
    driver.press(Key.Key_4)
    qtbot.waitUntil(lambda: driver.rater.page is driver.rater.end)
    assert enabled_commands() == {"back", "campaigns", "instructions", "profile"}
    assert project.recorded_values("adequacy") == [4.0]


@pytest.mark.parametrize(("protocol", "is_enabled"), [("fluency", False), ("rank", True)])
def test_differences_can_be_shown_only_between_several_translations(driver, protocol, is_enabled):
    driver.begin(make_project(protocol, items=1))
    assert driver.commands["rate.next"].isEnabled()
    assert driver.commands["rate.differences"].isEnabled() == is_enabled


def test_auto_advance_is_stored_in_the_settings(driver, settings):
    assert driver.commands["rate.advance"].isChecked()
    driver.trigger("advance")
    assert not settings.auto_advance
    driver.begin(make_project("adequacy"))
    driver.press(Key.Key_4)
    assert driver.position == 0
    assert not driver.items.auto_advance_bar.is_running
    driver.trigger("advance")
    assert settings.auto_advance


def test_pause_before_the_next_item_is_shown_as_a_line(driver, qtbot, settings):
    driver.begin(make_project("adequacy"))
    driver.session._timer.setInterval(60_000)
    driver.press(Key.Key_4)
    assert driver.items.auto_advance_bar.is_running
    assert 0 < driver.items.auto_advance_bar.remaining_fraction() <= 1
    settings.reduced_motion = True
    assert driver.items.auto_advance_bar.remaining_fraction() == 1.0
    driver.press(Key.Key_Return)
    assert not driver.items.auto_advance_bar.is_running
    assert driver.position == 1


def test_buttons_show_the_current_shortcuts(driver):
    driver.begin(make_project("rank", outputs=3))
    assert driver.items.buttons["comment"]._key == driver.commands.keys("rate.comment")[0]
    driver.begin(make_project("adequacy"))
    # as in the menu, although C also works here
    assert driver.items.buttons["comment"]._key == driver.commands.keys("rate.comment")[0]
    driver.commands.set_keys("rate.skip", ["X"])
    assert driver.items.buttons["skip"]._key == "X"


def test_shortcuts_of_the_area_are_unique(qtbot, tmp_path):
    shell = Shell(Settings(str(tmp_path / "s.ini")))
    qtbot.addWidget(shell)
    shell.add_area("rate", "Rate", "rate", lambda: RateArea(shell.settings), actions=ACTIONS)
    area = shell.area("rate")
    area.connect_actions(shell.commands)
    for number in range(3):
        area.add_page(f"p{number}", f"Page {number}", QWidget)
    keys = [key for action in (*EVERYWHERE, *ACTIONS) for key in action.keys]
    assert len(keys) == len(set(keys))
    assert shell.commands.keys("rate.page-p2") == ["Alt+4"]
    assert all(shell.commands.action(action.id).text for action in ACTIONS)


def test_every_command_of_the_area_is_connected(driver):
    # a ranking, because differences can be shown only between several translations
    driver.begin(make_project("rank"))
    assert all(driver.commands[action.id].isEnabled() for action in ACTIONS)
    assert set(driver.area._command_names) == {action.id.removeprefix(f"{AREA}.") for action in ACTIONS}
