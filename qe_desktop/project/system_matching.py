"""Which systems of scores and ratings were matched with which translations, as a project keeps it for everybody."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from qe_desktop.corpus import IDENTITY_MAPPING, Corpus, SystemNameMapping

RATINGS_SETTING, SCORES_SETTING_PREFIX = "match/ratings", "match/scores/"
"""The settings that hold it: of people's ratings, and with a metric's name, as JSON has it, of that metric's scores."""


def match_setting(metric: str) -> str:
    """The name of the setting; without a metric, that of people's ratings."""
    # names of settings are plain text, and a metric may be called anything
    return f"{SCORES_SETTING_PREFIX}{json.dumps(metric)}" if metric else RATINGS_SETTING


def _metric_of(setting: str) -> str | None:
    if setting == RATINGS_SETTING:
        return ""
    try:
        found = (
            json.loads(setting.removeprefix(SCORES_SETTING_PREFIX))
            if setting.startswith(SCORES_SETTING_PREFIX)
            else None
        )
    except ValueError:
        return None
    return found if isinstance(found, str) and found else None


def corpus_matches(corpus: Corpus) -> dict[str, SystemNameMapping]:
    """What is matched in a corpus, by metric; people's ratings by nothing."""
    found = {"": corpus.rated, **{name: one.matched for name, one in corpus.metric_scores.items()}}
    return {metric: matched for metric, matched in found.items() if matched}


def match_to_setting(matched: SystemNameMapping) -> dict[str, str | None] | None:
    """What a setting holds; None where all is as given."""
    return dict(matched.names) or None


def match_from_setting(value: object) -> SystemNameMapping:
    """What a setting says; as given where it holds no such thing."""
    if not isinstance(value, dict) or not all(one is None or isinstance(one, str) for one in value.values()):
        return IDENTITY_MAPPING
    try:
        return SystemNameMapping(value)
    except ValueError:
        return IDENTITY_MAPPING


def with_saved_matches(corpus: Corpus, settings: Mapping[str, Any] | Iterable[tuple[str, Any]]) -> Corpus:
    """A corpus with the systems matched as settings have it, of which the last of a name holds."""
    for name, value in dict(settings).items():
        metric = _metric_of(name)
        if metric is not None:
            corpus = corpus.with_matched(metric, match_from_setting(value))
    return corpus
