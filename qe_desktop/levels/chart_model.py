"""What pictures draw, as plain values: no plotting library, no Qt. The window has a painter for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats

Ints = NDArray[np.int64]
MarkStyleName = Literal["solid", "hatched", "dotted", "line", "dashed", "dashdot", "dots", "dot", "ring", "cross"]
"""How something is drawn, so that its colour is never the only sign of it: three bars, four lines, and what stands at
a place."""
Column = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class SegmentGoal:
    """Leads to a segment, counted from 0."""

    segment: int


@dataclass(frozen=True, slots=True)
class SystemGoal:
    """Leads to a system, by its place among those looked at."""

    place: int


@dataclass(frozen=True, slots=True)
class PairGoal:
    """Leads to what makes two systems differ, by their places among those looked at."""

    one: int
    other: int


ChartGoal = SegmentGoal | SystemGoal | PairGoal
"""Where something that is drawn leads to."""


def no_goal(place: int) -> ChartGoal | None:
    """The goal of what is to be read alone."""
    return None


@dataclass(frozen=True, slots=True)
class LegendKey:
    """What is drawn in one way: its name in the legend, its colour by its meaning (a token of the theme), its mark."""

    name: str
    token: str
    mark: MarkStyleName


@dataclass(frozen=True, slots=True, eq=False)
class ChartTable:
    """A table of the numbers that are drawn: headers in English, and a column of one length for each."""

    header: tuple[str, ...]
    columns: tuple[Column, ...]

    @classmethod
    def of_columns(cls, **columns: Column) -> ChartTable:
        """Columns by their headers, in which _ stands for a blank."""
        return cls(tuple(name.replace("_", " ") for name in columns), tuple(columns.values()))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def rows(self, begin: int = 0, end: int | None = None) -> tuple[tuple[Any, ...], ...]:
        """Some of the rows; many of them are better not made all at once."""
        parts = [column[begin:end] for column in self.columns]
        return tuple(zip(*(part.tolist() if isinstance(part, np.ndarray) else part for part in parts), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ChartPoints:
    """What can be pointed at and gone to, of a shape (points,): where it is.

    `say` gives in words what stands at a place, counted from 0, and `goal` where it leads to, if anywhere. Bars have a
    `reach`, half their width; without it, points are dots. Those of a `series` are walked along by themselves. `kinds`
    says by which of the chart's keys each dot is drawn, and `names` are written beside the dots where there is room.
    """

    x: Floats
    y: Floats
    say: Callable[[int], str]
    goal: Callable[[int], ChartGoal | None] = no_goal
    reach: Floats | None = None
    series: Ints | None = None
    kinds: Ints | None = None
    names: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorBars:
    """From where to where what stands at places may lie `across` the first axis and `along` the second.

    Places have the shape (places,), ends (places, 2), low and high; NaN where they are not known.
    """

    x: Floats
    y: Floats
    across: Floats
    along: Floats
    key: LegendKey

    def arms(self) -> tuple[Floats, Floats]:
        """Both ends of each arm that is known, one after the other: x and y of shape (2 · arms,)."""
        x = np.concatenate([self.across, np.stack([self.x, self.x], axis=1)])
        y = np.concatenate([np.stack([self.y, self.y], axis=1), self.along])
        known = np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1)
        return x[known].ravel(), y[known].ravel()


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """A curve through places, shape (places,) each."""

    x: Floats
    y: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class ChartBars:
    """Bars around their middles from zero to their heights, which may be below it, shape (bars,) each."""

    middles: Floats
    half: float
    heights: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class AxisChart:
    """Bars, crosses, lines and dots, on two axes named `bottom` and `left`; `bounds` are low, high, lowest, highest.

    `points` are drawn as dots where `dots` says how: all by the first of these keys, unless the points' kinds say
    otherwise. `whole`: the bottom counts, so that no number between is written. `percent`: heights are shares, and
    those below zero count downwards. `unnumbered`: heights say nothing by themselves, so that none are written.
    """

    bottom: str
    left: str
    bounds: tuple[float, float, float, float]
    bars: tuple[ChartBars, ...] = ()
    lines: tuple[ChartLine, ...] = ()
    crosses: tuple[ErrorBars, ...] = ()
    points: ChartPoints | None = None
    dots: tuple[LegendKey, ...] = ()
    whole: bool = False
    percent: bool = False
    unnumbered: bool = False
    said: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ChangeChart:
    """Two values a row, the first and what it would become; NaN where it would be undefined. `said` says each row."""

    title: str
    names: tuple[str, ...]
    first: Floats
    second: Floats
    keys: tuple[LegendKey, LegendKey]
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StackedBars:
    """Rows of bars whose parts follow each other; `counts` has shape (rows, parts). `said` says each row."""

    title: str
    names: tuple[str, ...]
    keys: tuple[LegendKey, ...]
    counts: Floats
    said: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """A value from −1 to 1 for all pairs of `subjects` (places among those looked at), shape (subjects, subjects).

    NaN where it is undefined; `say` says a pair in words.
    """

    names: tuple[str, ...]
    subjects: tuple[int, ...]
    values: Floats
    say: Callable[[int, int], str]


ChartContent = AxisChart | ChangeChart | StackedBars | HeatMap


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """A part of a picture: its title, what is drawn, or in words why nothing can be, and a caption.

    `numbers` makes the table that is copied; panels of the same numbers share one function.
    """

    title: str
    drawing: ChartContent | str
    caption: str = ""
    numbers: Callable[[], ChartTable] | None = None

    @property
    def keys(self) -> tuple[LegendKey, ...]:
        """What the legend explains, each once."""
        drawing = self.drawing
        if isinstance(drawing, AxisChart):
            drawn: tuple[ChartBars | ChartLine | ErrorBars, ...] = (*drawing.bars, *drawing.lines, *drawing.crosses)
            return tuple(dict.fromkeys(key for key in (*drawing.dots, *(one.key for one in drawn)) if key.name))
        return drawing.keys if isinstance(drawing, ChangeChart | StackedBars) else ()


Panels = tuple[Panel, ...]
