"""Curves of shares against shares as a vector picture with its legend, for pages."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.metrics.family import Floats
from qe_desktop.outgoing import elided
from qe_desktop.report.svg import LINE, svg_page, svg_text, width_of
from qe_desktop.studies.pictures.ways import along
from qe_desktop.wording import tr

SIDE, MARGIN = 320, 44
"""The side of the square and the room around it, in pixels."""
POINTS = 400
"""Points of a curve that are drawn at the most."""
LONGEST = 60
"""Characters of a name; longer ones lose their middle."""
_COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
"""Okabe and Ito 2008, which people who see few colours tell apart."""
_DASHES = ("", "6 3", "2 3", "8 3 2 3")
"""Where there are more curves than colours, or none is printed."""


def curves_svg(title: str, curves: Mapping[str, tuple[Floats, Floats]], across: str = "", up: str = "") -> str:
    """Shares against shares, by the curves' names; what is undefined is left out.

    They are precision (up) against recall (across) where nothing else is said.
    """
    names = [elided(name, LONGEST) for name in curves]
    width = max(MARGIN + SIDE + 60 + max(map(width_of, names), default=0.0), width_of(title) + 4)
    height = max(LINE + 8 + SIDE + MARGIN, LINE + 28 + LINE * len(curves))
    parts = _axes(across or tr("recall"), up or tr("precision"))
    for place, (name, points) in enumerate(zip(names, curves.values(), strict=True)):
        colour, dash = _COLOURS[place % len(_COLOURS)], _DASHES[place % len(_DASHES)]
        style = f'stroke="{colour}" stroke-width="1.6" fill="none"' + (f' stroke-dasharray="{dash}"' if dash else "")
        parts.append(f'<polyline points="{_points(*points)}" {style}/>')
        x, y = MARGIN + SIDE + 20, LINE + 20 + LINE * place
        parts.append(f'<line x1="{x}" y1="{y - 4}" x2="{x + 26}" y2="{y - 4}" {style}/>')
        parts.append(svg_text(x + 32, y, name))
    return svg_page(title, width, height, parts)


def _axes(across: str, up: str) -> list[str]:
    top, bottom, right = LINE + 8, LINE + 8 + SIDE, MARGIN + SIDE
    parts = [f'<rect x="{MARGIN}" y="{top}" width="{SIDE}" height="{SIDE}" fill="none" stroke="#777777"/>']
    for tick in (0.0, 0.5, 1.0):
        parts.append(svg_text(MARGIN - 6, bottom - SIDE * tick + 4, f"{tick:g}", anchor="end"))
        parts.append(svg_text(MARGIN + SIDE * tick, bottom + LINE - 2, f"{tick:g}", anchor="middle"))
    parts.append(svg_text(right, bottom + 2 * LINE - 4, across, anchor="end"))
    turn = f"rotate(-90 14 {top})"
    parts.append(svg_text(14, top, up, anchor="end", turn=turn))
    return parts


def _points(across: Floats, up: Floats) -> str:
    """Where a curve goes, of many points some, evenly chosen along both its ways."""
    known = along(across, up, POINTS)
    bottom = LINE + 8 + SIDE
    pairs = zip(across[known].tolist(), up[known].tolist(), strict=True)
    return " ".join(f"{MARGIN + SIDE * x:.1f},{bottom - SIDE * y:.1f}" for x, y in pairs)
