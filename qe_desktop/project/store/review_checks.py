"""What rows of the review have to be, when they are written and when they are read: a file holds anything."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from qe_desktop.corpus.agreement import Agreement
from qe_desktop.corpus.highlighted import Highlighted
from qe_desktop.formats.limits import LONGEST, MOST_SEGMENTS
from qe_desktop.project.events import EditAction, Reviewed, ReviewField, ReviewRow, VisitRow
from qe_desktop.project.review_edits import are_values, is_value
from qe_desktop.project.step_counter import MOST_STEPS
from qe_desktop.project.store.cells import checked, ensure
from qe_desktop.project.visits import KeyKind, Visit
from qe_desktop.ratings.admitting import LATEST, MOST_NAME

MOST_SAID = 10_000
"""Characters of what was done in words, and of whose highlights were shown."""
MOST_TYPED = 100_000
"""Changes of a target in one visit: somebody who types ten a second for almost three hours."""
MOST_PRESSED = 2**53


def sound_review(row: ReviewRow, segments: int = MOST_SEGMENTS) -> ReviewRow:
    """The row as it is. Damaged where it is none that the program makes, or about none of so many segments."""
    names = (row.uid, row.refers, row.group)
    ensure(all(type(one) is str and len(one) <= MOST_NAME for one in names) and row.uid, "a review row has no name")
    ensure(type(row.text) is str and len(row.text) <= MOST_SAID, "a review row says too much")
    _ensure_place(row.segment, row.at, segments)
    ensure(type(row.step) is int and 0 <= row.step < MOST_STEPS, "a review row has no place in the order of steps")
    ensure(isinstance(row.action, EditAction), "a review row does nothing that there is to do")
    ensure((row.action is EditAction.EDIT) == (not row.refers), "a review row is about none, or about another one")
    ensure(row.fields or row.refers, "a review row sets nothing")
    ensure(len({*row.fields}) == len(row.fields) == len(row.values) == len(row.befores), "a review row is not whole")
    for values in (row.values, row.befores):
        for field, value in zip(row.fields, values, strict=True):
            ensure(is_value(field, value), f"a {field.value} is none that is set in review")
    return row


def are_sound(rows: Sequence[ReviewRow], segments: int) -> bool:
    """Whether `sound_review` takes each of these rows, looked up by columns, as a project has many of them. Where not,
    it says which is damaged.
    """
    names = [name for row in rows for name in (row.uid, row.refers, row.group)]
    said, places = [row.text for row in rows], [row.segment for row in rows]
    times, steps = [row.at for row in rows], [row.step for row in rows]
    kinds = {type(one) for column in (names, said) for one in column} <= {str}
    if not (kinds and set(map(type, (*places, *steps))) <= {int} and set(map(type, times)) <= {float, int}):
        return False
    return (
        max(map(len, names), default=0) <= MOST_NAME
        and all([row.uid for row in rows])
        and max(map(len, said), default=0) <= MOST_SAID
        and min(places, default=0) >= 0
        and max(places, default=-1) < segments
        and min(steps, default=0) >= 0
        and max(steps, default=0) < MOST_STEPS
        and all([0 <= at <= LATEST for at in times])
        and all([(row.action is EditAction.EDIT) == (not row.refers) for row in rows])
        and all([row.fields or row.refers for row in rows])
        and _are_set_soundly(rows)
    )


def _are_set_soundly(rows: Sequence[ReviewRow]) -> bool:
    """Whether the rows set fields to what these may be set to."""
    by_fields: defaultdict[tuple[ReviewField, ...], list[tuple[Reviewed, ...]]] = defaultdict(list)
    for row in rows:
        by_fields[row.fields] += (row.values, row.befores)
    return all(
        len({*fields}) == len(fields)
        and set(map(len, found)) == {len(fields)}
        and all(are_values(field, column) for field, column in zip(fields, zip(*found, strict=True), strict=True))
        for fields, found in by_fields.items()
    )


def sound_visit(row: VisitRow, segments: int = MOST_SEGMENTS) -> VisitRow:
    """The same for what was recorded."""
    checked(row)
    ensure(0 < len(row.uid) <= MOST_NAME, "a visit has no name")
    _ensure_place(row.segment, row.at, segments)
    _ensure_visit(row.visit)
    return row


def _ensure_place(segment: object, at: object, segments: int) -> None:
    ensure(type(segment) is int and 0 <= segment < segments, "a row of the review is about no segment")
    ensure(type(at) in (float, int) and 0 <= at <= LATEST, "a row of the review is of no time")  # type: ignore[operator]


def _ensure_visit(visit: Visit) -> None:
    numbers = (visit.opened, visit.closed, visit.seconds, visit.pauses, visit.away, visit.limit)
    ensure(all(math.isfinite(one) and 0 <= one <= LATEST for one in numbers), "a visit took a time that cannot be")
    counts = (visit.gaps_300, visit.gaps_1000, *(count for _, count in visit.keys))
    ensure(all(0 <= count < MOST_PRESSED for count in counts), "keys were not pressed so often")
    ensure(len({kind for kind, _ in visit.keys}) == len(visit.keys) <= len(KeyKind), "a kind of keys is there twice")
    _ensure_shown(visit.shown)
    ensure(max(len(visit.before), len(visit.after)) <= LONGEST, "a target has too many characters")
    ensure(len(visit.typed) <= MOST_TYPED, "more was typed than anybody types")
    for one in visit.typed:
        ensure(0 <= one.after <= LATEST and 0 <= one.place <= LONGEST, "something was typed nowhere")
        ensure(max(len(one.removed), len(one.inserted)) <= LONGEST, "more was typed at once than a target takes")


def _ensure_shown(shown: Highlighted) -> None:
    ensure(sum(map(len, shown.names)) <= MOST_SAID, "the names of whose highlights were shown are none")
    ensure(not shown.agreement or shown.agreement in [*Agreement], "nobody agrees in this way")
    ends = [0, *(place for one in shown.stretches or () for place in (one.start, one.end)), LONGEST]
    ensure(all(one <= other for one, other in pairwise(ends)), "what was highlighted is out of order")
