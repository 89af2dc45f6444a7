"""XLIFF 1.2 of Okapi and the tools built on it: proposals name the engine that made them (`okp:engine`).

Places of issues (`okp:lqiPos`) count codes in a way that differs from tool to tool; an issue with one is of the whole
segment.
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.formats.bilingual.bilingual_format import BilingualFormat
from qe_desktop.formats.bilingual.segments import Quality
from qe_desktop.formats.bilingual.xml import xliff12
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_reader
from qe_desktop.formats.bilingual.xml.xml_tree import Element
from qe_desktop.i18n.messages import tr

NAMESPACE = "okapi-framework:xliff-extensions"


def okapi_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """What XLIFF says of the segments of a unit, and who proposed the target of each."""
    said = xliff12.xliff12_unit_metadata(unit, target)
    proposals = [
        one for one in unit.elements()
        if one.name == "alt-trans" and (one.get("okp:matchType") == "MT" or one.get("okp:engine"))
    ]  # fmt: skip
    if not proposals:
        return (said,) * len(mids)
    # the first proposal of a segment, or of the whole unit, counts
    first = {mid: number for number, mid in reversed([*enumerate(one.get("mid") for one in proposals)])}
    of_all = first.get("", len(proposals))
    numbers = [min(first.get(mid, of_all), of_all) for mid in mids]
    return [_with_proposal(said, proposals[one]) if one < len(proposals) else said for one in numbers]


def _with_proposal(said: UnitMetadata, made: Element) -> UnitMetadata:
    engine = made.get("okp:engine") or made.get("origin")
    value = parse_xml_number(made.get("match-quality").strip().removesuffix("%"))
    qualities = (Quality("match-quality", value, engine),) if value is not None else said.qualities
    origin = "mt" if made.get("okp:matchType") == "MT" else said.origin
    return said._replace(origin=origin, qualities=qualities)


_OKAPI = XliffDialect("okapi-xliff", tr("XLIFF 1.2 (Okapi)"), okapi_metadata)
FORMAT = BilingualFormat(
    _OKAPI.name, _OKAPI.shown, lambda begins: 0.95 if begins.is_xliff("1.") and begins.knows(NAMESPACE) else 0.0,
    dialect_reader(_OKAPI),
)  # fmt: skip
