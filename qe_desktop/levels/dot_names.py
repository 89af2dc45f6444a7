"""Where names stand beside dots: where there is room, without one over the other. Places only, nothing drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from qe_desktop.levels.drawings import Ints, Points
from qe_desktop.metrics.family import Floats

MOST = 200
"""Dots that are named at the most."""
GAP = 2.0
"""Pixels between a dot and its name."""
_SIDES = ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1))
"""Corners first, for what reaches along both axes leaves these free."""


def beside_dots(
    x: Floats, y: Floats, widths: Sequence[float], height: float, room: tuple[float, float], radius: float
) -> list[tuple[float, float] | None]:
    """The left upper corner of each name beside its dot, or None where there is no room, all in pixels from the top.

    `widths` are those of the names, `room` the width and height that all have, `radius` a dot's.
    """
    boxes = np.stack([x - radius, y - radius, x + radius, y + radius], axis=1)
    found: list[tuple[float, float] | None] = []
    for place, width in enumerate(widths[:MOST]):
        corner = None
        for across, down in _SIDES:
            left = x[place] - width / 2 + across * (width / 2 + radius + GAP)
            top = y[place] - height / 2 + down * (height / 2 + (radius + GAP if not across else 0))
            inside = left >= 0 and top >= 0 and left + width <= room[0] and top + height <= room[1]
            if inside and not _over(boxes, left, top, left + width, top + height):
                corner = float(left), float(top)
                boxes = np.concatenate([boxes, [[left, top, left + width, top + height]]])
                break
        found.append(corner)
    return [*found, *([None] * (len(widths) - len(found)))]


def _over(boxes: Floats, left: float, top: float, right: float, bottom: float) -> bool:
    meets = (boxes[:, 0] < right) & (boxes[:, 2] > left) & (boxes[:, 1] < bottom) & (boxes[:, 3] > top)
    return bool(meets.any())


def kinds_of(points: Points) -> Ints:
    """By which of the chart's keys each dot is drawn, shape (points,)."""
    return np.zeros(len(points), np.int64) if points.kinds is None else points.kinds
