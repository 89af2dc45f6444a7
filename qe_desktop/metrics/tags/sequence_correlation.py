"""Sequence family: SeqCor, the sequence correlation of WMT15, from a greedy matching of spans."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, is_zero_denominator, ratio
from qe_desktop.metrics.tags.tag_overlap import TagOverlap


def sequence_rows(overlap: TagOverlap) -> Floats:
    """Return the rows of SeqCor.

    Parameters
    ----------
    overlap
        Tags of a system, paired with the gold.

    Returns
    -------
    ndarray
        SeqCor of each segment, 0 to 1, and whether the segment has words (0 or 1), shape (segments, 2).

    Notes
    -----
    SeqCor = ratio/2 · (m_OK/n_OK + m_BAD/n_BAD). For each class, m is the number of words in the overlaps of matched
    spans, and n is the number of gold words. The term of a class without gold words is 0. `ratio` compares the numbers
    of gold spans and system spans: it is the smaller number divided by the larger.

    References
    ----------
    WMT15 scoring script; Logacheva et al. 2016, section 2.2
    """
    gold, system = overlap.gold, overlap.system
    ok, bad = overlap.sum_by_tag(overlap.lengths * match_atoms(overlap))
    shares = ratio(ok, gold.words - gold.bad_words) + ratio(bad, gold.bad_words)
    balance = ratio(np.minimum(gold.count, system.count), np.maximum(gold.count, system.count))
    return np.stack([balance * shares / 2, gold.words > 0], axis=-1)


def match_atoms(overlap: TagOverlap) -> NDArray[np.bool_]:
    """Return which atoms the greedy matching of WMT15 selects: the longest first (leftmost if tied), one per span.

    An atom that is the longest both in its gold span and in its system span is selected regardless of other atoms. All
    such atoms are therefore selected at once, and only atoms whose spans are both unmatched enter the next round.

    Parameters
    ----------
    overlap
        Tags of a system, paired with the gold.

    Returns
    -------
    ndarray
        Whether each atom is selected, shape (atoms,).
    """
    selected = np.zeros(len(overlap.starts), bool)
    atoms = np.flatnonzero(overlap.has_same_tag)
    gold, system = overlap.gold_span[atoms], overlap.system_span[atoms]
    # most atoms are alone in both their spans and need no comparison
    tied = np.zeros(len(atoms) + 1, bool)
    tied[1:-1] = (gold[1:] == gold[:-1]) | (system[1:] == system[:-1])
    contested = tied[:-1] | tied[1:]
    selected[atoms[~contested]] = True
    remaining = np.flatnonzero(contested)
    atoms, gold, system = atoms[remaining], gold[remaining], system[remaining]
    # longer first, and leftmost of equal length
    priority = overlap.lengths[atoms] * len(selected) + (len(selected) - 1 - atoms)
    gold_closed = np.zeros(len(overlap.gold.starts), bool)
    system_closed = np.zeros(len(overlap.system.starts), bool)
    while len(atoms):
        best = _best_of_span(priority, gold) & _best_of_span(priority, system)
        selected[atoms[best]] = True
        gold_closed[gold[best]] = True
        system_closed[system[best]] = True
        remaining = np.flatnonzero(~(gold_closed[gold] | system_closed[system]))
        atoms, gold, system, priority = atoms[remaining], gold[remaining], system[remaining], priority[remaining]
    return selected


def _best_of_span(priority: Ints, span: Ints) -> NDArray[np.bool_]:
    """Return whether each atom has the highest priority in its span, given the (ascending) span index of each atom."""
    begins = np.flatnonzero(np.append(True, span[1:] != span[:-1]))
    highest: Ints = np.maximum.reduceat(priority, begins)
    return np.equal(priority, np.repeat(highest, np.diff(begins, append=len(span))))


SEQUENCE = Family("sequence", ("SeqCor", "segments"), shared=(1,), rows=sequence_rows)


def _mean(sums: Any, segments: Any) -> tuple[Any, ...]:
    """Return the sum of SeqCor over segments, and the number of segments with words."""
    return sums, segments


METRICS = (
    Metric(
        "SeqCor", SEQUENCE, (ScoreTerm(_mean, ratio),), 0, 1,
        tr(
            "Pairs the spans of adjacent OK or BAD words in gold and system by their overlap. For each class, the "
            "share of words in these overlaps is computed. The score of a segment is the mean of both shares times the "
            "ratio of the smaller to the larger number of spans. Mean over segments."
        ),
        tr("WMT15 scoring script; Logacheva et al. 2016, section 2.2"),
        caution=tr(
            "At most 0.5 for a segment whose gold has one class only, so a perfect system stays below"
            " 1 on a corpus with such segments."
        ),
        undefined=is_zero_denominator(_mean), reason=tr("Undefined if the gold has no words."),
    ),
)  # fmt: skip
