"""Which way a text runs: by the majority of its letters that have a direction, over a whole column."""

from __future__ import annotations

import enum
import unicodedata
from collections import Counter
from collections.abc import Iterable

SAMPLE = 200
"""Lines of a column that are looked at, spread over all of it."""
LETTERS = 300
"""Characters of one line that are looked at: enough of it, however long it is."""


class Direction(enum.StrEnum):
    """Which way a text runs; `NONE` where no letter says so."""

    LEFT_TO_RIGHT = "ltr"
    RIGHT_TO_LEFT = "rtl"
    NONE = "auto"


def majority(texts: Iterable[str]) -> Direction:
    """The direction of most letters that have one (Unicode's bidirectional classes L, R and AL).

    A line that begins with a name in another script runs as the others do. Of as many letters each way, left to right.

    >>> str(majority(["iPhone הוא טלפון חכם"]))
    'rtl'
    >>> str(majority(["123 ."]))
    'auto'
    """
    counts: Counter[str] = Counter()
    for text in texts:
        counts.update(map(unicodedata.bidirectional, text[:LETTERS]))
    left, right = counts["L"], counts["R"] + counts["AL"]
    if not left and not right:
        return Direction.NONE
    return Direction.RIGHT_TO_LEFT if right > left else Direction.LEFT_TO_RIGHT
