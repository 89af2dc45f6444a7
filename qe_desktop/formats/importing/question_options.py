"""Command-line options that answer questions about files."""

from __future__ import annotations

import argparse

from qe_desktop.formats.importing.questions import LineUnit
from qe_desktop.i18n.messages import tr


def line_unit_option(value: str | None) -> LineUnit | None:
    """Value of `--lines`; None if absent."""
    return None if value is None else LineUnit[value.upper()]


def add_lines(parser: argparse.ArgumentParser) -> None:
    """Option for what a line is if no line has more than one tag."""
    parser.add_argument(
        "--lines", choices=("segments", "tokens"),
        help=tr(
            "if no line has more than one tag, what a line is: a segment, or a token with empty lines between "
            "segments; needed if neither empty lines nor the MT nor the gold tell"
        ),
    )  # fmt: skip


def add_unblind(parser: argparse.ArgumentParser) -> None:
    """Option to show the systems of a blind campaign by name."""
    parser.add_argument(
        "--unblind", metavar="REASON", type=_reason,
        help=tr(
            "show the systems of a blind campaign by name: the project's log records who did so, when and why; "
            "this cannot be undone"
        ),
    )  # fmt: skip


def _reason(text: str) -> str:
    if not text.strip():
        raise argparse.ArgumentTypeError(tr("the log needs a reason, such as: all ratings are complete"))
    return text.strip()
