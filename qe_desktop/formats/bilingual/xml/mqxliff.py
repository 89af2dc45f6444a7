"""MQXLIFF of memoQ: XLIFF 1.2 whose units have memoQ's status, lock and match attributes.

When a target changes, the status of its unit, if any, becomes `PartiallyEdited`, which memoQ displays as edited. A
segment is finished if the status ends in `Confirmed` (such as `ManuallyConfirmed`) or in `Proofread`. Confirming a
segment sets `ManuallyConfirmed`; reopening it sets `PartiallyEdited`. A rejected segment has the status `Rejected`.
Notes are comments of the unit (`unit_notes`).
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Quality, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import StatusRule, finished_status
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata, is_locked
from qe_desktop.formats.bilingual.xml.unit_notes import MEMOQ_NOTES
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_format
from qe_desktop.formats.bilingual.xml.xliff12_status import status_location
from qe_desktop.formats.bilingual.xml.xml_targets import AttributeEdit, set_attribute
from qe_desktop.formats.bilingual.xml.xml_tree import Element, attribute_span
from qe_desktop.i18n.messages import tr

NAMESPACE = "MQXliff"
EDITED_STATE = "PartiallyEdited"


def memoq_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """memoQ metadata of a unit, repeated for each of its segments."""
    return (_unit_metadata(unit),) * len(mids)


def _unit_metadata(unit: Element) -> UnitMetadata:
    state = unit.get("mq:status")
    stale_edits = (AttributeEdit(unit.start, "mq:status", EDITED_STATE),) if state not in ("", EDITED_STATE) else ()
    locked = unit.get("mq:locked") not in ("", "false", "0") or is_locked(unit)
    origin = "mt" if state == "MachineTranslated" else ""
    percent = parse_xml_number(unit.get("mq:percent"))
    qualities = (Quality("percent", percent),) if percent is not None and origin != "mt" else ()
    return UnitMetadata(state, locked, origin, qualities, stale_edits, (unit.start, -1))


_STATE_BY_STATUS = {ReviewStatus.CONFIRMED: "ManuallyConfirmed", ReviewStatus.REJECTED: "Rejected"}


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    return set_attribute(text, status_location(location)[0], "mq:status", _STATE_BY_STATUS.get(status, EDITED_STATE))


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    start = status_location(location)[0]
    return status in _STATE_BY_STATUS and start >= 0 and attribute_span(text, start, "mq:status") is not None


_MQ = XliffDialect(
    "mqxliff", tr("MQXLIFF (memoQ)"), memoq_metadata,
    status_rule=StatusRule(
        finished_status(
            lambda segment: segment.state.endswith(("Confirmed", "Proofread")),
            lambda segment: segment.state == "Rejected",
        ),
        _write_status,
        _can_store,
    ),
    notes=MEMOQ_NOTES,
)  # fmt: skip
FORMAT = dialect_format(_MQ, 1.0, NAMESPACE)
