"""Which scores of a metric are better, more or less of it, as its name and its scores tell."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.importing.questions import ScoreDirection
from qe_desktop.i18n.messages import tr

_ERRORS = {"TER", "ter", "HTER", "hter", "WER", "wer", "PER", "CER", "cer", "CDER", "cder", "CharacTER"}
"""Metrics that are rates of errors, by the first word of their names."""
_PENALTIES = "mqm"
MIN_CONTRADICTING_SHARE = 0.9
"""The share of scores on one side of 0 from which all are taken for such; regression leaves some on the other."""
_WORD = re.compile(r"[A-Za-z]+")


def usual_direction(name: str, scores: Iterable[Scores]) -> ScoreDirection:
    """Which scores of the metric of this name are better, where nobody says.

    Less is better of rates of errors such as TER and of MetricX, and of MQM where most segments have no penalty. Shared
    tasks turn their signs so that more is better, which scores below 0 tell. Of all others, more is better.
    """
    first = next(iter(_WORD.findall(name)), "")
    penalties = first.lower() == _PENALTIES
    if not (first in _ERRORS or first.lower().startswith("metricx") or penalties):
        return ScoreDirection.MORE
    values = _all_scores(scores)
    if not len(values) or np.count_nonzero(values >= 0) < MIN_CONTRADICTING_SHARE * len(values) or values.max() <= 0:
        return ScoreDirection.MORE
    if penalties and 2 * np.count_nonzero(values) > len(values):
        return ScoreDirection.MORE
    return ScoreDirection.LESS


def orientation_warning(name: str, better: int, scores: Iterable[Scores]) -> str:
    """A remark where the scores of a metric contradict `better`: 1 where more is better, -1 where less is. Empty where
    they do not.

    Of rates of errors less is usually better. Scores below 0 are such rates whose sign was turned, or logarithms of
    probabilities: more of both is better.
    """
    columns = list(scores)
    if better > 0:
        if usual_direction(name, columns) is not ScoreDirection.LESS:
            return ""
        return tr("less of {metric} is usually better, and here more is", metric=name)
    values = _all_scores(columns)
    if not len(values) or values.min() >= 0 or np.count_nonzero(values <= 0) < MIN_CONTRADICTING_SHARE * len(values):
        return ""
    return tr(
        "scores of {metric} are 0 or below, as where their sign is turned so that more is better, and here less is",
        metric=name,
    )


def _all_scores(scores: Iterable[Scores]) -> Scores:
    """All scores that were given, of all systems."""
    values = np.concatenate([np.zeros(0), *scores])
    return np.asarray(values[~np.isnan(values)], np.float64)
