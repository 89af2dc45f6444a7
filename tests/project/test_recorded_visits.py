"""Recorded visits as input of the study of post-editing."""

from __future__ import annotations

from qe_desktop.corpus.text_spans import DisplayedHighlights, HighlightSpan
from qe_desktop.project.events import VisitRow
from qe_desktop.project.review.review_log import recorded_visits
from qe_desktop.project.review.visits import KeyKind, TypedChange, Visit
from qe_desktop.studies.post_editing.post_editing_study import KEY_KINDS

SHOWN = DisplayedHighlights(("A", "B"), "all", (HighlightSpan(0, 4),))


def test_a_visit_is_converted_to_recorded_work_unchanged():
    typed = TypedChange(1.5, 3, "a", "bc")
    visit = Visit(10.0, 60.0, 30.0, 15.0, 5.0, 10.0, 4, 2, ((KeyKind.ERASE, 3),), (typed,), SHOWN, "a", "b")
    [work] = recorded_visits([VisitRow(7, visit, person="ann")])
    assert (work.segment, work.person, work.opened, work.seconds) == (7, "ann", 10.0, 30.0)
    assert (work.pauses, work.away, work.limit, work.gaps_300, work.gaps_1000) == (15.0, 5.0, 10.0, 4, 2)
    assert (dict(work.keys), work.displayed) == ({"erase": 3}, SHOWN)
    assert [(change.after, change.place, change.removed, change.inserted) for change in work.changes] == [
        (1.5, 3, "a", "bc")
    ]


def test_kinds_of_keys_equal_those_of_the_study():
    assert tuple(kind.value for kind in KeyKind) == KEY_KINDS
