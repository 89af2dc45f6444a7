"""Data for charts that compare one metric with human scores."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.meta_eval.agreement import MetricAgreement
from qe_desktop.studies.meta_eval.meta_evaluation import MetaEvaluation

NumberFormatter = Callable[[float], str]
"""Function that formats a number for display."""
MAX_DOT_NAME_CHARS = 30
"""Maximum length of a name in a chart, in characters; longer names are elided in the middle."""
ALPHA = 0.05
"""Default significance level of the pairs named in captions; tests are two-sided and uncorrected."""


def format_three_digits(value: float) -> str:
    """Format a number with three decimal places, as in the tables of studies; NaN is shown as a dash."""
    return "–" if np.isnan(value) else f"{value:.3f}"


@dataclass(frozen=True, eq=False)
class MetricVsHuman:
    """Data of one metric vs. human scores; `number` is the function that formats scores.

    `alpha` is the two-sided significance level, without correction, for reporting pairs with opposite differences.
    """

    study: MetaEvaluation
    agreement: MetricAgreement
    number: NumberFormatter
    alpha: float = ALPHA

    @property
    def metric(self) -> str:
        """Name of the metric, elided if long."""
        return elide(self.agreement.metric.name, MAX_DOT_NAME_CHARS)

    @property
    def human_axis(self) -> str:
        """Title of the axis of human scores, with their unit if it is known."""
        unit = self.study.human.unit
        return tr("human score ({unit})", unit=unit) if unit else tr("human score")

    @cached_property
    def systems(self) -> tuple[str, ...]:
        """Names of systems, elided if long."""
        return tuple(elide(name, MAX_DOT_NAME_CHARS) for name in self.study.systems)

    @cached_property
    def oriented_scores(self) -> Floats:
        """Scores of the metric, shape (systems,), negated if lower is better."""
        return np.asarray(self.agreement.metric.better * self.agreement.scores)

    @cached_property
    def pairs(self) -> tuple[Ints, Ints]:
        """Indices of the first and the second system of each pair, in the order of the tests, shape (pairs,) each."""
        first, second = np.triu_indices(len(self.systems), 1)
        return first, second

    @cached_property
    def contradictory_pairs(self) -> NDArray[np.bool_] | None:
        """Mask of pairs with opposite significant differences by human scores and by the metric; None if untested."""
        metric_p, human_p = self.agreement.pair_p_values, self.study.human_p_values
        if metric_p is None or human_p is None:
            return None
        low_p, high_p = self.alpha / 2, 1 - self.alpha / 2
        return np.asarray(((metric_p <= low_p) & (human_p >= high_p)) | ((human_p <= low_p) & (metric_p >= high_p)))

    def format_score(self, value: float, ends: Floats | None) -> str:
        """Format a score, followed by its interval if `ends` is not None."""
        if ends is None:
            return self.number(value)
        return f"{self.number(value)} [{self.number(float(ends[0]))}, {self.number(float(ends[1]))}]"


def known_range(values: Floats, *more_values: Floats) -> tuple[float, float]:
    """Return the range of all finite values, with a margin if they are equal; (0, 1) if there are none."""
    defined = np.concatenate([values, *more_values])
    defined = defined[np.isfinite(defined)]
    if not len(defined):
        return 0.0, 1.0
    low, high = float(defined.min()), float(defined.max())
    padding = 0.5 * (abs(low) or 1.0)
    return (low, high) if high > low else (low - padding, high + padding)
