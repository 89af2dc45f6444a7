"""`qe-desktop study`: studies of metrics and studies of post-editing, each in a module."""

from __future__ import annotations

import argparse

from qe_desktop.cli.command_options import LazyArgumentParser
from qe_desktop.cli.study import labellings, meta_evaluation, post_editing, sampling, thresholds
from qe_desktop.i18n.messages import tr


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `study` and its subcommands."""
    parser = subparsers.add_parser(
        "study", help=tr("study metrics (trivial baselines, thresholds, sample sizes, human scores) and post-editing")
    )
    kinds = parser.add_subparsers(
        dest="study",
        required=True,
        metavar="meta-evaluation|labellings|post-editing|sampling|thresholds",
        parser_class=LazyArgumentParser,
    )
    for study in (meta_evaluation, labellings, post_editing, sampling, thresholds):
        study.add_parser(kinds)
