"""Scores that other metrics gave, beside those of ours: the same level, with a metric more for each file."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from dataclasses import replace
from typing import cast

import numpy as np

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.sentences import few
from qe_desktop.levels.group import Read
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.brought import MetricScores, of_systems, read_metric_scores, refuse_unknown
from qe_desktop.levels.translations.level import TranslationLevel
from qe_desktop.metrics import Metric
from qe_desktop.wording import tr


def with_scores(read: Read, args: argparse.Namespace) -> Read:
    """What was read, and the metrics whose scores the options name.

    QeError for scores of other segments, of none of the systems, or of whole translations, and for a metric that is
    called like one of ours.
    """
    scoring = read.scoring
    given = read_metric_scores(args.scores, args.lower, scoring.view.corpus.size)
    refuse_unknown(args.lower, list(given))
    found, notes = beside(scoring, given)
    return replace(read, scoring=found, notes=(*read.notes, *notes))


def beside(scoring: Scoring, given: Mapping[str, MetricScores]) -> tuple[Scoring, list[str]]:
    """The same systems scored by these metrics as well, and what is to be said of their scores."""
    level = cast(TranslationLevel, scoring.level)
    ours = {name.lower(): name for name in level.metrics}
    names = [key.name for key in scoring.subjects]
    notes: list[str] = []
    for name, scores in given.items():
        if name.lower() in ours:
            message = tr("{metric} is computed here as well", metric=ours[name.lower()])
            raise QeError(message, hint=tr("Give its scores another name."), place=Place(str(scores.path)))
        notes += _said(name, scores, names)
    if not given:
        return scoring, notes
    level = replace(
        level,
        metrics={**level.metrics, **{name: _signed(scores) for name, scores in given.items()}},
        shown=(*level.shown, *given),
        tested=(*level.tested, *given),
        brought={**level.brought, **{name: of_systems(scores, names) for name, scores in given.items()}},
    )
    return replace(scoring, level=level), notes


def _signed(scores: MetricScores) -> Metric:
    """The metric, with what one must know to get its numbers again."""
    metric = scores.metric
    return replace(metric, signature=f"file:{scores.path.name}|better:{'more' if metric.better > 0 else 'less'}")


def _said(metric: str, scores: MetricScores, names: list[str]) -> list[str]:
    """Which systems and segments a metric and a corpus do not have in common; QeError where it is all systems."""
    others = [name for name in scores.systems if name not in names]
    if len(others) == len(scores.systems):
        message = tr("{metric} has no score of any of these systems", metric=metric)
        hint = tr(
            "It has scores of {scored}; the systems are {systems}. NAME=FILE gives a system another name.",
            scored=few(others), systems=few(names),
        )  # fmt: skip
        raise QeError(message, hint=hint, place=Place(str(scores.path)))
    notes = []
    if others:
        notes.append(tr("{metric} has scores of {names}, which are no systems here", metric=metric, names=few(others)))
    for name in names:
        missing = int(np.count_nonzero(np.isnan(scores.systems.get(name, np.zeros(0)))))
        if 0 < missing < scores.size:
            notes.append(
                tr(
                    "{metric} has no score of {n:,} of {size:,} segments of {system}; its mean is over the others",
                    "", missing, metric=metric, size=scores.size, system=name,
                )
            )  # fmt: skip
    return notes
