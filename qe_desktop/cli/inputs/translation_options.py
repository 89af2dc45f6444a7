"""Inputs of `translations`: references, translations of systems, and scores by other metrics."""

from __future__ import annotations

import argparse
from dataclasses import replace

from qe_desktop.cli.inputs.file_options import add_language_pair, add_lower, add_match
from qe_desktop.cli.inputs.tokenization_options import add_tokenization, tokenization_of
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs
from qe_desktop.levels.translations.translation_inputs import TranslationFiles, read_translation_inputs


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs."""
    add_texts(parser, required=True)
    add_scores(parser)


def add_texts(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add the options for texts and their tokenization; not `required` if texts are optional for the command."""
    parser.add_argument(
        "--reference", required=required, default=[], nargs="+", action="extend", metavar="FILE",
        help=tr("a reference, one segment per line; may be repeated: all are used together"),
    )  # fmt: skip
    parser.add_argument(
        "--system", required=required, default=[], nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's translation, one segment per line; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    parser.add_argument("--source", metavar="FILE", help=tr("the source, one segment per line, for validation"))
    add_tokenization(parser)
    parser.add_argument("--lowercase", action="store_true", help=tr("ignore case in scoring"))
    parser.add_argument(
        "--stem", metavar="LANGUAGE", default="",
        help=tr("score stems of words: porter, or a Snowball stemmer language"),
    )  # fmt: skip
    add_language_pair(parser)


def add_scores(parser: argparse.ArgumentParser) -> None:
    """Add the options for files of scores."""
    parser.add_argument(
        "--scores", nargs="+", action="extend", metavar="METRIC=FILE", default=[],
        help=tr(
            "scores by another metric: system⇥score lines, a table with a column per system, or a directory "
            "with a file per system"
        ),
    )  # fmt: skip
    add_lower(parser)
    add_match(parser)


def translation_files(args: argparse.Namespace) -> TranslationFiles:
    """Return the texts that the options specify."""
    tokenization = replace(tokenization_of(args), lowercase=args.lowercase, stemmer=args.stem or None)
    return TranslationFiles(tuple(args.reference), tuple(args.system), args.source, tokenization)


def read_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify."""
    inputs = read_translation_inputs(translation_files(args))
    if not (args.scores or args.lower or args.match):
        return inputs
    from qe_desktop.levels.translations.external_metrics import with_metric_scores

    return with_metric_scores(inputs, args.scores, args.lower, args.match)
