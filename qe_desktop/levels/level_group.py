"""A group of levels that share a command: its name, its inputs and how they are read."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring


@dataclass(frozen=True, slots=True, eq=False)
class ReadInputs:
    """Inputs of a command: scorings, and notes for the user."""

    scoring: Scoring
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelGroup:
    """A command `qe-desktop score NAME` with its levels, the default first.

    `add_inputs` adds the options of inputs, `read` reads them and raises QeError if they do not fit. `given` builds a
    scoring from a level, a gold and systems as Python values, and raises likewise; None if there is no Python
    interface. `remarks` returns notes on the contents of folders.
    """

    name: str
    about: str
    levels: tuple[Level, ...]
    add_inputs: Callable[[argparse.ArgumentParser], None]
    read: Callable[[argparse.Namespace], ReadInputs]
    given: Callable[[Level, Any, Mapping[str, Any]], Scoring] | None = None
    remarks: Callable[[Scoring], list[str]] | None = None
    command: str = ""
    """Its name on the command line; `name` where empty."""
