"""Phrase family: spans of one tag, matched completely or in part.

Logacheva et al. 2016 (section 2.1) describe phrase-level F1 in prose only. Taken literally, the description counts each
gold span as the share of its words that the system labels correctly. The sum of these shares is divided by the number
of gold spans for recall, and by the number of system spans for precision. This precision can exceed 1 if a system
merges gold spans. The bounded variant computes precision from the share of correct words in each system span; it needs
two more columns and is a separate family.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, ratio
from qe_desktop.metrics.tags.tag_overlap import TagOverlap

COLUMNS = (
    "matched gold OK spans", "matched gold BAD spans", "gold OK spans", "gold BAD spans",
    "system OK spans", "system BAD spans", "correct system OK spans", "correct system BAD spans",
)  # fmt: skip


def phrase_rows(overlap: TagOverlap) -> Floats:
    """Return the rows of phrase metrics.

    Parameters
    ----------
    overlap
        Tags of a system, paired with the gold.

    Returns
    -------
    ndarray
        Numbers of matched gold spans (OK, BAD), gold spans (OK, BAD) and system spans (OK, BAD), shape (segments, 6).
        A matched gold span counts as the fraction of its words that the system tags correctly.

    Notes
    -----
    F1 of a class = 2 · matched / (gold + system), from P = matched / system and R = matched / gold.

    References
    ----------
    Logacheva et al. 2016, section 2.1
    """
    gold, system = overlap.gold, overlap.system
    columns = (*overlap.gold_span_recall, gold.ok_count, gold.bad_count, system.ok_count, system.bad_count)
    return np.stack(columns, axis=-1)


def bounded_phrase_rows(overlap: TagOverlap) -> Floats:
    """Return the rows of bounded phrase metrics.

    Parameters
    ----------
    overlap
        Tags of a system, paired with the gold.

    Returns
    -------
    ndarray
        The columns of `phrase_rows`, then the numbers of correct system spans for OK and for BAD, shape (segments, 8).
        A correct system span counts as the fraction of its words that are tagged correctly.
    """
    return np.concatenate([phrase_rows(overlap), np.stack(overlap.system_span_precision, axis=-1)], axis=-1)


PHRASES = Family("phrases", COLUMNS[:6], shared=(2, 3), rows=phrase_rows)
BOUNDED = Family("bounded phrases", COLUMNS, shared=(2, 3), rows=bounded_phrase_rows)


def _f1_ok(f0: Any, f1: Any, g0: Any, g1: Any, s0: Any, s1: Any) -> tuple[Any, ...]:
    """Return the numerator and denominator of the F1 of OK: 2 · matched, and gold + system (see `phrase_rows`)."""
    return f0 + f0, g0 + s0


def _f1_bad(f0: Any, f1: Any, g0: Any, g1: Any, s0: Any, s1: Any) -> tuple[Any, ...]:
    return f1 + f1, g1 + s1


def _bounded_ok(f0: Any, f1: Any, g0: Any, g1: Any, s0: Any, s1: Any, r0: Any, r1: Any) -> tuple[Any, ...]:
    return f0, g0, r0, s0


def _bounded_bad(f0: Any, f1: Any, g0: Any, g1: Any, s0: Any, s1: Any, r0: Any, r1: Any) -> tuple[Any, ...]:
    return f1, g1, r1, s1


def _harmonic_mean(recalled: Any, gold: Any, right: Any, system: Any, out: Floats | None) -> Any:
    recall = ratio(recalled, gold)
    precision = ratio(right, system)
    return ratio(2 * precision * recall, precision + recall, out)


F1_BAD, F1_OK = ScoreTerm(_f1_bad, ratio), ScoreTerm(_f1_ok, ratio)
BOUNDED_BAD, BOUNDED_OK = ScoreTerm(_bounded_bad, _harmonic_mean), ScoreTerm(_bounded_ok, _harmonic_mean)

_PAPER_SOURCE = tr("Logacheva et al. 2016, section 2.1, as worded in the paper")
_BOUNDED_SOURCE = tr("Logacheva et al. 2016, section 2.1, with precision over the system's spans")
_EXCEEDS_ONE_NOTE = tr("Can exceed 1 if a system merges gold spans.")
_ALL_BAD_NOTE = tr("High for a system that tags everything BAD.")

METRICS = (
    Metric(
        "phr-F1-BAD", PHRASES, (F1_BAD,), 0, np.inf,
        tr(
            "F1 over spans of adjacent BAD words instead of single words. A gold span counts by the share of its words "
            "that the system tags BAD."
        ),
        _PAPER_SOURCE, usual_max=1, caution=join_localized(" ", (_EXCEEDS_ONE_NOTE, _ALL_BAD_NOTE)),
    ),
    Metric(
        "phr-F1-OK", PHRASES, (F1_OK,), 0, np.inf,
        tr(
            "F1 over spans of adjacent OK words instead of single words. A gold span counts by the share of its words "
            "that the system tags OK."
        ),
        _PAPER_SOURCE, usual_max=1, caution=_EXCEEDS_ONE_NOTE,
    ),
    Metric(
        "phr-F1-mult", PHRASES, (F1_OK, F1_BAD), 0, np.inf,
        tr("phr-F1-BAD times phr-F1-OK: high only if the spans of both classes match."),
        _PAPER_SOURCE, usual_max=1, caution=_EXCEEDS_ONE_NOTE,
    ),
    Metric(
        "phr-F1-BAD-bounded", BOUNDED, (BOUNDED_BAD,), 0, 1,
        tr(
            "Like phr-F1-BAD, but a system span counts by the share of its words that are BAD in the gold. The "
            "score is at most 1."
        ),
        _BOUNDED_SOURCE,
    ),
    Metric(
        "phr-F1-OK-bounded", BOUNDED, (BOUNDED_OK,), 0, 1,
        tr(
            "Like phr-F1-OK, but a system span counts by the share of its words that are OK in the gold. The score "
            "is at most 1."
        ),
        _BOUNDED_SOURCE,
    ),
    Metric(
        "phr-F1-mult-bounded", BOUNDED, (BOUNDED_OK, BOUNDED_BAD), 0, 1,
        tr("phr-F1-BAD-bounded times phr-F1-OK-bounded: high only if the spans of both classes match."),
        _BOUNDED_SOURCE,
    ),
)  # fmt: skip
