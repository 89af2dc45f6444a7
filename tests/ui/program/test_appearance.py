"""Appearance of the window through main(argv): size, text size, theme and text direction."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from qe_desktop.ui import theme
from qe_desktop.ui.settings import Settings
from tests.ui.program_driver import drive


def test_the_window_never_grows_by_itself(qtbot):
    def script(controller):
        yield controller.is_open
        controller.shell.resize(900, 600)
        for _ in range(4):
            controller.shell.commands["view.text-larger"].trigger()
        controller.shell.show_area("scores")
        yield lambda: controller.wiring.comparison.state == "ready"
        layers = controller.wiring.scores.layers
        controller.workspace.segments_wanted.emit(
            layers[0], layers[1], "F1-mult", controller.workspace.level, controller.workspace.reference
        )
        yield lambda: controller.shell.area("inspect").model.listing.ahead is not None
        QTest.keyClick(controller.shell.area("inspect").view, Qt.Key.Key_Space)
        # layouts request more space in a later event-loop iteration
        yield controller.is_open
        assert (controller.shell.width(), controller.shell.height()) == (900, 600)
        controller.shell.commands["view.text-usual"].trigger()

    assert drive(["demo"], script) == 0


def test_text_size_theme_and_direction_apply_at_once_and_are_saved(qtbot):
    def script(controller):
        yield controller.is_open
        reader = controller.shell.area("inspect").reader
        yield lambda: reader.width() > 400
        height = reader.page.height
        controller.shell.commands["view.text-larger"].trigger()
        yield lambda: reader.page.height > height
        controller.shell.commands["view.theme-dark"].trigger()
        assert theme.current().name == "dark"
        controller.shell.settings.mt_direction = "rtl"
        assert reader.page.block(Kind.WORDS).layout.right_to_left
        saved = Settings()
        assert (saved.text_size > 100, saved.theme, saved.mt_direction) == (True, "dark", "rtl")
        controller.shell.commands["view.text-usual"].trigger()
        controller.shell.commands["view.theme-light"].trigger()
        yield lambda: reader.page.height == height
        assert theme.current().name == "light"

    assert drive(["demo"], script) == 0
    saved = Settings()
    assert (saved.text_size, saved.theme, saved.mt_direction) == (100, "light", "rtl")
