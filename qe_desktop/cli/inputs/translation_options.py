"""Inputs of `translations` (references, translations, metric scores), and tokenization options for all commands."""

from __future__ import annotations

import argparse
from dataclasses import replace

from qe_desktop.cli.inputs.file_options import add_language_pair, add_lower, add_match
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs
from qe_desktop.levels.translations.translation_inputs import TranslationFiles, read_translation_inputs
from qe_desktop.metrics.text.tokenization import Tokenization


def add_tokenization(parser: argparse.ArgumentParser) -> None:
    """Add `--tokenize` and the TER options, whose defaults depend on the language of the references."""
    parser.add_argument(
        "--tokenize", metavar="T", default="",
        help=tr(
            "the tokenizer of BLEU and most other word-based metrics, by its sacreBLEU name (default: zh for Chinese; "
            "ja-mecab for Japanese and ko-mecab for Korean, or char if not installed; 13a for all others)"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--ter-normalized", action=argparse.BooleanOptionalAction, default=None,
        help=tr("TER: separate punctuation, as in sacreBLEU (default: for Chinese and Japanese only)"),
    )  # fmt: skip
    parser.add_argument(
        "--ter-asian", "--ter-asian-support", action=argparse.BooleanOptionalAction, default=None,
        help=tr(
            "TER: with --ter-normalized, separate Chinese characters and Asian punctuation, as in sacreBLEU "
            "(default: for Chinese and Japanese only)"
        ),
    )  # fmt: skip


def tokenization_of(args: argparse.Namespace) -> Tokenization:
    """Return the tokenization that the options specify."""
    pair = args.language_pair
    return Tokenization(
        args.tokenize,
        ter_asian=args.ter_asian,
        ter_normalized=args.ter_normalized,
        language_pair=pair if isinstance(pair, str) else "",
    )


def add_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs."""
    add_texts(parser, required=True)
    add_scores(parser)


def add_texts(parser: argparse.ArgumentParser, *, required: bool) -> None:
    """Add the options for texts and their tokenization; `required` is False if the command does not need texts."""
    parser.add_argument(
        "--reference", required=required, default=[], nargs="+", action="extend", metavar="FILE",
        help=tr("a reference, one segment per line; may be repeated to use several references together"),
    )  # fmt: skip
    parser.add_argument(
        "--system", required=required, default=[], nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's translation, one segment per line; a directory stands for its files; may be repeated"),
    )  # fmt: skip
    parser.add_argument(
        "--source", metavar="FILE", help=tr("the source, one segment per line, to check the number of segments")
    )
    add_tokenization(parser)
    parser.add_argument("--lowercase", action="store_true", help=tr("ignore case in scoring"))
    parser.add_argument(
        "--stem", metavar="LANGUAGE", default="",
        help=tr(
            "score word stems instead of words (not in TER and chrF); porter, or a language of the Snowball stemmer"
        ),
    )  # fmt: skip
    add_language_pair(parser)


def add_scores(parser: argparse.ArgumentParser) -> None:
    """Add the options for files with metric scores."""
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
    """Return the files and the tokenization that the options specify."""
    tokenization = replace(tokenization_of(args), lowercase=args.lowercase, stemmer=args.stem or None)
    return TranslationFiles(tuple(args.reference), tuple(args.system), args.source, tokenization)


def read_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError if a file cannot be read or if files do not match."""
    inputs = read_translation_inputs(translation_files(args))
    if not (args.scores or args.lower or args.match):
        return inputs
    from qe_desktop.levels.translations.external_metrics import with_metric_scores

    return with_metric_scores(inputs, args.scores, args.lower, args.match)
