"""`qe-desktop study labellings`: how metrics rate labellings that are made of the gold by a rule."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from qe_desktop.cli.numbers import rounds
from qe_desktop.cli.output import add_output, emit, progress, say
from qe_desktop.cli.parsing import Parser
from qe_desktop.corpus import Place, QeError
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.cli.pairs import Answer


def add_parser(kinds: argparse._SubParsersAction[Parser]) -> None:
    """Add `labellings` to what can be studied."""
    about = tr("whether metrics rate all-BAD and other labellings of no use below real systems (Logacheva et al. 2016)")
    kinds.add_parser("labellings", help=about, description=about).fill = _fill


def _fill(parser: Parser) -> None:
    from qe_desktop.cli.drawing import add_documents, add_drawing, add_judging
    from qe_desktop.cli.numbers import seed
    from qe_desktop.levels.words import GROUP, WORDS
    from qe_desktop.studies.labellings import LABELLINGS

    GROUP.add_inputs(parser)
    usual = tr("metrics; {names} when not given", names=", ".join(WORDS.tested))
    parser.add_argument("--metric", nargs="+", action="extend", metavar="M", help=usual)
    parser.add_argument(
        "--labellings", nargs="+", action="extend", choices=LABELLINGS, metavar="NAME",
        help=tr("which ones of {names}; all when not given", names=", ".join(LABELLINGS)),
    )  # fmt: skip
    parser.add_argument(
        "--draws", type=rounds, default=1, metavar="K",
        help=tr("how often those that are drawn are drawn, for their mean and range (1)"),
    )  # fmt: skip
    add_judging(parser)
    add_drawing(parser, ways=("bootstrap", "fisher"))
    add_documents(parser)
    parser.add_argument("--top", type=seed, metavar="N", help=tr("systems in the top half for d (half, rounded down)"))
    parser.add_argument(
        "--write",
        metavar="DIR",
        help=tr("write the labellings as files of tags, synthetic-NAME.tags, into this folder"),
    )
    add_output(parser)
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Study labellings, of each language pair that is named."""
    from qe_desktop.cli.pairs import of_each_pair
    from qe_desktop.levels.files import PAIR

    if args.write is not None and len(set(args.language_pair)) > 1 and PAIR not in args.write:
        message = tr("labellings of several language pairs would be written over each other")
        hint = tr("Write {pair} for the pair in the name of the folder.", pair=PAIR)
        raise QeError(message, hint=hint, place=Place("--write"))
    emit(args, of_each_pair(args, _studied))
    return 0


def _studied(args: argparse.Namespace) -> Answer:
    from qe_desktop.cli.drawing import document_remarks, in_documents, refuse_rounds_alone
    from qe_desktop.cli.pairs import Answer
    from qe_desktop.cli.score import read_once
    from qe_desktop.levels.words import GROUP
    from qe_desktop.metrics import metrics_named
    from qe_desktop.report.labellings import LabellingsReport
    from qe_desktop.significance import Options
    from qe_desktop.studies.labelling_study import LabellingOptions, real_systems, study_labellings
    from qe_desktop.studies.labellings import LABELLINGS, write_labellings

    refuse_rounds_alone(args)
    read = read_once(GROUP, args)
    scoring, left = real_systems(in_documents(read, args))
    level = scoring.level
    metrics = metrics_named(args.metric or level.tested, level.metrics, level.items)
    named = tuple(name for name in LABELLINGS if name in (args.labellings or LABELLINGS))
    compared = Options("randomisation", args.rounds, args.seed, args.unit, args.correction, args.alpha, args.top)
    options = LabellingOptions(compared, named, args.draws, bool(args.intervals), args.interval_rounds or 0)
    with progress(tr("{n:,} {n:round|rounds}", "", args.rounds)) as watch:
        study = study_labellings(scoring, metrics, options, watch)
    remarks = [*read.notes, *document_remarks([scoring], args)]
    if left:
        remarks.append(tr("synthetic by their names, and not counted among systems: {names}", names=", ".join(left)))
    if args.write is not None:
        gold = scoring.view.tags(scoring.reference)
        written = write_labellings(Path(args.write), gold, named, args.seed, args.draws)
        say(tr("{n:,} {n:file|files} of labellings written to {folder}", "", len(written), folder=args.write))
    return Answer(scoring, LabellingsReport.made(scoring, study, tuple(remarks)))
