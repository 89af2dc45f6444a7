"""`qe-desktop score`: scores of systems against a reference."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from functools import partial

from qe_desktop.cli.drawing import add_documents, add_drawing, document_remarks, in_documents, refuse_rounds_alone
from qe_desktop.cli.output import add_output, emit
from qe_desktop.cli.pairs import Answer, of_each_pair
from qe_desktop.cli.parsing import Parser
from qe_desktop.cli.projects import read_projects
from qe_desktop.formats.standard_input import refuse_twice
from qe_desktop.levels import GROUPS, Group, Read
from qe_desktop.metrics import metrics_named
from qe_desktop.report import ScoreReport
from qe_desktop.wording import tr


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `score` and what can be scored."""
    parser = subparsers.add_parser("score", help=tr("score systems against gold"))
    add_things(parser, _add_options)


def _add_options(group: Group, options: argparse.ArgumentParser) -> None:
    usual = tr("metrics; all when not given")
    options.add_argument("--metric", nargs="+", action="extend", metavar="M", help=usual)
    add_drawing(options)
    add_documents(options)
    add_output(options)
    options.set_defaults(run=partial(run, group))


def add_things(parser: argparse.ArgumentParser, more: Callable[[Group, argparse.ArgumentParser], None]) -> None:
    """A parser for each thing that can be scored, with the options that say what is, and then those that `more` adds,
    once it is asked for.
    """
    found = parser.add_subparsers(dest="thing", required=True, metavar="|".join(GROUPS), parser_class=Parser)
    once = tr("- stands for standard input, as one of the files or as a system's: NAME=-")

    def fill(group: Group, options: Parser) -> None:
        group.add_inputs(options)
        more(group, options)

    for group in GROUPS.values():
        found.add_parser(group.name, help=group.about, epilog=once).fill = partial(fill, group)


def read_once(group: Group, args: argparse.Namespace) -> Read:
    """What the options name, of which one file may be standard input."""
    given = [value if isinstance(value, list) else [value] for value in vars(args).values()]
    refuse_twice(one for values in given for one in values if isinstance(one, str))
    read_projects(args)
    return group.read(args)


def run(group: Group, args: argparse.Namespace) -> int:
    """Score."""
    emit(args, of_each_pair(args, partial(_scored, group)))
    return 0


def _scored(group: Group, args: argparse.Namespace) -> Answer:
    refuse_rounds_alone(args)
    read = read_once(group, args)
    scoring = in_documents(read, args)
    level = scoring.level
    metrics = metrics_named(args.metric or level.metrics, level.metrics, level.items)
    if not args.intervals:
        return Answer(scoring, ScoreReport.made(scoring, metrics, read.notes))
    from qe_desktop.significance import Options

    drawn = Options(seed=args.seed, unit=args.unit)
    remarks = (*read.notes, *document_remarks([scoring], args))
    report = ScoreReport.drawn(scoring, metrics, remarks, drawn, args.intervals, args.interval_rounds)
    return Answer(scoring, report)
