"""Custom QE systems in the settings, including invalid systems, each with a description of its problem."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.external.command import DEFAULT_TIMEOUT_MINUTES, QeCommand
from qe_desktop.ui.settings import Settings

INVALID_MINUTES = -1.0
"""Invalid time limit, in minutes, that replaces a saved limit that is not a finite number."""


class SavedSystem(NamedTuple):
    """Saved system; if it is invalid, `command` is None and `problem` states why."""

    name: str
    line: str
    minutes: float
    command: QeCommand | None = None
    problem: str = ""


def saved_systems(settings: Settings) -> list[SavedSystem]:
    """Return the saved systems in order, including those with an invalid command or a repeated name.

    Entries whose name or command is not a string are skipped.
    """
    systems: list[SavedSystem] = []
    for row in settings.qe_systems:
        name, line = row.get("name"), row.get("command")
        if isinstance(name, str) and isinstance(line, str):
            minutes = _minutes(row.get("minutes", DEFAULT_TIMEOUT_MINUTES))
            names = {system.name for system in systems if system.command is not None}
            systems.append(_validate(name, line, minutes, is_repeated=name in names))
    return systems


def _validate(name: str, line: str, minutes: float, *, is_repeated: bool) -> SavedSystem:
    try:
        command = QeCommand(name, line, minutes)
    except QeError as error:
        return SavedSystem(name, line, minutes, None, f"{error.message}. {error.hint}")
    return SavedSystem(name, line, minutes, None, repeated_name_problem()) if is_repeated else saved_system(command)


def _minutes(value: object) -> float:
    try:
        minutes = float(value) if isinstance(value, int | float) else INVALID_MINUTES
    except OverflowError:
        # an integer in the settings may be too large for a float
        return INVALID_MINUTES
    return minutes if math.isfinite(minutes) else INVALID_MINUTES


def repeated_name_problem() -> str:
    """Return a message that the name of a system is already in use."""
    return tr("Another QE system already has this name. Enter a different name.")


def saved_system(command: QeCommand) -> SavedSystem:
    """Return the saved form of a valid command."""
    return SavedSystem(command.name, command.line, command.minutes, command)


def saved_commands(settings: Settings) -> tuple[QeCommand, ...]:
    """Return the valid saved commands in order."""
    return tuple(system.command for system in saved_systems(settings) if system.command is not None)


def save_systems(settings: Settings, systems: Iterable[SavedSystem]) -> None:
    """Replace all saved systems with `systems`."""
    settings.qe_systems = [
        {"name": system.name, "command": system.line, "minutes": system.minutes} for system in systems
    ]
