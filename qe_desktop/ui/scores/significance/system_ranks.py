"""Ranks of systems by one metric: rank ranges, clusters, and a sentence that explains the rank of a system."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate

from qe_desktop.corpus import LayerKey
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.scores.number_format import format_interval, format_ranks, format_score
from qe_desktop.ui.scores.score_values import ComparisonResult


class SystemRanks:
    """Ranks of the systems of a comparison by one of its metrics."""

    def __init__(self, result: ComparisonResult, metric: str) -> None:
        self._result = result
        self._tested = result.comparison.of(metric)
        self._verdicts = result.comparison.verdicts(metric)
        self._clusters = self._tested.clusters
        self._ranked = frozenset(index for cluster in self._clusters for index in cluster)
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
        """Return the indices in `layers`, sorted best first, at which all clusters except the last one end."""
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
        better, worse = int(self._tested.beats[index].sum()), int(self._tested.beats[:, index].sum())
        low, high = self._result.interval(metric.name, layer) or (float("nan"), float("nan"))
        score = f"{metric.name} {format_score(float(self._tested.scores[index]), decimals)}"
        if low == low:
            score = tr("{score}, 95 % interval {interval}", score=score, interval=format_interval(low, high, decimals))
        ranks = tr("rank {ranks} of {n}", "", count, ranks=self.text(layer))
        return join_localized(": ", (_verdict_text(layer.display_name, better, worse, count - 1), f"{score}; {ranks}."))


def _verdict_text(name: str, better: int, worse: int, other_systems: int) -> str:
    """Return a clause on a system that is significantly better than `better` and worse than `worse` other systems."""
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
    if not worse:
        return tr(
            "No system is significantly better than {system}, which is significantly better than {n:,} "
            "{n:system|systems}",
            "", better, system=name,
        )  # fmt: skip
    return tr(
        "{system} is significantly better than {n:,} {n:system|systems} and worse than {worse:,}",
        "", better, system=name, worse=worse,
    )  # fmt: skip
