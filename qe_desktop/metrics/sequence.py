"""The sequence family: SeqCor, the sequence correlation of WMT15, from a greedy matching of spans."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Family, Floats, Metric, ratio
from qe_desktop.metrics.overlap import Ints, Overlap


def rows(overlap: Overlap) -> Floats:
    """SeqCor of each segment and whether it has words, shape (segments, 2).

    ratio/2 · (m_OK/n_OK + m_BAD/n_BAD): m are the words of matched spans, n the gold words of the class (an absent
    class adds 0), the ratio is the smaller over the larger number of spans (WMT15 scoring script).
    """
    gold, system = overlap.gold, overlap.system
    ok, bad = overlap.by_tag(overlap.lengths * matched_atoms(overlap))
    shares = ratio(ok, gold.words - gold.bad_words) + ratio(bad, gold.bad_words)
    balance = ratio(np.minimum(gold.count, system.count), np.maximum(gold.count, system.count))
    return np.stack([balance * shares / 2, gold.words > 0], axis=-1)


def matched_atoms(overlap: Overlap) -> NDArray[np.bool_]:
    """Which atoms the greedy matching takes: the longest first (of equals the first), one for each span.

    An atom that is the longest of all in both its spans is taken whatever happens elsewhere, so all of these are taken
    at once, everywhere, and only what their choice leaves open goes into the next round.
    """
    taken = np.zeros(len(overlap.places), bool)
    open_atoms = np.flatnonzero(overlap.agree)
    # most atoms are alone in both their spans, and taken without a contest
    gold_before = np.diff(overlap.gold_span[open_atoms], prepend=-1, append=-1) == 0
    system_before = np.diff(overlap.system_span[open_atoms], prepend=-1, append=-1) == 0
    shares = gold_before | system_before
    contested = shares[:-1] | shares[1:]
    taken[open_atoms[~contested]] = True
    open_atoms = open_atoms[contested]
    while len(open_atoms):
        gold = _ranks(overlap.gold_span[open_atoms])
        system = _ranks(overlap.system_span[open_atoms])
        # longer first, and of equal length the one further left
        priority = overlap.lengths[open_atoms] * len(taken) + (len(taken) - 1 - open_atoms)
        best = (priority == _group_maxima(priority, gold)) & (priority == _group_maxima(priority, system))
        taken[open_atoms[best]] = True
        closed = _any_in_group(best, gold) | _any_in_group(best, system)
        open_atoms = open_atoms[~closed]
    return taken


def _ranks(ascending: Ints) -> tuple[Ints, Ints]:
    begins = np.flatnonzero(np.diff(ascending, prepend=-1))
    return begins, np.repeat(np.arange(len(begins)), np.diff(begins, append=len(ascending)))


def _group_maxima(values: Ints, groups: tuple[Ints, Ints]) -> Ints:
    begins, group = groups
    return np.asarray(np.maximum.reduceat(values, begins)[group], np.int64)


def _any_in_group(flags: NDArray[np.bool_], groups: tuple[Ints, Ints]) -> NDArray[np.bool_]:
    begins, group = groups
    return np.asarray(np.logical_or.reduceat(flags, begins)[group], bool)


SEQUENCE = Family("sequence", ("SeqCor", "segments"), shared=(1,), rows=rows)


def sequence_correlation(sums: Any, segments: Any) -> Any:
    """The mean over segments with words."""
    return ratio(sums, segments)


METRICS = (
    Metric(
        "SeqCor", SEQUENCE, sequence_correlation, 0, 1,
        "Rewards spans of both classes that overlap the gold's, and as many spans as the gold has; mean over segments.",
        "WMT15 scoring script; Logacheva et al. 2016, section 2.2",
        caution="A segment whose gold holds one class only reaches 0.5 at most, so a perfect system stays below 1 on "
        "any corpus with such segments.",
        undefined=lambda sums, segments: segments == 0, reason="Undefined without words.",
    ),
)  # fmt: skip
