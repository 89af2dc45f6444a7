"""How the window looks, through main(argv): its size, text, theme and direction."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind
from qe_desktop.ui import theme
from qe_desktop.ui.settings import Settings
from tests.ui.driving import drive


def test_the_window_never_grows_by_itself(qtbot):
    def script(desk):
        yield desk.is_open
        desk.shell.resize(900, 600)
        for _ in range(4):
            desk.shell.commands["view.text-larger"].trigger()
        desk.shell.show_area("scores")
        yield lambda: desk.wiring.comparison.state == "ready"
        layers = desk.wiring.scores.layers
        desk.workspace.segments_wanted.emit(
            layers[0], layers[1], "F1-mult", desk.workspace.level, desk.workspace.reference
        )
        yield lambda: desk.shell.area("inspect").model.listing.ahead is not None
        QTest.keyClick(desk.shell.area("inspect").view, Qt.Key.Key_Space)
        # layouts ask for more room when the event loop runs again
        yield desk.is_open
        assert (desk.shell.width(), desk.shell.height()) == (900, 600)
        desk.shell.commands["view.text-usual"].trigger()

    assert drive(["demo"], script) == 0


def test_text_size_theme_and_direction_hold_at_once_and_are_remembered(qtbot):
    def script(desk):
        yield desk.is_open
        reader = desk.shell.area("inspect").reader
        yield lambda: reader.width() > 400
        height = reader.page.height
        desk.shell.commands["view.text-larger"].trigger()
        yield lambda: reader.page.height > height
        desk.shell.commands["view.theme-dark"].trigger()
        assert theme.current().name == "dark"
        desk.shell.settings.mt_direction = "rtl"
        assert reader.page.block(Kind.WORDS).layout.right_to_left
        kept = Settings()
        assert (kept.text_size > 100, kept.theme, kept.mt_direction) == (True, "dark", "rtl")
        desk.shell.commands["view.text-usual"].trigger()
        desk.shell.commands["view.theme-light"].trigger()
        yield lambda: reader.page.height == height
        assert theme.current().name == "light"

    assert drive(["demo"], script) == 0
    kept = Settings()
    assert (kept.text_size, kept.theme, kept.mt_direction) == (100, "light", "rtl")
