"""Last position in a project (area, segment, kind of tags, edited layer), stored in the project for each user."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, QTimer

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.ui.projects.project_sync import ProjectSync
from qe_desktop.ui.workspace import Workspace

POSITION_SETTING = "left-off"
SAVE_INTERVAL_MS = 20_000
"""Interval in milliseconds at which a changed position is saved; it is also saved when the project is closed."""


class LastPosition(QObject):
    """Controller that saves and restores the user's position in a project; `area` returns the current area's id."""

    def __init__(self, workspace: Workspace, service: ProjectSync, area: Callable[[], str]) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.service = service
        self._area = area
        self._saved_position: dict[str, Any] | None = None
        self._timer = QTimer(self)
        self._timer.setInterval(SAVE_INTERVAL_MS)
        self._timer.timeout.connect(self.save)
        workspace.opened.connect(self._on_opened)

    def restore(self, user_settings: dict[str, Any]) -> str:
        """Restore segment, kind of tags and edited layer; return the id of the saved area, or "" if none is saved."""
        value = user_settings.get(POSITION_SETTING)
        if not isinstance(value, dict) or self.workspace.session is None:
            return ""
        kind = next((candidate for candidate in self.workspace.kinds() if candidate.value == value.get("kind")), None)
        if kind is not None:
            self.workspace.set_kind(kind)
        target = _key(value.get("target"), self.workspace.kind)
        if target in self.workspace.editable_layers() and target is not None:
            self.workspace.set_target(target)
        segment = value.get("segment")
        if isinstance(segment, int):
            self.workspace.go_to(segment)
        self._saved_position = self._current_position()
        area = value.get("area")
        return area if isinstance(area, str) else ""

    def save(self) -> None:
        """Save the position if it has changed and the project is writable."""
        from qe_desktop.project.events import SettingRow

        project, position = self.service.project, self._current_position()
        if project is None or project.read_only or position is None or position == self._saved_position:
            return
        self._saved_position = position
        self.service.append(
            [SettingRow(POSITION_SETTING, position, project.person, time.time(), project.person, project.window)]
        )

    def _current_position(self) -> dict[str, Any] | None:
        if self.workspace.session is None:
            return None
        target = self.workspace.target
        return {
            "area": self._area(),
            "segment": self.workspace.segment,
            "kind": self.workspace.kind.value,
            "target": None if target is None else [target.provenance.value, target.name],
        }

    def _on_opened(self) -> None:
        self._saved_position = None
        if self.service.project is None:
            self._timer.stop()
        else:
            self._timer.start()


def _key(value: object, kind: Kind) -> LayerKey | None:
    match value:
        case [str(provenance), str(name)] if provenance in {member.value for member in Provenance}:
            return LayerKey(Provenance(provenance), name, kind)
    return None
