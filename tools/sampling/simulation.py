"""Simulated QE systems: the gold with deterministic noise."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import NormalDist

SEEDS = {"en-de": 30, "en-he": 1090, "en-ja": 1528}


@dataclass(frozen=True)
class System:
    """Parameters of a simulated QE system.

    The name is short, so that it fits in a column of a matrix. `signal` is the weight of the gold in the scores, `rate`
    the number of words flagged per BAD word of the gold; `probabilities` is whether P(BAD) is written to a file.
    """

    name: str
    signal: float
    rate: float
    probabilities: bool = False


SYSTEMS = (
    System("strong", signal=1.95, rate=1.0, probabilities=True),
    System("cautious", signal=1.75, rate=0.33),
    System("eager", signal=1.2, rate=2.6),
    System("weak", signal=0.5, rate=1.3, probabilities=True),
)


def normals(generator: random.Random, count: int) -> list[float]:
    """Return standard normal values, from `random` because `gauss` may change between Python versions."""
    normal = NormalDist()
    return [normal.inv_cdf(min(max(generator.random(), 1e-12), 1.0 - 1e-12)) for _ in range(count)]


def _smooth(values: Sequence[float], side: float) -> list[float]:
    """Add to each value its neighbours with the weight `side`; values beyond the ends are 0."""
    padded = [0.0, *values, 0.0]
    return [side * padded[k - 1] + padded[k] + side * padded[k + 1] for k in range(1, len(padded) - 1)]


def simulate(system: System, pair: str, slot: str, gold: Sequence[Sequence[bool]]) -> list[list[float]]:
    """Return a simulated system's P(BAD) for the words or gaps of every segment; `slot` is "words" or "gaps"."""
    common = random.Random(f"{SEEDS[pair]} {pair} {slot} common")
    # the systems' original names remain in the seeds, so that the noise stays the same
    own = random.Random(f"{SEEDS[pair]} {pair} {slot} simulated-{system.name}")
    overall = sum(map(sum, gold)) / sum(map(len, gold))
    scores: list[list[float]] = []
    for flags in gold:
        difficulty = 0.35 * normals(common, 1)[0] + 0.35 * normals(own, 1)[0] + (sum(flags) / len(flags) - overall)
        shared = _smooth(normals(common, len(flags)), 0.4)
        noise = _smooth(normals(own, len(flags)), 0.4)
        evidence = _smooth([float(flag) for flag in flags], 0.12)
        scores.append(
            [
                system.signal * seen + difficulty + 0.45 * both + 0.75 * mine
                for seen, both, mine in zip(evidence, shared, noise, strict=True)
            ]
        )
    ranked = sorted((score for row in scores for score in row), reverse=True)
    flagged = max(1, round(system.rate * sum(map(sum, gold))))
    threshold = (ranked[flagged - 1] + ranked[flagged]) / 2.0
    return [[_probability(score - threshold) for score in row] for row in scores]


def predicted_hter(words: Sequence[Sequence[float]], gaps: Sequence[Sequence[float]]) -> list[float]:
    """Return the HTER that a system predicts for each segment: the expected number of errors per MT word."""
    return [(sum(row) + sum(between)) / len(row) for row, between in zip(words, gaps, strict=True)]


def _probability(distance: float) -> float:
    """Return the probability for a distance to the threshold, rounded to four decimals but never exactly 0.5."""
    value = round(1.0 / (1.0 + math.exp(-1.6 * distance)), 4)
    if value == 0.5:
        return 0.5001 if distance > 0.0 else 0.4999
    return value
