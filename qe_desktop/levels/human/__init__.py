"""People: what raters gave the translations of systems, scored and tested like what metrics give."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from qe_desktop.levels.group import Group, Read
from qe_desktop.levels.level import Level
from qe_desktop.levels.people.level import PEOPLE, PeopleLevel
from qe_desktop.levels.scoring import Scoring
from qe_desktop.wording import tr


def _add_inputs(parser: argparse.ArgumentParser) -> None:
    # files are read by the command line alone, and the window need not wait for that
    from qe_desktop.levels.people.inputs import add_inputs

    add_inputs(parser)


def _read(args: argparse.Namespace) -> Read:
    from qe_desktop.levels.people.inputs import read

    return read(args)


def _given(level: Level, gold: Any, systems: Mapping[str, Any]) -> Scoring:
    from qe_desktop.levels.people.given import given

    return given(level, gold, systems)


GROUP: Group = Group("people", tr("what people gave systems"), (PEOPLE,), _add_inputs, _read, _given)

__all__ = ["GROUP", "PEOPLE", "PeopleLevel"]
