"""MQXLIFF of memoQ: XLIFF 1.2 whose units have memoQ's status, lock and match attributes.

When a target changes, a status of the previous text becomes `PartiallyEdited`, which memoQ displays as edited. A
segment is finished if the status ends in `Confirmed`, such as `ManuallyConfirmed`, or in `Proofread`. Confirming a
segment sets `ManuallyConfirmed`; reopening it sets `PartiallyEdited`.
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.formats.bilingual.bilingual_format import BilingualFormat
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Quality, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import confirmed_rule
from qe_desktop.formats.bilingual.xml import xliff12
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.target_edits import AttributeEdit, set_attribute
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata, is_locked
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_reader, status_location
from qe_desktop.formats.bilingual.xml.xml_tree import Element
from qe_desktop.i18n.messages import tr

NAMESPACE = "MQXliff"
EDITED_STATE = "PartiallyEdited"


def memoq_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """memoQ metadata of the segments of a unit, the same for all segments."""
    return (_unit_metadata(unit),) * len(mids)


def _unit_metadata(unit: Element) -> UnitMetadata:
    state = unit.get("mq:status")
    stale = (AttributeEdit(unit.start, "mq:status", EDITED_STATE),) if state not in ("", EDITED_STATE) else ()
    locked = unit.get("mq:locked") not in ("", "false", "0") or is_locked(unit)
    origin = "mt" if state == "MachineTranslated" else ""
    percent = parse_xml_number(unit.get("mq:percent"))
    qualities = (Quality("percent", percent),) if percent is not None and origin != "mt" else ()
    return UnitMetadata(state, locked, origin, xliff12.notes_of(unit), qualities, stale, (unit.start, -1))


def _write_status(text: DecodedFile, location: TargetLocation, confirmed: bool) -> list[TextEdit]:
    return set_attribute(
        text, status_location(location)[0], "mq:status", "ManuallyConfirmed" if confirmed else EDITED_STATE
    )


_MQ = XliffDialect(
    "mqxliff", tr("MQXLIFF (memoQ)"), memoq_metadata,
    statuses=confirmed_rule(lambda segment: segment.state.endswith(("Confirmed", "Proofread")), _write_status),
)  # fmt: skip
FORMAT = BilingualFormat(
    _MQ.name,
    _MQ.shown,
    lambda begins: 1.0 if begins.is_xliff("1.") and begins.knows(NAMESPACE) else 0.0,
    dialect_reader(_MQ),
)
