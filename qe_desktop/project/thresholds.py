"""Thresholds that convert the probabilities of systems to tags."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qe_desktop.corpus import Corpus, Kind, LayerKey, NumberColumn, Provenance, TagColumn

DEFAULT_THRESHOLD = 0.5
"""P(BAD) above which a word is BAD by default (as in OpenKiwi)."""


def threshold_tags(probabilities: NumberColumn, threshold: float) -> TagColumn:
    """Return the tags: BAD where P(BAD) is above the threshold."""
    return TagColumn((probabilities.values > threshold).astype(np.uint8), probabilities.offsets)


class ProjectThresholds:
    """Thresholds (0..1) that the user set for systems' probabilities, and the resulting tags."""

    def __init__(self, chosen: Mapping[str, float] | None = None) -> None:
        self.chosen: dict[str, float] = dict(chosen or {})
        self._derived: dict[str, tuple[NumberColumn, float, TagColumn]] = {}

    def make(self, corpus: Corpus, key: LayerKey) -> bool:
        """Whether a layer's tags come from probabilities: it has no other tags, or the user set a threshold."""
        return (
            key.kind is Kind.WORDS
            and key.provenance is Provenance.SYSTEM
            and (key not in corpus.layers or key.name in self.chosen)
            and LayerKey(key.provenance, key.name, Kind.PROBABILITIES) in corpus.layers
        )

    def of(self, name: str) -> float:
        """Threshold for a system's probabilities: the user's, or else `DEFAULT_THRESHOLD`."""
        return self.chosen.get(name, DEFAULT_THRESHOLD)

    def tags(self, corpus: Corpus, name: str) -> TagColumn:
        """Tags of a system at its threshold; cached."""
        threshold = self.of(name)
        numbers = corpus.layers[LayerKey(Provenance.SYSTEM, name, Kind.PROBABILITIES)].numbers
        cached = self._derived.get(name)
        if cached is None or cached[0] is not numbers or cached[1] != threshold:
            cached = (numbers, threshold, threshold_tags(numbers, threshold))
            self._derived[name] = cached
        return cached[2]

    def made(self, corpus: Corpus) -> dict[LayerKey, TagColumn]:
        """Return the tags of all systems whose tags come from probabilities."""
        keys = (
            LayerKey(layer.key.provenance, layer.key.name, Kind.WORDS)
            for layer in corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)
        )
        return {key: self.tags(corpus, key.name) for key in keys if self.make(corpus, key)}

    def forget(self, name: str) -> None:
        """Forget the threshold and the tags of a system whose probabilities were removed."""
        self.chosen.pop(name, None)
        self._derived.pop(name, None)
