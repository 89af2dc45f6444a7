"""Execution of a command for each of several language pairs, with a joint report."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.io.text_files import STDIN_ARGUMENT
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Scoring
from qe_desktop.levels.system_files import PAIR_PLACEHOLDER

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
