"""Figures with limits, collected while benchmarks run and printed as a table at the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value and its limit `bar`, an upper one, or a lower one with `least`.

    A time is divided by `slower`, the slowness of the machine relative to an ordinary desktop, before it is compared.
    """

    work: str
    value: float
    bar: float
    unit: str = "×"
    least: bool = False
    slower: float = 1.0

    @property
    def met(self) -> bool:
        return self.value >= self.bar if self.least else self.value / self.slower <= self.bar

    def row(self) -> str:
        sign = "≥" if self.least else "≤"
        verdict = "met" if self.met else "MISSED"
        here = f" ({self.value / self.slower:,.2f} at ordinary speed)" if self.slower > 1 else ""
        return f"| {self.work} | {self.value:,.2f} {self.unit}{here} | {sign} {self.bar:,g} {self.unit} | {verdict} |"


FIGURES: list[Figure] = []


def note(work: str, value: float, bar: float, unit: str = "×", *, least: bool = False, slower: float = 1.0) -> Figure:
    """Add a figure to the table and return it."""
    figure = Figure(work, value, bar, unit, least, slower)
    FIGURES.append(figure)
    return figure
