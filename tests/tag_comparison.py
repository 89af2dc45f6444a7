"""Scoring and comparison of bare tag columns, as the levels do it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from qe_desktop.corpus import Documents, TagColumn
from qe_desktop.levels import Scoring
from qe_desktop.levels.words import WORD_LEVEL
from qe_desktop.levels.words.tag_inputs import scoring_of
from qe_desktop.metrics import WORD_METRICS, Metric, get_metrics
from qe_desktop.significance import Comparison, SignificanceOptions


def word_metrics(names: Iterable[str]) -> list[Metric]:
    """Return word metrics by name."""
    return get_metrics(names, WORD_METRICS, "tags")


def make_scoring(names: Sequence[str], gold: TagColumn, systems: Sequence[TagColumn]) -> Scoring:
    """Return the scoring of the tags of named systems."""
    return scoring_of(WORD_LEVEL, gold, dict(zip(names, systems, strict=True)))


def compare(names, gold, systems, metrics, options=None, *, documents=None) -> Comparison:
    """Compare systems; `documents` is the document index of each segment."""
    scoring = make_scoring(names, gold, systems)
    if documents is not None:
        names_of_documents = tuple(str(number) for number in range(int(np.max(documents)) + 1))
        scoring = scoring.with_documents(Documents(names_of_documents, np.asarray(documents, np.int32)))
    return scoring.compare(metrics, options or SignificanceOptions())


def identical_systems(systems: Sequence[TagColumn]):
    """Return which pairs of systems have equal tags."""
    scoring = make_scoring([str(number) for number in range(len(systems))], systems[0], systems)
    return WORD_LEVEL.identical_subjects(scoring)


def influence_of_tags(metric: Metric, gold: TagColumn, first: TagColumn, second: TagColumn):
    """Return the influence of each segment on the score difference of two systems."""
    return make_scoring(("one", "other"), gold, (first, second)).compute_influence(metric).values
