"""SVG charts: panels with title, legend, axes and caption, and square charts of curves with values from 0 to 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus.columns import Floats
from qe_desktop.escaping import elide, escape_html
from qe_desktop.i18n.messages import tr
from qe_desktop.levels.chart_model import (
    AxisChart,
    ChartBars,
    ChartLine,
    ErrorBars,
    LegendKey,
    MarkStyleName,
    Panel,
    dot_keys,
    place_dot_labels,
)
from qe_desktop.report.render.svg import (
    FONT_SIZE_PX,
    LINE_HEIGHT_PX,
    TOKEN_COLORS,
    axis_ticks,
    svg_page,
    svg_text,
    text_width_px,
    wrap_lines,
)
from qe_desktop.studies.charts.curve_charts import thin_points

CHART_WIDTH_PX, CHART_HEIGHT_PX = 600, 380
"""Width of the SVG and height of the plotting area, in pixels."""
AXIS_MARGIN_SHARE = 0.04
"""Margin at each end of the data range, as a fraction of the range."""
DOT_RADIUS_PX = 3.5
DASHES: dict[MarkStyleName, str] = {"dashed": "7 4", "dashdot": "7 3 2 3", "dots": "2 3"}
SHADES: dict[MarkStyleName, float] = {"solid": 1.0, "hatched": 0.45, "dotted": 0.15}
"""Fill opacity of bars by mark style."""
MAX_LABELLED_POINTS = 500
"""Maximum number of points with tooltips. If there are more, no point has one, because the SVG would be too large."""


def panel_svg(panel: Panel) -> str:
    """Return a panel as SVG, with its axis chart or with the message that the panel has instead of a chart.

    Raises ValueError if the panel has another kind of chart.
    """
    top: float = LINE_HEIGHT_PX * max(1, len(wrap_lines(panel.title, CHART_WIDTH_PX))) + 6
    parts, top = _caution(panel.caution, top)
    if isinstance(panel.content, AxisChart):
        legend, top = _legend(panel.counted_keys, panel.legend, top)
        frame = _ChartFrame.of(panel.content, top)
        parts += [*legend, *_chart_elements(panel.content, frame)]
        below = [panel.caption]
        top = frame.bottom + 2 * LINE_HEIGHT_PX + 12
    elif isinstance(panel.content, str):
        below = [panel.content, panel.caption]
    else:
        raise ValueError(type(panel.content).__name__)
    caption = [line for text in below for line in wrap_lines(text, CHART_WIDTH_PX)]
    parts += [
        svg_text(0, top + LINE_HEIGHT_PX * (index + 1) - 4, line, colour=TOKEN_COLORS["muted"])
        for index, line in enumerate(caption)
    ]
    return svg_page(panel.title, CHART_WIDTH_PX, top + LINE_HEIGHT_PX * len(caption) + 4, parts)


@dataclass(frozen=True, slots=True)
class _ChartFrame:
    """Position and ranges of the axes."""

    left: float
    top: float
    right: float
    bottom: float
    visible_range: tuple[float, float, float, float]
    x_ticks: list[tuple[float, str]]
    y_ticks: list[tuple[float, str]]

    @classmethod
    def of(cls, chart: AxisChart, top: float) -> _ChartFrame:
        low, high, lowest, highest = chart.bounds
        margin_x, tall = AXIS_MARGIN_SHARE * (high - low), AXIS_MARGIN_SHARE * (highest - lowest)
        visible = low - margin_x, high + margin_x, lowest - tall, highest + tall
        along = [] if chart.hides_y_ticks else axis_ticks(*visible[2:])
        if chart.is_percent:
            along = [(number, f"{abs(number):.0%}") for number, _ in along]
        left = LINE_HEIGHT_PX + 12 + max((text_width_px(text) for _, text in along), default=0.0)
        across = list(chart.x_ticks) or axis_ticks(*visible[:2], integers=chart.has_integer_x)
        return cls(left, top, CHART_WIDTH_PX - 4, top + CHART_HEIGHT_PX, visible, across, along)

    def x(self, values: Floats) -> Floats:
        low, high = self.visible_range[:2]
        return self.left + (values - low) / (high - low) * (self.right - self.left)

    def y(self, values: Floats) -> Floats:
        low, high = self.visible_range[2:]
        return self.bottom - (values - low) / (high - low) * (self.bottom - self.top)


def _chart_elements(chart: AxisChart, frame: _ChartFrame) -> list[str]:
    """Return the SVG elements in drawing order: axes, bars, error bars, lines, points and labels."""
    parts = _axes(chart, frame)
    for bars in chart.bars:
        parts += _bars(bars, frame)
    parts += [_error_bars(cross, frame) for cross in chart.error_bars]
    parts += [_line(line, frame) for line in chart.lines if len(line.x)]
    return [*parts, *_dots(chart, frame)]


def _axes(chart: AxisChart, frame: _ChartFrame) -> list[str]:
    border, muted = TOKEN_COLORS["border"], TOKEN_COLORS["muted"]
    parts = []
    for number, text in frame.y_ticks:
        y = float(frame.y(np.asarray(number)))
        parts.append(f'<path d="M{frame.left:.1f} {y:.1f}H{frame.right:.1f}" stroke="{border}" stroke-opacity=".5"/>')
        parts.append(svg_text(round(frame.left - 6, 1), round(y + 4, 1), text, anchor="end"))
    for number, text in frame.x_ticks:
        x = float(frame.x(np.asarray(number)))
        parts.append(f'<path d="M{x:.1f} {frame.bottom:.1f}v4" stroke="{muted}"/>')
        parts.append(svg_text(round(x, 1), frame.bottom + LINE_HEIGHT_PX, text, anchor="middle"))
    path = f"M{frame.left:.1f} {frame.top:.1f}V{frame.bottom:.1f}H{frame.right:.1f}"
    parts.append(f'<path d="{path}" fill="none" stroke="{muted}"/>')
    middle, height = (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2
    parts.append(
        svg_text(round(middle, 1), frame.bottom + 2 * LINE_HEIGHT_PX + 2, chart.x_label, anchor="middle", colour=muted)
    )
    turn = f"rotate(-90 {FONT_SIZE_PX} {height:g})"
    parts.append(svg_text(FONT_SIZE_PX, height, chart.y_label, anchor="middle", transform=turn, colour=muted))
    return parts


def _bars(bars: ChartBars, frame: _ChartFrame) -> list[str]:
    foreground = TOKEN_COLORS[bars.key.token]
    opacity = SHADES[bars.key.mark]
    left, right = frame.x(bars.middles - bars.half_width), frame.x(bars.middles + bars.half_width)
    zero, ends = float(frame.y(np.asarray(0.0))), frame.y(bars.heights)
    return [
        f'<rect x="{first:.1f}" y="{min(zero, end):.1f}" width="{second - first:.1f}" height="{abs(end - zero):.1f}" '
        f'fill="{foreground}" fill-opacity="{opacity:g}" stroke="{foreground}"/>'
        for first, second, end in zip(left.tolist(), right.tolist(), ends.tolist(), strict=True)
    ]


def _error_bars(crosses: ErrorBars, frame: _ChartFrame) -> str:
    x, y = crosses.bar_ends()
    ends = [f"{a:.1f} {b:.1f}" for a, b in zip(frame.x(x).tolist(), frame.y(y).tolist(), strict=True)]
    path = "".join(f"M{first}L{second}" for first, second in zip(ends[::2], ends[1::2], strict=True))
    return f'<path d="{path}" fill="none" stroke="{TOKEN_COLORS[crosses.key.token]}"/>'


def _line(line: ChartLine, frame: _ChartFrame) -> str:
    points = zip(frame.x(line.x).tolist(), frame.y(line.y).tolist(), strict=True)
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
    return f'<path d="{path}" fill="none" {_stroke(line.key)}/>'


def _stroke(key: LegendKey) -> str:
    dashes = f' stroke-dasharray="{DASHES[key.mark]}"' if key.mark in DASHES else ""
    return f'stroke="{TOKEN_COLORS[key.token]}" stroke-width="1.5"{dashes}'


def _dots(chart: AxisChart, frame: _ChartFrame) -> list[str]:
    points = chart.points
    if points is None or not chart.dots:
        return []
    x, y = frame.x(points.x), frame.y(points.y)
    is_unlabelled = len(points) > MAX_LABELLED_POINTS
    parts = []
    for index, kind in enumerate(dot_keys(points).tolist()):
        dot = _dot(float(x[index]), float(y[index]), chart.dots[kind])
        parts.append(dot if is_unlabelled else f"<g><title>{escape_html(points.describe(index))}</title>{dot}</g>")
    return [*parts, *_names(chart, frame, x, y)]


def _dot(x: float, y: float, key: LegendKey) -> str:
    foreground, background = TOKEN_COLORS[key.token], TOKEN_COLORS["surface"]
    fill, edge = (background, foreground) if key.mark == "ring" else (foreground, background)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{DOT_RADIUS_PX:g}" fill="{fill}" stroke="{edge}"/>'


def _names(chart: AxisChart, frame: _ChartFrame, x: Floats, y: Floats) -> list[str]:
    assert chart.points is not None
    names = chart.points.labels
    if not names:
        return []
    ends = [
        np.stack([frame.x(a), frame.y(b)], axis=1).reshape(-1, 2, 2)
        for a, b in (c.bar_ends() for c in chart.error_bars)
    ]
    bar_boxes = [
        np.concatenate([end.min(axis=1) - 0.5, end.max(axis=1) + 0.5], axis=1) - _corner(frame) for end in ends
    ]
    corners = place_dot_labels(
        x - frame.left, y - frame.top, [text_width_px(name) for name in names], FONT_SIZE_PX,
        (frame.right - frame.left, frame.bottom - frame.top), DOT_RADIUS_PX,
        np.concatenate(bar_boxes) if bar_boxes else None,
    )  # fmt: skip
    return [
        svg_text(round(frame.left + corner[0], 1), round(frame.top + corner[1] + FONT_SIZE_PX - 2, 1), name)
        for name, corner in zip(names, corners, strict=True)
        if corner is not None
    ]


def _corner(frame: _ChartFrame) -> Floats:
    return np.asarray([frame.left, frame.top, frame.left, frame.top])


def _caution(text: str, top: float) -> tuple[list[str], float]:
    """Return the elements of a warning (none if `text` is empty) and the y coordinate below the warning."""
    if not text:
        return [], top
    return [
        svg_text(0, top + LINE_HEIGHT_PX - 6, f"⚠ {text}", colour=TOKEN_COLORS["false_alarm"])
    ], top + LINE_HEIGHT_PX


def _legend(keys: Sequence[LegendKey], title: str, top: float) -> tuple[list[str], float]:
    """Return the legend and its title, on as many lines as needed, and the y coordinate of the end of the legend."""
    parts, x, y = [], 0.0, top
    if title:
        parts.append(svg_text(0, y + LINE_HEIGHT_PX - 4, title, colour=TOKEN_COLORS["muted"]))
        x = text_width_px(title) + 14
    for key in keys:
        width = 30 + text_width_px(key.name)
        if x and x + width > CHART_WIDTH_PX:
            x, y = 0.0, y + LINE_HEIGHT_PX
        parts += [_swatch(key, x, y + LINE_HEIGHT_PX / 2), svg_text(x + 24, y + LINE_HEIGHT_PX - 4, key.name)]
        x += width + 14
    return parts, y + (LINE_HEIGHT_PX + 8 if keys or title else 0)


def _swatch(key: LegendKey, x: float, y: float) -> str:
    if key.mark in ("dot", "ring"):
        return _dot(x + 10, y, key)
    if key.mark == "cross":
        return f'<path d="M{x + 4:g} {y:g}h12M{x + 10:g} {y - 6:g}v12" stroke="{TOKEN_COLORS[key.token]}"/>'
    if key.mark in SHADES:
        box = f'<rect x="{x:g}" y="{y - 5:g}" width="20" height="10"'
        color = TOKEN_COLORS[key.token]
        return f'{box} fill="{color}" fill-opacity="{SHADES[key.mark]:g}" stroke="{color}"/>'
    return f'<path d="M{x:g} {y:g}h20" {_stroke(key)}/>'


CURVE_SIDE_PX, CURVE_MARGIN_PX = 320, 44
"""Side of the square plotting area of `curves_svg`, and the margin around the square, in pixels."""
MAX_CURVE_POINTS = 400
"""Maximum number of plotted points per curve."""
MAX_LEGEND_CHARS = 60
"""Maximum number of characters of a name in the legend; longer names are elided in the middle."""
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Colour-blind-safe palette (Okabe and Ito 2008)."""
_DASHES = ("", "6 3", "2 3", "8 3 2 3")
"""Dash patterns, which distinguish curves of the same colour and curves that are printed without colour."""


