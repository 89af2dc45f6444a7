"""Scores that other metrics gave translations, from files: of each segment, or of each system."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats import SCORE_FORMATS
from qe_desktop.formats.metric_scores import read_metric_scores as given_scores
from qe_desktop.formats.sentences import few
from qe_desktop.formats.standard_input import named_path
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


def read_metric_scores(
    arguments: Sequence[str], lower: Sequence[str], size: int | None = None
) -> dict[str, MetricScores]:
    """The metrics that `METRIC=FILE` arguments name, those of `lower` being better where they are less.

    `size` is how many segments each must have scored, where that is known. QeError for files that hold no scores of
    systems, or of other segments.
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
        path = named_path(rest)
        found[name] = MetricScores(brought_metric(name, better), _systems(path, size), path)
    return found


def refuse_unknown(lower: Sequence[str], known: Collection[str]) -> None:
    """QeError where something of which less is to be better is none of these."""
    for name in lower:
        if name not in known:
            hint = tr("Give one of {names}.", names=few(list(known), joined=True)) if known else ""
            raise QeError(tr("no file is scores by “{metric}”", metric=name), hint=hint)


def _systems(path: Path, size: int | None) -> Mapping[str, Scores]:
    if path.is_dir():
        return _of_directory(path, size)
    return given_scores(path, size=size).systems


def _of_directory(path: Path, size: int | None) -> Mapping[str, Scores]:
    def holds(entry: Path) -> bool:
        return holds_one_of(SCORE_FORMATS, entry)

    files, _ = named_files([str(path)], holds, tr("scores of segments"))
    systems: dict[str, Scores] = {}
    origins: dict[str, Path] = {}
    for file in files:
        refuse_second(file.name, file.path, origins)
        found = given_scores(file.path, system=file.name, size=size).systems
        if list(found) != [file.name]:
            message = tr("this file has several columns of scores")
            raise QeError(message, hint=tr("Give one number a line for each system."), place=Place(str(file.path)))
        systems[file.name] = scores = found[file.name]
        first = next(iter(systems.values()))
        if len(scores) != len(first):
            message = tr(
                "{n:,} {n:score|scores} for {size:,} {size:segment|segments}", "", len(scores), size=len(first)
            )
            raise QeError(message, hint=tr("Give one score a segment."), place=Place(str(file.path)))
    return systems
