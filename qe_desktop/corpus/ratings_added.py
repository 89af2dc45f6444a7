"""What ratings gained when others were joined to them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, TypeVar

import numpy as np

from qe_desktop.corpus.ratings import Ratings, RatingTable

Table = TypeVar("Table", bound=RatingTable[Any])


def added(now: Ratings | None, before: Ratings | None) -> Ratings | None:
    """The ratings that `now`, joined of `before` and others, has beyond those; None where there are none.

    Their origins and notes are those that came with them.
    """
    if now is None or now is before:
        return None
    if before is None:
        return now
    scores, pairs = _after(now.scores, len(before.scores)), _after(now.pairs, len(before.pairs))
    comments = now.comments[len(before.comments) :]
    if not (len(scores) or len(pairs) or comments):
        return None
    origins = now.origin.removeprefix(before.origin).removeprefix(", ")
    notes = tuple(note for note in now.notes if note not in before.notes)
    return Ratings(scores, pairs, comments, origins, notes, now.ranges)


def _after(table: Table, first: int) -> Table:
    """The rows from one on, with the names that they have."""
    rows = table.take(np.arange(first, len(table)))
    columns: dict[str, Any] = {}
    for held in dict.fromkeys(table.NAMES.values()):
        coded = [name for name, names in table.NAMES.items() if names == held]
        used = np.unique(np.concatenate([getattr(rows, name) for name in coded]))
        names = getattr(table, held)
        columns[held] = tuple(names[place] for place in used.tolist())
        columns |= {name: np.searchsorted(used, getattr(rows, name)).astype(np.int32) for name in coded}
    return replace(rows, **columns)
