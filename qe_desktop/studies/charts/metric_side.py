"""One metric of a study beside people, as its pictures take it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qe_desktop.escaping import elide
from qe_desktop.levels.chart_model import Ints
from qe_desktop.metrics.family import Floats
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation

NumberFormatter = Callable[[float], str]
"""Writes a number for people."""
MAX_DOT_NAME_CHARS = 30
"""Characters of a name in a picture; longer ones lose their middle."""
ALPHA = 0.05
"""Two-sided; pairs are named by it, uncorrected."""


def format_three_digits(value: float) -> str:
    """A number as tables of studies have it, and a dash for none."""
    return "–" if np.isnan(value) else f"{value:.3f}"


@dataclass(frozen=True, eq=False)
class MetricVsHuman:
    """A metric beside people; `number` writes scores."""

    study: MetaEvaluation
    agreement: MetricAgreement
    number: NumberFormatter

    @property
    def metric(self) -> str:
        """The metric's name."""
        return elide(self.agreement.metric.name, MAX_DOT_NAME_CHARS)

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """The names of systems, as there is room for them."""
        return tuple(elide(name, MAX_DOT_NAME_CHARS) for name in self.study.systems)

    @cached_property
    def worth(self) -> Floats:
        """The metric's scores, more being better."""
        return np.asarray(self.agreement.metric.better * self.agreement.scores)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Both systems of each pair, in the order in which pairs are tested, shape (pairs,) each."""
        first, second = np.triu_indices(len(self.systems), 1)
        return first, second

    @cached_property
    def at_odds(self) -> NDArray[np.bool_] | None:
        """Pairs in which people and the metric are each sure of another system; None where they were not tested."""
        ours, theirs = self.agreement.ahead, self.study.people_ahead
        if ours is None or theirs is None:
            return None
        sure, unsure = ALPHA / 2, 1 - ALPHA / 2
        return np.asarray(((ours <= sure) & (theirs >= unsure)) | ((theirs <= sure) & (ours >= unsure)))

    def between(self, value: float, ends: Floats | None) -> str:
        """A score and its interval, where there is one."""
        if ends is None:
            return self.number(value)
        return f"{self.number(value)} [{self.number(float(ends[0]))}, {self.number(float(ends[1]))}]"


def known_range(values: Floats, *others: Floats) -> tuple[float, float]:
    """From the lowest to the highest of all that is known, with some room where all are alike."""
    known = np.concatenate([values, *others])
    known = known[np.isfinite(known)]
    if not len(known):
        return 0.0, 1.0
    low, high = float(known.min()), float(known.max())
    room = 0.5 * (abs(low) or 1.0)
    return (low, high) if high > low else (low - room, high + room)
