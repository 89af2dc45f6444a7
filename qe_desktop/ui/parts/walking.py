"""From one thing to the next in a picture, by arrows and by mouse: places only, nothing drawn."""

from __future__ import annotations

import numpy as np

from qe_desktop.levels.drawings import Points
from qe_desktop.metrics.family import Floats

NEAR = 14.0
"""Pixels within which a dot is pointed at."""
LOW = 4.0
"""Pixels above a bar that still belong to it."""
TENTH = 10
"""What share of the way a page is: one in so many."""


class Walk:
    """Points in their order along both axes. A place is that of a point, counted from 0; None is no place."""

    def __init__(self, points: Points) -> None:
        self._points = points
        self._series = np.zeros(len(points), np.int64) if points.series is None else points.series
        self._along = np.lexsort((points.y, points.x, self._series))
        self._up = np.lexsort((points.x, points.y))

    def first(self) -> int:
        """The leftmost of the first series."""
        return int(self._along[0])

    def along(self, place: int | None, steps: int) -> int:
        """So many steps to the right, or to the left below zero, within a series; at the end it stays."""
        if place is None:
            return self.first()
        mates = self._along[self._series[self._along] == self._series[place]]
        return _moved(mates, place, steps)

    def page(self, place: int | None, pages: int) -> int:
        """A tenth of the way to the right, or to the left."""
        count = int((self._series == self._series[0 if place is None else place]).sum())
        return self.along(place, pages * max(1, count // TENTH))

    def end(self, place: int | None, side: int) -> int:
        """The first of the series (side −1) or the last (1)."""
        return self.along(self.first() if place is None else place, side * len(self._points))

    def up(self, place: int | None, steps: int) -> int:
        """So many steps up or down: to the next higher dot, or to the nearest bar of another series."""
        if place is None:
            return self.first()
        if self._points.series is None:
            return _moved(self._up, place, steps)
        # the first series stands above the others
        others = np.flatnonzero(self._series == self._series[place] - steps)
        if not len(others):
            return place
        return int(others[np.argmin(np.abs(self._points.x[others] - self._points.x[place]))])

    def at(self, x: float, y: float, width: float, height: float) -> int | None:
        """The point at a place; `width` and `height` are what a pixel is on each axis."""
        points = self._points
        if not len(points):
            return None
        if points.reach is None:
            apart: Floats = np.hypot((points.x - x) / width, (points.y - y) / height)
            place = int(np.argmin(apart))
            return place if apart[place] <= NEAR else None
        # a little above a bar counts as on it, for low bars could not be met otherwise
        over = (np.abs(points.x - x) <= points.reach) & (np.abs(y) <= np.abs(points.y) + LOW * height)
        over &= y * points.y >= 0
        return int(np.flatnonzero(over)[0]) if over.any() else None


def _moved(order: np.ndarray, place: int, steps: int) -> int:
    where = int(np.flatnonzero(order == place)[0]) + steps
    return int(order[min(max(0, where), len(order) - 1)])
