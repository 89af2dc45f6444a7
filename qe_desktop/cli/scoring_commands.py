"""Functions shared by the commands that score or compare systems."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any, Protocol

from qe_desktop.cli.command_options import parse_interval_rounds, parse_rounds, parse_seed, parse_significance_level
from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.text_files import STDIN_ARGUMENT
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import ReadInputs, Scoring
from qe_desktop.levels.system_files import PAIR_PLACEHOLDER, read_segment_documents

if TYPE_CHECKING:
    from qe_desktop.report.render.output_formats import Report
    from qe_desktop.report.report_base import PairedReport


@dataclass(frozen=True, slots=True, eq=False)
class CommandResult:
    """Scoring and report that result from a command."""

    scoring: Scoring
    report: PairedReport


def single_language_pair(pairs: list[str]) -> str:
    """Return the only language pair; empty if there is none. Raises QeError if there are several."""
    if len(pairs) > 1:
        message, hint = tr("this study uses only one language pair"), tr("Specify one, and run the others separately.")
        raise QeError(message, hint=hint, place=SourceLocation("--language-pair"))
    return "".join(pairs)


def run_per_language_pair(
    args: argparse.Namespace, run_command: Callable[[argparse.Namespace], CommandResult]
) -> Report:
    """Run a command for each language pair; return the report on the only pair, or a joint report on several pairs.

    `{pair}` in arguments is replaced by the language pair. Raises QeError if there are several pairs and two of them
    have the same gold, or if there are several pairs and an input is standard input.
    """
    pairs = list(dict.fromkeys(getattr(args, "language_pair", []) or [""]))
    if len(pairs) == 1:
        return run_command(_arguments_for_pair(args, pairs[0])).report
    from qe_desktop.report.report_base import PairsReport

    _reject_standard_input(args)
    reports = {pair: run_command(_arguments_for_pair(args, pair)) for pair in pairs}
    _reject_single_gold(args, reports)
    return PairsReport({pair: result.report for pair, result in reports.items()})


def _arguments_for_pair(args: argparse.Namespace, pair: str) -> argparse.Namespace:
    def replace_placeholder(value: Any) -> Any:
        if isinstance(value, list):
            return [replace_placeholder(item) for item in value]
        return value.replace(PAIR_PLACEHOLDER, pair) if pair and isinstance(value, str) else value

    return argparse.Namespace(
        **{name: replace_placeholder(value) for name, value in vars(args).items()} | {"language_pair": pair}
    )


def _reject_standard_input(args: argparse.Namespace) -> None:
    argument_values = [value if isinstance(value, list) else [value] for value in vars(args).values()]
    if any(
        isinstance(name, str) and (name == STDIN_ARGUMENT or name.endswith(f"={STDIN_ARGUMENT}"))
        for values in argument_values
        for name in values
    ):
        message = tr("standard input can be read only once, but there are several language pairs")
        raise QeError(
            message, hint=tr("Specify a file, or only one language pair."), place=SourceLocation(STDIN_ARGUMENT)
        )


def _reject_single_gold(args: argparse.Namespace, results: dict[str, CommandResult]) -> None:
    """Raise QeError if two language pairs have the same gold; the name of the gold file should depend on the pair."""
    columns = {pair: result.scoring.level.gold_bytes(result.scoring) for pair, result in results.items()}
    for (pair, column), (second_pair, second_column) in combinations(columns.items(), 2):
        if column == second_column:
            message = tr("the gold is the same for {pair} and {other}", pair=pair, other=second_pair)
            hint = tr(
                "Use one file per language pair, and write {pair} instead of the pair in its name.",
                pair=PAIR_PLACEHOLDER,
            )
            raise QeError(message, hint=hint, place=SourceLocation(_gold_file_name(args)))


def _gold_file_name(args: argparse.Namespace) -> str:
    """Name of the gold file: the first file that `--gold`, `--reference` or `--human` specifies."""
    value = next(vars(args)[name] for name in ("gold", "reference", "human") if vars(args).get(name))
    return str(value[0] if isinstance(value, list) else value)


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
    """Return the scoring of `inputs`, with the documents listed in the file of `--documents` if it is specified.

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
    """Return a tuple with a hint to resample whole documents; empty if resampling does not split documents."""
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
    """Add the option for the number of best systems in `d_top`; `d_bottom` is computed over the other systems."""
    parser.add_argument(
        "--top",
        type=parse_seed,
        metavar="N",
        help=tr("number of best systems to use for d_top; d_bottom uses the others (default: half, rounded down)"),
    )


def add_correction(parser: argparse.ArgumentParser, help_text: str, *, default: str = "bonferroni") -> None:
    """Add `--correction` (with the given help text and default) and `--alpha` (the significance level)."""
    # the names of corrections are repeated here, so that scoring does not import the tests
    parser.add_argument("--correction", choices=("none", "bonferroni", "holm"), default=default, help=help_text)
    parser.add_argument(
        "--alpha",
        type=parse_significance_level,
        default=0.05,
        help=tr("significance level for the adjusted p-value (default: 0.05)"),
    )
