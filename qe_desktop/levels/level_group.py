"""Levels that share a command: how it is called, what it is given, and how that is read."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring


@dataclass(frozen=True, slots=True, eq=False)
class ReadInputs:
    """What a command read: what is scored against what, and remarks for people."""

    scoring: Scoring
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LevelGroup:
    """A thing to score, as `qe-desktop score NAME` has it, with its levels, the usual one first.

    `add_inputs` adds the options that say what is scored, `read` reads what they name and raises a QeError for what
    does not fit. `given` takes the level, the gold and the systems as values that a Python program has, and raises
    likewise; None where there is no way to give them. `remarks` says what people should know of what folders hold.
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
