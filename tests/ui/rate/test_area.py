"""The area: pages beside the rater's, commands that hold only while they mean something, keys that do not clash."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from qe_desktop.ui.rate.area import RATE_PAGE, RateArea
from qe_desktop.ui.rate.shortcuts import ACTIONS, AREA
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.commands import ACTIONS as EVERYWHERE
from qe_desktop.ui.shell.window import Shell
from tests.ui.rate.conftest import make

Key = Qt.Key


class OwnersPage(QWidget):
    """A page with a field to type in."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        QVBoxLayout(self).addWidget(self.field)
        self.setFocusProxy(self.field)


def test_alone_the_raters_page_shows_no_bar(desk):
    assert list(desk.area.pages.bar.tabs) == [RATE_PAGE]
    assert not desk.area.pages.bar.isVisible()


def test_pages_are_built_when_first_shown_and_have_keys(desk, qtbot):
    built = []

    def factory() -> QWidget:
        built.append(1)
        return QLabel("results")

    desk.area.add_page("set-up", "Set up", QWidget)
    desk.area.add_page("results", "Results", factory)
    assert desk.area.pages.bar.isVisible()
    assert built == []
    with qtbot.waitSignal(desk.area.page_shown):
        desk.press(Key.Key_3, modifier=Qt.KeyboardModifier.AltModifier)
    assert desk.area.current == "results"
    assert desk.area.page("results").text() == "results"
    QTest.mouseClick(desk.area.pages.bar.tabs[RATE_PAGE], Qt.MouseButton.LeftButton)
    assert desk.area.current == RATE_PAGE
    desk.area.show_page("results")
    assert built == [1]


def test_on_another_page_no_key_rates(desk):
    made = desk.begin(make("adequacy"))
    desk.area.add_page("set-up", "Set up", OwnersPage)
    assert desk.commands["rate.digit-4"].isEnabled()
    desk.area.show_page("set-up")
    assert not desk.commands["rate.digit-4"].isEnabled()
    assert desk.area.undo_text == ""
    page = desk.area.page("set-up")
    desk.press(Key.Key_4, Key.Key_S)
    assert page.field.text() == "4s"
    page.setFocus()
    assert made.said("adequacy") == []
    desk.area.show_page(RATE_PAGE)
    assert desk.commands["rate.digit-4"].isEnabled()
    assert desk.items.hasFocus()


def test_commands_hold_while_they_mean_something(desk, qtbot):
    def possible() -> set[str]:
        return {name for name in ("next", "back", "digit-1", "skip", "instructions", "profile", "campaigns")
                if desk.commands[f"{AREA}.{name}"].isEnabled()}  # fmt: skip

    assert possible() == {"campaigns"}
    made = desk.open(make("adequacy", items=1).known())
    assert possible() == {"campaigns", "instructions", "profile"}
    desk.do("profile")
    assert possible() == {"campaigns"}
    desk.rater.profile.press_first()
    desk.rater.instructions.press_first()
    assert len(possible()) == 7
    desk.press(Key.Key_4)
    qtbot.waitUntil(lambda: desk.rater.page is desk.rater.end)
    assert possible() == {"back", "campaigns", "instructions", "profile"}
    assert made.said("adequacy") == [4.0]


def test_auto_advance_is_a_choice_that_is_remembered(desk, settings):
    assert desk.commands["rate.advance"].isChecked()
    desk.do("advance")
    assert not settings.auto_advance
    desk.begin(make("adequacy"))
    desk.press(Key.Key_4)
    assert desk.place == 0
    assert not desk.items.pause.running
    desk.do("advance")
    assert settings.auto_advance


def test_the_pause_is_shown_as_a_line(desk, qtbot, settings):
    desk.begin(make("adequacy"))
    desk.sitting._timer.setInterval(60_000)
    desk.press(Key.Key_4)
    assert desk.items.pause.running
    assert 0 < desk.items.pause.share() <= 1
    settings.reduced_motion = True
    assert desk.items.pause.share() == 1.0
    desk.press(Key.Key_Return)
    assert not desk.items.pause.running
    assert desk.place == 1


def test_buttons_name_the_keys_in_force(desk):
    desk.begin(make("rank", outputs=3))
    assert "Shift" in desk.items.buttons["comment"]._key
    desk.begin(make("adequacy"))
    assert desk.items.buttons["comment"]._key == "C"
    desk.commands.set_keys("rate.skip", ["X"])
    assert desk.items.buttons["skip"]._key == "X"


def test_no_key_of_the_area_clashes_with_any_other(qtbot, tmp_path):
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


def test_every_command_of_the_area_does_something(desk):
    desk.begin(make("adequacy"))
    assert all(desk.commands[action.id].isEnabled() for action in ACTIONS)
    assert set(desk.area._names) == {action.id.removeprefix(f"{AREA}.") for action in ACTIONS}
