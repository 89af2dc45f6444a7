"""Number lines: one number a segment (scores), or one a token (probabilities); read, and scores written."""

from __future__ import annotations

import re
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Fault, Faults, NumberColumn, offsets_of, refuse_all
from qe_desktop.corpus.layers import Scores
from qe_desktop.formats.blocks import Split, blocks, split
from qe_desktop.formats.fields import decimals
from qe_desktop.formats.limits import MOST_SEGMENTS, refuse_many_lines
from qe_desktop.formats.one_a_line import doubt_of
from qe_desktop.formats.opening import OpenedFile
from qe_desktop.formats.reading import Format, Reading
from qe_desktop.formats.tag_lines import shown
from qe_desktop.formats.writing import written
from qe_desktop.wording import tr

_SCORED = re.compile(r"(?<![a-z])(hter|da|ter|mqm|scores?)(?![a-z])", re.IGNORECASE)
"""Names of files that hold one number a segment."""
LINES = 1 << 16
"""Lines that are written in one go."""


def read_number_lines(
    opened: OpenedFile, kind: type[np.floating[Any]] = np.float64
) -> tuple[NDArray[Any], NDArray[np.int32]]:
    """All numbers of a file as floats of a kind, and how many each line has. QeError that names what is no number."""
    refuse_many_lines(opened.data, opened.name)
    found: list[NDArray[Any]] = []
    counts: list[NDArray[np.int32]] = []
    faults, lines = Faults(), 0
    for _, block in blocks(opened):
        parts = split(block)
        values, valid = decimals(parts.codes, parts.starts, parts.ends)
        faults.add(np.flatnonzero(~valid), partial(_no_number, opened, parts, lines))
        found.append(values.astype(kind, copy=False))
        counts.append(parts.counts.astype(np.int32))
        lines += len(parts.counts)
    faults.refuse(tr("Numbers are written like 0.25 or -1.5e-3, apart by spaces; columns of tables are apart by tabs."))
    return np.concatenate(found), np.concatenate(counts)


def _no_number(opened: OpenedFile, parts: Split, lines: int, token: int) -> Fault:
    return Fault(opened.place(lines + parts.line_of(token)), tr("{text} is no number", text=shown(parts.text(token))))


def read_scores(opened: OpenedFile) -> Scores:
    """One number a line, shape (segments,). QeError that names the lines with none or several."""
    refuse_many_lines(opened.data, opened.name, MOST_SEGMENTS)
    values, counts = read_number_lines(opened)

    def fault(line: int) -> Fault:
        return Fault(opened.place(line + 1), _not_one(int(counts[line])))

    refuse_all(np.flatnonzero(counts != 1), fault, tr("A score file has one number a line."))
    values.flags.writeable = False
    return values


def _not_one(count: int) -> str:
    return tr("the line has no number") if count == 0 else tr("the line has {n:,} numbers, not one", "", count)


def write_scores(path: Path, scores: Scores) -> None:
    """Write one number a line with six decimals, as WMT's files of HTER have them; all of it or nothing."""
    with written(path) as file:
        for first in range(0, len(scores), LINES):
            file.write("".join(f"{score:.6f}\n" for score in scores[first : first + LINES].tolist()).encode())


def read_token_numbers(opened: OpenedFile) -> NumberColumn:
    """Numbers of tokens, one segment a line."""
    # what is beyond the smaller floats becomes infinite, which no range holds
    with np.errstate(over="ignore"):
        values, counts = read_number_lines(opened, np.float32)
    return NumberColumn(values, offsets_of(counts))


@lru_cache(maxsize=1)
def _share_of_numbers(head: bytes) -> tuple[float, bool, bool]:
    """The share of numbers among the first tokens, whether no line has several, and whether empty lines part them."""
    parts = split(head if head.endswith(b"\n") else head + b"\n")
    if not len(parts.starts) or b"\t" in head:
        return 0.0, False, False
    _, valid = decimals(parts.codes, parts.starts, parts.ends)
    doubt = doubt_of(parts.counts)
    return float(valid.mean()), bool((parts.counts <= 1).all()), doubt is not None and doubt.held is not None


def _scores_confidence(head: bytes, name: str) -> float:
    share, single, parted = _share_of_numbers(head)
    if not single or share < 0.5:
        return 0.0
    # scores leave no line empty; a file of them that does must say by its name what it is
    return 0.7 if "prob" in name.lower() or (parted and not _SCORED.search(name)) else 0.9


def _probabilities_confidence(head: bytes, name: str) -> float:
    share, single, parted = _share_of_numbers(head)
    if share < 0.8:
        return 0.0
    return 0.8 if "prob" in name.lower() or not single or parted else 0.5


def _read_scores(opened: OpenedFile) -> Reading:
    scores = read_scores(opened)
    low, high = float(scores.min()), float(scores.max())
    text = tr("{n:,} {n:score|scores}, {low:.3g} to {high:.3g}", "", len(scores), low=low, high=high)
    return Reading(SCORES.name, text, scores)


def _read_probabilities(opened: OpenedFile) -> Reading:
    column = read_token_numbers(opened)
    low, high = (float(column.values.min()), float(column.values.max())) if len(column.values) else (0.0, 0.0)
    what = tr(
        "{n:,} {n:line|lines} of numbers, {numbers:,} {numbers:number|numbers}, {low:.3g} to {high:.3g}",
        "", len(column), numbers=len(column.values), low=low, high=high,
    )  # fmt: skip
    return Reading(PROBABILITIES.name, what, column)


SCORES = Format("scores", _scores_confidence, _read_scores)
PROBABILITIES = Format("probabilities", _probabilities_confidence, _read_probabilities)
