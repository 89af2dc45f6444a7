"""`qe-desktop compare`: significance of the differences between systems."""

from __future__ import annotations

import argparse
from functools import partial

from qe_desktop.cli.command_options import add_metrics
from qe_desktop.cli.level_inputs import read_inputs
from qe_desktop.cli.output import add_output, progress, write_report
from qe_desktop.cli.score import add_level_parsers
from qe_desktop.cli.scoring_commands import (
    CommandResult,
    add_documents,
    add_interval_options,
    add_test_options,
    add_top,
    check_rounds_need_intervals,
    document_unit_warnings,
    run_per_language_pair,
    with_documents,
)
from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import LevelGroup
from qe_desktop.metrics import get_metrics
from qe_desktop.report.comparisons import ComparisonReport
from qe_desktop.report.scores import interval_signature
from qe_desktop.significance import SignificanceOptions, get_test


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add the command `compare`, with a subcommand for each group of levels."""
    parser = subparsers.add_parser("compare", help=tr("test which differences between systems are significant"))
    add_level_parsers(parser, _add_options)


def _add_options(group: LevelGroup, parser: argparse.ArgumentParser) -> None:
    level = group.levels[0]
    add_metrics(parser, tr("metrics (default: {names})", names=", ".join(level.tested_metrics)))
    metrics = get_metrics(level.tested_metrics, level.metrics, level.items)
    defaults = {level.default_test(metrics, unit) for unit in ("segment", "document")}
    # `resolve_test` rejects other tests, with the reason why they do not apply
    parser.add_argument(
        "--test",
        metavar=f"{{{','.join(level.tests)}}}",
        help=tr("the significance test; the default depends on the metrics and the resampling unit")
        if len(defaults) > 1
        else tr("the significance test (default: {name})", name=next(iter(defaults))),
    )
    add_test_options(parser)
    add_interval_options(parser)
    add_documents(parser)
    add_top(parser)
    add_output(parser)
    parser.set_defaults(run=partial(run, group))


def run(group: LevelGroup, args: argparse.Namespace) -> int:
    """Compare systems and write the report."""
    write_report(args, run_per_language_pair(args, partial(_compare, group)))
    return 0


def _compare(group: LevelGroup, args: argparse.Namespace) -> CommandResult:
    check_rounds_need_intervals(args)
    inputs = read_inputs(group, args)
    scoring = with_documents(inputs, args)
    # the inputs determine which metrics exist and how texts are tokenized for them
    level = scoring.level
    metrics = get_metrics(args.metric or level.tested_metrics, level.metrics, level.items)
    test = level.resolve_test(args.test, metrics, args.unit)
    scoring.require_two_subjects()
    if args.top is not None and args.top > len(scoring.subjects):
        message = tr(
            "there {n:is|are} only {n} {n:system|systems}, so --top cannot be {top}",
            "",
            len(scoring.subjects),
            top=args.top,
        )
        raise QeError(message, hint=tr("Use a smaller --top."))
    options = SignificanceOptions(
        test, args.rounds, args.seed, args.unit, args.correction, args.alpha, args.top,
        args.intervals or "bootstrap", args.interval_rounds,
    )  # fmt: skip
    with progress(_test_title(test, args.rounds)) as on_progress:
        rows = scoring.family_rows(metrics)
        comparison = scoring.compare_rows(rows, metrics, options, on_progress)
    intervals, signature = None, dict[str, object]()
    if args.intervals:
        intervals, signature = scoring.intervals(rows, options), interval_signature(scoring, metrics, options)
    notes = (*inputs.notes, *document_unit_warnings([scoring], args))
    return CommandResult(scoring, ComparisonReport.build(scoring, comparison, notes, intervals, signature))


def _test_title(test: str, rounds: int) -> str:
    """Title of a test, with the number of trials unless the p-values have a closed form."""
    significance_test = get_test(test)
    return (
        significance_test.title
        if significance_test.is_closed_form
        else tr("{test}, {n:,} {n:trial|trials}", "", rounds, test=significance_test.title)
    )
