"""Metric scores of systems, in any file format.

METRIC.seg.score[.gz]     one `system⇥score` per line
a table                   with a column, or a method, for each system
one number per line       scores of one system; a folder contains one such file per system
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from qe_desktop.corpus import MetricColumn, QeError, SourceLocation
from qe_desktop.corpus.layers import Scores
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.formats.files import display_name, never_cancelled
from qe_desktop.formats.importing.planned_file import PlannedFile, ScoreDirection
from qe_desktop.formats.messages import list_names
from qe_desktop.formats.registry import read_open_scores
from qe_desktop.formats.scores.system_scores import is_system_scores, read_system_scores
from qe_desktop.formats.text_files import TextFile, open_file
from qe_desktop.i18n.messages import tr


@dataclass(frozen=True, slots=True, eq=False)
class MetricFileScores:
    """Scores of a metric in a file: one array per system, and notes about the file.

    The arrays have shape (segments,), with NaN for missing scores, or shape (1,) for scores of whole translations.
    """

    systems: Mapping[str, Scores]
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """Number of scores of each system."""
        return len(next(iter(self.systems.values())))


def read_metric_scores(
    path: Path,
    *,
    system: str = "",
    language_pair: str = "",
    size: int | None = None,
    check_cancelled: CheckCancelled = never_cancelled,
) -> MetricFileScores:
    """Read the scores in a file. If the file does not name a system, the scores are those of `system`.

    `size` is the expected number of segments (None: any). Raises QeError as `formats.read_scores` and
    `read_system_scores` do, and if neither the file nor `system` names the system.
    """
    opened = open_file(path, check_cancelled)
    if is_system_scores(opened.head()):
        scores = read_system_scores(opened)
        check_score_sizes(scores.size, size, opened, next(iter(scores.systems)))
        return MetricFileScores(scores.systems)
    columns = read_open_scores(opened, language_pair, size)
    systems = {**columns.systems, **columns.golds} if columns.single is None else {system: columns.single}
    if "" in systems or not systems:
        message = tr("the file does not name the system to which its scores belong")
        hint = tr("Use system⇥score lines, a table with one column per system, or a folder with one file per system.")
        raise QeError(message, hint=hint, place=SourceLocation(display_name(path)))
    return MetricFileScores(systems, columns.notes)


def check_score_sizes(scores: int, size: int | None, opened: TextFile, first: str = "") -> None:
    """Raise QeError if `scores`, the number of scores of each system, is not `size` (None: any number).

    The error is located at the first surplus score of the system `first`, or at the last score of this system if there
    are too few. If `first` is empty, the error has no line.
    """
    if size is None or scores == size:
        return
    message = tr(
        "{n:,} {n:score|scores} for each system, but there are {size:,} {size:segment|segments}", "", scores, size=size
    )
    hint = tr("Use one score per segment, in order, and None for a missing score.")
    if scores == 1:
        hint = tr("These are scores of whole translations. Use segment scores.")
    begin = f"{first}\t".encode()
    lines = opened.data[opened.start :].split(b"\n") if first else []
    rows = [number for number, line in enumerate(lines, 1) if line.startswith(begin)][: size + 1]
    raise QeError(message, hint=hint, place=opened.location(rows[-1] if rows else None))


def untranslated_systems_note(systems: Collection[str], translations: Collection[str]) -> tuple[str, ...]:
    """Note on the systems that have scores but no translation; empty if there are none."""
    untranslated = [name for name in systems if name not in translations]
    if not untranslated:
        return ()
    return (tr("there is no translation by {systems}", systems=list_names(untranslated)),)


ScoredFile = tuple[PlannedFile, MetricFileScores]


def metric_columns(
    scored_files: Sequence[ScoredFile], loaded_metrics: Collection[str]
) -> tuple[dict[str, MetricColumn], list[QeError]]:
    """Join the scores of each metric; return the metrics by name, and the errors in files.

    A metric whose name is in `loaded_metrics`, the metrics already loaded, is an error.
    """
    parts: dict[str, list[ScoredFile]] = {}
    for file, system_scores in scored_files:
        parts.setdefault(file.name, []).append((file, system_scores))
    columns: dict[str, MetricColumn] = {}
    errors: list[QeError] = []
    for name, of_metric in parts.items():
        try:
            if name in loaded_metrics:
                message = tr("there are already {metric} scores", metric=name)
                raise _metric_error(of_metric[0][0], message, tr("Use another name for this metric."))
            columns[name] = _join_parts(name, of_metric)
        except QeError as error:
            errors.append(error)
    return columns, errors


def _join_parts(name: str, parts: Sequence[ScoredFile]) -> MetricColumn:
    systems: dict[str, Scores] = {}
    for file, system_scores in parts:
        for system, scores in system_scores.systems.items():
            if system in systems:
                message = tr("there are already {metric} scores of {system}", metric=name, system=system)
                raise _metric_error(file, message, tr("Use another metric name for one of the files."))
            size = len(next(iter(systems.values()), scores))
            if len(scores) != size:
                message = tr(
                    "{system} has {n:,} {n:score|scores}, but other systems have {size:,}",
                    "", len(scores), system=system, size=size,
                )  # fmt: skip
                raise _metric_error(file, message, tr("Use one score per segment for every system."))
            systems[system] = scores
    files = [file for file, _ in parts]
    origin = files[0].path.name if len(files) == 1 else files[0].path.parent.name
    notes = dict.fromkeys(note for _, system_scores in parts for note in system_scores.notes)
    return MetricColumn(systems, _metric_direction(name, files), origin, tuple(notes))


def _metric_direction(name: str, files: Sequence[PlannedFile]) -> Literal[1, -1]:
    """Return 1 if higher scores of a metric are better, and -1 if lower scores are better.

    The user's answer for any of the files decides. Without an answer, lower is better if this is the default for all
    files. Raises QeError if the answers for several files differ.
    """
    answers = {file.answers.score_direction for file in files if file.answers.score_direction is not None}
    if len(answers) > 1:
        message = tr("contradictory answers for {metric}: higher is better in one file, lower in another", metric=name)
        raise _metric_error(files[0], message, tr("Use the same answer for all files of this metric."))
    is_lower_better = answers == {ScoreDirection.LESS} or (
        not answers and all(file.effective_answer(ScoreDirection) is ScoreDirection.LESS for file in files)
    )
    return -1 if is_lower_better else 1


def _metric_error(file: PlannedFile, message: str, hint: str) -> QeError:
    return QeError(message, hint=hint, place=SourceLocation(display_name(file.path)))
