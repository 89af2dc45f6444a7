"""Scores of many systems in one file, `system⇥score` a line, as the WMT metrics tasks exchange them.

The lines of a system are its segments in their order, `None` where nothing was rated; a system with a single line has a
score of its whole translation.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, refuse_all
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.fields import Rows, decoded, table_rows
from qe_desktop.formats.limits import MOST_SEGMENTS, refuse_many_lines
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

NOTHING = ("None", "nan", "NaN", "")
"""What stands where a segment was not rated."""
_LINE = re.compile(rb"[^\t\r\n]+\t(None|nan|NaN|[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\r?")
_HINT = tr("Each line is a system, a tab and its score of one segment, in their order; None where there is none.")


@dataclass(frozen=True, slots=True, eq=False)
class SystemScores:
    """Scores by system in the order of the file, shape (segments,) each, read-only; NaN where there is none."""

    systems: Mapping[str, Scores]

    @property
    def size(self) -> int:
        """How many segments each system has; 1 where its score is that of the whole translation."""
        return len(next(iter(self.systems.values())))


def is_system_scores(head: bytes) -> bool:
    """Whether a file that begins so holds scores of systems."""
    lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50] or [head]
    return all(_LINE.fullmatch(line) for line in lines)


def read_system_scores(opened: OpenedFile) -> SystemScores:
    """The scores of each system. QeError for lines of another form, and for systems with unlike numbers of segments."""
    refuse_many_lines(opened.data, opened.name, MOST_SEGMENTS)
    faults, names = Faults(), dict[bytes, int]()
    systems, scores, lines = [], [], []
    for rows in table_rows(opened, 2, 0, faults):
        values, valid = rows.decimals(1)
        wrong = [row for row in np.flatnonzero(~valid).tolist() if rows.text(row, 1).strip() not in NOTHING]
        if wrong:
            faults.add(wrong, partial(_no_score, opened, rows))
        systems.append(rows.labels(0, names))
        scores.append(np.where(valid, values, np.nan))
        lines.append(rows.lines)
    faults.refuse(_HINT)
    if not names:
        raise QeError(tr("there is no score"), hint=_HINT, place=opened.place())
    return _by_system(opened, decoded(names), np.concatenate(systems), np.concatenate(scores), np.concatenate(lines))


def _no_score(opened: OpenedFile, rows: Rows, row: int) -> Fault:
    return Fault(opened.place(int(rows.lines[row])), tr("{text} is no number", text=shown(rows.text(row, 1))))


def _by_system(
    opened: OpenedFile, names: tuple[str, ...], system: NDArray[np.int32], score: Scores, line: NDArray[np.int64]
) -> SystemScores:
    counts = np.bincount(system, minlength=len(names))
    order = np.argsort(system, kind="stable")
    ends = np.cumsum(counts)

    def fault(place: int) -> Fault:
        message = tr(
            "{system} has {n:,} {n:score|scores}, but {first} has {size:,}",
            "", int(counts[place]), system=shown(names[place]), first=shown(names[0]), size=int(counts[0]),
        )  # fmt: skip
        return Fault(opened.place(int(line[order[ends[place] - 1]])), message)

    refuse_all(np.flatnonzero(counts != counts[0]), fault, tr("Give a line for each segment of every system."))
    columns = score[order].reshape(len(names), -1)
    columns.flags.writeable = False
    return SystemScores(dict(zip(names, columns, strict=True)))
