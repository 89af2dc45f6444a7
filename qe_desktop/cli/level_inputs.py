"""Options for the inputs of each level group, and reading of the files that they specify."""

from __future__ import annotations

import argparse
from dataclasses import replace
from importlib import import_module
from typing import Any

from qe_desktop.cli.command_options import add_language_pair, add_lines, add_lower, add_match, line_unit_option
from qe_desktop.formats.text_files import check_read_once
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import GROUPS, LevelGroup, ReadInputs
from qe_desktop.levels.registry import PUBLIC_NAMES
from qe_desktop.levels.translations.translation_inputs import TranslationFiles, read_translation_inputs
from qe_desktop.metrics.text.tokenization import Tokenization

INPUT_MODULES = {
    "people": "qe_desktop.cli.rating_inputs",
}
"""Modules for groups whose inputs are not defined here; a module is imported when its subcommand is used."""


def group_commands() -> dict[str, LevelGroup]:
    """Return the groups of levels by the name of their subcommand."""
    return {PUBLIC_NAMES.get(name, name): group for name, group in GROUPS.items()}


def add_inputs(group: LevelGroup, parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs of a group."""
    getattr(_input_module(group), f"add_{group.name}_inputs")(parser)


def read_inputs(group: LevelGroup, args: argparse.Namespace) -> ReadInputs:
    """Return the inputs of a group, read from the files that the options specify.

    Raises QeError if an input is invalid, if inputs do not match, or if several inputs are standard input.
    """
    values = [value if isinstance(value, list) else [value] for value in vars(args).values()]
    check_read_once(name for names in values for name in names if isinstance(name, str))
    inputs: ReadInputs = getattr(_input_module(group), f"read_{group.name}_inputs")(args)
    return inputs


def _input_module(group: LevelGroup) -> Any:
    """Return the module that defines `add_NAME_inputs` and `read_NAME_inputs` for a group."""
    return import_module(INPUT_MODULES.get(group.name, __name__))


def add_words_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs of `words`: gold tags and tags of systems."""
    from qe_desktop.levels.words.tag_inputs import WORD_KINDS

    parser.add_argument("--gold", required=True, metavar="FILE", help=tr("gold tags"))
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help=tr("a system's tags; a folder stands for its files; may be repeated"),
    )  # fmt: skip
    add_mt(parser)
    parser.add_argument(
        "--kind", choices=WORD_KINDS, default="words", help=tr("the kind of tags to score (default: words)")
    )
    add_language_pair(parser)
    add_lines(parser)


def add_mt(parser: argparse.ArgumentParser) -> None:
    """Add the option for the tokenized MT."""
    help_text = tr("the tokenized MT, to detect whether a segment with n tokens has n, n+1 or 2n+1 tags")
    parser.add_argument("--mt", metavar="FILE", help=help_text)


def read_words_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError if a file cannot be read or does not match the gold."""
    from qe_desktop.levels.words.tag_inputs import read_tag_inputs

    return read_tag_inputs(
        args.gold, args.system, args.mt, kind=args.kind, language_pair=args.language_pair,
        lines=line_unit_option(args.lines),
    )  # fmt: skip


def add_sentences_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs of `sentences`, and for dividing times by the number of tokens."""
    parser.add_argument(
        "--gold", required=True, metavar="FILE",
        help=tr("gold scores: one number per segment, or a table with gold and, optionally, system columns"),
    )  # fmt: skip
    parser.add_argument("--gold-name", metavar="NAME", default="", help=tr("the gold column, if a table has several"))
    parser.add_argument(
        "--system", nargs="+", action="extend", metavar="[NAME=]FILE", default=[],
        help=tr(
            "a system's scores (one per line, or a WMT submission), or a table with several systems; a folder "
            "stands for its files; may be repeated (default: the systems in the gold table)"
        ),
    )  # fmt: skip
    add_language_pair(parser)
    parser.add_argument(
        "--per-token", metavar="MT",
        help=tr("divide the time of each segment by its number of tokens in this file (the MT, one segment per line)"),
    )  # fmt: skip
    parser.add_argument(
        "--times", nargs="+", action="extend", metavar="NAME", default=[],
        help=tr("with --per-token: the names of the gold and systems whose scores are times (default: all)"),
    )  # fmt: skip


def read_sentences_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError if a file cannot be read or does not match the gold."""
    from qe_desktop.levels.sentences.sentence_inputs import read_sentence_inputs

    return read_sentence_inputs(
        args.gold, args.system, gold_name=args.gold_name, language_pair=args.language_pair, per_token=args.per_token,
        times=args.times,
    )  # fmt: skip


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


def add_translations_inputs(parser: argparse.ArgumentParser) -> None:
    """Add the options for the inputs of `translations`: references, translations and metric scores."""
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
        help=tr("a system's translation, one segment per line; a folder stands for its files; may be repeated"),
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
            "scores by another metric: system⇥score lines, a table with a column per system, or a folder "
            "with a file per system"
        ),
    )  # fmt: skip
    add_lower(parser)
    add_match(parser)


def translation_files(args: argparse.Namespace) -> TranslationFiles:
    """Return the files and the tokenization that the options specify."""
    tokenization = replace(tokenization_of(args), lowercase=args.lowercase, stemmer=args.stem or None)
    return TranslationFiles(tuple(args.reference), tuple(args.system), args.source, tokenization)


def read_translations_inputs(args: argparse.Namespace) -> ReadInputs:
    """Read the inputs that the options specify. Raises QeError if a file cannot be read or if files do not match."""
    inputs = read_translation_inputs(translation_files(args))
    if not (args.scores or args.lower or args.match):
        return inputs
    from qe_desktop.levels.translations.external_metrics import with_metric_scores

    return with_metric_scores(inputs, args.scores, args.lower, args.match)
