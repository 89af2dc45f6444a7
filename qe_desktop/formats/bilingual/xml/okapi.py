"""XLIFF 1.2 of Okapi and of tools built on it: translation proposals name their engine (`okp:engine`).

Issue offsets (`okp:lqiPos`) count codes in tool-specific ways, so an issue with an offset is assigned to the
whole segment.
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.formats.bilingual.segments import Quality
from qe_desktop.formats.bilingual.xml import xliff12
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_format
from qe_desktop.formats.bilingual.xml.xml_tree import Element
from qe_desktop.i18n.messages import tr

NAMESPACE = "okapi-framework:xliff-extensions"


def okapi_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """XLIFF metadata of a unit's segments, with the origin and match quality of each segment's first MT proposal."""
    metadata = xliff12.xliff12_unit_metadata(unit, target, is_shared=len(mids) > 1)
    proposals = [
        proposal for proposal in unit.elements()
        if proposal.name == "alt-trans" and (proposal.get("okp:matchType") == "MT" or proposal.get("okp:engine"))
    ]  # fmt: skip
    if not proposals:
        return (metadata,) * len(mids)
    # the first proposal of a segment, or of the whole unit, is used
    first = {mid: index for index, mid in reversed([*enumerate(proposal.get("mid") for proposal in proposals)])}
    unit_proposal = first.get("", len(proposals))
    indices = [min(first.get(mid, unit_proposal), unit_proposal) for mid in mids]
    return [_with_proposal(metadata, proposals[index]) if index < len(proposals) else metadata for index in indices]


def _with_proposal(metadata: UnitMetadata, proposal: Element) -> UnitMetadata:
    engine = proposal.get("okp:engine") or proposal.get("origin")
    value = parse_xml_number(proposal.get("match-quality").strip().removesuffix("%"))
    qualities = (Quality("match-quality", value, engine),) if value is not None else metadata.qualities
    origin = "mt" if proposal.get("okp:matchType") == "MT" else metadata.origin
    return metadata._replace(origin=origin, qualities=qualities)


_OKAPI = XliffDialect("okapi-xliff", tr("XLIFF 1.2 (Okapi)"), okapi_metadata)
FORMAT = dialect_format(_OKAPI, 0.95, NAMESPACE)
