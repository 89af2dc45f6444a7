"""Registry of the inputs of each level group. To add a group, add a module and list it in `INPUT_MODULES`."""

from __future__ import annotations

import argparse
from importlib import import_module
from typing import Any

from qe_desktop.formats.io.text_files import check_read_once
from qe_desktop.levels import GROUPS, LevelGroup, ReadInputs
from qe_desktop.levels.registry import PUBLIC_NAMES

INPUT_MODULES = {
    "words": "qe_desktop.cli.inputs.tag_options",
    "sentences": "qe_desktop.cli.inputs.sentence_options",
    "translations": "qe_desktop.cli.inputs.translation_options",
    "people": "qe_desktop.cli.inputs.rating_options",
}
"""Module that defines `add_inputs` and `read_inputs` for each group; imported when the group's subcommand is used."""


def group_commands() -> dict[str, LevelGroup]:
    """Return the groups of levels by the name of their subcommand."""
    return {PUBLIC_NAMES.get(name, name): group for name, group in GROUPS.items()}


def add_inputs(group: LevelGroup, parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs of a group."""
    _input_module(group).add_inputs(parser)


def read_inputs(group: LevelGroup, args: argparse.Namespace) -> ReadInputs:
    """Read the inputs of a group.

    Raises QeError if an input is invalid, if inputs do not match, or if several inputs are standard input.
    """
    values = [value if isinstance(value, list) else [value] for value in vars(args).values()]
    check_read_once(name for names in values for name in names if isinstance(name, str))
    inputs: ReadInputs = _input_module(group).read_inputs(args)
    return inputs


def _input_module(group: LevelGroup) -> Any:
    return import_module(INPUT_MODULES[group.name])
