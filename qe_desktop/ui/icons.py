"""Icons: one-colour SVG files, painted in the current colours of the theme."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from PySide6.QtCore import QPoint, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QIcon, QIconEngine, QPainter, QPixmap

from qe_desktop.ui import theme


@cache
def resource_folder() -> Path:
    """Return the folder of icons and samples: inside the installed package, or next to the package in a checkout.

    Raises FileNotFoundError if the folder is in neither place.
    """
    package = Path(__file__).resolve().parent.parent
    for folder in (package / "resources", package.parent / "resources"):
        if (folder / "icons").is_dir():
            return folder
    raise FileNotFoundError(f"the folder 'resources' is missing next to or in {package}")


def icon(name: str, token: str = "") -> QIcon:
    """Return the icon `name` from `resources/icons`.

    The icon is painted in the theme colour `token`; if `token` is empty, in the text colour or, in the checked state,
    in the accent colour. A disabled icon is dimmed. In a selected item, the icon has the colour of text on the accent
    colour.
    """
    return QIcon(_TintedIconEngine(name, token))


def program_icon() -> QIcon:
    """Return the icon of the program, in its own colours."""
    return QIcon(str(resource_folder() / "icons" / "qe-desktop.svg"))


def pixmap(name: str, size: int, colour: QColor, ratio: float = 1.0) -> QPixmap:
    """Render an icon in one colour, at the device pixel ratio `ratio`.

    `size` is in device-independent pixels; if it is below 1, the pixmap is null.
    """
    return QPixmap() if size < 1 else _render(name, round(size * ratio), colour.rgba(), ratio)


def paint_icon(painter: QPainter, name: str, rect: QRect, colour: QColor) -> None:
    """Paint an icon in the centre of a rectangle, as large as the rectangle allows."""
    size = min(rect.width(), rect.height())
    ratio = painter.device().devicePixelRatioF()
    corner = QPoint(rect.x() + (rect.width() - size) // 2, rect.y() + (rect.height() - size) // 2)
    painter.drawPixmap(corner, pixmap(name, size, colour, ratio))


@cache
def _render(name: str, pixels: int, rgba: int, ratio: float) -> QPixmap:
    from PySide6.QtSvg import QSvgRenderer

    result = QPixmap(pixels, pixels)
    result.fill(Qt.GlobalColor.transparent)
    painter = QPainter(result)
    QSvgRenderer(str(resource_folder() / "icons" / f"{name}.svg")).render(painter, QRectF(0, 0, pixels, pixels))
    painter.setCompositionMode(QPainter.CompositionMode.CompositionMode_SourceIn)
    painter.fillRect(result.rect(), QColor.fromRgba(rgba))
    painter.end()
    result.setDevicePixelRatio(ratio)
    return result


class _TintedIconEngine(QIconEngine):
    """Icon engine that looks up the icon colour at paint time, so that icons adapt to theme changes."""

    def __init__(self, name: str, token: str) -> None:
        super().__init__()
        self._name = name
        self._token = token

    def paint(self, painter: QPainter, rect: QRect, mode: QIcon.Mode, state: QIcon.State) -> None:
        paint_icon(painter, self._name, rect, self._colour(mode, state))

    def pixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State) -> QPixmap:
        return pixmap(self._name, min(size.width(), size.height()), self._colour(mode, state))

    def scaledPixmap(self, size: QSize, mode: QIcon.Mode, state: QIcon.State, scale: float) -> QPixmap:
        return pixmap(self._name, min(size.width(), size.height()), self._colour(mode, state), scale)

    def clone(self) -> QIconEngine:
        return _TintedIconEngine(self._name, self._token)

    def _colour(self, mode: QIcon.Mode, state: QIcon.State) -> QColor:
        colours = theme.current()
        if mode == QIcon.Mode.Disabled:
            dimmed_colour = QColor(colours.muted)
            dimmed_colour.setAlphaF(0.5)
            return dimmed_colour
        if mode == QIcon.Mode.Selected:
            return colours.on_accent
        if self._token:
            chosen: QColor = getattr(colours, self._token)
            return chosen
        return colours.accent if state == QIcon.State.On else colours.text