def curves_svg(
    title: str, curves: Mapping[str, tuple[Floats, Floats]], x_label: str = "", y_label: str = "", legend: str = ""
) -> str:
    """Return an SVG chart of curves in a square whose axes run from 0 to 1; undefined points are left out.

    `curves` maps the name of each curve to its x and y values. `x_label` and `y_label` are the axis labels, by default
    recall and precision; `legend` is the title of the legend.
    """
    names = [elide(name, MAX_LEGEND_CHARS) for name in curves]
    widest = max([text_width_px(legend) - 32, *map(text_width_px, names)], default=0.0)
    width = max(CURVE_MARGIN_PX + CURVE_SIDE_PX + 60 + widest, text_width_px(title) + 4)
    first = LINE_HEIGHT_PX + 20 + (LINE_HEIGHT_PX if legend else 0)
    height = max(LINE_HEIGHT_PX + 8 + CURVE_SIDE_PX + CURVE_MARGIN_PX, first + 8 + LINE_HEIGHT_PX * len(curves))
    parts = _curve_axes(x_label or tr("recall"), y_label or tr("precision"))
    if legend:
        left = CURVE_MARGIN_PX + CURVE_SIDE_PX + 20
        parts.append(svg_text(left, first - LINE_HEIGHT_PX, legend, colour=TOKEN_COLORS["muted"]))
    for index, (name, points) in enumerate(zip(names, curves.values(), strict=True)):
        colour, dash = _COLOURS[index % len(_COLOURS)], _DASHES[index % len(_DASHES)]
        style = f'stroke="{colour}" stroke-width="1.6" fill="none"' + (f' stroke-dasharray="{dash}"' if dash else "")
        parts.append(f'<polyline points="{_points(*points)}" {style}/>')
        x, y = CURVE_MARGIN_PX + CURVE_SIDE_PX + 20, first + LINE_HEIGHT_PX * index
        parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 26}" y2="{y - 4}" {style}/>')
        parts.append(svg_text(x + 32, y, name))
    return svg_page(title, width, height, parts)


