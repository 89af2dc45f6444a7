"""External metrics added to the metrics of a level; the scores of each metric are read from one file or folder."""

from __future__ import annotations

import shlex
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

import numpy as np

from qe_desktop.corpus import MetricColumn, QeError, SourceLocation, View
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import SCORE_FORMATS
from qe_desktop.formats.importing.planned_file import orientation_warning
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.scores.metric_scores import read_metric_scores
from qe_desktop.formats.text_files import named_path
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.scoring import ReadInputs, Scoring
from qe_desktop.levels.system_files import check_unique_system, has_format, resolve_named_files
from qe_desktop.levels.system_matches import SystemMatches, match_option_text
from qe_desktop.metrics import Metric
from qe_desktop.metrics.external import external_metric


@dataclass(frozen=True, slots=True, eq=False)
class ExternalMetricScores:
    """Scores of an external metric, read from the file or folder `path`.

    `systems` has the scores of each system: shape (segments,), NaN if missing, or shape (1,) for system-level scores.
    """

    metric: Metric
    systems: Mapping[str, Scores]
    path: Path

    @property
    def size(self) -> int:
        """Return the number of segments, with or without scores; 1 for system-level scores."""
        return len(next(iter(self.systems.values())))


def read_metric_arguments(
    arguments: Sequence[str], lower: Sequence[str], size: int | None = None
) -> dict[str, ExternalMetricScores]:
    """Read metric scores from `METRIC=FILE` arguments; `lower` lists the metrics for which lower is better.

    `size` is the expected number of segments, if known. Raises QeError for an invalid argument, a metric named twice,
    or a file that is invalid, names no systems, or has an unexpected number of segments.
    """
    metrics: dict[str, ExternalMetricScores] = {}
    for argument in arguments:
        name, equals, file = argument.partition("=")
        if not (equals and name.strip() and file):
            message = tr("“{name}” does not have the form METRIC=FILE", name=argument)
            raise QeError(message, hint=tr("Write the name of the metric before its file, as in COMET=comet.tsv."))
        name = name.strip()
        if name in metrics:
            message = tr("there are two files of “{metric}” scores", metric=name)
            raise QeError(message, hint=tr("Specify each metric once."), place=SourceLocation(file))
        better: Literal[1, -1] = -1 if name in lower else 1
        path = named_path(file)
        metrics[name] = ExternalMetricScores(external_metric(name, better), _systems(path, size), path)
    return metrics


def check_known_metrics(lower: Sequence[str], available: Collection[str]) -> None:
    """Raise QeError if a metric in `lower` is not among the metrics with scores (`available`)."""
    for name in lower:
        if name not in available:
            hint = (
                tr("Metrics with scores: {names}.", names=list_names(list(available), joined=True)) if available else ""
            )
            raise QeError(tr("there is no file of “{metric}” scores", metric=name), hint=hint)


def _systems(path: Path, size: int | None) -> Mapping[str, Scores]:
    if path.is_dir():
        return _read_directory(path, size)
    return read_metric_scores(path, size=size).systems


def _read_directory(path: Path, size: int | None) -> Mapping[str, Scores]:
    def is_score_file(entry: Path) -> bool:
        return has_format(SCORE_FORMATS, entry)

    files, _ = resolve_named_files([str(path)], is_score_file, tr("segment scores"))
    systems: dict[str, Scores] = {}
    origins: dict[str, Path] = {}
    for file in files:
        check_unique_system(file.name, file.path, origins)
        columns = read_metric_scores(file.path, system=file.name, size=size).systems
        if list(columns) != [file.name]:
            message = tr("this file contains system names")
            raise QeError(
                message,
                hint=tr("In a folder, use one file per system, with one number per line."),
                place=SourceLocation(str(file.path)),
            )
        systems[file.name] = scores = columns[file.name]
        first = next(iter(systems.values()))
        if len(scores) != len(first):
            message = tr(
                "{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(scores), size=len(first)
            )
            raise QeError(message, hint=tr("Use one score per segment."), place=SourceLocation(str(file.path)))
    return systems


NO_MATCHES = SystemMatches({})


def with_metric_scores(
    read: ReadInputs, scores: Sequence[str], lower: Sequence[str], match: Sequence[str]
) -> ReadInputs:
    """Return an input with external metrics added.

    `scores` are `METRIC=FILE` arguments, and `match` are `NAME=SYSTEM` arguments. Raises QeError as
    `read_metric_arguments` and `with_external_metrics` do. Also raises QeError if `lower` has an unknown metric, or if
    `match` has an invalid argument or an unknown name.
    """
    scoring = read.scoring
    external_scores = read_metric_arguments(scores, lower, scoring.view.corpus.size)
    check_known_metrics(lower, list(external_scores))
    matches = SystemMatches.of(match)
    matches.check_names(
        [name for metric_scores in external_scores.values() for name in metric_scores.systems], scoring.names
    )
    scorings, notes = with_external_metrics(scoring, external_scores, matches)
    return replace(read, scoring=scorings, notes=(*read.notes, *notes))


