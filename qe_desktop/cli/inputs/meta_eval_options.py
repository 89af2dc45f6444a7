"""Inputs of `study meta-evaluation`: human scores, texts, and scores of other metrics."""

from __future__ import annotations

import argparse

from qe_desktop.cli.inputs.rating_options import rating_files
from qe_desktop.cli.inputs.translation_options import add_scores, add_texts, translation_files
from qe_desktop.cli.project_access import add_campaign
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.meta_eval.file_inputs import MetaEvalFiles


def add_meta_eval_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for human and metric scores."""
    parser.add_argument(
        "--human", required=True, nargs="+", action="extend", metavar="FILE",
        help=tr(
            "human scores: ratings (several files are combined), a project, a table with a score for each "
            "system, or system⇥score lines"
        ),
    )  # fmt: skip
    add_campaign(parser)
    parser.add_argument("--human-name", metavar="NAME", default="", help=tr("column of the human scores in a table"))
    add_scores(parser)
    add_texts(parser, required=False)
    parser.add_argument(
        "--without", nargs="+", action="extend", metavar="SYSTEM", default=[], help=tr("systems to leave out")
    )
    parser.add_argument(
        "--systems-only", action="store_true",
        help=tr("compare systems only, if the segments of the ratings do not match the lines of the texts"),
    )  # fmt: skip


def meta_eval_files(args: argparse.Namespace) -> MetaEvalFiles:
    """Return the files that the options specify, and how to read them."""
    return MetaEvalFiles(
        rating_files(args, by_letters=False), args.human_name, translation_files(args), args.scores, args.lower,
        args.match, metrics=tuple(args.metric or ()), without=tuple(args.without),
        systems_only=args.systems_only,
    )  # fmt: skip
