"""The Rate area: its pages, the state of its commands, and keys without conflicts."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QVBoxLayout, QWidget

from qe_desktop.ui.rate.area import RATE_PAGE, RateArea
from qe_desktop.ui.rate.commands import ACTIONS, AREA
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.commands import ACTIONS as EVERYWHERE
from qe_desktop.ui.shell.window import Shell
from tests.ui.rate.conftest import make

Key = Qt.Key


class OwnersPage(QWidget):
    """A page with a text field."""

    def __init__(self) -> None:
        super().__init__()
        self.field = QLineEdit()
        QVBoxLayout(self).addWidget(self.field)
        self.setFocusProxy(self.field)


def test_single_page_shows_no_tab_bar(controller):
    assert list(controller.area.pages.bar.tabs) == [RATE_PAGE]
    assert not controller.area.pages.bar.isVisible()


def test_pages_are_built_when_first_shown_and_have_shortcuts(controller, qtbot):
    built = []

    def factory() -> QWidget:
        built.append(1)
        return QLabel("results")

    controller.area.add_page("set-up", "Set up", QWidget)
    controller.area.add_page("results", "Results", factory)
    assert controller.area.pages.bar.isVisible()
    assert built == []
    with qtbot.waitSignal(controller.area.page_shown):
        controller.press(Key.Key_3, modifier=Qt.KeyboardModifier.AltModifier)
    assert controller.area.current == "results"
    assert controller.area.page("results").text() == "results"
    QTest.mouseClick(controller.area.pages.bar.tabs[RATE_PAGE], Qt.MouseButton.LeftButton)
    assert controller.area.current == RATE_PAGE
    controller.area.show_page("results")
    assert built == [1]


def test_keys_do_not_rate_on_another_page(controller):
    project = controller.begin(make("adequacy"))
    controller.area.add_page("set-up", "Set up", OwnersPage)
    assert controller.commands["rate.digit-4"].isEnabled()
    controller.area.show_page("set-up")
    assert not controller.commands["rate.digit-4"].isEnabled()
    assert controller.area.undo_text == ""
    page = controller.area.page("set-up")
    controller.press(Key.Key_4, Key.Key_S)
    assert page.field.text() == "4s"
    page.setFocus()
    assert project.said("adequacy") == []
    controller.area.show_page(RATE_PAGE)
    assert controller.commands["rate.digit-4"].isEnabled()
    assert controller.items.hasFocus()


def test_commands_are_enabled_only_where_they_apply(controller, qtbot):
    def enabled() -> set[str]:
        return {name for name in ("next", "back", "digit-1", "skip", "instructions", "profile", "campaigns")
                if controller.commands[f"{AREA}.{name}"].isEnabled()}  # fmt: skip

    assert enabled() == {"campaigns"}
    project = controller.open(make("adequacy", items=1).known())
    assert enabled() == {"campaigns", "instructions", "profile"}
    controller.do("profile")
    assert enabled() == {"campaigns"}
    controller.rater.profile.press_first()
    controller.rater.instructions.press_first()
    assert len(enabled()) == 7
    controller.press(Key.Key_4)
    qtbot.waitUntil(lambda: controller.rater.page is controller.rater.end)
    assert enabled() == {"back", "campaigns", "instructions", "profile"}
    assert project.said("adequacy") == [4.0]


def test_auto_advance_is_stored_in_the_settings(controller, settings):
    assert controller.commands["rate.advance"].isChecked()
    controller.do("advance")
    assert not settings.auto_advance
    controller.begin(make("adequacy"))
    controller.press(Key.Key_4)
    assert controller.place == 0
    assert not controller.items.pause.running
    controller.do("advance")
    assert settings.auto_advance


def test_pause_before_the_next_item_is_shown_as_a_line(controller, qtbot, settings):
    controller.begin(make("adequacy"))
    controller.session._timer.setInterval(60_000)
    controller.press(Key.Key_4)
    assert controller.items.pause.running
    assert 0 < controller.items.pause.share() <= 1
    settings.reduced_motion = True
    assert controller.items.pause.share() == 1.0
    controller.press(Key.Key_Return)
    assert not controller.items.pause.running
    assert controller.place == 1


def test_buttons_show_the_current_shortcuts(controller):
    controller.begin(make("rank", outputs=3))
    assert "Shift" in controller.items.buttons["comment"]._key
    controller.begin(make("adequacy"))
    assert controller.items.buttons["comment"]._key == "C"
    controller.commands.set_keys("rate.skip", ["X"])
    assert controller.items.buttons["skip"]._key == "X"


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


def test_every_command_of_the_area_is_connected(controller):
    controller.begin(make("adequacy"))
    assert all(controller.commands[action.id].isEnabled() for action in ACTIONS)
    assert set(controller.area._names) == {action.id.removeprefix(f"{AREA}.") for action in ACTIONS}
