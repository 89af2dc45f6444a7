"""Word family: hits, false alarms and misses, and the metrics based on them. The positive class is BAD."""

from __future__ import annotations

from typing import Any

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.i18n.messages import tr
from qe_desktop.metrics.family import Family, Metric, ScoreTerm, is_zero_denominator, ratio
from qe_desktop.metrics.tags.tag_overlap import TagOverlap


def word_rows(overlap: TagOverlap) -> Floats:
    """Return the rows of word metrics. The positive class is BAD.

    Parameters
    ----------
    overlap
        Tags of a system, paired with the gold.

    Returns
    -------
    ndarray
        Numbers of true positives (TP), false positives (FP), gold BAD words and all words in each segment, shape
        (segments, 4).
    """
    system_bad = overlap.lengths * overlap.system_tags
    false_alarms, hits = overlap.sum_by_tag(system_bad)
    return np.stack([hits, false_alarms, overlap.gold.bad_words, overlap.gold.words], axis=-1).astype(np.float64)


WORDS = Family("words", ("TP", "FP", "gold BAD", "words"), shared=(2, 3), rows=word_rows)


def _accuracy(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    """Return the number of correctly tagged words, and the number of words."""
    return words - gold - fp + tp, words


def _precision_bad(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    """Return the number of gold BAD words that the system tags BAD, and the number of words that it tags BAD."""
    return tp, tp + fp


def _recall_bad(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    """Return the number of gold BAD words that the system tags BAD, and the number of gold BAD words."""
    return tp, gold


def _f1_bad(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    """Return 2TP and 2TP + FP + FN, whose ratio is the F1 of BAD."""
    return tp + tp, tp + fp + gold


def _f1_ok(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    """Return 2TN and 2TN + FP + FN, whose ratio is the F1 of OK."""
    ok = words - gold
    correct = ok - fp
    return correct + correct, correct + ok + gold - tp


def _confusion_determinant(tp: Any, fp: Any, gold: Any, words: Any) -> Any:
    """Return TP·TN − FP·FN, which equals words·TP − (TP + FP)·gold BAD.

    Logacheva et al. 2016 print a plus sign instead of the minus; inverted tags would then have an MCC of +1.
    """
    return words * tp - (tp + fp) * gold


def _mcc(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    return _confusion_determinant(tp, fp, gold, words), tp + fp, gold, words


def _correlation(beyond_chance: Any, system_bad: Any, gold: Any, words: Any, out: Floats | None) -> Any:
    """Return (TP·TN − FP·FN) / sqrt((TP+FP)(TP+FN)(TN+FP)(TN+FN)), the MCC."""
    squared_denominator = np.multiply(system_bad, np.subtract(words, system_bad, out=out), out=out)
    squared_denominator = np.multiply(squared_denominator, gold * (words - gold), out=out)
    return np.divide(beyond_chance, np.sqrt(np.add(squared_denominator, 1e-300, out=out), out=out), out=out)


def _kappa(tp: Any, fp: Any, gold: Any, words: Any) -> tuple[Any, ...]:
    """Return the numerator and denominator of Cohen's kappa, computed from numbers of words.

    The numerator is 2(TP·TN − FP·FN); the denominator is system BAD · gold OK + gold BAD · system OK.
    """
    system_bad = tp + fp
    return 2 * _confusion_determinant(tp, fp, gold, words), system_bad * (words - gold) + gold * (words - system_bad)


F1_BAD, F1_OK = ScoreTerm(_f1_bad, ratio), ScoreTerm(_f1_ok, ratio)


def _mcc_undefined(tp: Any, fp: Any, gold: Any, words: Any) -> Any:
    system_bad = tp + fp
    return system_bad * (words - system_bad) * gold * (words - gold) == 0


METRICS = (
    Metric(
        "F1-BAD", WORDS, (F1_BAD,), 0, 1,
        tr("Rewards finding BAD words: harmonic mean of precision and recall of BAD."),
        tr("Logacheva et al. 2016, section 2.1; primary metric at WMT14 and WMT15"),
        caution=tr("Favours systems that tag many words BAD."),
    ),
    Metric(
        "F1-OK", WORDS, (F1_OK,), 0, 1,
        tr("Rewards finding OK words: harmonic mean of precision and recall of OK."),
        tr("Logacheva et al. 2016, section 2.1"),
        caution=tr("High for almost every system if most words are OK."),
    ),
    Metric(
        "F1-mult", WORDS, (F1_BAD, F1_OK), 0, 1,
        tr("Rewards systems that are good at both classes: F1-BAD times F1-OK, pooled over all words."),
        tr("Logacheva et al. 2016, section 2.1; primary metric at WMT16 to WMT19"),
        caution=tr("0 for systems that use only one tag."),
    ),
    Metric(
        "MCC", WORDS, (ScoreTerm(_mcc, _correlation),), -1, 1,
        tr("Rewards agreement beyond chance in both classes: correlation of gold and system tags."),
        tr(
            "Matthews 1975; Logacheva et al. 2016, section 2.2, with a minus sign instead of the "
            "misprinted plus; primary metric at WMT20 to WMT23"
        ),
        undefined=_mcc_undefined,
        reason=tr("Undefined if gold or system has one class only; MCC then counts as 0 in rankings and tests."),
    ),
    Metric(
        "accuracy", WORDS, (ScoreTerm(_accuracy, ratio),), 0, 1,
        tr("Share of words whose tag matches the gold."),
        tr("textbook definition"),
        undefined=is_zero_denominator(_accuracy),
        reason=tr("Undefined if the gold has no words."),
        caution=tr("High for a system that tags everything OK."),
    ),
    Metric(
        "kappa", WORDS, (ScoreTerm(_kappa, ratio),), -1, 1,
        tr("Agreement of gold and system beyond what is expected by chance from their shares of BAD."),
        "Cohen 1960",
        undefined=is_zero_denominator(_kappa),
        reason=tr("Undefined if gold and system have the same single class."),
    ),
    Metric(
        "precision-BAD", WORDS, (ScoreTerm(_precision_bad, ratio),), 0, 1,
        tr("Share of the words tagged BAD that are BAD in the gold."),
        tr("textbook definition"),
        undefined=is_zero_denominator(_precision_bad),
        reason=tr("Undefined if the system tags no word BAD."),
    ),
    Metric(
        "recall-BAD", WORDS, (ScoreTerm(_recall_bad, ratio),), 0, 1,
        tr("Share of the BAD words of the gold that are tagged BAD."),
        tr("textbook definition"),
        undefined=is_zero_denominator(_recall_bad),
        reason=tr("Undefined if the gold has no BAD word."),
    ),
)  # fmt: skip
