"""Scores that other metrics gave translations, from files: of each segment, or of each system."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

import numpy as np

from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import SCORE_FORMATS
from qe_desktop.formats.metric_scores import read_metric_scores as given_scores
from qe_desktop.levels.files import holds_one_of, named_files, refuse_second
from qe_desktop.metrics import Metric
from qe_desktop.metrics.brought import brought_metric
from qe_desktop.wording import tr


@dataclass(frozen=True, slots=True, eq=False)
class MetricScores:
    """What a metric gave: scores by system, shape (segments,) each, NaN where it gave none; or one for each system."""

    metric: Metric
    systems: Mapping[str, Scores]
    path: Path

    @property
    def size(self) -> int:
        """How many segments were scored; 1 where systems have a score as a whole."""
        return len(next(iter(self.systems.values())))


def add_scores(parser: argparse.ArgumentParser) -> None:
    """The options that name files of scores."""
    parser.add_argument(
        "--scores", nargs="+", action="extend", metavar="METRIC=FILE", default=[],
        help=tr(
            "scores by another metric: system⇥score lines, a table with a column for each system, or a directory with "
            "a file for each system"
        ),
    )  # fmt: skip
    parser.add_argument(
        "--lower", nargs="+", action="extend", metavar="METRIC", default=[], help=tr("metrics of which less is better")
    )


def read_metric_scores(arguments: Sequence[str], lower: Sequence[str]) -> dict[str, MetricScores]:
    """The metrics that `METRIC=FILE` arguments name, those of `lower` being better where they are less.

    QeError for files that hold no scores of systems, and for names in `lower` that are none of them.
    """
    found: dict[str, MetricScores] = {}
    for argument in arguments:
        name, equals, rest = argument.partition("=")
        if not (equals and name.strip() and rest):
            message = tr("“{name}” names no metric's file", name=argument)
            raise QeError(message, hint=tr("Give METRIC=FILE."))
        name = name.strip()
        if name in found:
            message = tr("two files are scores by “{metric}”", metric=name)
            raise QeError(message, hint=tr("Give each metric once."), place=Place(rest))
        better: Literal[1, -1] = -1 if name in lower else 1
        found[name] = MetricScores(brought_metric(name, better), _systems(Path(rest)), Path(rest))
    return found


def _systems(path: Path) -> Mapping[str, Scores]:
    if path.is_dir():
        return _of_directory(path)
    return given_scores(path).systems


def _of_directory(path: Path) -> Mapping[str, Scores]:
    def holds(entry: Path) -> bool:
        return holds_one_of(SCORE_FORMATS, entry)

    files, _ = named_files([str(path)], holds, tr("scores of segments"))
    systems: dict[str, Scores] = {}
    origins: dict[str, Path] = {}
    for file in files:
        refuse_second(file.name, file.path, origins)
        found = given_scores(file.path, system=file.name).systems
        if list(found) != [file.name]:
            message = tr("this file has several columns of scores")
            raise QeError(message, hint=tr("Give one number a line for each system."), place=Place(str(file.path)))
        systems[file.name] = scores = found[file.name]
        first = next(iter(systems.values()))
        if len(scores) != len(first):
            message = tr("{n:,} scores for {size:,} segments", "", len(scores), size=len(first))
            raise QeError(message, hint=tr("Give one score a segment."), place=Place(str(file.path)))
    return systems


def of_systems(scores: MetricScores, names: Sequence[str]) -> Mapping[str, Scores]:
    """The scores of these systems, NaN throughout for one that the metric did not score."""
    return {name: scores.systems.get(name, np.full(scores.size, np.nan)) for name in names}
