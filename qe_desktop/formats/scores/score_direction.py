"""Score direction of a metric (whether higher or lower is better), based on its name and scores."""

from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np

from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.importing.questions import ScoreDirection
from qe_desktop.i18n.messages import tr

_ERRORS = {"TER", "ter", "HTER", "hter", "WER", "wer", "PER", "CER", "cer", "CDER", "cder", "CharacTER"}
"""First words of the names of error-rate metrics."""
_PENALTIES = "mqm"
MIN_CONTRADICTING_SHARE = 0.9
"""Minimum share of scores on one side of 0 for a metric to count as positive or negative.

The minimum is below 1 because a regression metric may have a few scores on the other side.
"""
_WORD = re.compile(r"[A-Za-z]+")


def usual_direction(name: str, scores: Iterable[Scores]) -> ScoreDirection:
    """Default score direction of a metric, based on its name and scores.

    Lower is better for error rates such as TER, for MetricX, and for MQM if at least half of the segments have no
    penalty. Shared tasks may negate such scores so that higher is better; this is assumed if more than 10 % of the
    scores are below 0, or none is above 0. In all other cases, and without scores, higher is better.
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
    """Warning if the scores of a metric contradict `better` (1: higher, -1: lower is better); empty otherwise.

    For error rates, lower is usually better. Scores that are mostly 0 or below are assumed to be negated error rates or
    log-probabilities, for which higher is better.
    """
    columns = list(scores)
    if better > 0:
        if usual_direction(name, columns) is not ScoreDirection.LESS:
            return ""
        return tr("for {metric}, lower is usually better, but higher is treated as better", metric=name)
    values = _all_scores(columns)
    if not len(values) or values.min() >= 0 or np.count_nonzero(values <= 0) < MIN_CONTRADICTING_SHARE * len(values):
        return ""
    return tr(
        "most {metric} scores are 0 or below, which suggests that higher is better, but lower is treated as better",
        metric=name,
    )


def _all_scores(scores: Iterable[Scores]) -> Scores:
    """Concatenate the scores of all systems, omitting missing scores."""
    values = np.concatenate([np.zeros(0), *scores])
    return np.asarray(values[~np.isnan(values)], np.float64)
