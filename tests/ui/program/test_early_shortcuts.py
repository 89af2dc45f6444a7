"""Keys pressed as soon as the window is shown, before the areas exist."""

import pytest
from PySide6.QtCore import QEvent, Qt, QTimer
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest

from qe_desktop.ui import app as program
from qe_desktop.ui.main_controller import MainController
from qe_desktop.ui.preferences_dialog import PreferencesDialog
from tests.ui.program_driver import run_script


@pytest.fixture
def press_early(qtbot, monkeypatch):
    """Return a function that presses keys at the first paint."""

    def press(*keys):
        class Shell(program.Shell):
            def __init__(self, settings):
                super().__init__(settings)
                self.start_page.painted.connect(self.press, Qt.ConnectionType.SingleShotConnection)

            def press(self):
                assert self.findChild(MainController) is None
                for key, modifiers in keys:
                    # sent to the focus widget, which passes unhandled keys on to the window
                    QTest.keyClick(self.focusWidget() or self, key, modifiers)

        monkeypatch.setattr(program, "Shell", Shell)

    return press


def test_early_shortcut_runs_a_command_of_the_areas(press_early):
    press_early((Qt.Key.Key_Comma, Qt.KeyboardModifier.ControlModifier))

    def script(driver):
        yield lambda: [page for page in driver.shell.findChildren(PreferencesDialog) if page.isVisible()]
        assert len(driver.shell.findChildren(PreferencesDialog)) == 1

    assert run_script([], script) == 0


def test_early_shortcut_switches_the_area(press_early):
    press_early((Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier))

    def script(driver):
        yield lambda: driver.shell.areas.current == "scores"

    assert run_script([], script) == 0


def test_early_area_keys_and_unhandled_later_keys_run_nothing(press_early):
    press_early((Qt.Key.Key_N, Qt.KeyboardModifier.NoModifier), (Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier))
    ran = []

    def script(driver):
        driver.shell.commands.about_to_run.connect(lambda: ran.append(True))
        ready = []
        QTimer.singleShot(0, lambda: QTimer.singleShot(0, lambda: ready.append(True)))
        yield lambda: ready
        area = driver.shell.areas.current
        # an early key of this command would switch to the scores
        key, modifier = Qt.Key.Key_2, Qt.KeyboardModifier.ControlModifier
        driver.shell.keyPressEvent(QKeyEvent(QEvent.Type.KeyPress, key, modifier))
        driver.shell._early_keys.run_soon()
        ready.clear()
        QTimer.singleShot(0, lambda: QTimer.singleShot(0, lambda: ready.append(True)))
        yield lambda: ready
        assert (ran, driver.shell.areas.current) == ([], area)

    assert run_script([], script) == 0
