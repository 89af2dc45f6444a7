"""Immutable snapshots of scores, comparisons and ranks for models and painters."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

import numpy as np

from qe_desktop.corpus import LayerKey
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.levels import Level, all_levels
from qe_desktop.metrics import Metric
from qe_desktop.significance import Comparison, SignificanceLevel
from qe_desktop.significance.score_intervals import interval_label
from qe_desktop.ui.scores.number_format import format_interval, format_ranks, format_score
from qe_desktop.ui.scores.score_descriptions import interval_sentence, score_sentence
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow


@dataclass(frozen=True, slots=True, eq=False)
class ScoreTableState:
    """Scores of `layers` at a level.

    `values` maps metric names to scores of shape (layers,), NaN if undefined; it is empty before scores are computed.
    `differences` maps metric names to the changes of the scores due to the last edit. `totals` maps the names of metric
    families to sums over segments, shape (layers, columns). `is_complete` is False until the scores are ready.
    `other_names` maps system names to texts about other names in score and rating files, such as “rated under the
    name x”.
    """

    level: Level = field(default_factory=lambda: all_levels()[0])
    layers: tuple[LayerKey, ...] = ()
    values: Mapping[str, Floats] = field(default_factory=dict)
    differences: Mapping[str, Floats] = field(default_factory=dict)
    totals: Mapping[str, Floats] = field(default_factory=dict)
    is_complete: bool = False
    other_names: Mapping[str, Sequence[str]] = field(default_factory=dict)

    def value(self, metric: Metric, row: int) -> float:
        """Return the score of a layer, NaN if undefined or not computed."""
        values = self.values.get(metric.name)
        return float("nan") if values is None or row >= len(values) else float(values[row])

    def difference(self, metric: Metric, row: int) -> float:
        """Return the change of a score due to the last edit; 0 before any edit, or if the change is undefined."""
        moves = self.differences.get(metric.name)
        return 0.0 if moves is None or row >= len(moves) or np.isnan(moves[row]) else float(moves[row])

    def bar_fraction(self, metric: Metric, row: int) -> float:
        """Return a score as a fraction (0..1) of the largest score; 0 if the score is undefined or not positive."""
        values, value = self.values.get(metric.name), self.value(metric, row)
        if values is None or math.isnan(value):
            return 0.0
        largest = float(np.nanmax(values))
        return min(1.0, max(0.0, value / largest)) if largest > 0 else 0.0

    def caution(self, metric: Metric, row: int) -> str:
        """Return the reason why a score is undefined, or a caution if it is unusually high; empty otherwise."""
        value = self.value(metric, row)
        if math.isnan(value):
            return metric.reason if metric.name in self.values else ""
        return metric.caution if value > metric.usual_max else ""

    def sentence(self, metric: Metric, row: int, decimals: int) -> str:
        """Return a sentence that states a score and its change due to the last edit, or that no score was computed."""
        name = self.layers[row].display_name
        if metric.name not in self.values:
            return tr("{name}: {metric} has not been computed", name=name, metric=metric.name)
        return score_sentence(name, metric.name, self.value(metric, row), self.difference(metric, row), decimals)

    def order(self, name: str, *, descending: bool) -> Ints:
        """Return row indices sorted by a metric (undefined scores last), or by layer name if `name` is empty.

        If the metric has not been computed, the indices are in loading order.
        """
        indices = np.arange(len(self.layers))
        if not name:
            named = sorted(indices, key=lambda index: self.layers[index].name.casefold(), reverse=descending)
            return np.asarray(named, np.int64)
        values = self.values.get(name)
        if values is None or len(values) != len(indices):
            return indices
        keys = np.where(np.isnan(values), np.inf, -values if descending else values)
        return np.argsort(keys, kind="stable")


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonResult:
    """Comparison of `layers` with the gold (`reference`) at a level.

    `intervals` has the bounds of the 95 % intervals of scores, shape (metrics, layers, 2), in the order of `metrics`
    and `layers`.
    """

    level: Level
    reference: LayerKey
    layers: tuple[LayerKey, ...]
    comparison: Comparison
    intervals: Floats

    @property
    def metrics(self) -> tuple[str, ...]:
        """Names of the tested metrics."""
        return tuple(result.metric.name for result in self.comparison.metrics)

    def interval(self, metric: str, layer: LayerKey) -> tuple[float, float] | None:
        """Return the 95 % interval of a layer's score, (NaN, NaN) if it is undefined; None if it was not computed."""
        if metric not in self.metrics or layer not in self.layers:
            return None
        low, high = self.intervals[self.metrics.index(metric), self.layers.index(layer)]
        return float(low), float(high)

    def is_defined(self, metric: str, layer: LayerKey) -> bool:
        """Return whether the score of a layer by a tested metric is defined."""
        return not math.isnan(self.comparison.of(metric).scores[self.layers.index(layer)])

    @property
    def resampled_units(self) -> str:
        """Number of resampled units as text, such as “40 documents”."""
        if self.comparison.options.unit == "document":
            return tr("{n:,} {n:document|documents}", "", self.comparison.units)
        return tr("{n:,} {n:segment|segments}", "", self.comparison.units)

    def interval_text(self, metric: str) -> str:
        """Return the interval method of a tested metric as text, such as “BCa bootstrap over 40 documents”."""
        method = interval_label(self.comparison.of(metric).metric, self.comparison.options.interval_method)
        return tr("{method} over {units}", method=method, units=self.resampled_units)