def _curve_axes(x_label: str, y_label: str) -> list[str]:
    top, bottom, right = LINE_HEIGHT_PX + 8, LINE_HEIGHT_PX + 8 + CURVE_SIDE_PX, CURVE_MARGIN_PX + CURVE_SIDE_PX
    size = f'width="{CURVE_SIDE_PX}" height="{CURVE_SIDE_PX}"'
    parts = [f'<rect x="{CURVE_MARGIN_PX}" y="{top}" {size} fill="none" stroke="#777777"/>']
    for tick in (0.0, 0.5, 1.0):
        parts.append(svg_text(CURVE_MARGIN_PX - 6, bottom - CURVE_SIDE_PX * tick + 4, f"{tick:g}", anchor="end"))
        parts.append(
            svg_text(CURVE_MARGIN_PX + CURVE_SIDE_PX * tick, bottom + LINE_HEIGHT_PX - 2, f"{tick:g}", anchor="middle")
        )
    parts.append(svg_text(right, bottom + 2 * LINE_HEIGHT_PX - 4, x_label, anchor="end"))
    turn = f"rotate(-90 14 {top})"
    parts.append(svg_text(14, top, y_label, anchor="end", transform=turn))
    return parts


def _points(across: Floats, up: Floats) -> str:
    """Return the `points` attribute of a polyline; curves with many points are thinned evenly along their length."""
    indices = thin_points(across, up, MAX_CURVE_POINTS)
    bottom = LINE_HEIGHT_PX + 8 + CURVE_SIDE_PX
    pairs = zip(across[indices].tolist(), up[indices].tolist(), strict=True)
    return " ".join(f"{CURVE_MARGIN_PX + CURVE_SIDE_PX * x:.1f},{bottom - CURVE_SIDE_PX * y:.1f}" for x, y in pairs)
