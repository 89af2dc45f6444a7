"""Where names stand beside dots: where there is room, without one over the other. Places only, nothing drawn."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.levels.chart_model import ChartPoints, Ints
from qe_desktop.metrics.family import Floats

MAX_DOT_LABELS = 200
"""Dots that are named at the most."""
LABEL_GAP_PX = 2.0
"""Pixels between a dot and its name."""
_SIDES = ((1, -1), (1, 1), (-1, -1), (-1, 1), (1, 0), (-1, 0), (0, -1), (0, 1))
"""Corners first, for what reaches along both axes leaves these free."""


def place_dot_labels(
    x: Floats,
    y: Floats,
    widths: Sequence[float],
    height: float,
    room: tuple[float, float],
    radius: float,
    arms: Floats | None = None,
) -> list[tuple[float, float] | None]:
    """The left upper corner of each name beside its dot, or None where there is no room, all in pixels from the top.

    `widths` are those of the names, `room` the width and height that all have, `radius` a dot's. `arms` are the ends of
    what is drawn along either axis, as left, top, right and bottom, shape (arms, 4): names stand over them only where
    there is no other place.
    """  # fmt: skip
    taken = np.stack([x - radius, y - radius, x + radius, y + radius], axis=1)
    crossed = np.zeros((0, 4)) if arms is None else arms
    found: list[tuple[float, float] | None] = []
    for place, width in enumerate(widths[:MAX_DOT_LABELS]):
        boxes = np.asarray(
            [_label_box(float(x[place]), float(y[place]), width, height, radius, side) for side in _SIDES]
        )
        free = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= room).all(axis=1) & ~_over(boxes, taken)
        best = free & ~_over(boxes, crossed)
        chosen = np.flatnonzero(best if best.any() else free)[:1]
        taken = np.concatenate([taken, boxes[chosen]])
        found.append((float(boxes[chosen[0], 0]), float(boxes[chosen[0], 1])) if len(chosen) else None)
    return [*found, *([None] * (len(widths) - len(found)))]


def _label_box(
    x: float, y: float, width: float, height: float, radius: float, side: tuple[int, int]
) -> tuple[float, float, float, float]:
    """The box of a name on one side of its dot."""
    across, down = side
    left = x - width / 2 + across * (width / 2 + radius + LABEL_GAP_PX)
    # at a corner a name touches the line through its dot, as an index does
    top = y - height / 2 + down * (height / 2 + (LABEL_GAP_PX / 2 if across else radius + LABEL_GAP_PX))
    return left, top, left + width, top + height


def _over(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Which boxes lie over any of the others, shape (boxes,)."""
    ours, theirs = boxes[:, None], others[None]
    meets = np.all(theirs[..., :2] < ours[..., 2:], axis=-1) & np.all(theirs[..., 2:] > ours[..., :2], axis=-1)
    return np.asarray(np.any(meets, axis=1))


def dot_keys(points: ChartPoints) -> Ints:
    """By which of the chart's keys each dot is drawn, shape (points,)."""
    return np.zeros(len(points), np.int64) if points.kinds is None else points.kinds
