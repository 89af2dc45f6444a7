"""The figures that the program is held to, collected while benchmarks run and printed as one table at the end."""

from __future__ import annotations

import shutil
import statistics
import subprocess
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Figure:
    """A measured value beside its bar; `least` says that the bar is a lower one."""

    work: str
    value: float
    bar: float
    unit: str = "×"
    least: bool = False

    @property
    def met(self) -> bool:
        return self.value >= self.bar if self.least else self.value <= self.bar

    def row(self) -> str:
        sign = "≥" if self.least else "≤"
        verdict = "met" if self.met else "MISSED"
        return f"| {self.work} | {self.value:,.2f} {self.unit} | {sign} {self.bar:,g} {self.unit} | {verdict} |"


FIGURES: list[Figure] = []


def note(work: str, value: float, bar: float, unit: str = "×", *, least: bool = False) -> Figure:
    """Keep a figure for the table."""
    figure = Figure(work, value, bar, unit, least)
    FIGURES.append(figure)
    return figure


def seconds(work: Callable[[], object], times: int = 5) -> float:
    """The median of several runs."""
    taken = []
    for _ in range(times):
        begun = time.perf_counter()
        work()
        taken.append(time.perf_counter() - begun)
    return statistics.median(taken)


def ratio(ours: Callable[[], object], theirs: Callable[[], object], times: int = 5) -> float:
    """The median of ours over theirs, run in turn, so that a machine that slows down does so for both."""
    ours()
    theirs()
    return statistics.median(seconds(ours, 1) / seconds(theirs, 1) for _ in range(times))


def wc_seconds(*paths: Path) -> float:
    """How long `wc -w` takes."""
    return seconds(lambda: subprocess.run(["wc", "-w", *paths], check=True, capture_output=True), 3)


HAS_WC = shutil.which("wc") is not None
