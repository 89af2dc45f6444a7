"""`qe-desktop score`: scores of systems against gold."""

from __future__ import annotations

import argparse

import numpy as np

from qe_desktop.cli.inputs import WORD_KINDS, Tagged, add_lines, read_tagged
from qe_desktop.cli.output import add_output, emit
from qe_desktop.metrics import WORD_METRICS, families_of, totals_of, word_metrics
from qe_desktop.report import ScoreReport, signature


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `score` and what can be scored."""
    parser = subparsers.add_parser("score", help="score systems against gold")
    things = parser.add_subparsers(dest="thing", required=True, metavar="words")
    words = things.add_parser("words", help="tags of words, gaps or source words")
    add_word_inputs(words)
    words.add_argument("--metric", nargs="+", action="extend", metavar="M", help="metrics; all when not given")
    add_output(words)
    words.set_defaults(run=run_words)


def add_word_inputs(parser: argparse.ArgumentParser) -> None:
    """The options that say what is scored."""
    parser.add_argument("--gold", required=True, metavar="FILE", help="gold tags")
    parser.add_argument(
        "--system", required=True, nargs="+", action="extend", metavar="[NAME=]FILE",
        help="a system's tags; a directory stands for its files; may be repeated",
    )  # fmt: skip
    parser.add_argument(
        "--mt", metavar="FILE", help="the tokenised MT; its token count decides between n, n+1 and 2n+1"
    )
    parser.add_argument("--kind", choices=WORD_KINDS, default="words", help="which tags are scored (words)")
    parser.add_argument("--language-pair", metavar="LP", help="the pair to take from files with several, such as en-de")
    add_lines(parser)


def run_words(args: argparse.Namespace) -> int:
    """Score words, gaps or source tags."""
    tagged = read_tagged(
        args.gold, args.system, kind=args.kind, mt=args.mt, language_pair=args.language_pair, lines=args.lines
    )
    metrics = word_metrics(args.metric or WORD_METRICS)
    totals = totals_of(families_of(metrics), tagged.gold, tagged.systems)
    values = np.stack([metric.score(totals[metric.family.name]) for metric in metrics], axis=-1)
    report = ScoreReport(
        systems=tagged.names,
        metrics=tuple(metrics),
        values=values,
        segments=len(tagged.gold),
        items=len(tagged.gold.values),
        signature=word_signature(tagged, args.kind),
        title=f"{len(tagged.gold):,} segments, {len(tagged.gold.values):,} tags, "
        f"{100 * tagged.gold.bad_share():.1f} % BAD in the gold",
        remarks=tagged.notes,
    )
    emit(args, report.json(), [report.table()])
    return 0


def word_signature(tagged: Tagged, kind: str) -> str:
    """The signature of word-level scores."""
    return signature(
        "words",
        {"tags": kind, "form": tagged.form, "aggregation": "pooled", "undefined": "null", "F1-of-absent-class": "0"},
    )
