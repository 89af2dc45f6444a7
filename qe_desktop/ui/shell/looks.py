"""Theme, text size and motion: the commands that change how the window looks, remembered in the settings."""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell import text_size

_THEME = "view.theme-"


class Looks(QObject):
    """Connects the view's commands, and applies what was chosen before."""

    text_size_changed = Signal(int)

    def __init__(self, table: ActionTable, settings: Settings, window: QWidget) -> None:
        super().__init__(window)
        self._table = table
        self._settings = settings
        self._window = window
        group = QActionGroup(self)
        for name in theme.CHOICES:
            table.connect_to(_THEME + name, self._choose_theme)
            group.addAction(table[_THEME + name])
        table[_THEME + settings.theme].setChecked(True)
        table.connect_to("view.text-larger", self.larger)
        table.connect_to("view.text-smaller", self.smaller)
        table.connect_to("view.text-usual", self.usual)
        table.connect_to("view.still", self._set_motion)
        table["view.still"].setChecked(settings.reduced_motion)
        table.connect_to("view.full-screen", self._full_screen)

    def apply(self) -> None:
        """Put theme and text size in force as the settings have them."""
        app = QApplication.instance()
        if isinstance(app, QApplication):
            text_size.apply(app, self._settings.text_size)
            theme.apply(app, self._settings.theme)

    def set_theme(self, name: str) -> None:
        """Choose one of theme.CHOICES."""
        self._settings.theme = name
        self._table[_THEME + name].setChecked(True)
        self.apply()

    def set_text_size(self, percent: int) -> None:
        """Choose a text size in percent of the desktop's."""
        self._settings.text_size = percent
        self.apply()
        self.text_size_changed.emit(percent)

    def larger(self) -> None:
        """One step larger."""
        self.set_text_size(text_size.step(self._settings.text_size, 1))

    def smaller(self) -> None:
        """One step smaller."""
        self.set_text_size(text_size.step(self._settings.text_size, -1))

    def usual(self) -> None:
        """The size that the desktop asks for."""
        self.set_text_size(100)

    def _choose_theme(self) -> None:
        # the group has unchecked the others by now
        self.set_theme(next(name for name in theme.CHOICES if self._table[_THEME + name].isChecked()))

    def _set_motion(self) -> None:
        self._settings.reduced_motion = self._table["view.still"].isChecked()

    def _full_screen(self) -> None:
        if self._window.isFullScreen():
            self._window.showNormal()
        else:
            self._window.showFullScreen()
        self._table["view.full-screen"].setChecked(self._window.isFullScreen())
