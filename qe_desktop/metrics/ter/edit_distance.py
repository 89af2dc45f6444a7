"""Edit distance between two sequences and the edit operations that tercom selects, computed with bit vectors.

Sequences are strings with one character per token (`encode_letters`). Operations turn the MT into the reference:
`MATCH`, `SUBSTITUTION`, `INSERTION` of a token missing in the MT, and `DELETION` of an extra token in the MT. In the
output of tercom, the letters of the last two are swapped: D is a token missing in the MT, and I is an extra token.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from rapidfuzz.distance.Levenshtein import distance

BEAM_WIDTH = 25
_OUTSIDE_BEAM_COST = 1 << 60


class EditBeam:
    """Beam around the diagonal of the edit-distance table.

    The table has a row per MT token and a column per reference token, preceded by row 0 and column 0. `mt` and
    `reference` are the numbers of tokens.
    """

    def __init__(self, mt: int, reference: int) -> None:
        self.mt = mt
        self.reference = reference
        self.slope = reference / mt if mt else 1.0
        # for very different lengths, beams of successive rows would not overlap
        self.width = math.ceil(self.slope / 2 + BEAM_WIDTH) if self.slope / 2 > BEAM_WIDTH else BEAM_WIDTH

    def row(self, row: int) -> range:
        """Return the columns of a row that are within the beam; row 0 and column 0 precede the first tokens."""
        middle = math.floor(row * self.slope)
        end = self.reference + 1
        return range(max(0, middle - self.width), end if row == self.mt else min(end, middle + self.width))

    def contains(self, row: int, column: int) -> bool:
        """Return whether a cell is within the beam."""
        return column in self.row(row)


def is_within_beam(edits: int, mt: int, reference: int) -> bool:
    """Return whether every path with this number of edits is guaranteed to stay within the beam.

    Parameters
    ----------
    edits
        Number of edits of a path.
    mt, reference
        Numbers of tokens in the MT and in the reference.

    Returns
    -------
    bool
        True if the reference has fewer than `BEAM_WIDTH` tokens, or if (edits + |reference − mt|) / 2 is less than
        `BEAM_WIDTH` − 1. A path deviates from the diagonal by at most (edits + |reference − mt|) / 2 cells; one more
        cell is reserved for rounding of the slope. If false, a path may still stay within the beam.
    """
    return reference < BEAM_WIDTH or edits + abs(reference - mt) < 2 * (BEAM_WIDTH - 1)


def beam_operations(mt: str, reference: str) -> str:
    """Return the operations of the best path within the beam, in the format of `EditTrace.operations`.

    The table is computed cell by cell.
    """
    beam = EditBeam(len(mt), len(reference))
    previous_row = list(range(len(reference) + 1))
    operations = ["i" * (len(reference) + 1)]
    for row, token in enumerate(mt, start=1):
        cells = [_OUTSIDE_BEAM_COST] * (len(reference) + 1)
        row_operations = ["x"] * (len(reference) + 1)
        for column in beam.row(row):
            if column == 0:
                cells[0], row_operations[0] = previous_row[0] + 1, "d"
                continue
            is_equal = token == reference[column - 1]
            best, letter = previous_row[column - 1] + (not is_equal), "=" if is_equal else "s"
            if previous_row[column] + 1 < best:
                best, letter = previous_row[column] + 1, "d"
            if cells[column - 1] + 1 < best:
                best, letter = cells[column - 1] + 1, "i"
            cells[column], row_operations[column] = best, letter
        previous_row = cells
        operations.append("".join(row_operations))
    return _backtrace(operations, len(mt), len(reference))


def _backtrace(operations: list[str], row: int, column: int) -> str:
    results = []
    while row or column:
        letter = operations[row][column]
        results.append(letter)
        row -= letter != "i"
        column -= letter != "d"
    return "".join(reversed(results))


MATCH, SUBSTITUTION, INSERTION, DELETION = "=", "s", "i", "d"


@dataclass(frozen=True, slots=True)
class EditTrace:
    """Number of edits, and the operations in token order as a string with one character per operation."""

    edits: int
    operations: str


def trace_edits(mt: str, reference: str) -> EditTrace:
    """Return the minimum number of edits that turn the MT into the reference, and the operations.

    Paths are traced from the end of both texts. As in tercom, in a tie, a match or substitution is preferred to a
    deletion, and a deletion to an insertion. As in sacreBLEU, only paths within a beam around the diagonal are
    considered.

    Parameters
    ----------
    mt, reference
        Texts with one character per token.

    Returns
    -------
    EditTrace
        Number of edits without shifts, and operations in token order.
    """
    operations = _operations(mt, reference)
    edits = len(operations) - operations.count(MATCH)
    if not is_within_beam(edits, len(mt), len(reference)) and not _in_beam(operations, len(mt), len(reference)):
        operations = beam_operations(mt, reference)
        edits = len(operations) - operations.count(MATCH)
    return EditTrace(edits, operations)


def bounded_edits(mt: str, reference: str, limit: int) -> int:
    """Return the number of edits as in `trace_edits`; if it exceeds `limit`, return any number above `limit`."""
    result = int(distance(mt, reference, score_cutoff=limit))
    if result > limit or is_within_beam(result, len(mt), len(reference)):
        return result
    return trace_edits(mt, reference).edits


def _operations(mt: str, reference: str) -> str:
    diagonal_equal, longer = _rows(mt, reference)
    row, column = len(mt), len(reference)
    operations: list[str] = []
    while row and column:
        bit = 1 << (column - 1)
        if not diagonal_equal[row - 1] & bit:
            operations.append(SUBSTITUTION)
        elif mt[row - 1] == reference[column - 1]:
            operations.append(MATCH)
        elif longer[row - 1] & bit:
            operations.append(DELETION)
            row -= 1
            continue
        else:
            operations.append(INSERTION)
            column -= 1
            continue
        row -= 1
        column -= 1
    operations.append(DELETION * row or INSERTION * column)
    return "".join(reversed(operations))


def _rows(mt: str, reference: str) -> tuple[list[int], list[int]]:
    """Return two lists of bit vectors that describe the edit-distance table (Hyyrö 2003, figure 5).

    Each list has one integer per MT token, with one bit per reference token. A bit is set in the first list if the cell
    equals its diagonal predecessor, and in the second list if the cell exceeds the cell for the previous MT token by 1.
    """
    ones = (1 << len(reference)) - 1
    masks: dict[str, int] = {}
    for index, token in enumerate(reference):
        masks[token] = masks.get(token, 0) | 1 << index
    above, below = ones, 0
    all_diagonal_equal, all_longer = [], []
    for token in mt:
        equal = masks.get(token, 0)
        diagonal_equal = (((equal & above) + above) ^ above) | equal | below
        longer = (below | ~(diagonal_equal | above)) & ones
        shorter = diagonal_equal & above
        carried = longer << 1 | 1
        above = (shorter << 1 | ~(diagonal_equal | carried)) & ones
        below = carried & diagonal_equal & ones
        all_diagonal_equal.append(diagonal_equal)
        all_longer.append(longer)
    return all_diagonal_equal, all_longer


def _in_beam(operations: str, mt: int, reference: int) -> bool:
    """Return whether the path described by `operations` stays within the beam.

    If the path has the fewest edits of all paths, it is then also the best path within the beam.
    """
    beam = EditBeam(mt, reference)
    row = column = 0
    for operation in operations:
        row += operation != INSERTION
        column += operation != DELETION
        if row and not beam.contains(row, column):
            return False
    return True
