"""The command that stands the source beside the target, or above it."""

from __future__ import annotations

from PySide6.QtCore import QObject

from qe_desktop.ui.actions import Action, ActionTable
from qe_desktop.ui.inspect.correcting.desk import Correcting
from qe_desktop.ui.inspect.reading_place import ReadingPlace
from qe_desktop.ui.settings import SOURCE_BESIDE, Settings
from qe_desktop.wording import tr


def action(area: str, group: str) -> Action:
    """The command, to be put into the table of the area."""
    return Action(
        f"{area}.source-beside", tr("Source beside the target"), ("Shift+F9",), area, group, checkable=True,
        tip=tr("Where the window is wide enough; else the source stands above"),
    )  # fmt: skip


class Standing(QObject):
    """Keeps what a person wants, and says where that cannot be seen."""

    def __init__(
        self, area: str, place: ReadingPlace, desk: Correcting, settings: Settings, commands: ActionTable
    ) -> None:
        super().__init__(place)
        self._place, self._desk, self._settings = place, desk, settings
        self._action = commands.connect_to(f"{area}.source-beside", self._turn)
        settings.changed.connect(self._on_setting)
        self._on_setting(SOURCE_BESIDE)

    def _turn(self) -> None:
        self._settings.source_beside = not self._settings.source_beside
        if self._place.is_wide:
            return
        if self._settings.source_beside:
            self._desk.told.emit(tr("The source stands beside the target as soon as the window is wide enough"))
        else:
            self._desk.told.emit(tr("The source stands above the target in a wide window, too"))

    def _on_setting(self, key: str) -> None:
        if key == SOURCE_BESIDE:
            self._action.setChecked(self._settings.source_beside)
