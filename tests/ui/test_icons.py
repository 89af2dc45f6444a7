"""Icons: their drawing, theme colours, and memory management."""

import sys

import pytest
from PySide6.QtCore import QSize
from PySide6.QtGui import QColor, QIcon, QPainter, QPixmap

from qe_desktop.ui import icons, theme

NAMES = sorted(path.stem for path in (icons.resource_folder() / "icons").glob("*.svg"))


def opaque_colours(pixmap):
    image = pixmap.toImage()
    colours = (image.pixelColor(x, y) for x in range(image.width()) for y in range(image.height()))
    return {colour.name() for colour in colours if colour.alpha() == 255}


@pytest.mark.parametrize("name", NAMES)
def test_every_icon_is_drawn_in_one_colour(qapp, name):
    assert opaque_colours(icons.pixmap(name, 64, QColor("#123456"))) == {"#123456"}


def test_icon_takes_the_colour_of_the_current_theme(qapp):
    icon = icons.icon("folder")
    for name in ("dark", "light"):
        theme.apply(qapp, name)
        assert theme.current().text.name() in opaque_colours(icon.pixmap(QSize(64, 64)))
    assert theme.current().accent.name() in opaque_colours(
        icon.pixmap(QSize(64, 64), QIcon.Mode.Normal, QIcon.State.On)
    )
    assert icon.pixmap(QSize(20, 20), 2.0).size() == QSize(40, 40)


def test_icon_copies_survive_the_original(qapp):
    copies = [QIcon(icons.icon("folder", "accent")) for _ in range(50)]
    assert all(not copy.pixmap(16, 16).isNull() for copy in copies)


def test_every_icon_used_by_the_window_exists(qapp):
    from qe_desktop.ui.shell.commands import ACTIONS

    assert {action.icon for action in ACTIONS if action.icon} <= set(NAMES)


@pytest.mark.skipif(sys.version_info >= (3, 12), reason="None is immortal from Python 3.12 on")
def test_qt_keeps_references_to_none(qapp):
    painter = QPainter(canvas := QPixmap(8, 8))
    before = sys.getrefcount(None)
    for _ in range(500):
        painter.save()
        painter.restore()
    after = sys.getrefcount(None)
    painter.end()
    assert not canvas.isNull()
    assert after > before - 100


def test_icon_without_a_size_is_empty(qapp):
    assert icons.icon("close").pixmap(QSize(0, 0)).isNull()
    assert icons.pixmap("close", 0, QColor("black")).isNull()
