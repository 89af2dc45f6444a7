"""Scores of many systems in one file, `system⇥score` a line, as the WMT metrics tasks exchange them.

The lines of a system are its segments in their order, `None` where nothing was rated; a system with a single line has a
score of its whole translation.
"""

from __future__ import annotations

import re
from functools import partial

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, QeError, refuse_all
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.fields import Rows, decoded, table_rows
from qe_desktop.formats.limits import MOST_SEGMENTS, refuse_many_lines
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.sentences import few
from qe_desktop.formats.tables import SystemScores
from qe_desktop.formats.tag_lines import shown
from qe_desktop.wording import tr

NOTHING = ("None", "nan", "NaN", "")
"""What stands where a segment was not rated."""
_LINE = re.compile(rb"[^\t\r\n]+\t(None|nan|NaN|[-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)\r?")
_HINT = tr("Each line is a system, a tab and its score of one segment, in their order; None where there is none.")


def is_system_scores(head: bytes) -> bool:
    """Whether a file that begins so holds scores of systems."""
    lines = [line for line in head.split(b"\n")[:-1] if line.strip()][:50] or [head]
    right = [_LINE.fullmatch(line) is not None for line in lines]
    # one faulty line makes it no other file, and is named when it is read
    return right[0] and 2 * sum(right) > len(right)


def scores_of_beginning(opened: OpenedFile) -> Scores:
    """The scores on the first lines of a file that goes on, whosever they are, shape (lines,); NaN where none is."""
    parts = [rows.decimals(1) for rows in table_rows(opened, 2, 0, Faults())]
    return np.concatenate([np.zeros(0), *(np.where(valid, values, np.nan) for values, valid in parts)])


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


def _confidence(head: bytes, name: str) -> float:
    if not is_system_scores(head):
        return 0.0
    named = [line.split(b"\t")[0] for line in head.split(b"\n")[:-1] if line.strip()]
    several = len(set(named))
    # a list of words with a number each may name one twice, and tags may be 0 and 1
    plain = several == len(named) or 2 * several <= len(named)
    return 0.9 if plain and not all(name.strip().isdigit() for name in named) else 0.0


def _read(opened: OpenedFile) -> Reading:
    found = read_system_scores(opened)
    systems = few(list(found.systems))
    if found.size == 1:
        what = tr("a score for each of {n:,} {n:system|systems}: {systems}", "", len(found.systems), systems=systems)
    else:
        what = tr(
            "scores of {n:,} {n:segment|segments} of {count:,} {count:system|systems}: {systems}",
            "", found.size, count=len(found.systems), systems=systems,
        )  # fmt: skip
    return Reading(FORMAT.name, what, found)


FORMAT = Format("system scores", _confidence, _read)
