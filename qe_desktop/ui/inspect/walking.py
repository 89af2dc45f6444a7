"""Walking by meaning: to the next BAD or disputed place, through the segments as the list has them."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import Kind
from qe_desktop.project import Session
from qe_desktop.ui.inspect.cursor import first_after, last_before
from qe_desktop.ui.inspect.segment_model import SegmentModel

Finder = Callable[[Session, Kind, int], list[int]]


def find_place(
    session: Session, kind: Kind, model: SegmentModel, segment: int, place: int, finder: Finder, step: int
) -> tuple[int, int] | None:
    """The next (`step` 1) or previous (−1) place that `finder` names: (segment, place), or None at the list's end."""
    here = finder(session, kind, segment)
    found = first_after(here, place) if step > 0 else last_before(here, place)
    if found is not None:
        return segment, found
    row = model.row_of(segment)
    rows = range((-1 if row is None else row) + 1, model.rowCount()) if step > 0 else range((row or 0) - 1, -1, -1)
    for other in rows:
        places = finder(session, kind, model.segment_at(other))
        if places:
            return model.segment_at(other), places[0 if step > 0 else -1]
    return None
