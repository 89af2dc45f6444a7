"""Themes, which are sets of named colours, and the palette derived from a theme for standard widgets."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette, qBlue, qGreen, qRed
from PySide6.QtWidgets import QApplication

from qe_desktop.ui.flat_style import FlatStyle

CHOICES = ("system", "light", "dark", "contrast")
"""Themes that the user can select; "system" means light, dark or contrast, as set in the operating system."""


@dataclass(frozen=True, slots=True)
class Theme:
    """Colours named after their meaning.

    Text on `selection`, and on colours whose names end with `_fill`, has the colour `text`. No information is conveyed
    by colour alone.
    """

    name: str
    dark: bool
    window: QColor
    surface: QColor
    raised: QColor
    """Background of buttons and of rows under the pointer."""
    border: QColor
    text: QColor
    muted: QColor
    on_accent: QColor
    """Colour of text on an area filled with `accent`."""
    accent: QColor
    """Colour of focus outlines and links, and background of selected text; the same colour as `ok`."""
    selection: QColor
    """Background of a selected row or word, whose text has the colour `text`."""
    bad: QColor
    bad_fill: QColor
    false_alarm: QColor
    false_alarm_fill: QColor
    miss: QColor
    miss_fill: QColor
    ok: QColor
    ok_fill: QColor
    error: QColor
    error_fill: QColor
    warning: QColor
    warning_fill: QColor
    info: QColor
    info_fill: QColor
    positive: QColor
    """End colour of a diverging scale on the side above zero; `negative` is the end colour on the side below zero."""
    negative: QColor
    matrix: tuple[QColor, ...]
    """Matrix colours for not significant, significant and highly significant; use `text_colour_on` for their text."""

    def text_colour_on(self, fill: QColor) -> QColor:
        """Return `text` or `on_accent`, whichever has the higher contrast with an opaque fill."""
        return max((self.text, self.on_accent), key=lambda ink: contrast_ratio(ink, fill))


def contrast_ratio(first: QColor, second: QColor) -> float:
    """Return the WCAG 2 contrast ratio of two opaque colours, 1..21."""
    low, high = sorted((_luminance(first.rgb()), _luminance(second.rgb())))
    return (high + 0.05) / (low + 0.05)


@lru_cache(maxsize=1024)
def _luminance(rgb: int) -> float:
    """Return the relative luminance of a colour (WCAG 2), 0..1; cached, because it is needed for each matrix cell."""

    def linear(part: int) -> float:
        share = part / 255
        return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4

    return 0.2126 * linear(qRed(rgb)) + 0.7152 * linear(qGreen(rgb)) + 0.0722 * linear(qBlue(rgb))


def mix_colours(first: QColor, second: QColor, fraction: float) -> QColor:
    """Return a mixture of two opaque colours; `fraction` (0..1) is the proportion of `second`."""

    def part(a: int, b: int) -> int:
        return round(a + (b - a) * min(1.0, max(0.0, fraction)))

    return QColor(
        part(first.red(), second.red()), part(first.green(), second.green()), part(first.blue(), second.blue())
    )


_TOKENS: Mapping[str, tuple[str, str, str]] = {
    # token: (light, dark, high contrast)
    "window": ("#F6F7F9", "#15181E", "#000000"),
    "surface": ("#FFFFFF", "#1D2129", "#000000"),
    "raised": ("#EEF1F5", "#272D37", "#1C1C1C"),
    "border": ("#D5D9E0", "#363D49", "#C8C8C8"),
    "text": ("#1B1F27", "#E8EBF0", "#FFFFFF"),
    "muted": ("#5A6372", "#A3ADBC", "#E0E0E0"),
    "on_accent": ("#FFFFFF", "#10141A", "#000000"),
    "accent": ("#0B63B0", "#6CB6FF", "#5CE1FF"),
    "selection": ("#D9E8F7", "#24415F", "#004A63"),
    "bad": ("#B84700", "#FF9A5C", "#FFA040"),
    "bad_fill": ("#FCE3D2", "#4A2A16", "#5C2B00"),
    "false_alarm": ("#8A6A00", "#F2CF66", "#FFE94D"),
    "false_alarm_fill": ("#FBF0C9", "#443813", "#4A4000"),
    "miss": ("#6B3FA0", "#C9A8F5", "#E6C2FF"),
    "miss_fill": ("#EBE3F6", "#33264A", "#43186B"),
    "ok": ("#0B63B0", "#6CB6FF", "#5CE1FF"),
    "ok_fill": ("#DCEBF8", "#1B3551", "#003E52"),
    "error": ("#B3261E", "#FF8A80", "#FF9C94"),
    "error_fill": ("#FBE5E3", "#4A1F1C", "#5E0F0A"),
    "warning": ("#8A5A00", "#F5C26B", "#FFD27A"),
    "warning_fill": ("#FCF0D8", "#43331A", "#4D3600"),
    "info": ("#0B63B0", "#6CB6FF", "#5CE1FF"),
    "info_fill": ("#E1EEFA", "#1B3551", "#003E52"),
    "positive": ("#0B63B0", "#6CB6FF", "#5CE1FF"),
    "negative": ("#B84700", "#FF9A5C", "#FFA040"),
}
_MATRIX = (
    ("#FFFFFF", "#D8EEDD", "#8CCB9B"),
    ("#1D2129", "#1E3D2B", "#2C6B45"),
    ("#000000", "#0A4A24", "#0E6E34"),
)


def _theme(column: int, name: str, *, dark: bool) -> Theme:
    tokens: dict[str, Any] = {token: QColor(values[column]) for token, values in _TOKENS.items()}
    return Theme(name=name, dark=dark, matrix=tuple(QColor(step) for step in _MATRIX[column]), **tokens)


LIGHT = _theme(0, "light", dark=False)
DARK = _theme(1, "dark", dark=True)
CONTRAST = _theme(2, "contrast", dark=True)
THEMES: Mapping[str, Theme] = {theme.name: theme for theme in (LIGHT, DARK, CONTRAST)}


def palette(theme: Theme) -> QPalette:
    """Return the palette of a theme, with which `FlatStyle` draws standard widgets."""
    role = QPalette.ColorRole
    result = QPalette()
    shade = theme.border if theme.name == "contrast" else theme.border.darker(130)
    roles = {
        role.Window: theme.window,
        role.WindowText: theme.text,
        role.Base: theme.surface,
        role.AlternateBase: theme.window,
        role.Text: theme.text,
        role.PlaceholderText: theme.muted,
        role.Button: theme.raised,
        role.ButtonText: theme.text,
        role.BrightText: theme.error,
        role.ToolTipBase: theme.raised,
        role.ToolTipText: theme.text,
        role.Highlight: theme.accent,
        role.HighlightedText: theme.on_accent,
        role.Accent: theme.accent,
        role.Link: theme.accent,
        role.LinkVisited: theme.miss,
        role.Light: theme.surface.lighter(115) if theme.dark else theme.surface,
        role.Midlight: theme.selection,
        role.Mid: theme.border,
        role.Dark: shade,
        role.Shadow: theme.window.darker(150) if theme.dark else theme.border.darker(160),
    }
    for name, colour in roles.items():
        result.setColor(name, colour)
    faint = mix_colours(theme.muted, theme.window, 0.45)
    for name in (role.WindowText, role.Text, role.ButtonText, role.PlaceholderText, role.HighlightedText):
        result.setColor(QPalette.ColorGroup.Disabled, name, faint)
    for name in (role.Highlight, role.Accent):
        result.setColor(QPalette.ColorGroup.Disabled, name, theme.border)
    return result


class Themes(QObject):
    """Current theme, with signals for changes of the theme and of the text size."""

    theme_changed = Signal()
    text_size_changed = Signal()
    """Emitted after the application font has changed, for widgets with their own font, which Qt does not notify."""

    def __init__(self) -> None:
        super().__init__()
        self.choice = "system"
        self.theme = LIGHT
        self._app: QApplication | None = None

    def apply(self, app: QApplication, name: str) -> None:
        """Apply one of `CHOICES` to the application; any other name is treated as "system"."""
        if self._app is not app:
            app.setStyle(FlatStyle())
            app.styleHints().colorSchemeChanged.connect(self._update_system_theme)
            app.styleHints().accessibility().contrastPreferenceChanged.connect(self._update_system_theme)
            self._app = app
        self.choice = name if name in CHOICES else "system"
        hints = app.styleHints()
        # the window frame of the desktop follows the same choice
        if self.choice == "system":
            hints.unsetColorScheme()
        else:
            hints.setColorScheme(Qt.ColorScheme.Dark if THEMES[self.choice].dark else Qt.ColorScheme.Light)
        self._set_theme(THEMES[self.choice] if self.choice != "system" else _desktop_theme(app))

    def _update_system_theme(self) -> None:
        if self._app is not None and self.choice == "system":
            self._set_theme(_desktop_theme(self._app))

    def _set_theme(self, theme: Theme) -> None:
        self.theme = theme
        QApplication.setPalette(palette(theme))
        self.theme_changed.emit()


def _desktop_theme(app: QApplication) -> Theme:
    hints = app.styleHints()
    if hints.accessibility().contrastPreference() == Qt.ContrastPreference.HighContrast:
        return CONTRAST
    return DARK if hints.colorScheme() == Qt.ColorScheme.Dark else LIGHT


themes = Themes()
"""Current theme of the process; connect to `themes.theme_changed` to repaint when the theme changes."""


def apply(app: QApplication, name: str) -> None:
    """Apply "system", "light", "dark" or "contrast" to the application."""
    themes.apply(app, name)


def current() -> Theme:
    """Return the current theme."""
    return themes.theme
