"""The figures that the program is held to, collected while benchmarks run and printed as one table at the end."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value beside its bar; `least` says that the bar is a lower one.

    What is measured in time is held to its bar as if the machine were no `slower` than an ordinary desktop.
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
    """Keep a figure for the table."""
    figure = Figure(work, value, bar, unit, least, slower)
    FIGURES.append(figure)
    return figure
