"""A simulated metric: scores of all MT systems as a learned metric might give them, always with the same noise."""

from __future__ import annotations

import math
import random
from collections.abc import Collection, Mapping, Sequence
from statistics import fmean

from sampling.campaign import QUALITY, SEED, seen_alike
from sampling.gold import align_edits
from sampling.simulation import normals

RATED = 0.9
"""What a point of the raters' scale is worth, before the logistic function."""
MIDDLE = 3.0
"""The quality that counts as neither good nor bad, on the raters' scale of 1 to 5."""
CLOSE = 2.0
"""What it is worth to be equal to a reference rather than to share no word with any."""
USUAL = 0.4
"""How close a translation of another wording usually is to the nearest reference."""
NOISE = 0.5
"""The deviation of the metric's own noise."""


def simulated_scores(translations: Mapping[str, Sequence[str]], references: Collection[Sequence[str]]) -> str:
    """``system⇥score`` lines, grouped by system; outputs that are the same in a segment have the same score."""
    return "".join(
        f"{system}\t{_score(_first_of(output, segment, translations), segment, output, references):.4f}\n"
        for system, outputs in translations.items()
        for segment, output in enumerate(outputs)
    )


def _first_of(output: str, segment: int, translations: Mapping[str, Sequence[str]]) -> str:
    """The first system that gave this output: under its name the raters' quality and the noise are drawn."""
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
    """How much of the longer of two texts stays without an edit, 0 to 1; 1 where they are the same."""
    ours, theirs = output.split(" "), reference.split(" ")
    return 1.0 - align_edits(ours, theirs).count / max(len(ours), len(theirs))
