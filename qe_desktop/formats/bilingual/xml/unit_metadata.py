"""What a unit of XLIFF has from the elements around it."""

from __future__ import annotations

from qe_desktop.formats.bilingual.xml_tree import Element


def is_locked(unit: Element) -> bool:
    """Whether the nearest element that says something says `translate="no"`."""
    said = unit.attributes.get("translate")
    around = unit.parent
    if not said and around is not None:
        said = around.attributes.get("translate") or _inherited(around)
    return said == "no"


def _inherited(element: Element) -> str:
    said = element.attributes.get("translate")
    if not said:
        said = _inherited(element.parent) if element.parent is not None else "yes"
        # many units are in one element: what holds there is looked for once
        element.attributes["translate"] = said
    return said


def file_of(unit: Element) -> int:
    """Which file of the document a unit is in, by its place: names are unique within one."""
    element: Element | None = unit.parent
    while element is not None and element.name != "file":
        element = element.parent
    return element.start if element is not None else 0
