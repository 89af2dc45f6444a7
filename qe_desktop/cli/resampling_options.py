"""Options for resampling units, rounds, intervals and significance, for all commands that score or compare systems."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Sequence
from typing import Protocol

from qe_desktop.cli.argument_parser import parse_interval_rounds, parse_rounds, parse_seed, parse_significance_level
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs, Scoring
from qe_desktop.levels.system_files import read_segment_documents


def add_interval_options(
    parser: argparse.ArgumentParser, *, methods: Sequence[str] = ("bootstrap", "fisher", "bca")
) -> None:
    """Add the options for confidence intervals (by one of `methods`), the random seed and the resampling unit."""
    help_text = tr("compute 95 %% intervals by the percentile bootstrap")
    if "bca" in methods:
        help_text = tr(
            "compute 95 %% intervals; bootstrap (used if no method is specified): percentile bootstrap; fisher: "
            "Fisher's z for Pearson's r, percentile bootstrap for other metrics; bca: bias-corrected and accelerated "
            "bootstrap"
        )
    parser.add_argument("--intervals", nargs="?", const="bootstrap", choices=methods, help=help_text)
    add_interval_rounds(parser)
    add_seed(parser)
    add_unit(parser)


def add_interval_rounds(parser: argparse.ArgumentParser) -> None:
    """Add the option for the number of bootstrap resamples for confidence intervals."""
    parser.add_argument(
        "--interval-rounds", type=parse_interval_rounds, metavar="N",
        help=tr("number of bootstrap resamples for intervals (default: 1000; 200 for more than 100,000 units)"),
    )  # fmt: skip


def add_seed(parser: argparse.ArgumentParser) -> None:
    """Add the option for the random seed."""
    parser.add_argument("--seed", type=parse_seed, default=1, help=tr("random seed (default: 1)"))


def add_unit(parser: argparse.ArgumentParser) -> None:
    """Add the option for the resampling unit."""
    parser.add_argument(
        "--unit", choices=("segment", "document"), default="segment", help=tr("the resampling unit (default: segment)")
    )


def check_rounds_need_intervals(args: argparse.Namespace) -> None:
    """Raise QeError if `--interval-rounds` is specified without `--intervals`."""
    if args.interval_rounds is not None and not args.intervals:
        message = tr("--interval-rounds needs --intervals")
        raise QeError(message, hint=tr("Specify --intervals as well."), place=SourceLocation("--interval-rounds"))


def add_documents(parser: argparse.ArgumentParser) -> None:
    """Add the option for a file with the document name of each segment, for inputs without document names."""
    parser.add_argument(
        "--documents", metavar="FILE", help=tr("a file with one document name per line, for --unit document")
    )


def with_documents(inputs: ReadInputs, args: argparse.Namespace) -> Scoring:
    """Return the scoring of `inputs`; if `--documents` is specified, with the documents listed in that file.

    Raises QeError if the file cannot be read or does not have one document name per segment.
    """
    if not args.documents:
        return inputs.scoring
    return inputs.scoring.with_documents(read_segment_documents(args.documents, inputs.scoring.view.corpus.size))


class HasDocuments(Protocol):
    """Data whose segments may belong to documents."""

    @property
    def split_documents(self) -> int:
        """Number of documents if resampling single segments would split a document, else 0."""


def document_unit_warnings(scorings: Iterable[HasDocuments], args: argparse.Namespace) -> tuple[str, ...]:
    """Return a hint to resample whole documents, in a tuple; empty if resampling does not split documents."""
    if args.unit == "segment" and any(scoring.split_documents for scoring in scorings):
        return (tr("Use --unit document to resample whole documents."),)
    return ()


def add_test_options(parser: argparse.ArgumentParser) -> None:
    """Add the options for the number of trials or resamples of a test, the correction and the significance level."""
    parser.add_argument(
        "--rounds",
        "--trials",
        type=parse_rounds,
        default=10_000,
        metavar="R",
        help=tr("number of trials or resamples of the test (default: 10000)"),
    )
    add_correction(parser, tr("correction of p-values (default: bonferroni)"))


def add_top(parser: argparse.ArgumentParser) -> None:
    """Add the option for the number of best systems, which determines `d_top` and `d_bottom`."""
    parser.add_argument(
        "--top",
        type=parse_seed,
        metavar="N",
        help=tr("number of best systems to use for d_top; d_bottom uses the others (default: half, rounded down)"),
    )


def add_correction(parser: argparse.ArgumentParser, help_text: str, *, default: str = "bonferroni") -> None:
    """Add `--correction`, with the help text and default given, and `--alpha`, the significance level."""
    # the names of corrections are repeated here, so that scoring does not import the tests
    parser.add_argument("--correction", choices=("none", "bonferroni", "holm"), default=default, help=help_text)
    parser.add_argument(
        "--alpha",
        type=parse_significance_level,
        default=0.05,
        help=tr("significance level for the adjusted p-value (default: 0.05)"),
    )
