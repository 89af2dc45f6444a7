"""`qe-desktop study thresholds`: metric scores of the tags that result from every threshold on word scores."""

from __future__ import annotations

import argparse
from functools import partial
from typing import TYPE_CHECKING

from qe_desktop.cli.command_options import LazyArgumentParser
from qe_desktop.cli.output import add_output, progress, write_report
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import join_localized, tr

if TYPE_CHECKING:
    from qe_desktop.cli.scoring_commands import CommandResult


def add_parser(kinds: argparse._SubParsersAction[LazyArgumentParser]) -> None:
    """Add `thresholds` to the studies."""
    description = tr("find the threshold on P(BAD) or other word scores that gives the best tags, for each metric")
    kinds.add_parser("thresholds", help=description, description=description).fill = _add_options


def _add_options(parser: LazyArgumentParser) -> None:
    from qe_desktop.cli.command_options import add_language_pair, add_lines, add_metrics, add_numbers
    from qe_desktop.cli.level_inputs import add_mt
    from qe_desktop.cli.scoring_commands import add_interval_rounds, add_seed
    from qe_desktop.levels.words import WORD_LEVEL
    from qe_desktop.levels.words.tag_inputs import WORD_KINDS

    parser.add_argument("--gold", required=True, metavar="FILE", help=tr("gold tags"))
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's scores, one per tag of the gold; a folder stands for its files; may be repeated"),
    )  # fmt: skip
    add_mt(parser)
    parser.add_argument(
        "--dev-gold", metavar="FILE", help=tr("gold tags of a development set, from which thresholds are selected")
    )
    parser.add_argument(
        "--dev", nargs="+", action="extend", metavar="[NAME=]FILE", default=[],
        help=tr("a system's scores for the development set; NAME must be a system of --system; may be repeated"),
    )  # fmt: skip
    parser.add_argument("--dev-mt", metavar="FILE", help=tr("the tokenized MT of the development set"))
    parser.add_argument("--kind", choices=WORD_KINDS, default="words", help=tr("the tags to score (default: words)"))
    add_numbers(parser)
    add_language_pair(parser)
    add_lines(parser)
    add_metrics(parser, tr("metrics (default: {names})", names=", ".join(WORD_LEVEL.tested_metrics)))
    add_seed(parser)
    add_interval_rounds(parser)
    parser.add_argument(
        "--curves",
        action="store_true",
        help=tr("include all thresholds in JSON output; TSV output always includes them"),
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Study the thresholds for each language pair, and write the report.

    Raises QeError if only one of `--dev` and `--dev-gold` is specified.
    """
    from qe_desktop.cli.scoring_commands import run_per_language_pair

    if bool(args.dev) != (args.dev_gold is not None):
        message = tr("a development set needs both gold tags and scores")
        raise QeError(message, hint=tr("Specify --dev-gold and --dev."), place=SourceLocation("--dev"))
    write_report(args, run_per_language_pair(args, _study))
    return 0


def _study(args: argparse.Namespace) -> CommandResult:
    from qe_desktop.cli.command_options import line_unit_option
    from qe_desktop.cli.scoring_commands import CommandResult
    from qe_desktop.formats import ProbabilityOf
    from qe_desktop.formats.text_files import check_read_once
    from qe_desktop.levels.words.tag_inputs import scoring_of
    from qe_desktop.metrics import get_metrics
    from qe_desktop.report.thresholds import ThresholdsReport
    from qe_desktop.studies.threshold_inputs import check_dev_systems, read_threshold_data
    from qe_desktop.studies.threshold_study import study_thresholds

    file_names = [args.gold, *args.system, args.mt, args.dev_gold, *args.dev, args.dev_mt]
    check_read_once(name for name in file_names if name is not None)
    read_data = partial(
        read_threshold_data, kind=args.kind, language_pair=args.language_pair, lines=line_unit_option(args.lines),
        numbers=ProbabilityOf[args.numbers] if args.numbers else None,
    )  # fmt: skip
    inputs = read_data(args.gold, args.system, args.mt)
    notes, dev = list(inputs.notes), None
    if args.dev_gold is not None:
        dev_inputs = read_data(args.dev_gold, args.dev, args.dev_mt)
        check_dev_systems(inputs.data.systems, dev_inputs.data.systems)
        dev = dev_inputs.data
        notes += [join_localized(": ", ("dev", note)) for note in dev_inputs.notes if note not in notes]
    scoring = scoring_of(inputs.gold.level(args.kind), inputs.gold.tags, {})
    level = scoring.level
    metrics = get_metrics(args.metric or level.tested_metrics, level.metrics, level.items)
    with progress(tr("{n} {n:system|systems}", "", len(inputs.data.systems))) as on_progress:
        study = study_thresholds(
            inputs.data, metrics, dev, seed=args.seed, rounds=args.interval_rounds, on_progress=on_progress
        )
    return CommandResult(scoring, ThresholdsReport.build(scoring, study, tuple(notes), curves=args.curves))
