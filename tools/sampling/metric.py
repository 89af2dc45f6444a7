"""A simulated metric: scores of all MT systems as a learned metric might assign them, with deterministic noise."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean

from sampling.campaign import QUALITY, SEED, seen_alike
from sampling.gold import align_edits
from sampling.simulation import normals

RATED = 0.9
"""Weight of one point of the raters' scale, before the logistic function."""
MIDDLE = 3.0
"""Quality that counts as neither good nor bad, on the raters' scale of 1 to 5."""
CLOSE = 2.0
"""Weight of the closeness to the nearest reference, before the logistic function."""
USUAL = 0.4
"""Usual closeness of a translation with other wording to the nearest reference."""
NOISE = 0.5
"""Standard deviation of the metric's own noise, before the logistic function."""


def simulated_scores(translations: Mapping[str, Sequence[str]], references: Collection[Sequence[str]]) -> str:
    """Return ``system⇥score`` lines, grouped by system; identical outputs of a segment have the same score."""
    return "".join(
        f"{system}\t{_score(_first_of(output, segment, translations), segment, output, references):.4f}\n"
        for system, outputs in translations.items()
        for segment, output in enumerate(outputs)
    )


def _first_of(output: str, segment: int, translations: Mapping[str, Sequence[str]]) -> str:
    """Return the first system with this output; its name determines the quality and the noise of the output."""
    return next(system for system, outputs in translations.items() if outputs[segment] == output)


def _score(system: str, segment: int, output: str, references: Collection[Sequence[str]]) -> float:
    rated = fmean(
        quality + seen_alike(system, segment, field)
        for field, quality in zip(("adequacy", "fluency"), QUALITY[system], strict=True)
    )
    close = max(_closeness(output, reference[segment]) for reference in references)
    noise = normals(random.Random(f"{SEED} simulated-metric {system} {segment}"), 1)[0]
    return 1.0 / (1.0 + math.exp(-(RATED * (rated - MIDDLE) + CLOSE * (close - USUAL) + NOISE * noise)))


def _closeness(output: str, reference: str) -> float:
    """Return the closeness of two texts, from 0 to 1 (equal): 1 − word edits / words of the longer text."""
    ours, theirs = output.split(" "), reference.split(" ")
    return 1.0 - align_edits(ours, theirs).count / max(len(ours), len(theirs))
