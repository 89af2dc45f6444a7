"""Alignment of two texts with the fewest word edits that keeps as many words as possible.

Edit distance (Levenshtein 1966) is ambiguous: "a park" and "the big park" differ by three substitutions or insertions
as well as by two. To avoid marking the same word on both sides, the alignment with the fewest substitutions is used
among those with the fewest edits; it matches the most words.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.ter.ter_alignment import EditAlignment, EditStep


def min_edit_alignment(ours: Sequence[str], theirs: Sequence[str]) -> EditAlignment:
    """Return the steps from the tokens of one text to those of another, without shifts; case-sensitive."""
    codes = {token: code for code, token in enumerate(dict.fromkeys((*ours, *theirs)))}
    our_codes, their_codes = (np.array([codes[token] for token in side], np.int64) for side in (ours, theirs))
    return EditAlignment(tuple(_steps(_table(our_codes, their_codes), our_codes, their_codes)), ())


def _edit(ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> int:
    """Return the cost of an edit; a substitution costs one more, and all substitutions together less than one edit."""
    return len(ours) + len(theirs) + 1


def _table(ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return minimum costs of aligning the first i with the first j tokens, shape (i + 1, j + 1)."""
    edit = _edit(ours, theirs)
    along = np.arange(len(theirs) + 1) * edit
    table = np.empty((len(ours) + 1, len(theirs) + 1), np.int64)
    table[0] = along
    for row, token in enumerate(ours, 1):
        above = table[row - 1]
        best = above + edit
        best[1:] = np.minimum(best[1:], above[:-1] + np.where(theirs == token, 0, edit + 1))
        # moving along the row costs one edit per step
        table[row] = np.minimum.accumulate(best - along) + along
    return table


def _steps(table: NDArray[np.int64], ours: NDArray[np.int64], theirs: NDArray[np.int64]) -> list[EditStep]:
    edit = _edit(ours, theirs)
    row, column = len(ours), len(theirs)
    steps: list[EditStep] = []
    while row or column:
        cost = table[row, column]
        if row and column:
            same = ours[row - 1] == theirs[column - 1]
            if cost == table[row - 1, column - 1] + (0 if same else edit + 1):
                row, column = row - 1, column - 1
                steps.append(EditStep("match" if same else "substitution", row, column, False))
                continue
        if row and cost == table[row - 1, column] + edit:
            row -= 1
            steps.append(EditStep("deletion", row, None, False))
        else:
            column -= 1
            steps.append(EditStep("insertion", None, column, False))
    return steps[::-1]
