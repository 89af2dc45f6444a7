"""Options of commands: a parser that adds them lazily, and the options and values that several commands share."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from qe_desktop.corpus import QeError
from qe_desktop.formats.importing.planned_file import LineUnit
from qe_desktop.i18n.messages import tr


class LazyArgumentParser(argparse.ArgumentParser):
    """Parser that calls `fill` on first use to add its options.

    The modules that `fill` imports are therefore not imported if another command runs.
    """

    fill: Callable[[LazyArgumentParser], None] | None = None

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """Parse the arguments after adding all options.

        Unknown arguments are rejected here, so that the message names the command to which they were passed.
        """
        self.add_options()
        parsed, unknown = super().parse_known_args(args, namespace)
        if unknown:
            self.error(tr("unrecognized arguments: {arguments}", arguments=" ".join(unknown)))
        return parsed, unknown

    def add_options(self) -> None:
        """Add the options unless they have been added already."""
        fill, self.fill = self.fill, None
        if fill is not None:
            fill(self)

    def error(self, message: str) -> NoReturn:
        """Raise QeError for a usage error, which is then reported in one line, like other errors."""
        raise QeError(message, hint=tr("See {command} --help.", command=self.prog))


MAX_WORKERS = 1_024
MAX_EXPONENT = 20
"""Maximum absolute value of the decimal exponent of a percentage, in scientific notation."""


def parse_rounds(text: str) -> int:
    """Parse a number of trials or resamples. Raises ArgumentTypeError unless it is a whole number of at least 1."""
    return _parse_integer(text, 1, tr("must be a whole number of at least 1"))


def parse_interval_rounds(text: str) -> int:
    """Parse a number of resamples for intervals.

    Raises ArgumentTypeError unless it is a whole number from `MIN_INTERVAL_ROUNDS` to `MAX_INTERVAL_ROUNDS`.
    """
    from qe_desktop.significance.score_intervals import MAX_INTERVAL_ROUNDS, MIN_INTERVAL_ROUNDS

    message = tr("must be a whole number from {least} to {most:,}", least=MIN_INTERVAL_ROUNDS, most=MAX_INTERVAL_ROUNDS)
    return _parse_integer(text, MIN_INTERVAL_ROUNDS, message, MAX_INTERVAL_ROUNDS)


def parse_seed(text: str) -> int:
    """Parse a seed or a number of systems. Raises ArgumentTypeError unless it is a whole number of at least 0."""
    return _parse_integer(text, 0, tr("must be a whole number of at least 0"))


def _parse_integer(text: str, minimum: int, message: str, maximum: float = math.inf) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(message) from None
    if not minimum <= number <= maximum:
        raise argparse.ArgumentTypeError(message)
    return number


def parse_size(text: str) -> int:
    """Parse a number of data sets. Raises ArgumentTypeError unless it is a whole number of at least 2."""
    return _parse_integer(text, 2, tr("must be a whole number of at least 2"))


def parse_workers(text: str) -> int:
    """Parse a number of workers. Raises ArgumentTypeError unless it is a whole number from 1 to `MAX_WORKERS`."""
    return _parse_integer(text, 1, tr("must be a whole number from 1 to {most:,}", most=MAX_WORKERS), MAX_WORKERS)


def parse_percentage(text: str) -> Decimal:
    """Parse a percentage as an exact decimal number.

    Raises ArgumentTypeError if the text is not a finite number, or if the absolute value of its decimal exponent in
    scientific notation exceeds `MAX_EXPONENT`.
    """
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        raise argparse.ArgumentTypeError(tr("must be a percentage, such as 30.01")) from None
    # much smaller or larger numbers would be written with all their zeros
    if not number.is_finite() or (number and not -MAX_EXPONENT <= number.adjusted() <= MAX_EXPONENT):
        raise argparse.ArgumentTypeError(tr("must be a percentage, such as 30.01"))
    return number


def parse_significance_level(text: str) -> float:
    """Parse a significance level from the command line. Raises ArgumentTypeError unless 0 < level < 1."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(tr("must be greater than 0 and less than 1"))
    return number


def add_language_pair(parser: argparse.ArgumentParser) -> None:
    """Add the option that selects language pairs."""
    # imported here: converting a file needs no levels
    from qe_desktop.levels.system_files import PAIR_PLACEHOLDER

    help_text = tr(
        "the language pair, such as en-de, to use if a file has several. If you specify several pairs, each is scored "
        "and replaces {pair} in file names",
        pair=PAIR_PLACEHOLDER,
    )
    parser.add_argument("--language-pair", nargs="+", action="extend", metavar="LP", default=[], help=help_text)


def add_lines(parser: argparse.ArgumentParser) -> None:
    """Add `--lines`: in files with at most one tag per line, whether each line is a segment or a token."""
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
            "required if all numbers are 0 or 1"
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
