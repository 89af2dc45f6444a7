"""A chart as a vector picture with its title, legend, axes and caption, for papers and pages."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.levels.dot_names import beside_dots, kinds_of
from qe_desktop.levels.drawings import Bars, Chart, Crosses, Key, Line, Mark, Panel
from qe_desktop.metrics.family import Floats
from qe_desktop.outgoing import html_text
from qe_desktop.report.round_steps import round_steps
from qe_desktop.report.svg import INKS, LINE, SIZE, lines_of, svg_page, svg_text, width_of

WIDTH, HEIGHT = 600, 380
"""Pixels of the whole picture across, and of what the axes hold upwards."""
ROOM = 0.04
"""The share of a range that is seen beyond it."""
RADIUS = 3.5
DASHES: dict[Mark, str] = {"dashed": "7 4", "dashdot": "7 3 2 3", "dots": "2 3"}
SHADES: dict[Mark, float] = {"solid": 1.0, "hatched": 0.45, "dotted": 0.15}
"""How much of its colour a bar is filled with."""
MOST_SAID = 500
"""Dots that say in a page what they are; of more the picture would be megabytes."""


def panel_svg(panel: Panel) -> str:
    """A panel with a chart; of one that says why nothing is drawn, its words. ValueError for other drawings."""
    parts: list[str] = []
    top: float = LINE * max(1, len(lines_of(panel.title, WIDTH))) + 6
    if isinstance(panel.drawing, Chart):
        legend, top = _legend(panel.keys, top)
        frame = _Frame.of(panel.drawing, top)
        parts = [*legend, *_drawn(panel.drawing, frame)]
        below = [panel.caption]
        top = frame.bottom + 2 * LINE + 12
    elif isinstance(panel.drawing, str):
        below = [panel.drawing, panel.caption]
    else:
        raise ValueError(type(panel.drawing).__name__)
    said = [line for text in below for line in lines_of(text, WIDTH)]
    parts += [svg_text(0, top + LINE * (place + 1) - 4, line, colour=INKS["muted"]) for place, line in enumerate(said)]
    return svg_page(panel.title, WIDTH, top + LINE * len(said) + 4, parts)


@dataclass(frozen=True, slots=True)
class _Frame:
    """Where the axes are in the picture, and what they show."""

    left: float
    top: float
    right: float
    bottom: float
    shown: tuple[float, float, float, float]
    across: list[tuple[float, str]]
    along: list[tuple[float, str]]

    @classmethod
    def of(cls, chart: Chart, top: float) -> _Frame:
        low, high, lowest, highest = chart.bounds
        wide, tall = ROOM * (high - low), ROOM * (highest - lowest)
        shown = low - wide, high + wide, lowest - tall, highest + tall
        along = [] if chart.unnumbered else round_steps(*shown[2:])
        if chart.percent:
            along = [(number, f"{abs(number):.0%}") for number, _ in along]
        left = LINE + 12 + max((width_of(text) for _, text in along), default=0.0)
        across = round_steps(*shown[:2], whole=chart.whole)
        return cls(left, top, WIDTH - 4, top + HEIGHT, shown, across, along)

    def x(self, values: Floats) -> Floats:
        low, high = self.shown[:2]
        return self.left + (values - low) / (high - low) * (self.right - self.left)

    def y(self, values: Floats) -> Floats:
        low, high = self.shown[2:]
        return self.bottom - (values - low) / (high - low) * (self.bottom - self.top)


def _drawn(chart: Chart, frame: _Frame) -> list[str]:
    """Axes, then bars, crosses, lines, dots and their names."""
    parts = _axes(chart, frame)
    for bars in chart.bars:
        parts += _bars(bars, frame)
    parts += [_arms(one, frame) for one in chart.crosses]
    parts += [_line(one, frame) for one in chart.lines if len(one.x)]
    return [*parts, *_dots(chart, frame)]


def _axes(chart: Chart, frame: _Frame) -> list[str]:
    border, muted = INKS["border"], INKS["muted"]
    parts = []
    for number, text in frame.along:
        y = float(frame.y(np.asarray(number)))
        parts.append(f'<path d="M{frame.left:.1f} {y:.1f}H{frame.right:.1f}" stroke="{border}" stroke-opacity=".5"/>')
        parts.append(svg_text(round(frame.left - 6, 1), round(y + 4, 1), text, anchor="end"))
    for number, text in frame.across:
        x = float(frame.x(np.asarray(number)))
        parts.append(f'<path d="M{x:.1f} {frame.bottom:.1f}v4" stroke="{muted}"/>')
        parts.append(svg_text(round(x, 1), frame.bottom + LINE, text, anchor="middle"))
    path = f"M{frame.left:.1f} {frame.top:.1f}V{frame.bottom:.1f}H{frame.right:.1f}"
    parts.append(f'<path d="{path}" fill="none" stroke="{muted}"/>')
    middle, height = (frame.left + frame.right) / 2, (frame.top + frame.bottom) / 2
    parts.append(svg_text(round(middle, 1), frame.bottom + 2 * LINE + 2, chart.bottom, anchor="middle", colour=muted))
    turn = f"rotate(-90 {SIZE} {height:g})"
    parts.append(svg_text(SIZE, height, chart.left, anchor="middle", turn=turn, colour=muted))
    return parts


def _bars(bars: Bars, frame: _Frame) -> list[str]:
    ink = INKS[bars.key.token]
    opacity = SHADES[bars.key.mark]
    left, right = frame.x(bars.middles - bars.half), frame.x(bars.middles + bars.half)
    zero, ends = float(frame.y(np.asarray(0.0))), frame.y(bars.heights)
    return [
        f'<rect x="{one:.1f}" y="{min(zero, end):.1f}" width="{other - one:.1f}" height="{abs(end - zero):.1f}" '
        f'fill="{ink}" fill-opacity="{opacity:g}" stroke="{ink}"/>'
        for one, other, end in zip(left.tolist(), right.tolist(), ends.tolist(), strict=True)
    ]


def _arms(crosses: Crosses, frame: _Frame) -> str:
    x, y = crosses.arms()
    ends = [f"{a:.1f} {b:.1f}" for a, b in zip(frame.x(x).tolist(), frame.y(y).tolist(), strict=True)]
    path = "".join(f"M{one}L{other}" for one, other in zip(ends[::2], ends[1::2], strict=True))
    return f'<path d="{path}" fill="none" stroke="{INKS[crosses.key.token]}"/>'


def _line(line: Line, frame: _Frame) -> str:
    places = zip(frame.x(line.x).tolist(), frame.y(line.y).tolist(), strict=True)
    path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in places)
    return f'<path d="{path}" fill="none" {_stroke(line.key)}/>'


def _stroke(key: Key) -> str:
    dashes = f' stroke-dasharray="{DASHES[key.mark]}"' if key.mark in DASHES else ""
    return f'stroke="{INKS[key.token]}" stroke-width="1.5"{dashes}'


def _dots(chart: Chart, frame: _Frame) -> list[str]:
    points = chart.points
    if points is None or not chart.dots:
        return []
    x, y = frame.x(points.x), frame.y(points.y)
    many = len(points) > MOST_SAID
    parts = []
    for place, kind in enumerate(kinds_of(points).tolist()):
        dot = _dot(float(x[place]), float(y[place]), chart.dots[kind])
        parts.append(dot if many else f"<g><title>{html_text(points.say(place))}</title>{dot}</g>")
    return [*parts, *_names(chart, frame, x, y)]


def _dot(x: float, y: float, key: Key) -> str:
    ink, ground = INKS[key.token], INKS["surface"]
    fill, edge = (ground, ink) if key.mark == "ring" else (ink, ground)
    return f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{RADIUS:g}" fill="{fill}" stroke="{edge}"/>'


def _names(chart: Chart, frame: _Frame, x: Floats, y: Floats) -> list[str]:
    assert chart.points is not None
    names = chart.points.names
    if not names:
        return []
    ends = [np.stack([frame.x(a), frame.y(b)], axis=1).reshape(-1, 2, 2) for a, b in (c.arms() for c in chart.crosses)]
    arms = [np.concatenate([one.min(axis=1) - 0.5, one.max(axis=1) + 0.5], axis=1) - _corner(frame) for one in ends]
    corners = beside_dots(
        x - frame.left, y - frame.top, [width_of(name) for name in names], SIZE,
        (frame.right - frame.left, frame.bottom - frame.top), RADIUS, np.concatenate(arms) if arms else None,
    )  # fmt: skip
    return [
        svg_text(round(frame.left + corner[0], 1), round(frame.top + corner[1] + SIZE - 2, 1), name)
        for name, corner in zip(names, corners, strict=True)
        if corner is not None
    ]


def _corner(frame: _Frame) -> Floats:
    return np.asarray([frame.left, frame.top, frame.left, frame.top])


def _legend(keys: Sequence[Key], top: float) -> tuple[list[str], float]:
    """What is drawn how, in as many lines as it needs, and where they end."""
    parts, x, y = [], 0.0, top
    for key in keys:
        wide = 30 + width_of(key.name)
        if x and x + wide > WIDTH:
            x, y = 0.0, y + LINE
        parts += [_swatch(key, x, y + LINE / 2), svg_text(x + 24, y + LINE - 4, key.name)]
        x += wide + 14
    return parts, y + (LINE + 8 if keys else 0)


def _swatch(key: Key, x: float, y: float) -> str:
    if key.mark in ("dot", "ring"):
        return _dot(x + 10, y, key)
    if key.mark == "cross":
        return f'<path d="M{x + 4:g} {y:g}h12M{x + 10:g} {y - 6:g}v12" stroke="{INKS[key.token]}"/>'
    if key.mark in SHADES:
        box = f'<rect x="{x:g}" y="{y - 5:g}" width="20" height="10"'
        return f'{box} fill="{INKS[key.token]}" fill-opacity="{SHADES[key.mark]:g}" stroke="{INKS[key.token]}"/>'
    return f'<path d="M{x:g} {y:g}h20" {_stroke(key)}/>'
