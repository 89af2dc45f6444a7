"""Kendall's tau-b: concordant minus discordant pairs of segments, normalized for ties.

The row of a segment counts the pairs that contain the segment. The score is computed from the sums of all rows, and a
row shows how its segment affects the score. Rows cannot be permuted or resampled, because each row depends on all
segments.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.correlation import CONSTANT_SCORES_NOTE, SystemNumbers
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, ratio


def concordance_rows(numbers: SystemNumbers) -> Floats:
    """Return the rows of Kendall's tau-b.

    Parameters
    ----------
    numbers
        Scores of a system, paired with the gold.

    Returns
    -------
    ndarray
        For each segment: the number of segments with a different gold score, the number of segments with a different
        system score, and the number of concordant pairs minus the number of discordant pairs, shape (segments, 3).

    Notes
    -----
    With the sums G, S and C of these columns, tau-b = C / √(G · S).

    References
    ----------
    Kendall 1945
    """
    gold, system = _dense_ranks(numbers.gold.values), _dense_ranks(numbers.system)
    return np.stack([_count_different(gold), _count_different(system), _concordance(gold, system)], axis=-1).astype(
        np.float64
    )


def _dense_ranks(values: Floats) -> Ints:
    return np.unique(values, return_inverse=True)[1].reshape(-1)


def _count_different(values: Ints) -> Ints:
    """Return, for each segment, the number of segments with a different value."""
    return len(values) - np.bincount(values)[values] if len(values) else values


def _balance(values: Ints) -> Ints:
    """Return, for each segment, the number of segments with a lower value minus the number with a higher value."""
    counts = np.bincount(values)
    lower_counts = np.cumsum(counts) - counts
    return (2 * lower_counts + counts - len(values))[values] if len(values) else values


def _concordance(gold: Ints, system: Ints) -> Ints:
    """Return, for each segment, the sum over all other segments of sign(gold difference) · sign(score difference).

    Let T be the balance (see `_balance`) of the segment's score among all segments. Let B and E be its balances among
    the segments with a lower gold score and with an equal gold score. The balance among the segments with a higher gold
    score is then T − E − B, and the sum is B − (T − E − B).
    """
    size = len(gold)
    # within equal gold, the higher score comes first, so that no earlier score is lower
    order = np.lexsort((-system, gold))
    first = np.flatnonzero(np.diff(gold[order], prepend=-1))
    members = np.diff(first, append=size)
    before, members = np.repeat(first, members), np.repeat(members, members)
    scores = system[order]
    _, pair, pair_counts = np.unique(gold[order] * (size + 1) + scores, return_inverse=True, return_counts=True)
    pair = pair.reshape(-1)
    equal_before = count_earlier_equal(pair)
    # balance among segments with lower gold: 2 · (number of lower scores) + number of equal scores − number of segments
    equal_score_before = count_earlier_equal(scores) - equal_before
    among_lower = 2 * count_earlier_lower(scores) + equal_score_before - before
    higher = np.arange(size) - before - equal_before
    among_same = members - 2 * higher - pair_counts[pair]
    counts = np.empty(size, np.int64)
    counts[order] = 2 * among_lower + among_same
    return counts - _balance(system)


def count_earlier_lower(values: Ints) -> Ints:
    """Return, for each of the non-negative integers `values`, the number of lower values before it.

    The time is O(n log² n). Integers are compared bit by bit, starting with the highest bit; the first bit in which two
    integers differ determines their order.
    """
    counts = np.zeros(len(values), np.int64)
    order = np.arange(len(values))
    for bit in reversed(range(int(values.max(initial=0)).bit_length())):
        ordered = values[order]
        bit_values, higher_bits = (ordered >> bit) & 1, ordered >> (bit + 1)
        zeros = np.cumsum(bit_values == 0)
        begins = np.flatnonzero(np.diff(higher_bits, prepend=-1))
        before = np.concatenate([[0], zeros])[begins]
        zeros_before = zeros - np.repeat(before, np.diff(begins, append=len(ordered)))
        counts[order] += np.where(bit_values == 1, zeros_before, 0)
        order = order[np.argsort(ordered >> bit, kind="stable")]
    return counts


def count_earlier_equal(values: Ints) -> Ints:
    """Return, for each of the non-negative integers `values`, the number of equal values before it."""
    order = np.argsort(values, kind="stable")
    first = np.flatnonzero(np.diff(values[order], prepend=-1))
    counts = np.empty(len(values), np.int64)
    counts[order] = np.arange(len(values)) - np.repeat(first, np.diff(first, append=len(values)))
    return counts


CONCORDANCE: Family[SystemNumbers] = Family(
    "concordance",
    ("untied gold", "untied scores", "concordant"),
    shared=(0,),
    rows=concordance_rows,
    has_independent_rows=False,
)


def _parts(gold: Any, scores: Any, concordant: Any) -> tuple[Any, ...]:
    return concordant, gold, scores


def _tau(concordant: Any, gold: Any, scores: Any, out: Floats | None = None) -> Any:
    return ratio(concordant, np.sqrt(np.multiply(gold, scores)), out)


METRICS = (
    Metric(
        "Kendall", CONCORDANCE, (ScoreTerm(_parts, _tau),), -1, 1,
        tr("Rewards scores that order pairs of segments as the gold does."),
        tr("Kendall's tau-b; reported since WMT23"),
        undefined=lambda gold, scores, concordant: gold * scores == 0, reason=CONSTANT_SCORES_NOTE,
        undefined_is_zero=False,
    ),
)  # fmt: skip
