"""Which segments ratings are of: their names are the numbers of lines, counted from 0 or from 1."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

MOST_DIGITS = 15
"""Digits of a name that is taken for a number of a line."""


def line_numbers(
    names: Sequence[str], used: NDArray[np.integer], size: int | None = None
) -> tuple[NDArray[np.int64], int] | None:
    """The line, from 0, of each of these segments, shape (names,), and what they are counted from; None if unclear.

    `used` are the places of those that were rated; the rest have no line of their own (0). They are counted from 0
    where one is called so. It is unclear where a name is no number, and where one is beyond the `size` lines there are.
    """
    used = np.unique(used)
    called = [names[place] for place in used]
    if not called or not all(name.isascii() and name.isdigit() and len(name) <= MOST_DIGITS for name in called):
        return None
    lines = np.zeros(len(names), np.int64)
    lines[used] = [int(name) for name in called]
    base = 0 if lines[used].min() == 0 else 1
    lines[used] -= base
    if size is not None and lines[used].max() >= size:
        return None
    return lines, base
