"""The edit distance of two sequences with the operations that tercom would choose, many cells at a time.

Sequences are strings of one character a token (`letters`). Operations turn the MT into the reference: `MATCH`,
`SUBSTITUTION`, `INSERTION` of a token that the MT lacks, `DELETION` of a token that it has too much. tercom prints
them the other way round: its D is a token that the MT lacks, its I one that it has too much.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rapidfuzz.distance.Levenshtein import distance

BEAM_WIDTH = 25
_NEVER = 1 << 60


class EditBeam:
    """The cells that count in a table of (MT, reference) tokens."""

    def __init__(self, mt: int, reference: int) -> None:
        self.mt = mt
        self.reference = reference
        self.slope = reference / mt if mt else 1.0
        # texts of very unlike lengths have rows that would not meet
        self.width = math.ceil(self.slope / 2 + BEAM_WIDTH) if self.slope / 2 > BEAM_WIDTH else BEAM_WIDTH

    def row(self, row: int) -> range:
        """The columns that count in a row, which is numbered from 1."""
        middle = math.floor(row * self.slope)
        end = self.reference + 1
        return range(max(0, middle - self.width), end if row == self.mt else min(end, middle + self.width))

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell counts."""
        return column in self.row(row)


def is_within_beam(edits: int, mt: int, reference: int) -> bool:
    """Whether every way of so many edits keeps to the beam, from the lengths alone: then the beam changes nothing.

    A way of e edits strays from the diagonal by (e + |difference of the lengths|) / 2 cells at most. One cell is left
    for the rounding of the slope.
    """
    return reference < BEAM_WIDTH or edits + abs(reference - mt) < 2 * (BEAM_WIDTH - 1)


def beam_operations(mt: str, reference: str) -> str:
    """The operations of the best way within the beam, cell by cell; letters as in `trace`."""
    beam = EditBeam(len(mt), len(reference))
    above = list(range(len(reference) + 1))
    chosen = ["i" * (len(reference) + 1)]
    for row, token in enumerate(mt, start=1):
        cells = [_NEVER] * (len(reference) + 1)
        letters = ["x"] * (len(reference) + 1)
        for column in beam.row(row):
            if column == 0:
                cells[0], letters[0] = above[0] + 1, "d"
                continue
            same = token == reference[column - 1]
            best, letter = above[column - 1] + (not same), "=" if same else "s"
            if above[column] + 1 < best:
                best, letter = above[column] + 1, "d"
            if cells[column - 1] + 1 < best:
                best, letter = cells[column - 1] + 1, "i"
            cells[column], letters[column] = best, letter
        above = cells
        chosen.append("".join(letters))
    return _backtrace(chosen, len(mt), len(reference))


def _backtrace(chosen: list[str], row: int, column: int) -> str:
    found = []
    while row or column:
        letter = chosen[row][column]
        found.append(letter)
        row -= letter != "i"
        column -= letter != "d"
    return "".join(reversed(found))


MATCH, SUBSTITUTION, INSERTION, DELETION = "=", "s", "i", "d"


@dataclass(frozen=True, slots=True)
class EditTrace:
    """The number of edits, and the operations in the order of the tokens, one character each."""

    edits: int
    operations: str


def trace_edits(mt: str, reference: str) -> EditTrace:
    """The fewest edits that turn the MT into the reference, and which.

    Where several ways are as short, from the end on a match or substitution goes before a deletion, and that before an
    insertion, as in tercom. As in sacreBLEU, only ways within a beam around the diagonal count.
    """
    operations = _operations(mt, reference)
    edits = len(operations) - operations.count(MATCH)
    if not is_within_beam(edits, len(mt), len(reference)) and not _in_beam(operations, len(mt), len(reference)):
        operations = beam_operations(mt, reference)
        edits = len(operations) - operations.count(MATCH)
    return EditTrace(edits, operations)


def bounded_edits(mt: str, reference: str, most: int) -> int:
    """The number of edits of `traced`, or any number above `most` where there are more than these."""
    found = int(distance(mt, reference, score_cutoff=most))
    if found > most or is_within_beam(found, len(mt), len(reference)):
        return found
    return trace_edits(mt, reference).edits


def _operations(mt: str, reference: str) -> str:
    kept, longer = _rows(mt, reference)
    row, column = len(mt), len(reference)
    found: list[str] = []
    while row and column:
        bit = 1 << (column - 1)
        if not kept[row - 1] & bit:
            found.append(SUBSTITUTION)
        elif mt[row - 1] == reference[column - 1]:
            found.append(MATCH)
        elif longer[row - 1] & bit:
            found.append(DELETION)
            row -= 1
            continue
        else:
            found.append(INSERTION)
            column -= 1
            continue
        row -= 1
        column -= 1
    found.append(DELETION * row or INSERTION * column)
    return "".join(reversed(found))


def _rows(mt: str, reference: str) -> tuple[list[int], list[int]]:
    """One number for each token of the MT, with a bit for each of the reference, of the table of edit distances.

    A bit of the first says that a cell holds as much as the one before it in the diagonal, a bit of the second that it
    holds one more than the one of the token before in the MT (Hyyrö 2003, figure 5).
    """
    ones = (1 << len(reference)) - 1
    places: dict[str, int] = {}
    for place, token in enumerate(reference):
        places[token] = places.get(token, 0) | 1 << place
    above, below = ones, 0
    all_kept, all_longer = [], []
    for token in mt:
        same = places.get(token, 0)
        kept = (((same & above) + above) ^ above) | same | below
        longer = (below | ~(kept | above)) & ones
        shorter = kept & above
        carried = longer << 1 | 1
        above = (shorter << 1 | ~(kept | carried)) & ones
        below = carried & kept & ones
        all_kept.append(kept)
        all_longer.append(longer)
    return all_kept, all_longer


def _in_beam(operations: str, mt: int, reference: int) -> bool:
    """Whether a way keeps to the beam; then it is the way that is found within the beam, for all others cost more."""
    beam = EditBeam(mt, reference)
    row = column = 0
    for operation in operations:
        row += operation != INSERTION
        column += operation != DELETION
        if row and not beam.holds(row, column):
            return False
    return True
