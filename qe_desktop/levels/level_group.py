"""Group of levels that share a command, and the inputs that the command reads."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring


@dataclass(frozen=True, slots=True, eq=False)
class ReadInputs:
    """Inputs of a command: a scoring, and notes for the user."""

    scoring: Scoring
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelGroup:
    """Command `qe-desktop score NAME` and its levels, the default first.

    `from_python` builds a scoring from a level, a gold and systems as Python values. It raises QeError if the values
    are invalid or do not match. `from_python` is None if there is no Python interface. `get_remarks` returns notes on a
    scoring of data read from folders.
    """

    name: str
    description: str
    levels: tuple[Level, ...]
    from_python: Callable[[Level, Any, Mapping[str, Any]], Scoring] | None = None
    get_remarks: Callable[[Scoring], list[str]] | None = None
