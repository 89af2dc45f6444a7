"""How arguments are read: usage errors are one line, and options are put together for the command that is given."""

from __future__ import annotations

import argparse
import math
from collections.abc import Callable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, NoReturn

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr


class LazyArgumentParser(argparse.ArgumentParser):
    """A parser whose `fill` adds its options when they are first asked for: what another command reads stays away."""

    fill: Callable[[LazyArgumentParser], None] | None = None

    def parse_known_args(self, args: Sequence[str] | None = None, namespace: Any = None) -> Any:  # type: ignore[override]
        """The arguments, by all options."""
        self.complete()
        return super().parse_known_args(args, namespace)

    def complete(self) -> None:
        """Add the options that are still to come."""
        fill, self.fill = self.fill, None
        if fill is not None:
            fill(self)

    def error(self, message: str) -> NoReturn:
        """Usage errors as all errors: one line."""
        raise QeError(message, hint=tr("See {command} --help.", command=self.prog))


MAX_WORKERS = 1_024
MAX_ZEROS = 20
"""Before or behind the point of a share."""


def rounds(text: str) -> int:
    """A number of rounds, from the command line."""
    return _number(text, 1, tr("rounds must be a whole number from 1"))


def interval_rounds(text: str) -> int:
    """A number of resamples that is enough for a 95 % interval, from the command line."""
    from qe_desktop.significance.score_intervals import MAX_INTERVAL_ROUNDS, MIN_INTERVAL_ROUNDS

    message = tr("must be a whole number from {least} to {most:,}", least=MIN_INTERVAL_ROUNDS, most=MAX_INTERVAL_ROUNDS)
    return _number(text, MIN_INTERVAL_ROUNDS, message, MAX_INTERVAL_ROUNDS)


def seed(text: str) -> int:
    """A seed or a number of systems, from the command line."""
    return _number(text, 0, tr("must be a whole number from 0"))


def _number(text: str, least: int, message: str, most: float = math.inf) -> int:
    try:
        number = int(text)
    except ValueError:
        raise argparse.ArgumentTypeError(message) from None
    if not least <= number <= most:
        raise argparse.ArgumentTypeError(message)
    return number


def size(text: str) -> int:
    """A number of data sets, from the command line."""
    return _number(text, 2, tr("must be a whole number from 2"))


def workers(text: str) -> int:
    """A number of workers, from the command line: more would only be threads that wait."""
    return _number(text, 1, tr("workers must be a whole number from 1 to {most:,}", most=MAX_WORKERS), MAX_WORKERS)


def percent(text: str) -> Decimal:
    """A share in per cent, from the command line, with all its decimals."""
    try:
        number = Decimal(text.removesuffix("%").strip())
    except InvalidOperation:
        raise argparse.ArgumentTypeError(tr("must be a percentage, such as 30.01")) from None
    # what is far smaller or larger would be written out with all its zeros
    if not number.is_finite() or (number and not -MAX_ZEROS <= number.adjusted() <= MAX_ZEROS):
        raise argparse.ArgumentTypeError(tr("must be a percentage, such as 30.01"))
    return number


def share(text: str) -> float:
    """A level of significance, from the command line."""
    try:
        number = float(text)
    except ValueError:
        number = 0.0
    if not 0 < number < 1:
        raise argparse.ArgumentTypeError(tr("must be between 0 and 1"))
    return number
