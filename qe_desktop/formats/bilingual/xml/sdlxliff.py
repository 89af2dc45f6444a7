"""SDLXLIFF of Trados Studio: XLIFF 1.2 with an `sdl:seg` element for each segment.

The `id` of an `sdl:seg` is the `mid` of the segment's `mrk`, and its attribute `conf` is the status of the segment.
Only segmented units are read, because Studio does not translate any others. When the target of a finished, rejected or
untranslated segment changes, the status becomes `Draft`, as in Studio. Otherwise, Studio might overwrite the target,
because it treats a segment without `conf` as not translated. The origin is kept, since it describes where the text
comes from.

A segment is finished if its status is `Translated`, `ApprovedTranslation` or `ApprovedSignOff`, and rejected if its
status is `RejectedTranslation` or `RejectedSignOff`. Confirming a segment sets `Translated`, even if there is no `conf`
yet (“not translated” in Studio). Rejecting a segment sets `RejectedTranslation`; reopening it sets `Draft`. Notes are
described in `sdl_comments`.
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import ReviewStatus
from qe_desktop.corpus.layers import STUDIO_RANKS
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Quality, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import StatusRule, finished_status
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.sdl_comments import COMMENTS, NAMESPACE
from qe_desktop.formats.bilingual.xml.unit_metadata import NO_METADATA, UnitMetadata
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_format
from qe_desktop.formats.bilingual.xml.xliff12_status import status_location
from qe_desktop.formats.bilingual.xml.xml_targets import MAX_LABEL_CHARS, AttributeEdit, set_attribute
from qe_desktop.formats.bilingual.xml.xml_tree import Element
from qe_desktop.i18n.messages import tr

_FINISHED = frozenset(("Translated", "ApprovedTranslation", "ApprovedSignOff"))
_REJECTED = frozenset(("RejectedTranslation", "RejectedSignOff"))
_FINAL = _FINISHED | _REJECTED
_NOT_TRANSLATED = ("", "Unspecified")
"""Values of `conf` of segments that Studio treats as not translated; empty if there is no `conf`."""


def studio_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """Trados Studio metadata of the segments of a unit; empty for segments without an `sdl:seg` element."""
    segments = unit.child("sdl:seg-defs")
    described: dict[str, Element] = {}
    for definition in segments.elements() if segments is not None else ():
        described.setdefault(definition.get("id"), definition)
    return [_segment_metadata(described.get(mid)) for mid in mids]


def _segment_metadata(definition: Element | None) -> UnitMetadata:
    if definition is None:
        return NO_METADATA
    state = definition.get("conf")
    stale_edits: tuple[AttributeEdit, ...] = ()
    if state in _FINAL:
        stale_edits = (AttributeEdit(definition.start, "conf", "Draft"),)
    elif state in _NOT_TRANSLATED:
        stale_edits = (AttributeEdit(definition.start, "conf", "Draft", state, is_added=True),)
    locked = definition.get("locked").lower() in ("true", "1")
    return UnitMetadata(
        state, locked, definition.get("origin"), tuple(_qualities(definition)), stale_edits, (definition.start, -1)
    )


_STATE_BY_STATUS = {ReviewStatus.CONFIRMED: "Translated", ReviewStatus.REJECTED: "RejectedTranslation"}


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    return set_attribute(
        text, status_location(location)[0], "conf", _STATE_BY_STATUS.get(status, "Draft"), added="conf"
    )


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    return status in _STATE_BY_STATUS and status_location(location)[0] >= 0


def _qualities(definition: Element) -> list[Quality]:
    """Match percentage, unless the target is MT, and quality estimates whose value is a number or a known word."""
    qualities = []
    system = definition.get("origin-system")
    percent = parse_xml_number(definition.get("percent"))
    if percent is not None and definition.get("origin") not in ("mt", "nmt", "amt"):
        qualities.append(Quality("percent", percent, system))
    for value in definition.elements():
        key = value.get("key")
        if value.name == "sdl:value" and (key == "quality_estimation" or "tqe" in key.lower()):
            number, form = parse_xml_number(value.text()), ""
            if number is None:
                number, form = _RANK_BY_WORD.get(value.text().strip().lower()), STUDIO_RANKS
            if number is not None:
                qualities.append(Quality(key, number, system, form))
    return qualities


def tag_labels(element: Element) -> dict[str, str]:
    """Labels of the tags defined in a header (`sdl:tag-defs`), by tag id, truncated to `MAX_LABEL_CHARS`.

    A label is the text that Studio shows for a standalone tag, else the tag's markup in the original file, else its
    name, else its content.
    """
    labels = {}
    for tag in element.elements():
        tag_element = next((child for child in tag.elements() if child.name in _TAG_ELEMENTS), None)
        if tag_element is not None:
            content, name = " ".join(tag_element.text().split()), tag_element.get("name")
            # a comment's text is less informative than its name
            markup = content if content.startswith(f"<{name}") else ""
            labels[tag.get("id")] = (tag_element.get("equiv-text") or markup or name or content)[:MAX_LABEL_CHARS]
    return labels


_TAG_ELEMENTS = ("sdl:bpt", "sdl:ph", "sdl:st")
_RANK_BY_WORD = {"good": 3.0, "adequate": 2.0, "poor": 1.0}
"""Ranks (`STUDIO_RANKS`) of Studio's words for MT quality; Studio does not document the words' numeric values."""
_SDL = XliffDialect(
    "sdlxliff", tr("SDLXLIFF (Trados Studio)"), studio_metadata, has_unsegmented_units=False,
    status_rule=StatusRule(
        finished_status(lambda segment: segment.state in _FINISHED, lambda segment: segment.state in _REJECTED),
        _write_status,
        _can_store,
    ),
    has_segment_statuses=True, label_definitions=("sdl:tag-defs", tag_labels), notes=COMMENTS,
)  # fmt: skip
FORMAT = dialect_format(_SDL, 1.0, NAMESPACE)
