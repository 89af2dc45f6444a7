"""Inputs of `sentences`: gold scores, scores of systems, and the MT for computing times per token."""

from __future__ import annotations

import argparse

from qe_desktop.cli.inputs.file_options import add_language_pair
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs
from qe_desktop.levels.sentences.sentence_inputs import read_sentence_inputs


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs, and for dividing times by the number of tokens."""
    parser.add_argument(
        "--gold", required=True, metavar="FILE",
        help=tr("gold scores: one number per segment, or a table with gold and, optionally, system columns"),
    )  # fmt: skip
    parser.add_argument("--gold-name", metavar="NAME", default="", help=tr("the gold column, if a table has several"))
    parser.add_argument(
        "--system", nargs="+", action="extend", metavar="[NAME=]FILE", default=[],
        help=tr(
            "a system's scores (one per line, or a WMT submission), or a table with several systems; a directory "
            "stands for its files; may be repeated (default: the systems in the gold table)"
        ),
    )  # fmt: skip
    add_language_pair(parser)
    parser.add_argument(
        "--per-token", metavar="MT",
        help=tr("divide the time of each segment by its number of tokens in this text (one segment per line)"),
    )  # fmt: skip
    parser.add_argument(
        "--times", nargs="+", action="extend", metavar="NAME", default=[],
        help=tr("with --per-token: the names of the gold and systems whose scores are times (default: all)"),
    )  # fmt: skip


def read_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError if a file cannot be read or does not match the gold."""
    return read_sentence_inputs(
        args.gold, args.system, gold_name=args.gold_name, language_pair=args.language_pair, per_token=args.per_token,
        times=args.times,
    )  # fmt: skip
