"""Scores that metrics gave systems: what a file of them holds, whatever its form, and which of its scores are better.

METRIC.seg.score[.gz]     `system⇥score` a line
a table                   with a column, or a method, for each system
a number a line           of one system, where a folder holds such a file for each
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.opening import OpenedFile, open_file, shown_name
from qe_desktop.formats.questions import Better
from qe_desktop.formats.regular_files import Watch, nobody
from qe_desktop.formats.sentences import few
from qe_desktop.formats.single import scores_in
from qe_desktop.formats.system_scores import is_system_scores, read_system_scores
from qe_desktop.wording import tr

_ERRORS = {"TER", "ter", "HTER", "hter", "WER", "wer", "PER", "CER", "cer", "CDER", "cder", "CharacTER"}
"""Metrics that are rates of errors, by the first word of their names."""
_PENALTIES = "mqm"
MIN_TURNED = 0.9
"""The share of scores that are 0 or below from which their sign seems to be turned; regression leaves some above."""
_WORD = re.compile(r"[A-Za-z]+")


@dataclass(frozen=True, slots=True, eq=False)
class GivenScores:
    """What a metric gave, by system, shape (segments,) each, NaN where it gave nothing; or one for each system.

    `notes` are remarks about the file.
    """

    systems: Mapping[str, Scores]
    notes: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """How many scores each system has."""
        return len(next(iter(self.systems.values())))


def read_metric_scores(
    path: Path, *, system: str = "", language_pair: str = "", size: int | None = None, watch: Watch = nobody
) -> GivenScores:
    """The scores of a file, which are those of `system` where the file does not say whose they are.

    `size` is how many segments there must be. QeError for lines that are no scores, for another number of segments, and
    where nobody says whose scores they are.
    """
    opened = open_file(path, watch)
    if is_system_scores(opened.head()):
        found = read_system_scores(opened)
        refuse_other_size(found.size, size, opened, next(iter(found.systems)))
        return GivenScores(found.systems)
    columns = scores_in(opened, language_pair, size)
    systems = {**columns.systems, **columns.golds} if columns.only is None else {system: columns.only}
    if "" in systems or not systems:
        message = tr("this file does not say whose scores it holds")
        hint = tr("Give system⇥score lines, a table with a column for each system, or a directory with their files.")
        raise QeError(message, hint=hint, place=Place(shown_name(path)))
    return GivenScores(systems, columns.notes)


def refuse_other_size(scores: int, size: int | None, opened: OpenedFile, first: str = "") -> None:
    """QeError where systems have not a score for each of the `size` segments; at the line where the `first` system has
    one too many, or its last.
    """
    if size is None or scores == size:
        return
    message = tr("{n:,} {n:score|scores} for each system, but there are {size:,} segments", "", scores, size=size)
    hint = tr("Give a score for each segment, in their order; None where there is none.")
    if scores == 1:
        hint = tr("These are scores of whole translations. Give those of their segments.")
    begin = f"{first}\t".encode()
    lines = opened.data[opened.start :].split(b"\n") if first else []
    rows = [number for number, line in enumerate(lines, 1) if line.startswith(begin)][: size + 1]
    raise QeError(message, hint=hint, place=opened.place(rows[-1] if rows else None))


def usually_better(name: str, scores: Iterable[Scores]) -> Better:
    """Which scores of the metric of this name are better, where nobody says.

    Less is better of rates of errors such as TER and of MetricX, and of MQM where most segments have no penalty. Shared
    tasks turn their signs so that more is better, which negative scores tell. Of all others, more is better.
    """
    first = next(iter(_WORD.findall(name)), "")
    penalties = first.lower() == _PENALTIES
    if not (first in _ERRORS or first.lower().startswith("metricx") or penalties):
        return Better.MORE
    values = np.concatenate([np.zeros(0), *scores])
    values = values[~np.isnan(values)]
    if not len(values) or values.min() < 0 or values.max() == 0:
        return Better.MORE
    if penalties and 2 * np.count_nonzero(values) > len(values):
        return Better.MORE
    return Better.LESS


def orientation_remark(name: str, better: int, scores: Iterable[Scores]) -> str:
    """That scores of a metric look as if the other ones were better than it is said, of which more are (1) or less
    (-1); empty where they do not.

    Of rates of errors less is usually better. Scores below 0 are such rates whose sign was turned, or logarithms of
    probabilities: more of both is better.
    """
    columns = list(scores)
    if better > 0:
        if usually_better(name, columns) is not Better.LESS:
            return ""
        return tr("less of {metric} is usually better, and here more is", metric=name)
    values = np.concatenate([np.zeros(0), *columns])
    values = values[~np.isnan(values)]
    if not len(values) or values.min() >= 0 or np.count_nonzero(values <= 0) < MIN_TURNED * len(values):
        return ""
    return tr(
        "scores of {metric} are 0 or below, as where their sign is turned so that more is better, and here less is",
        metric=name,
    )


def untranslated(systems: Collection[str], translations: Collection[str]) -> tuple[str, ...]:
    """The remark that some systems have scores and no translation; nothing where all have one."""
    others = [name for name in systems if name not in translations]
    if not others:
        return ()
    return (tr("there is no translation by {systems}", systems=few(others)),)
