"""What is made of BLEU's sums: a brevity penalty times a mean of precisions."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, reduce
from typing import Any, Literal

import numpy as np

from qe_desktop.metrics.family import Floats, Term

Smoothing = Literal["exp", "floor", "add-k", "none"]
PERCENT = 100.0


@cache
def brevity_term(longest: int) -> Term:
    """1, or e^(1 − r/c) where the translation of c tokens is shorter than the reference of r (Papineni 2002, 2.2.2).

    In Neubig's equation 103 equal lengths fall to the second case, which is 1 as well.
    """

    def parts(system: Any, reference: Any, *rest: Any) -> tuple[Any, ...]:
        return system, reference

    return Term(parts, _brevity)


def _brevity(system: Any, reference: Any, out: Floats | None = None) -> Any:
    # so little changes no length, and stands for none: then the penalty is 0, or 1 without a reference
    beside = np.divide(reference, np.add(system, 1e-200, out=out), out=out)
    return np.exp(np.minimum(np.subtract(1.0, beside, out=out), 0.0, out=out), out=out)


@cache
def precision_term(longest: int, smoothing: Smoothing, value: float, effective: bool, mean: str) -> Term:
    """The mean of the precisions of n-grams of 1 to `longest` tokens, 0 to 100.

    It is 0 where nothing matches at all, and where a length that counts has no match and is not smoothed, as in
    sacreBLEU.
    """
    averaged = _geometric if mean == "geometric" else _arithmetic

    def parts(system: Any, reference: Any, *counts: Any) -> tuple[Any, ...]:
        return counts

    def function(*counts: Any, out: Floats | None = None) -> Any:
        matches, totals = counts[:longest], counts[longest:]
        # where the longest match, shorter ones do, and none is smoothed
        if mean == "geometric" and smoothing != "add-k" and np.all(matches[-1] > 0):
            return _all_matching(matches, totals, out)
        precisions = _precisions(matches, totals, smoothing, value)
        most = sum(np.greater(total, 0) for total in _added(totals, smoothing, value)) if effective else longest
        counted = [np.less(place, most) for place in range(longest)]
        found = averaged(precisions, counted, np.maximum(most, 1))
        return np.multiply(np.where(np.greater(matches[0], 0), found, 0.0), PERCENT, out=out)

    return Term(parts, function)


def _all_matching(matches: Sequence[Any], totals: Sequence[Any], out: Floats | None) -> Any:
    """The geometric mean where all lengths match; one root of one ratio takes less time than a logarithm of each."""
    above = reduce(lambda left, right: np.multiply(left, right, out=out), matches, PERCENT ** len(matches))
    ratio = np.divide(above, reduce(np.multiply, totals), out=out)
    if len(matches) == 4:
        return np.sqrt(np.sqrt(ratio, out=out), out=out)
    return np.power(ratio, 1 / len(matches), out=out)


def _added(counts: Sequence[Any], smoothing: Smoothing, value: float) -> list[Any]:
    """Counts with what `add-k` adds to all but those of single tokens."""
    return [count + value if smoothing == "add-k" and place else count for place, count in enumerate(counts)]


def _precisions(matches: Sequence[Any], totals: Sequence[Any], smoothing: Smoothing, value: float) -> list[Any]:
    """Smoothed precisions of each length, 0 where there is no n-gram (Chen and Cherry 2014; `exp` as mteval-v13a)."""
    halves: Any = 1.0
    found = []
    for match, total in zip(_added(matches, smoothing, value), _added(totals, smoothing, value), strict=True):
        none = np.equal(match, 0)
        if smoothing == "exp":
            halves = np.where(none & np.greater(total, 0), halves / 2, halves)
            match = np.where(none, halves, match)
        elif smoothing == "floor":
            match = np.where(none, value, match)
        found.append(np.where(np.greater(total, 0), match / np.where(np.greater(total, 0), total, 1.0), 0.0))
    return found


def _geometric(precisions: Sequence[Any], counted: Sequence[Any], most: Any) -> Any:
    """The root of the product of those that count, of which there are `most`."""
    return np.power(
        reduce(np.multiply, (np.where(one, value, 1.0) for one, value in zip(counted, precisions, strict=True))),
        1.0 / most,
    )


def _arithmetic(precisions: Sequence[Any], counted: Sequence[Any], most: Any) -> Any:
    return sum(np.where(one, value, 0.0) for one, value in zip(counted, precisions, strict=True)) / most
