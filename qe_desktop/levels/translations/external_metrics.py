"""Scores that other metrics gave, beside those of ours: the same level, with a metric more for each file."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping
from dataclasses import replace

import numpy as np

from qe_desktop.corpus import MetricColumn, Place, QeError, View
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.orientation import orientation_remark
from qe_desktop.formats.sentences import few
from qe_desktop.levels.group import Read
from qe_desktop.levels.matches import Matches, matching
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.translations.brought import MetricScores, read_metric_scores, refuse_unknown
from qe_desktop.wording import tr

NO_MATCHES = Matches({})


def with_scores(read: Read, args: argparse.Namespace) -> Read:
    """What was read, and the metrics whose scores the options name.

    QeError for scores of other segments, of none of the systems, or of whole translations, for a metric that is called
    like one of ours, and for systems that are matched with none.
    """
    scoring = read.scoring
    given = read_metric_scores(args.scores, args.lower, scoring.view.corpus.size)
    refuse_unknown(args.lower, list(given))
    matches = Matches.of(args.match)
    matches.refuse_unknown([name for one in given.values() for name in one.systems], scoring.names)
    found, notes = beside(scoring, given, matches)
    return replace(read, scoring=found, notes=(*read.notes, *notes))


def beside(
    scoring: Scoring, given: Mapping[str, MetricScores], matches: Matches = NO_MATCHES
) -> tuple[Scoring, list[str]]:
    """The same systems scored by these metrics as well, and what is to be said of their scores."""
    level = scoring.level
    ours = {name.lower(): name for name in level.metrics}
    names = [key.name for key in scoring.subjects]
    notes: list[str] = []
    columns: dict[str, MetricColumn] = {}
    for name, scores in given.items():
        if name.lower() in ours:
            message = tr("{metric} is computed here as well", metric=ours[name.lower()])
            raise QeError(message, hint=tr("Give its scores another name."), place=Place(str(scores.path)))
        matched = matches.among(scores.systems, Place(str(scores.path)))
        column = MetricColumn(scores.systems, scores.metric.better, scores.path.name, matched=matched)
        _refuse_others(name, scores, column, names)
        notes += [*scored_as(name, column), *lacking(name, column.scored, names), *orientation_notes(name, scores)]
        columns[name] = column
    corpus = scoring.view.corpus
    view = View(replace(corpus, metric_scores={**corpus.metric_scores, **columns}))
    return replace(scoring, view=view, level=level.of_view(view)), notes


def _refuse_others(metric: str, given: MetricScores, column: MetricColumn, names: list[str]) -> None:
    """QeError where a metric scored none of these systems."""
    if any(name in column.scored for name in names):
        return
    message = tr("{metric} has no score of any of these systems", metric=metric)
    scored, systems = few(list(given.systems)), few(names)
    match = matching(list(given.systems), names)
    if match:
        command_hint = tr(
            "It has scores of {scored}; the systems are {systems}. Match names that differ, perhaps with {match}.",
            scored=scored, systems=systems, match=match,
        )  # fmt: skip
    else:
        command_hint = tr(
            "It has scores of {scored}; the systems are {systems}. Match them with --match NAME=SYSTEM.",
            scored=scored, systems=systems,
        )  # fmt: skip
    hint = tr(
        "It has scores of {scored}; the systems are {systems}. Match names that differ.",
        scored=scored, systems=systems,
    )  # fmt: skip
    raise QeError(message, hint=hint, command_hint=command_hint, place=Place(str(given.path)))


def orientation_notes(name: str, scores: MetricScores) -> list[str]:
    """Notes that `--lower` should name a metric, or should not, as its scores suggest."""
    better = scores.metric.better
    remark = orientation_remark(name, better, scores.systems.values())
    if not remark:
        return []
    if better > 0:
        command_hint = tr("{remark}; --lower {metric} says so", remark=remark, metric=name)
    else:
        command_hint = tr("{remark}; leave --lower {metric} out if more is better", remark=remark, metric=name)
    return [command_hint]


def scored_as(metric: str, column: MetricColumn) -> list[str]:
    """What systems are called in the scores of a metric, where that is otherwise."""
    return [
        tr("{system} is scored as {name} by {metric}", system=system, name=name, metric=metric)
        for system, name in column.otherwise.items()
    ]


def lacking(metric: str, scores: Mapping[str, Scores], names: Collection[str]) -> list[str]:
    """Which of these systems' segments a metric did not score, and which systems it scored besides."""
    notes = []
    others = [name for name in scores if name not in names]
    if others:
        notes.append(tr("{metric} has scores of {names}, which are no systems here", metric=metric, names=few(others)))
    for name in names:
        held = scores.get(name, np.zeros(0))
        missing = int(np.count_nonzero(np.isnan(held)))
        if 0 < missing < len(held):
            said = tr(
                "{metric} has no score of {n:,} of {size:,} {size:segment|segments} of {system}; its "
                "mean is over the others",
                "", missing, metric=metric, size=len(held), system=name,
            )  # fmt: skip
            notes.append(said)
    return notes
