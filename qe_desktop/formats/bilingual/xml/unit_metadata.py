"""What a dialect says of a segment beside its texts."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.formats.bilingual.segments import Quality
from qe_desktop.formats.bilingual.xml.target_edits import NO_STATUS_LOCATION, AttributeEdit, StatusLocation
from qe_desktop.formats.bilingual.xml.xml_tree import Element


class UnitMetadata(NamedTuple):
    """State, lock, origin and notes in the file's own words, scores, what is untrue when the target changes, and where
    its status is said.
    """

    state: str = ""
    locked: bool = False
    origin: str = ""
    notes: tuple[str, ...] = ()
    qualities: tuple[Quality, ...] = ()
    restated: tuple[AttributeEdit, ...] = ()
    at: StatusLocation = NO_STATUS_LOCATION


NO_METADATA = UnitMetadata()


def is_locked(unit: Element) -> bool:
    """Whether the nearest element that says something says `translate="no"`."""
    said = unit.attributes.get("translate")
    around = unit.parent
    if not said and around is not None:
        said = around.attributes.get("translate") or _inherited_translate(around)
    return said == "no"


def _inherited_translate(element: Element) -> str:
    said = element.attributes.get("translate")
    if not said:
        said = _inherited_translate(element.parent) if element.parent is not None else "yes"
        # many units are in one element: what holds there is looked for once
        element.attributes["translate"] = said
    return said


def file_index(unit: Element) -> int:
    """Which file of the document a unit is in, by its place: names are unique within one."""
    element: Element | None = unit.parent
    while element is not None and element.name != "file":
        element = element.parent
    return element.start if element is not None else 0
