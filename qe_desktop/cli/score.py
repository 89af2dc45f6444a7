"""`qe-desktop score`: score systems by tags, segment scores, translations or human ratings."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable
from dataclasses import replace
from functools import partial

from qe_desktop.cli.command_options import LazyArgumentParser, add_metrics
from qe_desktop.cli.level_inputs import add_inputs, group_commands, read_inputs
from qe_desktop.cli.output import add_output, print_error, write_report
from qe_desktop.cli.scoring_commands import (
    CommandResult,
    add_documents,
    add_interval_options,
    check_rounds_need_intervals,
    document_unit_warnings,
    run_per_language_pair,
    with_documents,
)
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import LevelGroup
from qe_desktop.metrics import get_metrics
from qe_desktop.report import ScoreReport


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `score` and a subcommand for each group of levels."""
    parser = subparsers.add_parser(
        "score", help=tr("score systems by tags, segment scores, translations or human ratings")
    )
    add_level_parsers(parser, _add_options)


def _add_options(group: LevelGroup, options: argparse.ArgumentParser) -> None:
    add_metrics(options, tr("metrics (default: all)"))
    add_interval_options(options)
    add_documents(options)
    add_output(options)
    options.set_defaults(run=partial(run, group))


def add_level_parsers(
    parser: argparse.ArgumentParser, add_options: Callable[[LevelGroup, argparse.ArgumentParser], None]
) -> None:
    """Add a subcommand for each group of levels.

    Each subcommand has the options for the inputs of its group, and the options that `add_options` adds. They are
    created only when the subcommand is used.
    """
    groups = group_commands()
    levels = parser.add_subparsers(
        dest="thing", required=True, metavar="|".join(groups), parser_class=LazyArgumentParser
    )
    epilog = tr("Use - instead of a file name to read standard input, or NAME=- to name the system as well.")

    def fill(group: LevelGroup, options: LazyArgumentParser) -> None:
        add_inputs(group, options)
        add_options(group, options)

    for name, group in groups.items():
        levels.add_parser(name, help=group.description, epilog=epilog).fill = partial(fill, group)


def run(group: LevelGroup, args: argparse.Namespace) -> int:
    """Score systems and write the report."""
    report = run_per_language_pair(args, partial(_score, group))
    write_report(args, report)
    is_single = isinstance(report, ScoreReport) and len(report.systems) < 2
    if args.format == "table" and not args.json and not is_single and sys.stdout.isatty():
        print_error(tr("For ranks and significance tests, run: qe-desktop compare {level} …", level=args.thing))
    return 0


def _score(group: LevelGroup, args: argparse.Namespace) -> CommandResult:
    check_rounds_need_intervals(args)
    inputs = read_inputs(group, args)
    scoring = with_documents(inputs, args)
    level = scoring.level
    metrics = get_metrics(args.metric or level.metrics, level.metrics, level.items)
    names = [metric.name for metric in metrics]
    main_metric = level.main_metric if level.main_metric in names else names[0]
    # files keep the order of the input
    sort_metric = main_metric if args.format == "table" else ""
    if not args.intervals:
        report = ScoreReport.build(scoring, metrics, inputs.notes)
        return CommandResult(scoring, replace(report, sort_metric=sort_metric))
    from qe_desktop.significance import SignificanceOptions

    options = SignificanceOptions(
        seed=args.seed, unit=args.unit, interval_method=args.intervals, interval_rounds=args.interval_rounds
    )
    notes = (*inputs.notes, *document_unit_warnings([scoring], args))
    report = ScoreReport.build_with_intervals(scoring, metrics, notes, options)
    return CommandResult(scoring, replace(report, sort_metric=sort_metric))
