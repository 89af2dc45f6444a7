"""The beam of sacreBLEU: which cells of the table of edit distances count, and the way through these alone.

tercom gives up cells that cost too much; sacreBLEU gives up those far from the diagonal, which matters for long
segments that have little in common.
"""

from __future__ import annotations

import math

WIDTH = 25
_NEVER = 1 << 60


class Beam:
    """The cells that count in a table of (MT, reference) tokens."""

    def __init__(self, mt: int, reference: int) -> None:
        self.mt = mt
        self.reference = reference
        self.slope = reference / mt if mt else 1.0
        # texts of very unlike lengths have rows that would not meet
        self.width = math.ceil(self.slope / 2 + WIDTH) if self.slope / 2 > WIDTH else WIDTH

    def row(self, row: int) -> range:
        """The columns that count in a row, which is numbered from 1."""
        middle = math.floor(row * self.slope)
        end = self.reference + 1
        return range(max(0, middle - self.width), end if row == self.mt else min(end, middle + self.width))

    def holds(self, row: int, column: int) -> bool:
        """Whether a cell counts."""
        return column in self.row(row)


def within_any_beam(edits: int, mt: int, reference: int) -> bool:
    """Whether every way of so many edits keeps to the beam, from the lengths alone: then the beam changes nothing.

    A way of e edits strays from the diagonal by (e + |difference of the lengths|) / 2 cells at most. One cell is left
    for the rounding of the slope.
    """
    return reference < WIDTH or edits + abs(reference - mt) < 2 * (WIDTH - 1)


def beam_operations(mt: str, reference: str) -> str:
    """The operations of the best way within the beam, cell by cell; letters as in `trace`."""
    beam = Beam(len(mt), len(reference))
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
    return _way_back(chosen, len(mt), len(reference))


def _way_back(chosen: list[str], row: int, column: int) -> str:
    found = []
    while row or column:
        letter = chosen[row][column]
        found.append(letter)
        row -= letter != "i"
        column -= letter != "d"
    return "".join(reversed(found))
