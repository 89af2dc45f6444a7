"""Tokenization options for all commands that score translations."""

from __future__ import annotations

import argparse

from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.text.tokenization import Tokenization


def add_tokenization(parser: argparse.ArgumentParser) -> None:
    """Add `--tokenize` and the TER options; defaults depend on the language of the references."""
    parser.add_argument(
        "--tokenize", metavar="T", default="",
        help=tr(
            "the tokenizer of BLEU, by its sacreBLEU name; default: zh for Chinese, ja-mecab for Japanese, "
            "ko-mecab for Korean (char if these are not installed), 13a for all others"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--ter-normalized", action=argparse.BooleanOptionalAction, default=None,
        help=tr("TER: separate punctuation, as in sacreBLEU; default: for Chinese and Japanese only"),
    )  # fmt: skip
    parser.add_argument(
        "--ter-asian", "--ter-asian-support", action=argparse.BooleanOptionalAction, default=None,
        help=tr(
            "TER: with --ter-normalized, separate Chinese characters and Asian punctuation, as in sacreBLEU; "
            "default: for Chinese and Japanese only"
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
