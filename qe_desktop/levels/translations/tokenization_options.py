"""The options that say how texts are tokenized, for every command that scores translations."""

from __future__ import annotations

import argparse

from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.text.tokenization import Tokenization
from qe_desktop.metrics.text.tokenizers import check_tokenizer


def add_tokenization(parser: argparse.ArgumentParser) -> None:
    """Add `--tokenize` and the options of TER; what is not given goes by the language of the references."""
    parser.add_argument(
        "--tokenize", metavar="T", default="",
        help=tr(
            "the tokenizer of BLEU, as sacreBLEU calls it; when not given: zh for Chinese, ja-mecab for Japanese, "
            "ko-mecab for Korean (char where these are not installed), 13a for all others"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--ter-normalized", action=argparse.BooleanOptionalAction, default=None,
        help=tr("TER: set punctuation apart, as in sacreBLEU; when not given, for Chinese and Japanese alone"),
    )  # fmt: skip
    parser.add_argument(
        "--ter-asian", "--ter-asian-support", action=argparse.BooleanOptionalAction, default=None,
        help=tr(
            "TER: with --ter-normalized, set Chinese characters and Asian punctuation apart, as in sacreBLEU; when not "
            "given, for Chinese and Japanese alone"
        ),
    )  # fmt: skip


def tokenization_of(args: argparse.Namespace) -> Tokenization:
    """What these options say; QeError for a tokenizer that there is not."""
    if args.tokenize:
        check_tokenizer(args.tokenize)
    pair = args.language_pair
    return Tokenization(
        args.tokenize,
        ter_asian=args.ter_asian,
        ter_normalized=args.ter_normalized,
        language_pair=pair if isinstance(pair, str) else "",
    )
