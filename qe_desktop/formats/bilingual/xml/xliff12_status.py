"""Statuses of XLIFF 1.2: `approved` of a unit and `state` of its target.

A segment is finished if its unit is `approved`, or if its target has the `state` `final`, `signed-off`, or `translated`
(by a human). Confirming a segment sets existing `approved` and `state` attributes to `yes` and `signed-off`; reopening
sets them to `no` and `needs-review-translation`. Rejecting sets an existing `state` to `needs-translation`, and a note
of this program marks the rejection, because the `state` alone means that a translation is missing. A segment without
these attributes cannot store a status, unless missing attributes are added (`add`); a rejected segment without a target
then gets an empty target. A segment with a `state-qualifier` of this program (`QeStates`) can store every status.
"""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import MACHINE_ORIGINS, XLIFF_1, StatusRule, finished_status
from qe_desktop.formats.bilingual.xml.xml_targets import (
    NO_STATUS_LOCATION,
    ElementTarget,
    FrameTarget,
    StatusLocation,
    has_own_state,
    set_attribute,
)
from qe_desktop.formats.bilingual.xml.xml_tree import attribute_span

FINISHED = frozenset(("approved", "final", "signed-off"))
REJECTED_STATE = XLIFF_1.states[ReviewStatus.REJECTED]


def status_location(location: TargetLocation) -> StatusLocation:
    """Location of the status of a segment, from the location of its target."""
    return location.status_location if isinstance(location, ElementTarget | FrameTarget) else NO_STATUS_LOCATION


def is_finished(segment: Segment) -> bool:
    """Whether the file marks the segment as finished by a human."""
    return segment.state in FINISHED or (segment.state == "translated" and segment.origin not in MACHINE_ORIGINS)


def _has_attribute(text: DecodedFile, start: int, attribute: str) -> bool:
    return start >= 0 and attribute_span(text, start, attribute) is not None


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    unit, target = status_location(location)
    if has_own_state(text, target, XLIFF_1):
        return True
    has_state = _has_attribute(text, target, "state")
    if status is ReviewStatus.CONFIRMED:
        return has_state or _has_attribute(text, unit, "approved") or (add and (unit >= 0 or target >= 0))
    return status is ReviewStatus.REJECTED and (has_state or (add and (target >= 0 or _is_addable(location))))


def _is_addable(location: TargetLocation) -> bool:
    """Whether a target is missing and can be added with a `state` attribute."""
    return (
        isinstance(location, FrameTarget) and location.status_location[0] >= 0 and location.frame.attributes_offset >= 0
    )


def _with_state(location: TargetLocation, status: ReviewStatus) -> TargetLocation:
    """Return `location`, with a `state` for the new target if the target is missing and `status` is rejected."""
    if status is ReviewStatus.REJECTED and isinstance(location, FrameTarget) and _is_addable(location):
        return replace(location, attributes=f'state="{REJECTED_STATE}"')
    return location


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    unit, target = status_location(location)
    approved = "yes" if status is ReviewStatus.CONFIRMED else "no"
    if has_own_state(text, target, XLIFF_1):
        return [
            *set_attribute(text, unit, "approved", approved),
            *set_attribute(text, target, "state", XLIFF_1.states[status]),
            *set_attribute(text, target, XLIFF_1.attribute, XLIFF_1.attribute_value(status)),
        ]
    final_states = {ReviewStatus.CONFIRMED: "signed-off", ReviewStatus.REJECTED: REJECTED_STATE}
    state = final_states.get(status, "needs-review-translation")
    # a reopened segment needs no state
    missing = add and status in final_states and not _can_store(text, location, status)
    with_unit = missing and target < 0 and status is ReviewStatus.CONFIRMED
    edits = [
        *set_attribute(text, unit, "approved", approved, added="approved" if with_unit else ""),
        *set_attribute(text, target, "state", state, added="state" if missing else ""),
    ]
    # a missing target is added with its state
    return edits if edits or not missing or unit < 0 else [TextEdit(unit, unit, b"")]


STATUSES = StatusRule(
    finished_status(is_finished), _write_status, _can_store,
    needs_target=frozenset((ReviewStatus.REJECTED,)), with_state=_with_state,
)  # fmt: skip
