"""Systems compared: scores, p-values of all pairs, what is significant, and the coefficients d."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError
from qe_desktop.metrics import Metric
from qe_desktop.significance.clusters import clusters_of, rank_ranges
from qe_desktop.significance.corrections import Correction, adjusted_matrix
from qe_desktop.significance.procedures import procedure
from qe_desktop.significance.randomisation import FamilyRows, Watch, by_document
from qe_desktop.significance.sureness import Verdicts
from qe_desktop.wording import tr

Unit = Literal["segment", "document"]


@dataclass(frozen=True, slots=True)
class Options:
    """How systems are compared; `test` is the name of a `Procedure`.

    `top` is the number of systems in the top half for d, or None for floor(half).
    """

    test: str = "randomisation"
    rounds: int = 10_000
    seed: int = 1
    unit: Unit = "segment"
    correction: Correction = "bonferroni"
    alpha: float = 0.05
    top: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class MetricComparison:
    """One metric's matrices, shape (systems, systems), in the order the systems were given.

    `scores` are NaN where undefined (then they are ranked as 0); `order` lists systems best first; `p` is uncorrected
    with its Monte-Carlo `error`; `adjusted` is after correction and `beats[a, b]` says that a is significantly better.
    """

    metric: Metric
    scores: NDArray[np.float64]
    order: NDArray[np.int64]
    p: NDArray[np.float64]
    error: NDArray[np.float64]
    adjusted: NDArray[np.float64]
    beats: NDArray[np.bool_]
    d: float
    d_top: float
    d_bottom: float

    @property
    def clusters(self) -> list[list[int]]:
        """The systems best first, in groups of which each system significantly beats all systems of those below.

        Systems that could be tested against no other, for their scores are undefined, are in none.
        """
        return clusters_of(self.order[self._tested[self.order]], self.beats)

    @property
    def ranks(self) -> NDArray[np.int64]:
        """The best and the worst rank that each system may have, shape (systems, 2); 0 for those in no cluster."""
        tested = np.flatnonzero(self._tested)
        found = np.zeros((len(self.beats), 2), np.int64)
        found[tested] = np.stack(rank_ranges(self.beats[np.ix_(tested, tested)]), axis=-1)
        return found

    @property
    def _tested(self) -> NDArray[np.bool_]:
        others = ~np.eye(len(self.p), dtype=bool)
        return np.asarray((np.isfinite(self.p) & others).any(axis=1) | (len(self.p) < 2))


@dataclass(frozen=True, slots=True, eq=False)
class Comparison:
    """The result for all metrics. `rounds` is how many swaps were made; with `exact`, all there are; 0 where p comes in
    closed form.

    `identical` (systems, systems) says which systems gave the same output, where that is known.
    """

    systems: tuple[str, ...]
    metrics: tuple[MetricComparison, ...]
    options: Options
    rounds: int
    exact: bool
    segments: int
    units: int
    identical: NDArray[np.bool_] | None = None

    def of(self, metric: str) -> MetricComparison:
        """The comparison by one metric's name."""
        return next(found for found in self.metrics if found.metric.name == metric)

    def verdicts(self, metric: str) -> Verdicts:
        """What the tests by one metric say of each pair."""
        one = self.of(metric)
        return Verdicts(one.p, one.adjusted, one.beats, identical=self.identical)


