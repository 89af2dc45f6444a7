"""Settings that map the system names in scores and ratings to the system names of the translations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from qe_desktop.corpus import IDENTITY_MAPPING, Corpus, SystemNameMapping

RATINGS_SETTING, SCORES_SETTING_PREFIX = "match/ratings", "match/scores/"
"""Name of the setting for human ratings, and prefix of the settings for metrics (before the metric's name as JSON)."""


def match_setting(metric: str) -> str:
    """Name of the setting for a metric, or for human ratings if `metric` is empty."""
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
    """Apply the name mappings stored in settings; if a setting occurs several times, the last value applies."""
    for name, value in dict(settings).items():
        metric = _metric_of(name)
        if metric is not None:
            corpus = corpus.with_matched(metric, match_from_setting(value))
    return corpus
