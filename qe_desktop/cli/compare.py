"""`qe-desktop compare`: which differences between systems are real."""

from __future__ import annotations

import argparse
from dataclasses import replace
from typing import Any

from qe_desktop.cli.inputs import documents_of, read_tagged
from qe_desktop.cli.numbers import rounds, seed, share
from qe_desktop.cli.output import add_output, emit, progress
from qe_desktop.cli.score import add_word_inputs
from qe_desktop.corpus import QeError
from qe_desktop.metrics import PAPER_METRICS, word_metrics
from qe_desktop.report.comparisons import comparison_json, matrix_table, pairs_table
from qe_desktop.significance import CORRECTIONS, Options, compare


def add_parser(subparsers: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Add `compare` and what can be compared."""
    parser = subparsers.add_parser("compare", help="test which differences between systems are significant")
    things = parser.add_subparsers(dest="thing", required=True, metavar="words")
    words = things.add_parser("words", help="tags of words, gaps or source words")
    add_word_inputs(words)
    words.add_argument(
        "--metric", nargs="+", action="extend", metavar="M", help="metrics; the six of Logacheva et al. when not given"
    )
    words.add_argument("--test", choices=("randomisation", "bootstrap", "williams"), default="randomisation")
    words.add_argument("--rounds", type=rounds, default=10_000, metavar="R", help="rounds of the test (10000)")
    words.add_argument("--seed", type=seed, default=1, help="seed of the random swaps (1)")
    words.add_argument("--unit", choices=("segment", "document"), default="segment", help="what is swapped (segment)")
    words.add_argument("--documents", metavar="FILE", help="one document name a line, for --unit document")
    words.add_argument("--correction", choices=CORRECTIONS, default="bonferroni", help="(bonferroni)")
    words.add_argument("--alpha", type=share, default=0.05, help="significant where corrected p is no more (0.05)")
    words.add_argument("--top", type=seed, metavar="N", help="systems in the top half for d (half, rounded down)")
    add_output(words)
    words.set_defaults(run=run_words)


def run_words(args: argparse.Namespace) -> int:
    """Compare systems' words, gaps or source tags."""
    if args.test == "williams":
        raise QeError(
            "the Williams test compares correlations of sentence scores, not tags",
            hint="Use --test randomisation or --test bootstrap.",
        )
    metrics = word_metrics(args.metric or PAPER_METRICS)
    tagged = read_tagged(
        args.gold, args.system, kind=args.kind, mt=args.mt, language_pair=args.language_pair, lines=args.lines
    )
    if len(tagged.systems) < 2:
        raise QeError("a comparison takes at least two systems", hint="Give --system once for each.")
    documents = documents_of(args.documents, len(tagged.gold)) if args.documents else None
    options = Options(args.test, args.rounds, args.seed, args.unit, args.correction, args.alpha, args.top)
    with progress(f"{args.test}, {args.rounds:,} rounds") as watch:
        comparison = compare(
            tagged.names, tagged.gold, tagged.systems, metrics, options, documents=documents, watch=watch
        )
    result: dict[str, Any] = comparison_json(comparison)
    result["notes"] = [*tagged.notes, *result["notes"]]
    if args.format == "tsv" and not args.json:
        emit(args, result, [pairs_table(comparison)])
        return 0
    tables = [matrix_table(comparison, metric.name) for metric in metrics]
    tables[0] = replace(tables[0], notes=(*tables[0].notes, *result["notes"]))
    emit(args, result, tables)
    return 0
