"""Thresholds that convert the probabilities of systems to tags."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from qe_desktop.corpus import Corpus, Kind, Layer, LayerKey, NumberColumn, Provenance, TagColumn

DEFAULT_THRESHOLD = 0.5
"""P(BAD) above which a word is BAD by default (as in OpenKiwi)."""


def threshold_tags(probabilities: NumberColumn, threshold: float) -> TagColumn:
    """Return the tags: BAD where P(BAD) is above the threshold."""
    return TagColumn((probabilities.values > threshold).astype(np.uint8), probabilities.offsets)


class ProjectThresholds:
    """Thresholds (0..1) that the user set for systems' probabilities, and the resulting tags."""

    def __init__(self, chosen: Mapping[str, float] | None = None) -> None:
        self.user_thresholds: dict[str, float] = dict(chosen or {})
        self._tag_cache: dict[str, tuple[NumberColumn, float, TagColumn]] = {}
        self._closed_probabilities: dict[str, tuple[NumberColumn, float]] = {}
        """Probabilities of closed layers, with the thresholds that the user had set, by system."""

    def has_probability_tags(self, corpus: Corpus, key: LayerKey) -> bool:
        """Return whether a system's tags are computed from probabilities: none were loaded, or a threshold was set."""
        return (
            key.kind is Kind.WORDS
            and key.provenance is Provenance.SYSTEM
            and (key not in corpus.layers or key.name in self.user_thresholds)
            and LayerKey(key.provenance, key.name, Kind.PROBABILITIES) in corpus.layers
        )

    def threshold(self, name: str) -> float:
        """Threshold for a system's probabilities: the one set by the user, or else `DEFAULT_THRESHOLD`."""
        return self.user_thresholds.get(name, DEFAULT_THRESHOLD)

    def tags(self, corpus: Corpus, name: str) -> TagColumn:
        """Tags computed from a system's probabilities and threshold; cached."""
        threshold = self.threshold(name)
        numbers = corpus.layers[LayerKey(Provenance.SYSTEM, name, Kind.PROBABILITIES)].numbers
        cached = self._tag_cache.get(name)
        if cached is None or cached[0] is not numbers or cached[1] != threshold:
            cached = (numbers, threshold, threshold_tags(numbers, threshold))
            self._tag_cache[name] = cached
        return cached[2]

    def probability_tags(self, corpus: Corpus) -> dict[LayerKey, TagColumn]:
        """Return the tags of all systems whose tags are computed from probabilities, by layer key."""
        keys = (
            LayerKey(layer.key.provenance, layer.key.name, Kind.WORDS)
            for layer in corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)
        )
        return {key: self.tags(corpus, key.name) for key in keys if self.has_probability_tags(corpus, key)}

    def without_layer(self, corpus: Corpus, key: LayerKey) -> Corpus:
        """Return a corpus without a layer; for a layer of probabilities, save the user's threshold for `with_layer`."""
        layer = corpus.layers.get(key)
        if layer is not None and key.kind is Kind.PROBABILITIES:
            self._tag_cache.pop(key.name, None)
            if key.name in self.user_thresholds:
                self._closed_probabilities[key.name] = layer.numbers, self.user_thresholds.pop(key.name)
        return corpus.without_layer(key)

    def with_layer(self, corpus: Corpus, layer: Layer) -> Corpus:
        """Return a corpus with a layer added. Probabilities that were closed before get their threshold back."""
        name = layer.key.name
        if layer.key.kind is Kind.PROBABILITIES and name in self._closed_probabilities:
            numbers, threshold = self._closed_probabilities.pop(name)
            if np.array_equal(numbers.values, layer.numbers.values):
                self.user_thresholds.setdefault(name, threshold)
        return corpus.with_layer(layer)

    def drop_replaced(self, added: Iterable[Layer]) -> list[str]:
        """Forget saved thresholds of systems with probabilities in `added`; return the names of those that had one."""
        names = [layer.key.name for layer in added if layer.key.kind is Kind.PROBABILITIES]
        return [name for name in names if self._closed_probabilities.pop(name, None) is not None]
