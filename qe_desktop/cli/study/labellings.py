"""`qe-desktop study labellings`: metric scores of trivial baselines (tags derived from the gold tags by rules)."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import LazyArgumentParser, parse_rounds
from qe_desktop.cli.output import add_output, print_error, progress, write_report
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.cli.scoring_commands import CommandResult


def add_parser(kinds: argparse._SubParsersAction[LazyArgumentParser]) -> None:
    """Add `labellings` to the studies."""
    description = tr(
        "check whether metrics rank all-BAD and other trivial baselines below real systems (Logacheva et al. 2016)"
    )
    kinds.add_parser("labellings", help=description, description=description).fill = _add_options


def _add_options(parser: LazyArgumentParser) -> None:
    from qe_desktop.cli.command_options import add_metrics
    from qe_desktop.cli.level_inputs import add_inputs
    from qe_desktop.cli.scoring_commands import add_documents, add_interval_options, add_test_options, add_top
    from qe_desktop.levels.words import GROUP, WORD_LEVEL
    from qe_desktop.studies.synthetic_labellings import LABELLINGS

    add_inputs(GROUP, parser)
    add_metrics(parser, tr("metrics (default: {names})", names=", ".join(WORD_LEVEL.tested_metrics)))
    parser.add_argument(
        "--labellings", nargs="+", action="extend", choices=LABELLINGS, metavar="NAME",
        help=tr("the baselines to use: {names} (default: all)", names=", ".join(LABELLINGS)),
    )  # fmt: skip
    parser.add_argument(
        "--draws", type=parse_rounds, default=1, metavar="K",
        help=tr("number of samples of each random baseline, for its mean and range (default: 1)"),
    )  # fmt: skip
    add_test_options(parser)
    add_interval_options(parser, methods=("bootstrap",))
    add_documents(parser)
    add_top(parser)
    parser.add_argument(
        "--write", metavar="DIR", help=tr("write the baselines as tag files, synthetic-NAME.tags, to this folder")
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Study the trivial baselines for each language pair, and write the report.

    Raises QeError if the baseline files of several language pairs would overwrite each other.
    """
    from qe_desktop.cli.scoring_commands import run_per_language_pair
    from qe_desktop.levels.system_files import PAIR_PLACEHOLDER

    if args.write is not None and len(set(args.language_pair)) > 1 and PAIR_PLACEHOLDER not in args.write:
        message = tr("the baselines of several language pairs would overwrite each other")
        hint = tr("Use {pair} as the placeholder for the language pair in the folder name.", pair=PAIR_PLACEHOLDER)
        raise QeError(message, hint=hint, place=SourceLocation("--write"))
    write_report(args, run_per_language_pair(args, _study))
    return 0


def _study(args: argparse.Namespace) -> CommandResult:
    from qe_desktop.cli.level_inputs import read_inputs
    from qe_desktop.cli.scoring_commands import (
        CommandResult,
        check_rounds_need_intervals,
        document_unit_warnings,
        with_documents,
    )
    from qe_desktop.levels.words import GROUP
    from qe_desktop.metrics import get_metrics
    from qe_desktop.report.labellings import LabellingsReport
    from qe_desktop.significance import SignificanceOptions
    from qe_desktop.studies.labelling_study import LabellingOptions, real_systems, study_labellings
    from qe_desktop.studies.synthetic_labellings import LABELLINGS, write_labellings

    check_rounds_need_intervals(args)
    inputs = read_inputs(GROUP, args)
    scoring, excluded = real_systems(with_documents(inputs, args))
    level = scoring.level
    metrics = get_metrics(args.metric or level.tested_metrics, level.metrics, level.items)
    baselines = tuple(name for name in LABELLINGS if name in (args.labellings or LABELLINGS))
    significance_options = SignificanceOptions(
        "randomisation", args.rounds, args.seed, args.unit, args.correction, args.alpha, args.top
    )
    options = LabellingOptions(
        significance_options, baselines, args.draws, bool(args.intervals), args.interval_rounds or 0
    )
    with progress(tr("{n:,} {n:trial|trials}", "", args.rounds)) as on_progress:
        study = study_labellings(scoring, metrics, options, on_progress)
    notes = [*inputs.notes, *document_unit_warnings([scoring], args)]
    if excluded:
        names = ", ".join(excluded)
        notes.append(tr("not counted as systems, because they are named like baselines: {names}", names=names))
    if args.write is not None:
        gold = scoring.view.tags(scoring.reference)
        files = write_labellings(Path(args.write), gold, baselines, args.seed, args.draws)
        print_error(tr("{n:,} {n:file|files} of baselines written to {folder}", "", len(files), folder=args.write))
    return CommandResult(scoring, LabellingsReport.build(scoring, study, tuple(notes)))
