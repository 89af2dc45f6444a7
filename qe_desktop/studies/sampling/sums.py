"""Rows of figures added up in the order of their numbers, whatever the order in which they come."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from qe_desktop.metrics.family import Floats


@dataclass(slots=True)
class Sums:
    """The sum of the first `added` rows and that of their squares, shape (figures,), and later rows by number.

    A sum of floating numbers depends on their order, so a row waits until all before it are added.
    """

    total: Floats
    squares: Floats
    added: int = 0
    waiting: dict[int, Floats] = field(default_factory=dict)

    @classmethod
    def empty(cls, figures: int) -> Sums:
        """Without any row."""
        return cls(np.zeros(figures), np.zeros(figures))

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
            self._add(self.waiting.pop(self.added))
            self.added += 1

    def _add(self, row: Floats) -> None:
        self.total = self.total + row
        self.squares = self.squares + row**2

    def of_all(self) -> tuple[Floats, Floats]:
        """The sums with the rows that still wait for others."""
        all_of_them = Sums(self.total, self.squares)
        for _, row in sorted(self.waiting.items()):
            all_of_them._add(row)
        return all_of_them.total, all_of_them.squares
