"""Layout of point labels next to their dots, without overlaps; this module draws nothing."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.levels.chart_model import ChartPoints, Ints
from qe_desktop.metrics.family import Floats

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
    room: tuple[float, float],
    radius: float,
    arms: Floats | None = None,
) -> list[tuple[float, float] | None]:
    """Return the top left corner of each label next to its dot, in pixels from the top, or None if there is no room.

    `widths` are the widths of the labels, `room` is the available width and height, and `radius` is the radius of a
    dot. `arms` are the ends of error bars along both axes (left, top, right, bottom), shape (arms, 4): labels overlap
    them only as a last resort. """  # fmt: skip
    taken = np.stack([x - radius, y - radius, x + radius, y + radius], axis=1)
    crossed = np.zeros((0, 4)) if arms is None else arms
    corners: list[tuple[float, float] | None] = []
    for place, width in enumerate(widths[:MAX_DOT_LABELS]):
        boxes = np.asarray(
            [_label_box(float(x[place]), float(y[place]), width, height, radius, side) for side in _SIDES]
        )
        free = (boxes[:, :2] >= 0).all(axis=1) & (boxes[:, 2:] <= room).all(axis=1) & ~_over(boxes, taken)
        best = free & ~_over(boxes, crossed)
        chosen = np.flatnonzero(best if best.any() else free)[:1]
        taken = np.concatenate([taken, boxes[chosen]])
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


def _over(boxes: Floats, others: Floats) -> NDArray[np.bool_]:
    """Return which boxes overlap any of the others, shape (boxes,)."""
    ours, theirs = boxes[:, None], others[None]
    meets = np.all(theirs[..., :2] < ours[..., 2:], axis=-1) & np.all(theirs[..., 2:] > ours[..., :2], axis=-1)
    return np.asarray(np.any(meets, axis=1))


def dot_keys(points: ChartPoints) -> Ints:
    """Return the index of each dot's legend key, shape (points,)."""
    return np.zeros(len(points), np.int64) if points.kinds is None else points.kinds
