"""SDLXLIFF of Trados Studio: XLIFF 1.2 whose segments are described by `sdl:seg`, by the number of their `mrk`.

Only what is cut into segments is translated. When a target changes, what was said of the text before (`Translated`,
`ApprovedTranslation`, `RejectedSignOff` and their like) becomes `Draft`, as it does in Studio until somebody confirms
it. The origin stays, for it says where the text came from.

A segment is finished where `conf` is `Translated`, `ApprovedTranslation` or `ApprovedSignOff`. Whoever confirms one
makes it `Translated`, also where there is no `conf` yet, which Studio takes for “not translated”; opened again, it is
a `Draft`.
"""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus.layers import STUDIO_RANKS
from qe_desktop.formats.bilingual.bilingual_format import BilingualFormat
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Quality, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import confirmed_rule
from qe_desktop.formats.bilingual.xml.its_reader import parse_xml_number
from qe_desktop.formats.bilingual.xml.target_edits import AttributeEdit, set_attribute
from qe_desktop.formats.bilingual.xml.unit_metadata import NO_METADATA, UnitMetadata
from qe_desktop.formats.bilingual.xml.xliff12 import XliffDialect, dialect_reader, status_location
from qe_desktop.formats.bilingual.xml.xml_contents import MAX_LABEL_CHARS
from qe_desktop.formats.bilingual.xml.xml_tree import Element
from qe_desktop.i18n.messages import tr

NAMESPACE = "http://sdl.com/FileTypes/SdlXliff/1.0"
_FINISHED = frozenset(("Translated", "ApprovedTranslation", "ApprovedSignOff"))
_DECIDED = _FINISHED | {"RejectedTranslation", "RejectedSignOff"}


def studio_metadata(unit: Element, target: Element | None, mids: Sequence[str]) -> Sequence[UnitMetadata]:
    """What Studio says of the segments of a unit."""
    segments = unit.child("sdl:seg-defs")
    described: dict[str, Element] = {}
    for one in segments.elements() if segments is not None else ():
        described.setdefault(one.get("id"), one)
    return [_about(described.get(mid)) for mid in mids]


def _about(held: Element | None) -> UnitMetadata:
    if held is None:
        return NO_METADATA
    state = held.get("conf")
    restated = (AttributeEdit(held.start, "conf", "Draft"),) if state in _DECIDED else ()
    locked = held.get("locked").lower() in ("true", "1")
    return UnitMetadata(state, locked, held.get("origin"), (), tuple(_qualities(held)), restated, (held.start, -1))


def _write_status(text: DecodedFile, place: TargetLocation, confirmed: bool) -> list[TextEdit]:
    return set_attribute(text, status_location(place)[0], "conf", "Translated" if confirmed else "Draft", added="conf")


def _qualities(held: Element) -> list[Quality]:
    """The match of a memory, in per cent, and what Studio's own quality estimation gave, where that is a number."""
    found = []
    system = held.get("origin-system")
    percent = parse_xml_number(held.get("percent"))
    if percent is not None and held.get("origin") not in ("mt", "nmt", "amt"):
        found.append(Quality("percent", percent, system))
    for value in held.elements():
        key = value.get("key")
        if value.name == "sdl:value" and (key == "quality_estimation" or "tqe" in key.lower()):
            given, form = parse_xml_number(value.text()), ""
            if given is None:
                given, form = _WORDS.get(value.text().strip().lower()), STUDIO_RANKS
            if given is not None:
                found.append(Quality(key, given, system, form))
    return found


def tag_labels(element: Element) -> dict[str, str]:
    """What the tags of a header are called (`sdl:tag-defs`), by the ids that codes have: what Studio shows for one that
    stands alone, or else its markup in the file that was translated, or else its name.
    """
    found = {}
    for tag in element.elements():
        held = next((one for one in tag.elements() if one.name in _TAG_ELEMENTS), None)
        if held is not None:
            written, name = " ".join(held.text().split()), held.get("name")
            # a comment's text tells less than that it is one
            markup = written if written.startswith(f"<{name}") else ""
            found[tag.get("id")] = (held.get("equiv-text") or markup or name or written)[:MAX_LABEL_CHARS]
    return found


_TAG_ELEMENTS = ("sdl:bpt", "sdl:ph", "sdl:st")
_WORDS = {"good": 3.0, "adequate": 2.0, "poor": 1.0}
"""Studio's words for the quality of MT, as ranks (`STUDIO`): what they are in numbers is said nowhere."""
_SDL = XliffDialect(
    "sdlxliff", tr("SDLXLIFF (Trados Studio)"), studio_metadata, whole_units=False,
    statuses=confirmed_rule(lambda segment: segment.state in _FINISHED, _write_status), by_segment=True,
    labels=("sdl:tag-defs", tag_labels),
)  # fmt: skip
FORMAT = BilingualFormat(
    _SDL.name,
    _SDL.shown,
    lambda begins: 1.0 if begins.is_xliff("1.") and begins.knows(NAMESPACE) else 0.0,
    dialect_reader(_SDL),
)
