"""The columns that the files of metrics' scores become: of one metric, one file or one for each system."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Literal

from qe_desktop.corpus import MetricColumn, Place, QeError
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.metric_scores import GivenScores
from qe_desktop.formats.planned_file import PlannedFile
from qe_desktop.formats.questions import Better
from qe_desktop.formats.regular_files import shown_name
from qe_desktop.wording import tr

Read = tuple[PlannedFile, GivenScores]


def metric_columns(read: Sequence[Read], known: Collection[str]) -> tuple[dict[str, MetricColumn], list[QeError]]:
    """The metrics by name, and what is wrong with files; `known` are metrics that there are already."""
    parts: dict[str, list[Read]] = {}
    for file, given in read:
        parts.setdefault(file.name, []).append((file, given))
    found: dict[str, MetricColumn] = {}
    errors: list[QeError] = []
    for name, of_metric in parts.items():
        try:
            if name in known:
                message = tr("there are scores by {metric} already", metric=name)
                raise _refused(of_metric[0][0], message, tr("Give one of them another name."))
            found[name] = _joined(name, of_metric)
        except QeError as error:
            errors.append(error)
    return found, errors


def _joined(name: str, parts: Sequence[Read]) -> MetricColumn:
    systems: dict[str, Scores] = {}
    for file, given in parts:
        for system, scores in given.systems.items():
            if system in systems:
                message = tr("{metric} has scores of {system} already", metric=name, system=system)
                raise _refused(file, message, tr("Give the metric of one of them another name."))
            size = len(next(iter(systems.values()), scores))
            if len(scores) != size:
                message = tr("{n:,} {n:score|scores}, but other systems have {size:,}", "", len(scores), size=size)
                raise _refused(file, message, tr("Give a score for each segment of every system."))
            systems[system] = scores
    files = [file for file, _ in parts]
    origin = files[0].path.name if len(files) == 1 else files[0].path.parent.name
    notes = dict.fromkeys(note for _, given in parts for note in given.notes)
    return MetricColumn(systems, _better(name, files), origin, tuple(notes))


def _better(name: str, files: Sequence[PlannedFile]) -> Literal[1, -1]:
    """What was said of any of the files, or else what all of them show."""
    said = {file.answers.better for file in files if file.answers.better is not None}
    if len(said) > 1:
        message = tr("of {metric}, more is said to be better in one file and less in another", metric=name)
        raise _refused(files[0], message, tr("Say the same of all its files."))
    less = said == {Better.LESS} or (not said and all(file.held(Better) is Better.LESS for file in files))
    return -1 if less else 1


def _refused(file: PlannedFile, message: str, hint: str) -> QeError:
    return QeError(message, hint=hint, place=Place(shown_name(file.path)))
