"""What the pictures draw, as plain values: no plotting library, no Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.report import Table
from qe_desktop.ui.parts.dots import Dots, dots_table
from qe_desktop.wording import tr

Floats = NDArray[np.float64]
Counts = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Shares:
    """How often each row got each of a few values: `counts` has shape (rows, values)."""

    title: str
    names: tuple[str, ...]
    values: tuple[str, ...]
    counts: Counts


@dataclass(frozen=True, slots=True, eq=False)
class Boxes:
    """How many values spread: `quantiles` of shape (rows, 5) are p10, p25, median, p75, p90."""

    title: str
    names: tuple[str, ...]
    quantiles: Floats
    bounds: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class Histogram:
    """Counts of values in the bins between `edges`; `ticks` are written below."""

    title: str
    edges: Floats
    counts: Counts
    ticks: tuple[tuple[float, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Pace:
    """Seconds each item took, in the order of rating, with their median."""

    title: str
    seconds: Floats
    median: float


@dataclass(frozen=True, slots=True, eq=False)
class Pairs:
    """The same items rated twice: `first` and `second` values, within `bounds`."""

    title: str
    first: Floats
    second: Floats
    bounds: tuple[float, float]
    sides: tuple[str, str] = (tr("first time"), tr("second time"))


def table_of(content: Content) -> Table:
    """The numbers that are drawn."""
    if isinstance(content, Dots):
        return dots_table(content)
    rows: list[tuple[Any, ...]]
    if isinstance(content, Shares):
        rows = [(name, *row) for name, row in zip(content.names, content.counts.tolist(), strict=True)]
        return Table("", ("name", *content.values), tuple(rows))
    if isinstance(content, Boxes):
        rows = [(name, *row) for name, row in zip(content.names, content.quantiles.tolist(), strict=True)]
        return Table("", ("name", "p10", "p25", "median", "p75", "p90"), tuple(rows))
    if isinstance(content, Histogram):
        rows = list(
            zip(*(one.tolist() for one in (content.edges[:-1], content.edges[1:], content.counts)), strict=True)
        )
        return Table("", ("from", "to", "count"), tuple(rows))
    if isinstance(content, Pace):
        return Table("", ("item", "seconds"), tuple(enumerate(content.seconds.tolist(), start=1)))
    return Table("", ("first", "second"), tuple(zip(content.first.tolist(), content.second.tolist(), strict=True)))


Content = Dots | Shares | Boxes | Histogram | Pace | Pairs
