"""Options shared by commands: language pairs, line units, metrics, system names and the meaning of numbers."""

from __future__ import annotations

import argparse

from qe_desktop.formats.importing.questions import LineUnit
from qe_desktop.i18n.messages import tr


def add_language_pair(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects language pairs."""
    # imported here: converting a file needs no levels
    from qe_desktop.levels.system_files import PAIR_PLACEHOLDER

    help_text = tr(
        "the language pair, such as en-de, to use if a file has several. If you specify several pairs, each is scored, "
        "and {pair} in a file name stands for each",
        pair=PAIR_PLACEHOLDER,
    )
    parser.add_argument("--language-pair", nargs="+", action="extend", metavar="LP", default=[], help=help_text)


def add_lines(parser: argparse.ArgumentParser) -> None:
    """Add `--lines`, which states whether a line is a segment or a token in files with at most one tag per line."""
    parser.add_argument(
        "--lines", choices=("segments", "tokens"),
        help=tr(
            "whether each line is a segment or a token (with empty lines between segments), for files with at most "
            "one tag per line; required if this cannot be detected from empty lines, the MT or the gold"
        ),
    )  # fmt: skip


def line_unit_option(value: str | None) -> LineUnit | None:
    """Return the line unit that a value of `--lines` specifies; None if the option is absent."""
    return None if value is None else LineUnit[value.upper()]


def add_numbers(parser: argparse.ArgumentParser) -> None:
    """Add the option that states whether numbers are probabilities of BAD or of OK."""
    parser.add_argument(
        "--numbers", choices=("BAD", "OK"), type=str.upper,
        help=tr(
            "the label whose probabilities the files contain (default: BAD, but OK for log-probabilities); "
            "required if all are 0 or 1"
        ),
    )  # fmt: skip


def add_metrics(parser: argparse.ArgumentParser, help_text: str) -> None:
    """Add the option for the metrics to compute; `help_text` is the description of the option."""
    parser.add_argument("--metric", nargs="+", action="extend", metavar="M", help=help_text)


def add_match(parser: argparse.ArgumentParser) -> None:
    """Add the option that maps names in files to systems."""
    parser.add_argument(
        "--match", nargs="+", action="extend", metavar="NAME=SYSTEM", default=[],
        help=tr("SYSTEM is the system that is called NAME in files of scores or ratings"),
    )  # fmt: skip


def add_lower(parser: argparse.ArgumentParser) -> None:
    """Add the option that names metrics for which lower is better."""
    parser.add_argument(
        "--lower", nargs="+", action="extend", metavar="METRIC", default=[],
        help=tr("metrics for which lower is better"),
    )  # fmt: skip
