"""Rows of figures added up in the order of their numbers, whatever the order in which they come."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from qe_desktop.metrics.family import Floats


@dataclass(frozen=True, slots=True, eq=False)
class First:
    """The sum of the first `added` rows and that of their squares, shape (figures,)."""

    total: Floats
    squares: Floats
    added: int = 0

    def and_one(self, row: Floats) -> First:
        """With one row more."""
        return First(self.total + row, self.squares + row**2, self.added + 1)


@dataclass(slots=True)
class Sums:
    """The sums of the first rows, and later rows by number.

    A sum of floating numbers depends on their order, so a row waits until all before it are added. The sums of a row
    and the count of it are one value: an interrupt between any two steps leaves all of them or none.
    """

    first: First
    waiting: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def empty(cls, figures: int) -> Sums:
        """Without any row."""
        return cls(First(np.zeros(figures), np.zeros(figures)))

    @property
    def added(self) -> int:
        """How many rows are in the sums."""
        return self.first.added

    @property
    def done(self) -> int:
        """How many rows came."""
        return self.added + len(self.waiting)

    def has(self, number: int) -> bool:
        """Whether the row of this number came."""
        return number < self.added or number in self.waiting

    def add(self, number: int, row: Floats) -> None:
        """Take a row; its number counts from 0."""
        self.waiting[number] = row
        while self.added in self.waiting:
            # a row that is in neither after an interrupt is made again; one in both would count twice
            self.first = self.first.and_one(self.waiting.pop(self.added))

    def of_all(self) -> tuple[Floats, Floats]:
        """The sums with the rows that still wait for others."""
        first = self.first
        for _, row in sorted(self.waiting.items()):
            first = first.and_one(row)
        return first.total, first.squares
