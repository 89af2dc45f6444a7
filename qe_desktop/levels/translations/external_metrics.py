"""Scores that other metrics gave, beside those of ours: the same level, with a metric more for each file."""

from __future__ import annotations

import argparse
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from qe_desktop.corpus import MetricColumn, QeError, SourceLocation, View
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import SCORE_FORMATS
from qe_desktop.formats.io.text_files import named_path
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.metric_scores import read_metric_scores as given_scores
from qe_desktop.formats.scores.score_direction import orientation_warning
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.level_group import ReadInputs
from qe_desktop.levels.scoring import Scoring
from qe_desktop.levels.system_files import check_unique_system, has_format, resolve_named_files
from qe_desktop.levels.system_matching import SystemMatches, match_option_text
from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import external_metric


@dataclass(frozen=True, slots=True, eq=False)
class ExternalMetricScores:
    """What a metric gave: scores by system, shape (segments,) each, NaN where it gave none; or one for each system."""

    metric: Metric
    systems: Mapping[str, Scores]
    path: Path

    @property
    def size(self) -> int:
        """How many segments were scored; 1 where systems have a score as a whole."""
        return len(next(iter(self.systems.values())))


def read_metric_scores(
    arguments: Sequence[str], lower: Sequence[str], size: int | None = None
) -> dict[str, ExternalMetricScores]:
    """The metrics that `METRIC=FILE` arguments name, those of `lower` being better where they are less.

    `size` is how many segments each must have scored, where that is known. QeError for files that hold no scores of
    systems, or of other segments.
    """
    found: dict[str, ExternalMetricScores] = {}
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        if not (equals and name.strip() and rest):
            message = tr("“{name}” names no metric's file", name=argument)
            raise QeError(message, hint=tr("Give METRIC=FILE."))
        name = name.strip()
        if name in found:
            message = tr("two files are scores by “{metric}”", metric=name)
            raise QeError(message, hint=tr("Give each metric once."), place=SourceLocation(rest))
        better: Literal[1, -1] = -1 if name in lower else 1
        path = named_path(rest)
        found[name] = ExternalMetricScores(external_metric(name, better), _systems(path, size), path)
    return found


def check_known_metrics(lower: Sequence[str], known: Collection[str]) -> None:
    """QeError where something of which less is to be better is none of these."""
    for name in lower:
        if name not in known:
            hint = tr("Give one of {names}.", names=list_names(list(known), joined=True)) if known else ""
            raise QeError(tr("no file is scores by “{metric}”", metric=name), hint=hint)


def _systems(path: Path, size: int | None) -> Mapping[str, Scores]:
    if path.is_dir():
        return _of_directory(path, size)
    return given_scores(path, size=size).systems


def _of_directory(path: Path, size: int | None) -> Mapping[str, Scores]:
    def holds(entry: Path) -> bool:
        return has_format(SCORE_FORMATS, entry)

    files, _ = resolve_named_files([str(path)], holds, tr("scores of segments"))
    systems: dict[str, Scores] = {}
    origins: dict[str, Path] = {}
    for file in files:
        check_unique_system(file.name, file.path, origins)
        found = given_scores(file.path, system=file.name, size=size).systems
        if list(found) != [file.name]:
            message = tr("this file has several columns of scores")
            raise QeError(
                message, hint=tr("Give one number a line for each system."), place=SourceLocation(str(file.path))
            )
        systems[file.name] = scores = found[file.name]
        first = next(iter(systems.values()))
        if len(scores) != len(first):
            message = tr(
                "{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(scores), size=len(first)
            )
            raise QeError(message, hint=tr("Give one score a segment."), place=SourceLocation(str(file.path)))
    return systems


NO_MATCHES = SystemMatches({})


def with_metric_scores(read: ReadInputs, args: argparse.Namespace) -> ReadInputs:
    """What was read, and the metrics whose scores the options name.

    QeError for scores of other segments, of none of the systems, or of whole translations, for a metric that is called
    like one of ours, and for systems that are matched with none.
    """
    scoring = read.scoring
    given = read_metric_scores(args.scores, args.lower, scoring.view.corpus.size)
    check_known_metrics(args.lower, list(given))
    matches = SystemMatches.of(args.match)
    matches.refuse_unknown([name for one in given.values() for name in one.systems], scoring.names)
    found, notes = with_external_metrics(scoring, given, matches)
    return replace(read, scoring=found, notes=(*read.notes, *notes))


def with_external_metrics(
    scoring: Scoring, given: Mapping[str, ExternalMetricScores], matches: SystemMatches = NO_MATCHES
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
            raise QeError(message, hint=tr("Give its scores another name."), place=SourceLocation(str(scores.path)))
        matched = matches.among(scores.systems, SourceLocation(str(scores.path)))
        column = MetricColumn(scores.systems, scores.metric.better, scores.path.name, matched=matched)
        _reject_unknown_systems(name, scores, column, names)
        notes += [
            *metric_system_names(name, column),
            *missing_segments_note(name, column.scored, names),
            *orientation_notes(name, scores),
        ]
        columns[name] = column
    corpus = scoring.view.corpus
    view = View(replace(corpus, metric_scores={**corpus.metric_scores, **columns}))
    return replace(scoring, view=view, level=level.of_view(view)), notes


def _reject_unknown_systems(metric: str, given: ExternalMetricScores, column: MetricColumn, names: list[str]) -> None:
    """QeError where a metric scored none of these systems."""
    if any(name in column.scored for name in names):
        return
    message = tr("{metric} has no score of any of these systems", metric=metric)
    scored, systems = list_names(list(given.systems)), list_names(names)
    match = match_option_text(list(given.systems), names)
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
    raise QeError(message, hint=hint, command_hint=command_hint, place=SourceLocation(str(given.path)))


def orientation_notes(name: str, scores: ExternalMetricScores) -> list[str]:
    """Notes that `--lower` should name a metric, or should not, as its scores suggest."""
    better = scores.metric.better
    remark = orientation_warning(name, better, scores.systems.values())
    if not remark:
        return []
    if better > 0:
        command_hint = tr("{remark}; --lower {metric} says so", remark=remark, metric=name)
    else:
        command_hint = tr("{remark}; leave --lower {metric} out if more is better", remark=remark, metric=name)
    return [command_hint]


def metric_system_names(metric: str, column: MetricColumn) -> list[str]:
    """What systems are called in the scores of a metric, where that is otherwise."""
    return [
        tr("{system} is scored as {name} by {metric}", system=system, name=name, metric=metric)
        for system, name in column.otherwise.items()
    ]


def missing_segments_note(metric: str, scores: Mapping[str, Scores], names: Collection[str]) -> list[str]:
    """Which of these systems' segments a metric did not score, and which systems it scored besides."""
    notes = []
    others = [name for name in scores if name not in names]
    if others:
        notes.append(
            tr("{metric} has scores of {names}, which are no systems here", metric=metric, names=list_names(others))
        )
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
