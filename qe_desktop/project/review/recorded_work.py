"""Recorded work on segments, converted for the study of post-editing."""

from __future__ import annotations

from collections.abc import Iterable

from qe_desktop.project.events import VisitRow
from qe_desktop.studies.post_editing.recorded_work import RecordedVisit


def recorded_visits(rows: Iterable[VisitRow]) -> tuple[RecordedVisit, ...]:
    """Return the visits of a session or project in the form of the study."""
    return tuple(_recorded_visit(row) for row in rows)


def _recorded_visit(row: VisitRow) -> RecordedVisit:
    visit = row.visit
    return RecordedVisit(
        row.segment, row.person, visit.seconds, visit.pauses, visit.away, visit.limit, visit.opened,
        visit.gaps_300, visit.gaps_1000, {kind.value: count for kind, count in visit.keys},
        visit.typed, visit.shown,
    )  # fmt: skip
