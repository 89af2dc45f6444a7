"""Settings of a project that apply to its corpus: thresholds of systems, and mappings of system names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from qe_desktop.corpus import (
    IDENTITY_MAPPING,
    Corpus,
    Kind,
    Layer,
    LayerKey,
    NumberColumn,
    Provenance,
    SystemNameMapping,
    TagColumn,
)

DEFAULT_THRESHOLD = 0.5
"""P(BAD) above which a word is BAD by default (as in OpenKiwi)."""


def threshold_tags(probabilities: NumberColumn, threshold: float) -> TagColumn:
    """Return tags that are BAD where P(BAD) exceeds the threshold, otherwise OK."""
    return TagColumn((probabilities.values > threshold).astype(np.uint8), probabilities.offsets)


class ProjectThresholds:
    """Thresholds (0..1) that the user set for systems' probabilities, and the resulting tags."""

    def __init__(self, chosen: Mapping[str, float] | None = None) -> None:
        self.user_thresholds: dict[str, float] = dict(chosen or {})
        self._tag_cache: dict[str, tuple[NumberColumn, float, TagColumn]] = {}
        self._closed_probabilities: dict[str, tuple[NumberColumn, float]] = {}
        """Probabilities of closed layers, with the thresholds that the user had set, by system."""

    def has_probability_tags(self, corpus: Corpus, key: LayerKey) -> bool:
        """Return whether a system's tags are computed from probabilities: it has no others, or a threshold was set."""
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
        """Forget saved thresholds of systems with probabilities in `added`; return the systems that had one."""
        names = [layer.key.name for layer in added if layer.key.kind is Kind.PROBABILITIES]
        return [name for name in names if self._closed_probabilities.pop(name, None) is not None]


RATINGS_SETTING, SCORES_SETTING_PREFIX = "match/ratings", "match/scores/"
"""Name of the setting for human ratings, and prefix of the settings for metrics (before the metric's name as JSON)."""


def match_setting(metric: str) -> str:
    """Name of the setting that stores the system name mapping of a metric, or of human ratings if `metric` is empty."""
    # setting names are plain text; a metric's name may contain any character
    return f"{SCORES_SETTING_PREFIX}{json.dumps(metric)}" if metric else RATINGS_SETTING


def _metric_of(setting: str) -> str | None:
    if setting == RATINGS_SETTING:
        return ""
    if not setting.startswith(SCORES_SETTING_PREFIX):
        return None
    try:
        metric = json.loads(setting.removeprefix(SCORES_SETTING_PREFIX))
    except ValueError:
        return None
    return metric if isinstance(metric, str) and metric else None


def corpus_matches(corpus: Corpus) -> dict[str, SystemNameMapping]:
    """System name mappings of a corpus, by metric; the key for human ratings is the empty string.

    Mappings that change no names are omitted.
    """
    mappings = {"": corpus.rating_systems, **{name: column.matched for name, column in corpus.metric_scores.items()}}
    return {metric: matched for metric, matched in mappings.items() if matched}


def match_to_setting(matched: SystemNameMapping) -> dict[str, str | None] | None:
    """Return the setting value that stores a mapping; None for the identity mapping."""
    return dict(matched.names) or None


def match_from_setting(value: object) -> SystemNameMapping:
    """Mapping stored in a setting; the identity mapping if the value is invalid."""
    if not isinstance(value, dict) or not all(name is None or isinstance(name, str) for name in value.values()):
        return IDENTITY_MAPPING
    try:
        return SystemNameMapping(value)
    except ValueError:
        return IDENTITY_MAPPING


def with_saved_matches(corpus: Corpus, settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Corpus:
    """Return a corpus with the name mappings stored in settings; the last setting with a given name applies."""
    for name, value in dict(settings).items():
        metric = _metric_of(name)
        if metric is not None:
            corpus = corpus.with_matched(metric, match_from_setting(value))
    return corpus
