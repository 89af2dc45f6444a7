"""Figures with limits, collected while benchmarks run and printed as a table at the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value and its limit: a maximum or, with `is_minimum`, a minimum.

    A time is divided by `slower`, the slowness of the machine relative to an ordinary desktop, before it is compared.
    """

    work: str
    value: float
    limit: float
    unit: str = "×"
    is_minimum: bool = False
    slower: float = 1.0

    @property
    def met(self) -> bool:
        return self.value >= self.limit if self.is_minimum else self.value / self.slower <= self.limit

    def row(self) -> str:
        sign = "≥" if self.is_minimum else "≤"
        verdict = "met" if self.met else "MISSED"
        here = f" ({self.value / self.slower:,.2f} at ordinary speed)" if self.slower > 1 else ""
        return f"| {self.work} | {self.value:,.2f} {self.unit}{here} | {sign} {self.limit:,g} {self.unit} | {verdict} |"


FIGURES: list[Figure] = []


def record_figure(
    work: str, value: float, limit: float, unit: str = "×", *, is_minimum: bool = False, slower: float = 1.0
) -> Figure:
    """Add a figure to the table and return it."""
    figure = Figure(work, value, limit, unit, is_minimum, slower)
    FIGURES.append(figure)
    return figure
