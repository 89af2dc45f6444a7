"""Settings that match the system names of scores and ratings with those of the translations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from qe_desktop.corpus import IDENTITY_MAPPING, Corpus, SystemNameMapping

RATINGS_SETTING, SCORES_SETTING_PREFIX = "match/ratings", "match/scores/"
"""Setting for human ratings, and the prefix of those for metrics (followed by the name as JSON)."""


def match_setting(metric: str) -> str:
    """Name of a metric's setting; without a metric, that of human ratings."""
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
    """Matched names of a corpus by metric; the key of human ratings is the empty string."""
    mappings = {"": corpus.rating_systems, **{name: column.matched for name, column in corpus.metric_scores.items()}}
    return {metric: matched for metric, matched in mappings.items() if matched}


def match_to_setting(matched: SystemNameMapping) -> dict[str, str | None] | None:
    """Return the value that stores a mapping in its setting; None if nothing is renamed."""
    return dict(matched.names) or None


def match_from_setting(value: object) -> SystemNameMapping:
    """Mapping stored in a setting; the identity for invalid values."""
    if not isinstance(value, dict) or not all(name is None or isinstance(name, str) for name in value.values()):
        return IDENTITY_MAPPING
    try:
        return SystemNameMapping(value)
    except ValueError:
        return IDENTITY_MAPPING


def with_saved_matches(corpus: Corpus, settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Corpus:
    """Apply the matches stored in settings; if a setting occurs several times, the last one applies."""
    for name, value in dict(settings).items():
        metric = _metric_of(name)
        if metric is not None:
            corpus = corpus.with_matched(metric, match_from_setting(value))
    return corpus
