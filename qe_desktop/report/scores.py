"""The scores of systems as JSON and as a table."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

import qe_desktop
from qe_desktop.metrics import Metric
from qe_desktop.report.tables import Cell, Table
from qe_desktop.wording import in_english, side_by_side, tr


@dataclass(frozen=True, slots=True, eq=False)
class ScoreReport:
    """Scores of shape (systems, metrics), NaN where undefined, over so many segments and items (of words: tags).

    `signature` says how they were made; `remarks` are added to the notes about undefined and unusual values.
    """

    systems: tuple[str, ...]
    metrics: tuple[Metric, ...]
    values: NDArray[np.float64]
    segments: int
    items: int
    signature: str
    title: str = tr("Scores")
    remarks: tuple[str, ...] = field(default=())

    def json(self) -> dict[str, Any]:
        """The command line's contract: an undefined value is null, and the notes say why."""
        return {
            "segments": self.segments,
            "items": self.items,
            "metrics": [metric.name for metric in self.metrics],
            "systems": {
                name: {metric.name: number(self.values[row, column]) for column, metric in enumerate(self.metrics)}
                for row, name in enumerate(self.systems)
            },
            "signature": self.signature,
            "notes": self.notes(),
        }

    def notes(self) -> list[str]:
        """Why values are undefined, which exceed their usual range, and the remarks of whoever made the report."""
        found = list(self.remarks)
        for column, metric in enumerate(self.metrics):
            values = self.values[:, column]
            undefined = [name for name, value in zip(self.systems, values, strict=True) if math.isnan(value)]
            beyond = [name for name, value in zip(self.systems, values, strict=True) if value > metric.usual]
            if undefined:
                found.append(undefined_note(metric, undefined))
            if beyond:
                above = tr(
                    "{metric} of {systems} is above {usual:g}.",
                    metric=metric.name, systems=", ".join(beyond), usual=metric.usual,
                )  # fmt: skip
                found.append(side_by_side(" ", (above, metric.caution)))
            if metric.signature:
                found.append(side_by_side(": ", (metric.name, metric.signature)))
        return found

    def table(self, decimals: int = 4) -> Table:
        """One row a system."""
        rows: list[tuple[Cell, ...]] = [
            (name, *(float(value) for value in self.values[row])) for row, name in enumerate(self.systems)
        ]
        names = tuple(metric.name for metric in self.metrics)
        notes = (*self.notes(), self.signature)
        return Table(self.title, (tr("system"), *names), tuple(rows), decimals, notes)


def undefined_note(metric: Metric, systems: Sequence[str]) -> str:
    """Why a metric has no value for some systems."""
    return tr("{metric} of {systems}: {reason}", metric=metric.name, systems=", ".join(systems), reason=metric.reason)


def number(value: float) -> float | None:
    """A number for JSON; None for what is not a number."""
    return None if math.isnan(value) else float(value)


def signature(kind: str, parts: Mapping[str, Any]) -> str:
    """What one must know to get the same numbers again, in one line."""
    said = "|".join(f"{name}:{in_english(value)}" for name, value in parts.items())
    return f"QE Desktop {qe_desktop.__version__}|{kind}|{said}"