def compare_rows(
    names: Sequence[str],
    families: Sequence[FamilyRows],
    metrics: Sequence[Metric],
    options: Options,
    *,
    documents: NDArray[np.integer] | None = None,
    watch: Watch | None = None,
) -> Comparison:
    """Compare systems by their rows; the result lists metrics in the order of `metrics`.

    `documents` (segments,) says which belongs where when documents are swapped. QeError where there is no such test,
    and for metrics that no test is for.
    """
    _refuse_untestable(metrics)
    segments = families[0].rows.shape[1]
    tested = [metric for family in families for metric in family.metrics]
    totals = {family.metrics[0].family.name: family.rows.sum(axis=1, dtype=np.float64) for family in families}
    observed = np.stack([metric.comparable(totals[metric.family.name]) for metric in tested])
    families = in_units(families, options.unit, documents)
    run = procedure(options.test).run
    tests = run(families, observed, rounds=options.rounds, seed=options.seed, watch=watch)
    found = {
        metric.name: judged(
            metric,
            metric.score(totals[metric.family.name]),
            tests.p[place],
            tests.error[place],
            options,
        )
        for place, metric in enumerate(tested)
    }
    ordered = tuple(found[metric.name] for metric in metrics)
    units = families[0].rows.shape[1]
    return Comparison(tuple(names), ordered, options, tests.rounds, tests.exact, segments, units)


def _refuse_untestable(metrics: Sequence[Metric]) -> None:
    for metric in metrics:
        if not metric.family.separate:
            message = tr(
                "{metric} compares each segment with all others, so segments cannot be swapped", metric=metric.name
            )
            raise QeError(message, hint=tr("Test another metric."))


def in_units(families: Sequence[FamilyRows], unit: Unit, documents: NDArray[np.integer] | None) -> Sequence[FamilyRows]:
    """The rows summed over what is swapped and resampled: as they are, or by `documents` (segments,).

    Segments of one document are alike, so whatever is random takes them together, tests and intervals both.
    """
    if unit == "segment":
        return families
    if documents is None:
        raise QeError(
            tr("documents cannot be swapped, because nothing says which segment belongs to which document"),
            hint=tr("Swap segments, or add a file with one document name a line (score and compare: --documents)."),
        )
    return [FamilyRows(by_document(family.rows, documents), family.metrics) for family in families]


def judged(
    metric: Metric,
    scores: NDArray[np.float64],
    p: NDArray[np.float64],
    error: NDArray[np.float64],
    options: Options,
) -> MetricComparison:
    """What p-values mean under a correction and alpha; cheap, so that these can be changed without testing again."""
    worth = metric.worth(scores)
    order = np.argsort(-worth, kind="stable")
    corrected = adjusted_matrix(p, options.correction)
    beats = (corrected <= options.alpha) & (worth[:, None] > worth[None, :])
    top, _ = halves(len(order), options.top)
    best, rest = np.ix_(order[:top], order[:top]), np.ix_(order[top:], order[top:])
    shares = [distinction(part, options.correction, options.alpha) for part in (p, p[best], p[rest])]
    return MetricComparison(metric, scores, order, p, error, corrected, beats, *shares)


def rejudged(comparison: Comparison, options: Options) -> Comparison:
    """The same tests under another correction, alpha or split."""
    metrics = tuple(judged(one.metric, one.scores, one.p, one.error, options) for one in comparison.metrics)
    return replace(comparison, metrics=metrics, options=options)


def distinction(p: NDArray[np.float64], correction: Correction, alpha: float) -> float:
    """The distinction coefficient d, the share of pairs of systems that a metric tells apart (Logacheva et al. 2016).

    Significant pairs / all pairs of a symmetric matrix of uncorrected p; pairs that could not be tested (NaN) do not
    count, and without any pair it is NaN.

    The correction counts the pairs of this matrix alone, so a half of the systems is tested against its own number of
    pairs (the paper's footnote 3).
    """
    systems = len(p)
    if systems < 2:
        return float("nan")
    upper = np.triu_indices(systems, 1)
    judged = adjusted_matrix(p, correction)[upper]
    tested = np.isfinite(judged)
    return float((judged[tested] <= alpha).mean()) if tested.any() else float("nan")


def halves(systems: int, top: int | None = None) -> tuple[int, int]:
    """How many systems are the top and how many the bottom: floor(half) and the rest, 8 and 9 of 17, unless chosen."""
    upper = systems // 2 if top is None else max(0, min(top, systems))
    return upper, systems - upper
