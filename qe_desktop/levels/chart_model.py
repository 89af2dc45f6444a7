"""Charts as plain values, without a plotting library or Qt. The window has a painter for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.metrics.family import Floats

Ints = NDArray[np.int64]
MarkStyleName = Literal["solid", "hatched", "dotted", "line", "dashed", "dashdot", "dots", "dot", "ring", "cross"]
"""How an item is drawn, so that colour is never the only cue: three bars, four lines, and point markers."""
Column = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class SegmentGoal:
    """Link to a segment by its 0-based index."""

    segment: int


@dataclass(frozen=True, slots=True)
class SystemGoal:
    """Link to a system, by its index in the selection."""

    place: int


@dataclass(frozen=True, slots=True)
class PairGoal:
    """Link to the difference between two systems, by their indices in the selection."""

    one: int
    other: int


ChartGoal = SegmentGoal | SystemGoal | PairGoal
"""Link target of a chart item."""


def no_goal(place: int) -> ChartGoal | None:
    """Return None: the items of the chart have no link."""
    return None


@dataclass(frozen=True, slots=True)
class LegendKey:
    """A legend entry: its label, its colour as a theme token, and its mark."""

    name: str
    token: str
    mark: MarkStyleName


@dataclass(frozen=True, slots=True, eq=False)
class ChartTable:
    """The numbers of a chart: headers in English, and columns of equal length."""

    header: tuple[str, ...]
    columns: tuple[Column, ...]

    @classmethod
    def of_columns(cls, **columns: Column) -> ChartTable:
        """Build a table from columns by header, where _ stands for a space."""
        return cls(tuple(name.replace("_", " ") for name in columns), tuple(columns.values()))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def rows(self, begin: int = 0, end: int | None = None) -> tuple[tuple[Any, ...], ...]:
        """Return a range of rows; use ranges for large tables."""
        parts = [column[begin:end] for column in self.columns]
        return tuple(zip(*(part.tolist() if isinstance(part, np.ndarray) else part for part in parts), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ChartPoints:
    """Points of a chart that can be selected and followed, shape (points,).

    `say` describes the point at a 0-based index, and `goal` returns its link, if any. Bars have a `reach`, half their
    width; without it, points are dots. Keyboard navigation stays within a `series`. `kinds` is the index of each dot's
    legend key, and `names` are labels placed next to the dots where there is room.
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
    """Error bars `across` the first axis and `along` the second.

    Positions have shape (places,); ends (low and high) have shape (places, 2), NaN if unknown.
    """

    x: Floats
    y: Floats
    across: Floats
    along: Floats
    key: LegendKey

    def arms(self) -> tuple[Floats, Floats]:
        """Return x and y of the ends of the known error bars, shape (2 · arms,); both ends of a bar are adjacent."""
        x = np.concatenate([self.across, np.stack([self.x, self.x], axis=1)])
        y = np.concatenate([np.stack([self.y, self.y], axis=1), self.along])
        known = np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1)
        return x[known].ravel(), y[known].ravel()


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """A curve through points, shape (places,) each."""

    x: Floats
    y: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class ChartBars:
    """Bars centred on their middles from zero to their heights, which may be negative, shape (bars,) each."""

    middles: Floats
    half: float
    heights: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class AxisChart:
    """Bars, error bars, lines and dots on two axes; `bounds` are left, right, bottom and top limits.

    `points` are drawn as dots if `dots` has keys: all by the first key, unless the points have kinds. `whole`: integer
    ticks at the bottom. `percent`: heights are shares, and negative ones are shown as positive. `unnumbered`: heights
    have no meaningful unit, so they get no tick labels.
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
    description: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class ChangeChart:
    """Two values per row, before and after; NaN if undefined. `description` describes each row."""

    title: str
    names: tuple[str, ...]
    first: Floats
    second: Floats
    keys: tuple[LegendKey, LegendKey]
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StackedBars:
    """Rows of stacked bars; `counts` has shape (rows, parts). `description` describes each row."""

    title: str
    names: tuple[str, ...]
    keys: tuple[LegendKey, ...]
    counts: Floats
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """A value from −1 to 1 for each pair of `subjects` (indices in the selection), shape (subjects, subjects).

    Undefined values are NaN; `say` describes a pair.
    """

    names: tuple[str, ...]
    subjects: tuple[int, ...]
    values: Floats
    say: Callable[[int, int], str]


ChartContent = AxisChart | ChangeChart | StackedBars | HeatMap


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One panel of a chart: title, content or the reason why it has none, and a caption.

    `numbers` builds the table to copy; panels with the same numbers share one function.
    """

    title: str
    drawing: ChartContent | str
    caption: str = ""
    numbers: Callable[[], ChartTable] | None = None

    @property
    def keys(self) -> tuple[LegendKey, ...]:
        """Return the legend entries without duplicates."""
        drawing = self.drawing
        if isinstance(drawing, AxisChart):
            drawn: tuple[ChartBars | ChartLine | ErrorBars, ...] = (*drawing.bars, *drawing.lines, *drawing.crosses)
            return tuple(dict.fromkeys(key for key in (*drawing.dots, *(item.key for item in drawn)) if key.name))
        return drawing.keys if isinstance(drawing, ChangeChart | StackedBars) else ()


Panels = tuple[Panel, ...]
