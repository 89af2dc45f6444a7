"""Preferences page for the appearance: theme, text size, motion, and fonts and directions of source and target."""

from __future__ import annotations

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox, QComboBox, QFontComboBox, QFormLayout, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.settings import MOTION_KEY, TEXT_SIZE_KEY, TEXT_SIZES, THEME_KEY, Settings
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox

THEMES = {
    "system": tr("System"),
    "light": tr("Light"),
    "dark": tr("Dark"),
    "contrast": tr("High contrast"),
}
DIRECTIONS = {"auto": tr("automatic direction"), "ltr": tr("left to right"), "rtl": tr("right to left")}
_NAMES = {
    "source": (tr("Text direction of the source"), tr("Font of the source")),
    "mt": (tr("Text direction of MT, target and references"), tr("Font of MT, target and references")),
}
"""Maps the role of a text (see `ReadingFields`) to the accessible names of its direction and font fields."""


class AppearancePage(QWidget):
    """Preferences page for the appearance. Changes take effect immediately; changes made by commands are shown."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._settings = settings
        self.theme, self.text_size, self.motion = QComboBox(), QComboBox(), QCheckBox(tr("Reduce &motion"))
        for name, text in THEMES.items():
            self.theme.addItem(text, name)
        for percent in sorted({*TEXT_SIZES, settings.text_size}):
            self.text_size.addItem(tr("{percent} %", percent=percent), percent)
        self.fields = {role: ReadingFields(settings, role) for role in ("source", "mt")}
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.FieldsStayAtSizeHint)
        form.setVerticalSpacing(8)
        form.addRow(tr("&Theme"), self.theme)
        form.addRow(tr("Te&xt size"), self.text_size)
        form.addRow("", self.motion)
        form.addRow(tr("&Source text"), self.fields["source"])
        form.addRow(tr("&MT, target and references"), self.fields["mt"])
        vbox(form, StretchSpace(), on=self, margins=16)
        self._show()
        self.theme.activated.connect(self._set_theme)
        self.text_size.activated.connect(self._set_text_size)
        self.motion.toggled.connect(self._set_motion)
        settings.changed.connect(self._on_setting)

    def _show(self) -> None:
        settings = self._settings
        self.theme.setCurrentIndex(self.theme.findData(settings.theme))
        self.text_size.setCurrentIndex(self.text_size.findData(settings.text_size))
        with QSignalBlocker(self.motion):
            self.motion.setChecked(settings.reduced_motion)

    def _on_setting(self, key: str) -> None:
        if key in (THEME_KEY, TEXT_SIZE_KEY, MOTION_KEY):
            self._show()

    def _set_theme(self) -> None:
        self._settings.theme = self.theme.currentData()

    def _set_text_size(self) -> None:
        self._settings.text_size = self.text_size.currentData()

    def _set_motion(self, reduced: bool) -> None:
        self._settings.reduced_motion = reduced


class ReadingFields(QWidget):
    """Fields for the direction and the font of one kind of text; `role` is "source" or "mt"."""

    def __init__(self, settings: Settings, role: str) -> None:
        super().__init__()
        self._settings, self._role = settings, role
        self.direction = QComboBox()
        for value, text in DIRECTIONS.items():
            self.direction.addItem(text, value)
        self.direction.setCurrentIndex(self.direction.findData(getattr(settings, f"{role}_direction")))
        direction_name, font_name = _NAMES[role]
        self.direction.setAccessibleName(direction_name)
        self.custom_font = QCheckBox(tr("Font"))
        self.font_box = QFontComboBox()
        for control in (self.custom_font, self.font_box):
            control.setAccessibleName(font_name)
        family = getattr(settings, f"{role}_font")
        self.custom_font.setChecked(bool(family))
        if family:
            self.font_box.setCurrentText(family)
        self.font_box.setEnabled(bool(family))
        hbox(self.direction, self.custom_font, self.font_box, on=self, gap=8)
        self.setFocusProxy(self.direction)
        self.direction.activated.connect(self._set_direction)
        self.custom_font.toggled.connect(self._set_font)
        self.font_box.currentFontChanged.connect(self._set_font)

    def _set_direction(self) -> None:
        setattr(self._settings, f"{self._role}_direction", self.direction.currentData())

    def _set_font(self) -> None:
        self.font_box.setEnabled(self.custom_font.isChecked())
        family = self.font_box.currentFont().family() if self.custom_font.isChecked() else ""
        setattr(self._settings, f"{self._role}_font", family)
