"""Several language pairs at once: the same command for each of them, and their answers together."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.standard_input import SIGN
from qe_desktop.levels import Scoring
from qe_desktop.levels.files import PAIR
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.report.forms import Report
    from qe_desktop.report.pairs import PairReport


@dataclass(frozen=True, slots=True, eq=False)
class Answer:
    """What a command answers, and what it was asked of."""

    scoring: Scoring
    report: PairReport


def of_each_pair(args: argparse.Namespace, answer: Callable[[argparse.Namespace], Answer]) -> Report:
    """The answer of a command; of several language pairs the answers of all, which name their pair.

    In arguments, `{pair}` stands for the language pair. QeError where files tell the pairs apart in neither way.
    """
    pairs = list(dict.fromkeys(getattr(args, "language_pair", []) or [""]))
    if len(pairs) == 1:
        return answer(_of_pair(args, pairs[0])).report
    from qe_desktop.report.pairs import PairsReport

    _refuse_standard_input(args)
    found = {pair: answer(_of_pair(args, pair)) for pair in pairs}
    _refuse_one_gold(args, found)
    return PairsReport({pair: one.report for pair, one in found.items()})


def _of_pair(args: argparse.Namespace, pair: str) -> argparse.Namespace:
    """The arguments for one language pair."""

    def named(value: Any) -> Any:
        if isinstance(value, list):
            return [named(one) for one in value]
        return value.replace(PAIR, pair) if pair and isinstance(value, str) else value

    return argparse.Namespace(**{name: named(value) for name, value in vars(args).items()} | {"language_pair": pair})


def _refuse_standard_input(args: argparse.Namespace) -> None:
    given = [value if isinstance(value, list) else [value] for value in vars(args).values()]
    if any(isinstance(one, str) and (one == SIGN or one.endswith(f"={SIGN}")) for values in given for one in values):
        message = tr("standard input is read once, and several language pairs are named")
        raise QeError(message, hint=tr("Name a file, or one language pair."), place=Place(SIGN))


def _refuse_one_gold(args: argparse.Namespace, found: dict[str, Answer]) -> None:
    """A gold that knows of no language pairs would be taken for all of them."""
    columns = {pair: one.scoring.level.gold(one.scoring) for pair, one in found.items()}
    for (one, column), (other, same) in combinations(columns.items(), 2):
        if column == same:
            message = tr("the gold is the same for {pair} and {other}", pair=one, other=other)
            hint = tr("Give a file that names its pairs, or write {pair} for the pair in its name.", pair=PAIR)
            raise QeError(message, hint=hint, place=Place(_named(args)))


def _named(args: argparse.Namespace) -> str:
    """The file of the gold, or the first of several, whatever the option is called."""
    given = next(vars(args)[name] for name in ("gold", "reference", "human") if vars(args).get(name))
    return str(given[0] if isinstance(given, list) else given)
