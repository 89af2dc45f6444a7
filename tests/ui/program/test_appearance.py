"""Appearance of the window through main(argv): size, text size, theme and text direction."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from qe_desktop.ui import theme
from qe_desktop.ui.settings import Settings
from tests.ui.program_driver import run_script


def test_the_window_never_grows_by_itself(qtbot):
    def script(driver):
        yield driver.is_open
        driver.shell.resize(900, 600)
        for _ in range(4):
            driver.shell.commands["view.text-larger"].trigger()
        driver.shell.show_area("scores")
        yield lambda: driver.wiring.comparison.state == "ready"
        layers = driver.wiring.scores.layers
        driver.workspace.segments_requested.emit(
            layers[0], layers[1], "F1-mult", driver.workspace.level, driver.workspace.reference
        )
        yield lambda: driver.shell.area("inspect").model.list_state.difference is not None
        driver.shell.area("inspect").reader.set_locked(False)
        QTest.keyClick(driver.shell.area("inspect").view, Qt.Key.Key_Space)
        # layouts request more space in a later event-loop iteration
        yield driver.is_open
        assert (driver.shell.width(), driver.shell.height()) == (900, 600)
        driver.shell.commands["view.text-usual"].trigger()

    assert run_script(["demo"], script) == 0


def test_text_size_theme_and_direction_apply_at_once_and_are_saved(qtbot):
    def script(driver):
        yield driver.is_open
        reader = driver.shell.area("inspect").reader
        yield lambda: reader.width() > 400
        height = reader.page.height
        driver.shell.commands["view.text-larger"].trigger()
        yield lambda: reader.page.height > height
        driver.shell.commands["view.theme-dark"].trigger()
        assert theme.current().name == "dark"
        driver.shell.settings.mt_direction = "rtl"
        assert reader.page.block(Kind.WORDS).layout.right_to_left
        saved = Settings()
        assert (saved.text_size > 100, saved.theme, saved.mt_direction) == (True, "dark", "rtl")
        driver.shell.commands["view.text-usual"].trigger()
        driver.shell.commands["view.theme-light"].trigger()
        yield lambda: reader.page.height == height
        assert theme.current().name == "light"

    assert run_script(["demo"], script) == 0
    saved = Settings()
    assert (saved.text_size, saved.theme, saved.mt_direction) == (100, "light", "rtl")
