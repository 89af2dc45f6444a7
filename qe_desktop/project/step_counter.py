"""The order in which a person did things of several kinds, whatever clocks say."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Protocol

Order = tuple[int, float]
"""A step's number; and its time, for rows of 0, which were kept before steps had numbers."""
NEVER: Order = (-1, -1.0)
"""Before all steps."""
MOST_STEPS = 2**53
"""More than all people together make."""


class Numbered(Protocol):
    """A row with the number of the step that made it, and its time."""

    @property
    def step(self) -> int:
        """Its number."""
        ...

    @property
    def at(self) -> float:
        """Unix time by the clock of a computer, which may be set back, and stand still for two steps."""
        ...


def order_of(row: Numbered | None) -> Order:
    """Where a row stands among those of one person; `NEVER` for none."""
    return NEVER if row is None else (row.step, row.at)


class StepCounter:
    """Numbers steps, each above all numbers that it gave or heard of: those of a project, and of other windows."""

    def __init__(self, newest: int = 0, rows: Iterable[Numbered] = ()) -> None:
        self._newest = newest
        self.hear(rows)

    def next(self) -> int:
        """The number of a step that is made now."""
        self._newest = min(self._newest + 1, MOST_STEPS - 1)
        return self._newest

    def hear(self, rows: Iterable[Numbered]) -> None:
        """Other rows have come: what is done from now on comes after them."""
        self._newest = max([self._newest, *(row.step for row in rows)])
