"""Words: tags of words, gaps and source words against gold tags."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from qe_desktop.levels.group import Group, Read
from qe_desktop.levels.level import Level
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.words.level import GAPS, LEVELS, SOURCE, WORDS, TagLevel
from qe_desktop.wording import tr


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    # files are read by the command line alone, and the window need not wait for that
    from qe_desktop.levels.words.inputs import add_inputs

    add_inputs(parser)


def _read(args: argparse.Namespace) -> Read:
    from qe_desktop.levels.words.inputs import read

    return read(args)


def _given(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.words.given import given

    return given(level, gold, systems)


GROUP: Group = Group("words", tr("tags of words, gaps or source words"), LEVELS, _add_inputs, _read, _given)

__all__ = ["GAPS", "GROUP", "LEVELS", "SOURCE", "WORDS", "TagLevel"]
