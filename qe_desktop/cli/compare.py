"""`qe-desktop compare`: which differences between systems are significant."""

from __future__ import annotations

import argparse
from functools import partial

from qe_desktop.cli.drawing import (
    add_documents,
    add_drawing,
    add_judging,
    document_remarks,
    in_documents,
    refuse_rounds_alone,
)
from qe_desktop.cli.numbers import seed
from qe_desktop.cli.output import add_output, emit, progress
from qe_desktop.cli.pairs import Answer, of_each_pair
from qe_desktop.cli.score import add_things, read_once
from qe_desktop.corpus import QeError
from qe_desktop.levels import Group
from qe_desktop.metrics import metrics_named
from qe_desktop.report.comparisons import ComparisonReport
from qe_desktop.report.scores import intervals_made
from qe_desktop.significance import Options, procedure
from qe_desktop.wording import tr


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `compare` and what can be compared."""
    parser = subparsers.add_parser("compare", help=tr("test which differences between systems are significant"))
    add_things(parser, _add_options)


def _add_options(group: Group, parser: argparse.ArgumentParser) -> None:
    level = group.levels[0]
    usual = tr("metrics; {names} when not given", names=", ".join(level.tested))
    parser.add_argument("--metric", nargs="+", action="extend", metavar="M", help=usual)
    # a test that is for other things is known, so that it can be said why
    parser.add_argument("--test", choices=(*level.tests, *level.untested), help=tr("the usual one when not given"))
    add_judging(parser)
    add_drawing(parser)
    add_documents(parser)
    parser.add_argument("--top", type=seed, metavar="N", help=tr("systems in the top half for d (half, rounded down)"))
    add_output(parser)
    parser.set_defaults(run=partial(run, group))


def run(group: Group, args: argparse.Namespace) -> int:
    """Compare systems."""
    emit(args, of_each_pair(args, partial(_compared, group)))
    return 0


def _compared(group: Group, args: argparse.Namespace) -> Answer:
    refuse_rounds_alone(args)
    read = read_once(group, args)
    scoring = in_documents(read, args)
    # what was read says which metrics there are, and how texts are cut for them
    level = scoring.level
    metrics = metrics_named(args.metric or level.tested, level.metrics, level.items)
    test = level.chosen_test(args.test, metrics, args.unit)
    scoring.refuse_fewer_than_two()
    if args.top is not None and args.top > len(scoring.subjects):
        message = tr(
            "there {n:is|are} {n} {n:system|systems}, so the top half cannot have {top}",
            "",
            len(scoring.subjects),
            top=args.top,
        )
        raise QeError(message, hint=tr("Give a smaller --top."))
    options = Options(test, args.rounds, args.seed, args.unit, args.correction, args.alpha, args.top)
    with progress(_doing(test, args.rounds)) as watch:
        rows = scoring.family_rows(metrics)
        comparison = scoring.compared(rows, metrics, options, watch)
    intervals, made = None, dict[str, object]()
    if args.intervals:
        intervals = scoring.intervals(rows, options, args.intervals, rounds=args.interval_rounds)
        made = intervals_made(scoring, metrics, options, args.intervals, args.interval_rounds)
    remarks = (*read.notes, *document_remarks([scoring], args))
    return Answer(scoring, ComparisonReport.made(scoring, comparison, remarks, intervals, made))


def _doing(test: str, rounds: int) -> str:
    """Which test is made, and in how many rounds."""
    made = procedure(test)
    return made.title if made.closed else tr("{test}, {n:,} {n:round|rounds}", "", rounds, test=made.title)
