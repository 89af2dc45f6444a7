"""From probabilities to tags."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from qe_desktop.corpus import Corpus, Kind, LayerKey, NumberColumn, Provenance, TagColumn

DEFAULT_THRESHOLD = 0.5
"""P(BAD) above which a word is called BAD until a person chooses otherwise (as OpenKiwi does)."""


def threshold_tags(probabilities: NumberColumn, threshold: float) -> TagColumn:
    """BAD where P(BAD) is above the threshold."""
    return TagColumn((probabilities.values > threshold).astype(np.uint8), probabilities.offsets)


class ProjectThresholds:
    """The threshold that a person chose for each system's probabilities, 0..1, and the tags that come of it."""

    def __init__(self, chosen: Mapping[str, float] | None = None) -> None:
        self.chosen: dict[str, float] = dict(chosen or {})
        self._derived: dict[str, tuple[NumberColumn, float, TagColumn]] = {}

    def make(self, corpus: Corpus, key: LayerKey) -> bool:
        """Whether a layer's tags are made from probabilities: there are no others, or a person chose a threshold."""
        return (
            key.kind is Kind.WORDS
            and key.provenance is Provenance.SYSTEM
            and (key not in corpus.layers or key.name in self.chosen)
            and LayerKey(key.provenance, key.name, Kind.PROBABILITIES) in corpus.layers
        )

    def of(self, name: str) -> float:
        """The threshold of a system's probabilities."""
        return self.chosen.get(name, DEFAULT_THRESHOLD)

    def tags(self, corpus: Corpus, name: str) -> TagColumn:
        """A system's tags at its threshold; made once."""
        threshold = self.of(name)
        numbers = corpus.layers[LayerKey(Provenance.SYSTEM, name, Kind.PROBABILITIES)].numbers
        held = self._derived.get(name)
        if held is None or held[0] is not numbers or held[1] != threshold:
            held = (numbers, threshold, threshold_tags(numbers, threshold))
            self._derived[name] = held
        return held[2]

    def made(self, corpus: Corpus) -> dict[LayerKey, TagColumn]:
        """The tags of all systems whose tags are made from probabilities."""
        keys = (
            LayerKey(layer.key.provenance, layer.key.name, Kind.WORDS)
            for layer in corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)
        )
        return {key: self.tags(corpus, key.name) for key in keys if self.make(corpus, key)}

    def forget(self, name: str) -> None:
        """A system's probabilities are gone."""
        self.chosen.pop(name, None)
        self._derived.pop(name, None)
