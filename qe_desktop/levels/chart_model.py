"""Charts as plain data, without a plotting library or Qt; the user interface draws each kind of chart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr

MarkStyleName = Literal["solid", "hatched", "dotted", "line", "dashed", "dashdot", "dots", "dot", "ring", "cross"]
"""Mark that distinguishes items even in greyscale: one of three bar fills, four line styles or three point markers."""
ChartValues = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class SegmentGoal:
    """Link to a segment by its 0-based index."""

    segment: int


@dataclass(frozen=True, slots=True)
class SystemGoal:
    """Link to a system, by its 0-based index among the compared systems."""

    index: int


@dataclass(frozen=True, slots=True)
class PairGoal:
    """Link to the difference between two systems, by their 0-based indices among the compared systems."""

    first: int
    second: int


ChartGoal = SegmentGoal | SystemGoal | PairGoal
"""Link target of a chart item."""


def no_goal(index: int) -> ChartGoal | None:
    """Return None: the items of the chart have no link."""
    return None


@dataclass(frozen=True, slots=True)
class LegendKey:
    """Legend entry: its label, its colour as a theme token, and its mark."""

    name: str
    token: str
    mark: MarkStyleName


@dataclass(frozen=True, slots=True, eq=False)
class ChartTable:
    """Numbers of a chart: headers in English, and columns of equal length."""

    header: tuple[str, ...]
    columns: tuple[ChartValues, ...]

    @classmethod
    def of_columns(cls, **columns: ChartValues) -> ChartTable:
        """Build a table whose headers are the keywords, with underscores replaced by spaces."""
        return cls(tuple(name.replace("_", " ") for name in columns), tuple(columns.values()))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def rows(self, begin: int = 0, end: int | None = None) -> tuple[tuple[Any, ...], ...]:
        """Return the rows from `begin` to `end` (exclusive), by default all."""
        parts = [column[begin:end] for column in self.columns]
        return tuple(zip(*(part.tolist() if isinstance(part, np.ndarray) else part for part in parts), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ChartPoints:
    """Points of a chart, which can be selected and may have links; arrays have shape (points,).

    For the point at a 0-based index, `describe` returns a description, and `goal` returns a link or None. `half_width`
    is half the width of each bar; if it is None, the points are dots. `series` is the index of each point's series;
    the Up and Down keys move between series, and other keys stay within a series. `key_indices` is the index of each
    dot's legend key. `labels` are placed next to the dots where there is room.
    """

    x: Floats
    y: Floats
    describe: Callable[[int], str]
    goal: Callable[[int], ChartGoal | None] = no_goal
    half_width: Floats | None = None
    series: Ints | None = None
    key_indices: Ints | None = None
    labels: tuple[str, ...] = ()

    def __len__(self) -> int:
        return len(self.x)


@dataclass(frozen=True, slots=True, eq=False)
class ErrorBars:
    """Horizontal and vertical error bars of points at `x` and `y`, shape (points,).

    `x_ends` are the low and high ends of the horizontal bars, and `y_ends` the low and high ends of the vertical bars.
    Both have shape (points, 2), with NaN if unknown.
    """

    x: Floats
    y: Floats
    x_ends: Floats
    y_ends: Floats
    key: LegendKey

    def bar_ends(self) -> tuple[Floats, Floats]:
        """Return the x and y coordinates of the ends of known error bars, each of shape (2 · bars,).

        The two ends of each bar are adjacent.
        """
        x = np.concatenate([self.x_ends, np.stack([self.x, self.x], axis=1)])
        y = np.concatenate([np.stack([self.y, self.y], axis=1), self.y_ends])
        is_finite = np.isfinite(x).all(axis=1) & np.isfinite(y).all(axis=1)
        return x[is_finite].ravel(), y[is_finite].ravel()


@dataclass(frozen=True, slots=True, eq=False)
class ChartLine:
    """Curve through points; `x` and `y` have shape (points,)."""

    x: Floats
    y: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class ChartBars:
    """Bars from zero to `heights`, which may be negative.

    `heights` and `middles`, the centres on the horizontal axis, have shape (bars,). `half_width` is half the width of
    each bar.
    """

    middles: Floats
    half_width: float
    heights: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class AxisChart:
    """Bars, error bars, lines and dots on two axes; `bounds` are left, right, bottom and top limits.

    `points` are drawn as dots if `dots`, the legend keys of the dots, is not empty. `ChartPoints.key_indices` selects
    the key of each dot (default: the first). `x_ticks` are positions and labels of the ticks of the horizontal axis
    (default: even steps). If `has_integer_x`, the horizontal axis has integer ticks. If
    `is_percent`, heights are shares, which are labelled as percentages without a minus sign. If `hides_y_ticks`,
    heights have no meaningful unit, so the vertical axis has no tick labels.
    """

    x_label: str
    y_label: str
    bounds: tuple[float, float, float, float]
    bars: tuple[ChartBars, ...] = ()
    lines: tuple[ChartLine, ...] = ()
    error_bars: tuple[ErrorBars, ...] = ()
    points: ChartPoints | None = None
    dots: tuple[LegendKey, ...] = ()
    has_integer_x: bool = False
    is_percent: bool = False
    hides_y_ticks: bool = False
    description: str = ""
    x_ticks: tuple[tuple[float, str], ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class ChangeChart:
    """Chart of two values per row: `first`, before a change, and `second`, after it.

    Both have shape (rows,), with NaN for undefined values. `descriptions` contains one text per row.
    """

    title: str
    names: tuple[str, ...]
    first: Floats
    second: Floats
    keys: tuple[LegendKey, LegendKey]
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StackedBars:
    """Rows of stacked bars. `counts` has shape (rows, parts), and `descriptions` contains one text per row."""

    title: str
    names: tuple[str, ...]
    keys: tuple[LegendKey, ...]
    counts: Floats
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """Values from −1 to 1 for all pairs of `subjects`, shape (subjects, subjects); undefined values are NaN.

    `subjects` are indices in `Selection.subjects`. `describe` returns a description of the pair at a row and a column
    of `values`.
    """

    names: tuple[str, ...]
    subjects: tuple[int, ...]
    values: Floats
    describe: Callable[[int, int], str]


ChartContent = AxisChart | ChangeChart | StackedBars | HeatMap


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """Panel of a chart: a title, a caption, and the content or a message that says why there is none.

    `caution` is a short note, shown next to the title if there are too few data for a conclusion. `make_table` builds
    the table that users can copy, if any; panels with the same numbers share one function. `legend` is the title of the
    legend; it names the items that the marks represent.
    """

    title: str
    content: ChartContent | str
    caption: str = ""
    make_table: Callable[[], ChartTable] | None = None
    caution: str = ""
    legend: str = ""

    @property
    def counted_keys(self) -> tuple[LegendKey, ...]:
        """Legend entries; if there are several kinds of dots, the label of each kind includes its number of dots."""
        drawing = self.content
        if not isinstance(drawing, AxisChart) or drawing.points is None or len(drawing.dots) < 2:
            return self.keys
        counts = np.bincount(dot_keys(drawing.points), minlength=len(drawing.dots)).tolist()
        counts_by_key = {key: count for key, count in zip(drawing.dots, counts, strict=True) if key.name}
        return tuple(
            replace(key, name=tr("{name}: {n:,}", "", counts_by_key[key], name=key.name))
            if key in counts_by_key
            else key
            for key in self.keys
        )

    @property
    def keys(self) -> tuple[LegendKey, ...]:
        """Legend entries; empty for a heat map or a message.

        The entries of an axis chart contain neither duplicates nor unnamed keys.
        """
        drawing = self.content
        if isinstance(drawing, AxisChart):
            keys = (
                *(bar.key for bar in drawing.bars), *(line.key for line in drawing.lines),
                *drawing.dots, *(cross.key for cross in drawing.error_bars),
            )  # fmt: skip
            return tuple(dict.fromkeys(key for key in keys if key.name))
        return drawing.keys if isinstance(drawing, ChangeChart | StackedBars) else ()


Panels = tuple[Panel, ...]


MAX_DOT_LABELS = 200
"""Maximum number of labelled dots."""
LABEL_GAP_PX = 2.0
"""Pixels between a dot and its label."""
_SIDES = ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1))
"""Sides of a dot in order of preference: corners first, because error bars along both axes leave the corners free."""


def place_dot_labels(
    x: Floats,
    y: Floats,
    widths: Sequence[float],
    height: float,
    area_size: tuple[float, float],
    radius: float,
    bar_boxes: Floats | None = None,
) -> list[tuple[float, float] | None]:
    """Return the top left corner of each dot's label in pixels, with y downwards; None for an omitted label.

    A label is omitted if no side of its dot has room for it, or if it comes after the first `MAX_DOT_LABELS`. `widths`
    are the widths of the labels, `area_size` is the available width and height, and `radius` is the radius of a dot.
    `bar_boxes` are the boxes of error bars and lines (left, top, right, bottom), shape (boxes, 4); a label overlaps
    them only if it does not fit elsewhere next to its dot.
    """
    occupied = np.stack([x - radius, y - radius, x + radius, y + radius], axis=1)
    crossed = np.zeros((0, 4)) if bar_boxes is None else bar_boxes
    corners: list[tuple[float, float] | None] = []
    for index, width in enumerate(widths[:MAX_DOT_LABELS]):
        boxes = np.asarray(
            [_label_box(float(x[index]), float(y[index]), width, height, radius, side) for side in _SIDES]
        )
        free = (
            (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= area_size).all(axis=1) & ~_overlap_mask(boxes, occupied)
        )
        best = free & ~_overlap_mask(boxes, crossed)
        chosen = np.flatnonzero(best if best.any() else free)[:1]
        occupied = np.concatenate([occupied, boxes[chosen]])
        corners.append((float(boxes[chosen[0], 0]), float(boxes[chosen[0], 1])) if len(chosen) else None)
    return [*corners, *([None] * (len(widths) - len(corners)))]


def _label_box(
    x: float, y: float, width: float, height: float, radius: float, side: tuple[int, int]
) -> tuple[float, float, float, float]:

    across, down = side
    left = x - width / 2 + across * (width / 2 + radius + LABEL_GAP_PX)
    # at a corner, the label is just above or below the horizontal line through its dot
    top = y - height / 2 + down * (height / 2 + (LABEL_GAP_PX / 2 if across else radius + LABEL_GAP_PX))
    return left, top, left + width, top + height


def _overlap_mask(boxes: Floats, other_boxes: Floats) -> NDArray[np.bool_]:
    """Return a mask of the `boxes` that overlap any of `other_boxes`, shape (boxes,)."""
    first, second = boxes[:, None], other_boxes[None]
    overlaps = np.all(second[..., :2] < first[..., 2:], axis=-1) & np.all(second[..., 2:] > first[..., :2], axis=-1)
    return np.asarray(np.any(overlaps, axis=1))


def dot_keys(points: ChartPoints) -> Ints:
    """Return the index of each dot's legend key, shape (points,)."""
    return np.zeros(len(points), np.int64) if points.key_indices is None else points.key_indices
