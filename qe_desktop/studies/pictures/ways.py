"""Curves among others: how each is drawn, and which points of a long one are: evenly along its way."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from qe_desktop.levels.drawings import Key
from qe_desktop.metrics.family import Floats
from qe_desktop.outgoing import elided
from qe_desktop.studies.pictures.curves import LINES, TOKENS
from qe_desktop.studies.pictures.side import LONGEST


def key_of(place: int, name: str) -> Key:
    """How the curve in a place is drawn; there are twenty ways, and then they come again."""
    return Key(elided(name, LONGEST), TOKENS[place % len(TOKENS)], LINES[place % len(LINES)])


def along(across: Floats, up: Floats, most: int) -> NDArray[np.int64]:
    """The places of the points that are known, of many some, by how far the curve went until there.

    Both have shape (points,); NaN are left out.
    """
    known = np.flatnonzero(np.isfinite(across) & np.isfinite(up))
    if len(known) <= most:
        return known
    way = np.cumsum(
        np.hypot(np.diff(across[known], prepend=across[known[0]]), np.diff(up[known], prepend=up[known[0]]))
    )
    places = np.searchsorted(way, np.linspace(0, way[-1], most)).clip(0, len(known) - 1)
    # both ends stay, also where nothing happens before the last
    return np.asarray(known[np.unique(np.append(places, [0, len(known) - 1]))])