@dataclass(frozen=True, slots=True)
class MatrixState:
    """Snapshot of the current metric and the comparison result; `is_outdated` states whether the result is outdated."""

    metric: str = ""
    result: ComparisonResult | None = None
    is_outdated: bool = False


def interval_plot_data(state: MatrixState, decimals: int, *, by_score: bool = True) -> IntervalPlotData | str:
    """Return the data of the interval plot, or a message if there is nothing to plot.

    `decimals` is the number of decimals in texts. Systems are sorted by score if `by_score`, otherwise in loading
    order. Systems with an undefined score are left out.
    """
    result, metric = state.result, state.metric
    if result is None or metric not in result.metrics:
        return tr("Run the significance test to see intervals of {metric}.", metric=metric)
    scores, intervals = result.comparison.of(metric), result.intervals[result.metrics.index(metric)]
    rows = []
    for index in scores.order if by_score else range(len(scores.order)):
        name, score = result.layers[index].display_name, float(scores.scores[index])
        if math.isnan(score):
            continue
        low, high = float(intervals[index, 0]), float(intervals[index, 1])
        description = interval_sentence(name, metric, (low, high), decimals, result.interval_text(metric))
        is_defined = not math.isnan(low)
        label = format_score(score, decimals)
        rows.append(
            IntervalRow(name, score, low if is_defined else None, high if is_defined else None, description, label)
        )
    if not rows:
        return tr("{metric} is undefined for all systems.", metric=metric)
    title = tr("{metric}, 95 % intervals over {units}", metric=metric, units=result.resampled_units)
    return IntervalPlotData(" · ".join((title, tr("outdated"))) if state.is_outdated else title, tuple(rows))


MAX_NAMED_SYSTEMS = 3
"""Maximum number of systems that a sentence names; if there are more, the sentence states only their number."""


