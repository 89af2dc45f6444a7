"""Scores that metrics gave systems: what a file of them holds, whatever its form.

METRIC.seg.score[.gz]     `system⇥score` a line
a table                   with a column, or a method, for each system
a number a line           of one system, where a folder holds such a file for each
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path

from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.opening import OpenedFile, open_file, shown_name
from qe_desktop.formats.regular_files import Watch, nobody
from qe_desktop.formats.sentences import few
from qe_desktop.formats.single import scores_in
from qe_desktop.formats.system_scores import is_system_scores, read_system_scores
from qe_desktop.wording import tr


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
    message = tr(
        "{n:,} {n:score|scores} for each system, but there are {size:,} {size:segment|segments}", "", scores, size=size
    )
    hint = tr("Give a score for each segment, in their order; None where there is none.")
    if scores == 1:
        hint = tr("These are scores of whole translations. Give those of their segments.")
    begin = f"{first}\t".encode()
    lines = opened.data[opened.start :].split(b"\n") if first else []
    rows = [number for number, line in enumerate(lines, 1) if line.startswith(begin)][: size + 1]
    raise QeError(message, hint=hint, place=opened.place(rows[-1] if rows else None))


def untranslated(systems: Collection[str], translations: Collection[str]) -> tuple[str, ...]:
    """The remark that some systems have scores and no translation; nothing where all have one."""
    others = [name for name in systems if name not in translations]
    if not others:
        return ()
    return (tr("there is no translation by {systems}", systems=few(others)),)
