"""MQXLIFF of memoQ: XLIFF 1.2 whose units carry memoQ's own status, lock and match.

When a target changes, a status that was of the text before becomes `PartiallyEdited`, which memoQ shows as edited.

A segment is finished where the status ends in `Confirmed`, as `ManuallyConfirmed`, which is what whoever confirms one
makes it, or in `Proofread`; opened again, it is `PartiallyEdited`.
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.formats.bilingual import xliff1
from qe_desktop.formats.bilingual.about import About
from qe_desktop.formats.bilingual.around import is_locked
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.its import number
from qe_desktop.formats.bilingual.quality import Quality
from qe_desktop.formats.bilingual.recognition import BilingualFormat
from qe_desktop.formats.bilingual.segments import Target
from qe_desktop.formats.bilingual.splices import Splice
from qe_desktop.formats.bilingual.statuses import of_finished
from qe_desktop.formats.bilingual.xliff1 import Dialect, at_of, reader
from qe_desktop.formats.bilingual.xml_targets import Restated, stated
from qe_desktop.formats.bilingual.xml_tree import Element
from qe_desktop.wording import tr

NAMESPACE = "MQXliff"
EDITED = "PartiallyEdited"


def about(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[About]:
    """What memoQ says of the segments of a unit: the same of all."""
    return (_about(unit),) * len(mids)


def _about(unit: Element) -> About:
    state = unit.get("mq:status")
    restated = (Restated(unit.start, "mq:status", EDITED),) if state not in ("", EDITED) else ()
    locked = unit.get("mq:locked") not in ("", "false", "0") or is_locked(unit)
    origin = "mt" if state == "MachineTranslated" else ""
    percent = number(unit.get("mq:percent"))
    qualities = (Quality("percent", percent),) if percent is not None and origin != "mt" else ()
    return About(state, locked, origin, xliff1.notes_of(unit), qualities, restated, (unit.start, -1))


def _say(text: Text, place: Target, confirmed: bool) -> list[Splice]:
    return stated(text, at_of(place)[0], "mq:status", "ManuallyConfirmed" if confirmed else EDITED)


_MQ = Dialect(
    "mqxliff", tr("MQXLIFF (memoQ)"), about,
    statuses=of_finished(lambda segment: segment.state.endswith(("Confirmed", "Proofread")), _say),
)  # fmt: skip
FORMAT = BilingualFormat(
    _MQ.name, _MQ.shown, lambda begins: 1.0 if begins.is_xliff("1.") and begins.knows(NAMESPACE) else 0.0, reader(_MQ)
)
