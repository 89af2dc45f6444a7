"""Simulated scores of systems by people and by metrics that agree with them equally well."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.metrics.family import Floats
from qe_desktop.studies.perm_both import Sides, perm_both


def people_and_metrics(
    seed: Sequence[int], systems: int = 10, segments: int = 100, metrics: int = 2
) -> tuple[Floats, Floats]:
    """People's scores (systems, segments) and exchangeable metrics' (metrics, systems, segments): systems and segments
    differ in quality, and people and metrics see it with errors of their own.
    """
    dice = np.random.default_rng(seed)
    shape = systems, segments
    quality = np.linspace(0, 0.6, systems)[:, None] + dice.normal(0, 0.5, shape) + dice.normal(0, 0.5, (1, segments))
    people = quality + dice.normal(0, 0.7, shape)
    return people, np.stack([quality + dice.normal(size=shape) for _ in range(metrics)])


def false_positives(
    simulations: int, *, rounds: int, sides: Sides = "two", systems: int = 10, segments: int = 100
) -> dict[str, float]:
    """How often metrics that are equally good differ at alpha .05, by figure; one-sided, the second from the first."""
    hits: dict[str, int] = {}
    for number in range(simulations):
        people, metrics = people_and_metrics((7, number), systems, segments)
        found = perm_both(metrics, people, rounds=rounds, seed=number, sides=sides)
        for figure, p in found.p.items():
            ahead = sides == "two" or found.observed[figure][1] > found.observed[figure][0]
            hits[figure] = hits.get(figure, 0) + int(ahead and p[0, 1] <= 0.05)
    return {figure: count / simulations for figure, count in hits.items()}
