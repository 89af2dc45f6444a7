"""What the page of studies holds: what a person asked for, what was found, and whose number stands in a cell."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from qe_desktop.levels import Scoring
from qe_desktop.metrics import Metric, metrics_named
from qe_desktop.report.forms import Report
from qe_desktop.significance import Options
from qe_desktop.ui.scores.sheet import Sheet


@dataclass(frozen=True, slots=True)
class Wish:
    """What a person chose for one study; each study takes what it has a use for.

    `metrics`: none for the usual ones. `draws` is how often labellings that are drawn are drawn, `intervals` whether
    segments are drawn for the intervals of scores. `errors` and `sizes` are those of repeated sampling as they were
    typed, empty for those of the paper.
    """

    metrics: tuple[str, ...] = ()
    draws: int = 1
    intervals: bool = False
    repetitions: int = 1_000
    mode: str = "fast"
    errors: str = ""
    sizes: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is studied, as it was at one moment, and how."""

    scoring: Scoring
    wish: Wish
    options: Options

    @property
    def metrics(self) -> list[Metric]:
        """The metrics that were chosen and that the level has; the usual ones where there are none of these."""
        level = self.scoring.level
        named = [name for name in self.wish.metrics if name in level.metrics]
        return metrics_named(named or level.tested, level.metrics, level.items)


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What a study found: the same report as the command line writes, whose `study` holds the numbers."""

    asked: Asked
    report: Report

    @property
    def study(self) -> Any:
        """The numbers, of a type of the study's own."""
        return self.report.study  # type: ignore[attr-defined]  # reports of studies have one


@dataclass(frozen=True, slots=True)
class Target:
    """What a cell is about, by its names: a metric, a system, a labelling."""

    metric: str = ""
    system: str = ""
    labelling: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Titled:
    """A table by what it is called on its tab; `make` makes it, when somebody looks."""

    title: str
    make: Callable[[], Sheet[Target]]
