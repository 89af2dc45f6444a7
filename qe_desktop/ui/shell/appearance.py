"""Theme, text size and motion: commands that change the settings, and a controller that applies them."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QObject
from PySide6.QtGui import QActionGroup, QGuiApplication
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.settings import MOTION_KEY, TEXT_SIZE_KEY, TEXT_SIZES, THEME_KEY, Settings

_THEME = "view.theme-"
_PROPERTY = "desktop text size"


class AppearanceActions(QObject):
    """Controller of the appearance commands; it also applies appearance settings that are changed in Preferences."""

    def __init__(self, registry: ActionRegistry, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._registry = registry
        self._settings = settings
        self._window = window
        group = QActionGroup(self)
        for name in theme.CHOICES:
            registry.connect_to(_THEME + name, partial(self.set_theme, name))
            group.addAction(registry[_THEME + name])
        registry.connect_to("view.text-larger", partial(self._step_text, 1))
        registry.connect_to("view.text-smaller", partial(self._step_text, -1))
        registry.connect_to("view.text-usual", partial(self._set_text_size, 100))
        registry.connect_to("view.still", self._set_motion)
        registry.connect_to("view.full-screen", self._toggle_full_screen)
        self._show_state()
        settings.changed.connect(self._on_setting)

    def apply(self) -> None:
        """Apply the theme and text size from the settings."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            apply_text_size(app, self._settings.text_size)
            theme.apply(app, self._settings.theme)

    def set_theme(self, name: str) -> None:
        """Set the theme to one of `theme.CHOICES`. Raises ValueError for other names."""
        self._settings.theme = name

    def _on_setting(self, key: str) -> None:
        """Apply an appearance setting that was changed by a command or in Preferences."""
        if key in (THEME_KEY, TEXT_SIZE_KEY):
            self.apply()
        if key in (THEME_KEY, MOTION_KEY):
            self._show_state()

    def _show_state(self) -> None:
        self._registry[_THEME + self._settings.theme].setChecked(True)
        self._registry["view.still"].setChecked(self._settings.reduced_motion)

    def _set_text_size(self, percent: int) -> None:
        self._settings.text_size = percent

    def _step_text(self, direction: int) -> None:
        self._set_text_size(next_text_size(self._settings.text_size, direction))

    def _set_motion(self) -> None:
        self._settings.reduced_motion = self._registry["view.still"].isChecked()

    def _toggle_full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()
        self._registry["view.full-screen"].setChecked(self._window.isFullScreen())


def apply_text_size(app: QApplication, percent: int) -> None:
    """Set the size of all text, in percent of the operating system's text size."""
    font = app.font()
    base = app.property(_PROPERTY)
    if base is None:
        base = font.pointSizeF()
        app.setProperty(_PROPERTY, base)
    font.setPointSizeF(base * percent / 100)
    app.setFont(font)
    theme.themes.text_size_changed.emit()


def scaled_pixels(pixels: float) -> int:
    """Scale a length in pixels from a text size of 100 % to the current text size."""
    return round(pixels * _text_factor())


def pixel_scale(pixels: float) -> float:
    """Return the scale for `scaled_font` that makes text `pixels` pixels high when the text size is 100 %."""
    screen = QGuiApplication.primaryScreen()
    points = pixels * 72 / (screen.logicalDotsPerInchY() if screen is not None else 96.0)
    return points / (QApplication.font().pointSizeF() / _text_factor())


def _text_factor() -> float:
    """Return the current text size as a multiple of the operating system's text size."""
    app = QApplication.instance()
    base = app.property(_PROPERTY) if app is not None else None
    return float(QApplication.font().pointSizeF() / base) if base else 1.0


def next_text_size(percent: int, direction: int) -> int:
    """Return the next larger (`direction` 1) or smaller (-1) text size.

    >>> next_text_size(100, 1), next_text_size(100, -1), next_text_size(200, 1)
    (110, 90, 200)
    """
    if direction > 0:
        return next((size for size in TEXT_SIZES if size > percent), TEXT_SIZES[-1])
    return next((size for size in reversed(TEXT_SIZES) if size < percent), TEXT_SIZES[0])
