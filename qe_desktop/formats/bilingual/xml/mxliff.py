"""MXLIFF of Phrase, formerly Memsource: XLIFF 1.2 whose codes are text: `{1}`, `{1>…<1}`, `{b>…<b}`.

The only MT quality score in known files is `m:score`, from 0 to 1.01 (1.01 is 101 %); it is read only if
`m:trans-origin` is `mt`. When a target changes, `m:confirmed` becomes 0.

A segment is finished if `m:confirmed` is 1 (or `true`). Confirming a segment sets the attribute to 1; reopening or
rejecting the segment sets it to 0. No status marks rejected segments. A note is the comment of its unit
(`unit_notes`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind, Content
from qe_desktop.formats.bilingual.segments import Quality, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import StatusRule, finished_status
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.unit_metadata import UnitMetadata, is_locked
from qe_desktop.formats.bilingual.xml.unit_notes import PHRASE_NOTES
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_format
from qe_desktop.formats.bilingual.xml.xliff12_status import status_location
from qe_desktop.formats.bilingual.xml.xml_targets import AttributeEdit, set_attribute
from qe_desktop.formats.bilingual.xml.xml_tree import Element, attribute_span
from qe_desktop.i18n.messages import tr

NAMESPACE = "http://www.memsource.com/mxlf/2.0"
_CODE = re.compile(r"\{(?P<alone>[0-9]{1,6})\}|\{(?P<open>[0-9]{1,6}|[a-z]{1,9})>|<(?P<close>[0-9]{1,6}|[a-z]{1,9})\}")


def split_text_codes(content: Content) -> Content:
    """Convert codes that are written as text, such as `{1}`, to inline codes."""
    return tuple(part for run in content for part in (_split(run) if isinstance(run, str) else (run,)))


def _split(text: str) -> Iterator[str | Code]:
    position = 0
    for match in _CODE.finditer(text):
        if position < match.start():
            yield text[position : match.start()]
        kind = CodeKind(match.lastgroup)
        raw = match[0].replace("<", "&lt;").replace(">", "&gt;")
        yield Code(kind, f"{{{match[kind.value]}", raw, match[0])
        position = match.end()
    if position < len(text):
        yield text[position:]


def check_text_codes(text: DecodedFile, content: Content) -> None:
    """Raise QeError without a location if part of the text would be read as a code, such as `{1}`."""
    match = next((match for run in content if isinstance(run, str) and (match := _CODE.search(run))), None)
    if match is not None:
        message = tr("the text {code} would be read as an inline code", code=match[0])
        raise QeError(message, hint=tr("Use the codes of the source, or remove this text."))


def phrase_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """Phrase metadata of a unit, repeated for each of its segments."""
    return (_unit_metadata(unit),) * len(mids)


def _unit_metadata(unit: Element) -> UnitMetadata:
    confirmed = unit.get("m:confirmed") in ("1", "true")
    stale_edits = (AttributeEdit(unit.start, "m:confirmed", "0"),) if confirmed else ()
    locked = unit.get("m:locked") in ("1", "true") or is_locked(unit)
    origin, score = unit.get("m:trans-origin"), parse_xml_number(unit.get("m:score"))
    qualities = (Quality("m:score", score),) if origin == "mt" and score is not None else ()
    state, at = "confirmed" if confirmed else "", (unit.start, -1)
    return UnitMetadata(state, locked, origin, qualities, stale_edits, at)


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    confirmed = "1" if status is ReviewStatus.CONFIRMED else "0"
    return set_attribute(text, status_location(location)[0], "m:confirmed", confirmed)


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    start = status_location(location)[0]
    return status is ReviewStatus.CONFIRMED and start >= 0 and attribute_span(text, start, "m:confirmed") is not None


_MX = XliffDialect(
    "mxliff", tr("MXLIFF (Phrase, Memsource)"), phrase_metadata, split_text_codes,
    status_rule=StatusRule(finished_status(lambda segment: segment.state == "confirmed"), _write_status, _can_store),
    notes=PHRASE_NOTES, check_content=check_text_codes,
)  # fmt: skip
FORMAT = dialect_format(_MX, 1.0, NAMESPACE)