def with_external_metrics(
    scoring: Scoring, external_scores: Mapping[str, ExternalMetricScores], matches: SystemMatches = NO_MATCHES
) -> tuple[Scoring, list[str]]:
    """Return a copy of `scoring` with external metrics added, and notes on the scores of these metrics.

    Raises QeError if a metric has the name of a built-in metric, or if it has no scores for any system of
    `scoring`. Also raises QeError if `matches` would map two systems of the same metric to one name.
    """
    level = scoring.level
    built_in = {name.lower(): name for name in level.metrics}
    names = [key.name for key in scoring.subjects]
    notes: list[str] = []
    columns: dict[str, MetricColumn] = {}
    for name, scores in external_scores.items():
        if name.lower() in built_in:
            message = tr("{metric} is also a built-in metric", metric=built_in[name.lower()])
            raise QeError(
                message,
                hint=tr("Use another name for the scores in this file."),
                place=SourceLocation(str(scores.path)),
            )
        matched = matches.map_names(scores.systems, SourceLocation(str(scores.path)))
        column = MetricColumn(scores.systems, scores.metric.better, scores.path.name, matched=matched)
        _reject_unknown_systems(name, scores, column, names)
        notes += [
            *system_name_notes(name, column),
            *metric_score_notes(name, column.scores_by_system, names),
            *orientation_notes(name, scores),
        ]
        columns[name] = column
    corpus = scoring.view.corpus
    view = View(replace(corpus, metric_scores={**corpus.metric_scores, **columns}))
    return replace(scoring, view=view, level=level.of_view(view)), notes


def _reject_unknown_systems(metric: str, scores: ExternalMetricScores, column: MetricColumn, names: list[str]) -> None:
    """Raise QeError if `column` has no scores for any system in `names`."""
    if any(name in column.scores_by_system for name in names):
        return
    message = tr("{metric} has no scores for any of the systems", metric=metric)
    scored, systems = list_names(list(scores.systems)), list_names(names)
    match = match_option_text(list(scores.systems), names)
    if match:
        command_hint = tr(
            "Names in the scores: {scored}; names of the systems: {systems}. Match names that differ, for example "
            "with {match}.",
            scored=scored, systems=systems, match=match,
        )  # fmt: skip
    else:
        command_hint = tr(
            "Names in the scores: {scored}; names of the systems: {systems}. Match names with --match NAME=SYSTEM.",
            scored=scored, systems=systems,
        )  # fmt: skip
    hint = tr(
        "Names in the scores: {scored}; names of the systems: {systems}. Match names that differ.",
        scored=scored, systems=systems,
    )  # fmt: skip
    raise QeError(message, hint=hint, command_hint=command_hint, place=SourceLocation(str(scores.path)))


def orientation_notes(name: str, scores: ExternalMetricScores) -> list[str]:
    """Return a note if a metric's scores suggest that `--lower` wrongly includes or omits it; else an empty list."""
    better = scores.metric.better
    remark = orientation_warning(name, better, scores.systems.values())
    if not remark:
        return []
    metric = shlex.quote(name)
    if better > 0:
        command_hint = tr("{remark}; use --lower {metric} if lower is better", remark=remark, metric=metric)
    else:
        command_hint = tr("{remark}; omit --lower {metric} if higher is better", remark=remark, metric=metric)
    return [command_hint]


def system_name_notes(metric: str, column: MetricColumn) -> list[str]:
    """Return notes on systems whose names in a metric's scores differ from their names in the corpus."""
    return [
        tr("{system} is called {name} in the {metric} scores", system=system, name=name, metric=metric)
        for system, name in column.original_names.items()
    ]


def metric_score_notes(metric: str, scores: Mapping[str, Scores], names: Collection[str]) -> list[str]:
    """Return notes on scored systems that are not in `names`, and on systems with scores for only some segments."""
    notes = []
    unknown = [name for name in scores if name not in names]
    if unknown:
        notes.append(tr("{metric} has scores for unknown systems: {names}", metric=metric, names=list_names(unknown)))
    for name in names:
        column = scores.get(name, np.zeros(0))
        missing = int(np.count_nonzero(np.isnan(column)))
        if 0 < missing < len(column):
            note = tr(
                "{metric} has no score for {n:,} of {size:,} {size:segment|segments} of {system}; the mean "
                "ignores {n:it|them}",
                "", missing, metric=metric, size=len(column), system=name,
            )  # fmt: skip
            notes.append(note)
    return notes