class SystemRanks:
    """Ranks of the systems of a comparison by one of its metrics."""

    def __init__(self, result: ComparisonResult, metric: str) -> None:
        self._result = result
        self._tested = result.comparison.of(metric)
        self._verdicts = result.comparison.verdicts(metric)
        self._clusters = self._tested.clusters
        self._order = [index for cluster in self._clusters for index in cluster]
        """Indices of the tested systems, best first."""
        self._ranked = frozenset(self._order)
        self._ranks: list[tuple[int, int]] = [(best, worst) for best, worst in self._tested.ranks.tolist()]

    def _tested_index(self, layer: LayerKey) -> int | None:
        """Return the index of a layer in the comparison; None if the layer was not tested."""
        index = self._result.layers.index(layer) if layer in self._result.layers else -1
        return index if index in self._ranked else None

    def ranks(self, layer: LayerKey) -> tuple[int, int] | None:
        """Return the best and worst rank that the tests allow; None if the layer was not tested."""
        index = self._tested_index(layer)
        return None if index is None else self._ranks[index]

    def text(self, layer: LayerKey) -> str:
        """Return the rank range as text; empty if the layer was not tested."""
        ranks = self.ranks(layer)
        return "" if ranks is None else format_ranks(*ranks)

    def is_top(self, layer: LayerKey) -> bool:
        """Return whether no system is significantly better than `layer`; False if this is true of all systems."""
        ranks = self.ranks(layer)
        return ranks is not None and ranks[0] == 1 and any(self._ranks[index][0] > 1 for index in self._ranked)

    def cluster_ends(self, layers: Sequence[LayerKey]) -> frozenset[int]:
        """Return the indices in `layers` (sorted best first) at which clusters end, except the last cluster."""
        sizes = list(accumulate(len(cluster) for cluster in self._clusters))[:-1]
        ranked_layers = [self._result.layers[index] for cluster in self._clusters for index in cluster]
        return frozenset(size - 1 for size in sizes if set(layers[:size]) == set(ranked_layers[:size]))

    def sign(self, layer: LayerKey) -> str:
        """Return the symbol of the least significant test of `layer` against the other systems; empty if there is none.

        The result is also empty if `layer` differs significantly from only some of the systems, because the symbol of
        the least significant test (○) would suggest that it does not differ from any.
        """
        index = self._tested_index(layer)
        rivals = [] if index is None else [system for system in self._ranked if system != index]
        levels = [self._verdicts.pair(index, rival).level for rival in rivals] if index is not None else []
        if not levels or len({level.is_significant for level in levels}) > 1:
            return ""
        return max(SignificanceLevel.NOT_SIGNIFICANT, min(levels)).sign

    def sentence(self, layer: LayerKey, decimals: int) -> str:
        """Return a sentence about the rank of a layer; empty if the layer was not tested."""
        index, count = self._tested_index(layer), len(self._ranked)
        if index is None:
            return ""
        metric = self._tested.metric
        low, high = self._result.interval(metric.name, layer) or (float("nan"), float("nan"))
        score = f"{metric.name} {format_score(float(self._tested.scores[index]), decimals)}"
        if low == low:
            score = tr("{score}, 95 % interval {interval}", score=score, interval=format_interval(low, high, decimals))
        ranks = tr("rank {ranks} of {n}", "", count, ranks=self.text(layer))
        # the values follow the name, because the sentence names other systems, too
        name = tr("{system} ({score}, {ranks})", system=layer.display_name, score=score, ranks=ranks)
        return tr("{text}.", text=self._clause(index, name))

    def _clause(self, index: int, name: str) -> str:
        """Return a clause that compares the system at `index`, called `name` in the clause, with other systems."""
        beaten = [system for system in self._order if self._tested.beats[index, system]]
        worse, rivals = int(self._tested.beats[:, index].sum()), len(self._order) - 1
        if worse or not 0 < len(beaten) < rivals:
            return _verdict_text(name, len(beaten), worse, rivals)
        equal = [system for system in self._order if system != index and system not in beaten]
        return tr(
            "No system is significantly better than {system}, which is significantly better than {others} and does "
            "not differ significantly from {equal}",
            system=name, others=self._names(beaten), equal=self._names(equal),
        )  # fmt: skip

    def _names(self, systems: Sequence[int]) -> str:
        """Return the names of systems or, if there are more than `MAX_NAMED_SYSTEMS`, their number."""
        if len(systems) > MAX_NAMED_SYSTEMS:
            return tr("{n:,} {n:system|systems}", "", len(systems))
        return join_names([self._result.layers[system].display_name for system in systems])


def _verdict_text(name: str, better: int, worse: int, other_systems: int) -> str:
    """Return a clause that states how many other systems a system is significantly better and worse than."""
    if not other_systems:
        return tr("{system} is the only system", system=name)
    if better == other_systems:
        return tr(
            "{system} is significantly better than {n:the other system|all other systems}",
            "",
            other_systems,
            system=name,
        )
    if worse == other_systems:
        return tr(
            "{system} is significantly worse than {n:the other system|all other systems}",
            "",
            other_systems,
            system=name,
        )
    if not worse and not better:
        return tr("{system} does not differ significantly from any other system", system=name)
    return tr(
        "{system} is significantly better than {n:,} {n:system|systems} and worse than {worse:,}",
        "", better, system=name, worse=worse,
    )  # fmt: skip
