"""The QE systems that a person named on this machine, as the settings keep them. Nothing else brings a command."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from qe_desktop.corpus import QeError
from qe_desktop.highlights.commands.command import USUAL_LIMIT, QeCommand
from qe_desktop.ui.settings import Settings


def kept_commands(settings: Settings) -> tuple[QeCommand, ...]:
    """Those that are kept, in their order; what is none of them by now is left out."""
    found: dict[str, QeCommand] = {}
    for row in settings.qe_systems:
        command = _command(row)
        if command is not None:
            found.setdefault(command.name, command)
    return tuple(found.values())


def _command(row: Mapping[str, Any]) -> QeCommand | None:
    name, line, minutes = row.get("name"), row.get("command"), row.get("minutes", USUAL_LIMIT)
    if not isinstance(name, str) or not isinstance(line, str) or not isinstance(minutes, int | float):
        return None
    try:
        return QeCommand(name, line, float(minutes))
    except QeError:
        return None


def keep_commands(settings: Settings, commands: Iterable[QeCommand]) -> None:
    """Keep these, and no others."""
    settings.qe_systems = [
        {"name": command.name, "command": command.line, "minutes": command.minutes} for command in commands
    ]
