"""`qe-desktop compare`: which differences between systems are real."""

from __future__ import annotations

import argparse
from dataclasses import replace
from functools import partial
from typing import Any

from qe_desktop.cli.drawing import add_documents, add_drawing, add_judging, in_documents
from qe_desktop.cli.numbers import seed
from qe_desktop.cli.output import add_output, emit, progress
from qe_desktop.cli.score import things
from qe_desktop.corpus import QeError
from qe_desktop.levels import Group, Level
from qe_desktop.metrics import metrics_named
from qe_desktop.report.comparisons import comparison_json, matrix_table, pairs_table
from qe_desktop.significance import Options
from qe_desktop.wording import tr


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `compare` and what can be compared."""
    parser = subparsers.add_parser("compare", help=tr("test which differences between systems are significant"))
    for group, options in things(parser):
        _add_options(options, group.levels[0])
        options.set_defaults(run=partial(run, group))


def _add_options(parser: argparse.ArgumentParser, level: Level) -> None:
    usual = tr("metrics; {names} when not given", names=", ".join(level.tested))
    parser.add_argument("--metric", nargs="+", action="extend", metavar="M", help=usual)
    # a test that is for other things is known, so that it can be said why
    parser.add_argument("--test", choices=(*level.tests, *level.untested), help=tr("the usual one when not given"))
    add_judging(parser)
    add_drawing(parser)
    add_documents(parser)
    parser.add_argument("--top", type=seed, metavar="N", help=tr("systems in the top half for d (half, rounded down)"))
    add_output(parser)


def run(group: Group, args: argparse.Namespace) -> int:
    """Compare systems."""
    level = group.levels[0]
    if args.test in level.untested:
        usual = f"--test {level.tests[0]}"
        for name in level.tests[1:]:
            usual = tr("{options} or {option}", options=usual, option=f"--test {name}")
        raise QeError(level.untested[args.test], hint=tr("Use {options}.", options=usual))
    metrics = metrics_named(args.metric or level.tested, level.metrics, level.items)
    read = group.read(args)
    scoring = in_documents(read, args)
    if len(scoring.subjects) < 2:
        raise QeError(tr("a comparison takes at least two systems"), hint=tr("Give --system once for each."))
    test = args.test or level.usual_test(metrics, args.unit)
    options = Options(test, args.rounds, args.seed, args.unit, args.correction, args.alpha, args.top)
    with progress(tr("{test}, {n:,} rounds", "", args.rounds, test=test)) as watch:
        rows = scoring.family_rows(metrics)
        comparison = scoring.compared(rows, metrics, options, watch)
    intervals = scoring.intervals(rows, options, args.intervals) if args.intervals else None
    result: dict[str, Any] = comparison_json(comparison, intervals)
    result["notes"] = [*read.notes, *result["notes"]]
    if args.format == "tsv" and not args.json:
        emit(args, result, [pairs_table(comparison)])
        return 0
    tables = [matrix_table(comparison, metric.name, intervals=intervals) for metric in metrics]
    tables[0] = replace(tables[0], notes=(*tables[0].notes, *result["notes"]))
    emit(args, result, tables)
    return 0
