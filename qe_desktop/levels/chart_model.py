"""Charts as plain values, without a plotting library or Qt. The window has a painter for each kind."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.i18n.messages import tr

MarkStyleName = Literal["solid", "hatched", "dotted", "line", "dashed", "dashdot", "dots", "dot", "ring", "cross"]
"""Mark that distinguishes an item independently of colour: three bar fills, four line styles, three point markers."""
ChartValues = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True, slots=True)
class SegmentGoal:
    """Link to a segment by its 0-based index."""

    segment: int


@dataclass(frozen=True, slots=True)
class SystemGoal:
    """Link to a system, by its index in the selection."""

    index: int


@dataclass(frozen=True, slots=True)
class PairGoal:
    """Link to the difference between two systems, by their indices in the selection."""

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
        """Build a table from columns by header; _ in a keyword stands for a space."""
        return cls(tuple(name.replace("_", " ") for name in columns), tuple(columns.values()))

    def __len__(self) -> int:
        return len(self.columns[0]) if self.columns else 0

    def rows(self, begin: int = 0, end: int | None = None) -> tuple[tuple[Any, ...], ...]:
        """Return the rows from `begin` to `end` (exclusive), by default all."""
        parts = [column[begin:end] for column in self.columns]
        return tuple(zip(*(part.tolist() if isinstance(part, np.ndarray) else part for part in parts), strict=True))


@dataclass(frozen=True, slots=True, eq=False)
class ChartPoints:
    """Points of a chart, shape (points,), which can be selected and may have links.

    `describe` describes the point at a 0-based index, and `goal` returns its link, if any. `half_width` is half the
    width of bars; without it, points are dots. Keyboard navigation stays within a `series`. `key_indices` is the index
    of each dot's legend key, and `labels` are labels placed next to the dots where there is room.
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
    """Error bars in both directions: `x_ends` has the ends on the horizontal axis, `y_ends` the ends on the vertical.

    Positions have shape (points,); ends (low and high) have shape (points, 2), NaN if unknown.
    """

    x: Floats
    y: Floats
    x_ends: Floats
    y_ends: Floats
    key: LegendKey

    def bar_ends(self) -> tuple[Floats, Floats]:
        """Return x and y of the ends of known error bars, shape (2 · bars,) each; both ends of a bar are adjacent."""
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
    """Bars from zero to `heights`, which may be negative, centred on `middles`; shape (bars,) each.

    `half_width` is half the width of a bar.
    """

    middles: Floats
    half_width: float
    heights: Floats
    key: LegendKey


@dataclass(frozen=True, slots=True, eq=False)
class AxisChart:
    """Bars, error bars, lines and dots on two axes; `bounds` are left, right, bottom and top limits.

    `points` are drawn as dots if `dots` is not empty: with the first key or, if the points have kinds, with the key of
    their kind. If `has_integer_x`, the bottom axis has integer ticks. If `is_percent`, heights are shares, and negative
    ones are shown as positive. If `hides_y_ticks`, heights have no meaningful unit, so they get no tick labels.
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


@dataclass(frozen=True, slots=True, eq=False)
class ChangeChart:
    """Two values per row, before and after; NaN if undefined. `descriptions` has a text for each row."""

    title: str
    names: tuple[str, ...]
    first: Floats
    second: Floats
    keys: tuple[LegendKey, LegendKey]
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class StackedBars:
    """Rows of stacked bars; `counts` has shape (rows, parts). `descriptions` has a text for each row."""

    title: str
    names: tuple[str, ...]
    keys: tuple[LegendKey, ...]
    counts: Floats
    descriptions: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class HeatMap:
    """Values from −1 to 1 for all pairs of `subjects` (indices in the selection), shape (subjects, subjects).

    Undefined values are NaN; `describe` describes the pair at a row and a column of `values`.
    """

    names: tuple[str, ...]
    subjects: tuple[int, ...]
    values: Floats
    describe: Callable[[int, int], str]


ChartContent = AxisChart | ChangeChart | StackedBars | HeatMap


@dataclass(frozen=True, slots=True, eq=False)
class Panel:
    """One panel of a chart: title, content or the reason why it has none, and a caption.

    `caution` is a short note next to the title if the data are too few to conclude anything. `make_table` builds the
    table to copy, if any; panels with the same numbers share one function. `legend` is the title of the legend, which
    names the items that the marks represent.
    """

    title: str
    content: ChartContent | str
    caption: str = ""
    make_table: Callable[[], ChartTable] | None = None
    caution: str = ""
    legend: str = ""

    @property
    def counted_keys(self) -> tuple[LegendKey, ...]:
        """Legend entries; if dots are of several kinds, their labels have the numbers of dots."""
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
        """Legend entries; in an axis chart, without duplicates and unnamed ones; none for a heat map or a message."""
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
"""Sides of a dot in order of preference: corners first, because error bars along both axes leave these free."""


def place_dot_labels(
    x: Floats,
    y: Floats,
    widths: Sequence[float],
    height: float,
    area_size: tuple[float, float],
    radius: float,
    bar_boxes: Floats | None = None,
) -> list[tuple[float, float] | None]:
    """Return the top left corner of each label next to its dot, in pixels, y downwards; None if it is omitted.

    A label is omitted if no side of its dot has room for it, or if it comes after the first `MAX_DOT_LABELS`. `widths`
    are the widths of the labels, `area_size` is the available width and height, and `radius` is the radius of a dot.
    `bar_boxes` are the boxes of error bars (left, top, right, bottom), shape (arms, 4); labels overlap them only as a
    last resort.
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
    """Return the box of a label on one side of its dot."""
    across, down = side
    left = x - width / 2 + across * (width / 2 + radius + LABEL_GAP_PX)
    # at a corner a label touches the line through its dot, like a superscript
    top = y - height / 2 + down * (height / 2 + (LABEL_GAP_PX / 2 if across else radius + LABEL_GAP_PX))
    return left, top, left + width, top + height


def _overlap_mask(boxes: Floats, other_boxes: Floats) -> NDArray[np.bool_]:
    """Return which boxes overlap any of the others, shape (boxes,)."""
    first, second = boxes[:, None], other_boxes[None]
    overlaps = np.all(second[..., :2] < first[..., 2:], axis=-1) & np.all(second[..., 2:] > first[..., :2], axis=-1)
    return np.asarray(np.any(overlaps, axis=1))


def dot_keys(points: ChartPoints) -> Ints:
    """Return the index of each dot's legend key, shape (points,)."""
    return np.zeros(len(points), np.int64) if points.key_indices is None else points.key_indices
