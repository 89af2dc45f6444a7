"""Inputs of `words`: gold tags and tags of systems."""

from __future__ import annotations

import argparse

from qe_desktop.cli.inputs.file_options import add_language_pair, add_lines, line_unit_option
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs
from qe_desktop.levels.words.tag_inputs import WORD_KINDS, read_tag_inputs


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs."""
    parser.add_argument("--gold", required=True, metavar="FILE", help=tr("gold tags"))
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's tags; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    add_mt(parser)
    parser.add_argument(
        "--kind", choices=WORD_KINDS, default="words", help=tr("the kind of tags to score (default: words)")
    )
    add_language_pair(parser)
    add_lines(parser)


def add_mt(parser: argparse.ArgumentParser) -> None:
    """Add the option for the tokenized MT."""
    help_text = tr("the tokenized MT, to detect whether a segment with n tokens has n, n+1 or 2n+1 tags")
    parser.add_argument("--mt", metavar="FILE", help=help_text)


def read_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError if a file cannot be read or does not match the gold."""
    return read_tag_inputs(
        args.gold, args.system, args.mt, kind=args.kind, language_pair=args.language_pair,
        lines=line_unit_option(args.lines),
    )  # fmt: skip
