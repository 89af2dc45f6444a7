"""Metadata of a segment in a dialect of XLIFF, and the length limits, lock and `file` element of a unit."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from qe_desktop.corpus.translation_job import NO_RULES, TargetRules
from qe_desktop.formats.bilingual.segments import Quality
from qe_desktop.formats.bilingual.xml.xml_targets import NO_STATUS_LOCATION, AttributeEdit, StatusLocation
from qe_desktop.formats.bilingual.xml.xml_tree import Element


class UnitMetadata(NamedTuple):
    """Metadata of a segment: state, lock, origin and scores as in the file.

    `stale_edits` update the attributes that become obsolete when the target changes. `status_location` contains the
    offsets of the tags that store the status.
    """

    state: str = ""
    locked: bool = False
    origin: str = ""
    qualities: tuple[Quality, ...] = ()
    stale_edits: tuple[AttributeEdit, ...] = ()
    status_location: StatusLocation = NO_STATUS_LOCATION


NO_METADATA = UnitMetadata()
_LENGTH = re.compile("[1-9][0-9]{0,8}", re.ASCII)


def unit_rules(unit: Element) -> TargetRules:
    """Length limits of a unit in XLIFF 1.2.

    The maximum number of characters is `maxwidth` if `size-unit` is `char`, otherwise memoQ's `mq:maxlengthchars`. The
    maximum number of bytes is `maxbytes`.
    """
    attributes = unit.attributes
    if attributes.get("size-unit") == "char" and "maxwidth" in attributes:
        chars = attributes["maxwidth"]
    else:
        chars = unit.get("mq:maxlengthchars")
    size = attributes.get("maxbytes", "")
    return max_length_rules(chars, size) if chars or size else NO_RULES


@lru_cache(maxsize=1024)
def max_length_rules(chars: str, size: str = "") -> TargetRules:
    """Parse the maximum numbers of characters (`chars`) and bytes (`size`) of a target; ignore invalid numbers."""
    max_length, max_bytes = [
        int(number) if _LENGTH.fullmatch(number) else 0 for number in (chars.strip(), size.strip())
    ]
    return TargetRules(max_length=max_length, max_bytes=max_bytes) if max_length or max_bytes else NO_RULES


def is_locked(unit: Element) -> bool:
    """Whether the `translate` attribute of a unit, or else of the nearest ancestor that has one, is `no`."""
    translate = unit.attributes.get("translate")
    parent = unit.parent
    if not translate and parent is not None:
        translate = parent.attributes.get("translate") or _inherited_translate(parent)
    return translate == "no"


def _inherited_translate(element: Element) -> str:
    translate = element.attributes.get("translate")
    if not translate:
        translate = _inherited_translate(element.parent) if element.parent is not None else "yes"
        # cached, because many units share a parent element
        element.attributes["translate"] = translate
    return translate


def file_of(unit: Element) -> Element | None:
    """`file` element that contains a unit; None if there is none. Unit names are local to this element."""
    element: Element | None = unit.parent
    while element is not None and element.name != "file":
        element = element.parent
    return element


def file_offset(unit: Element) -> int:
    """Offset of the `file` element that contains a unit; 0 if there is none."""
    element = file_of(unit)
    return element.start if element is not None else 0
