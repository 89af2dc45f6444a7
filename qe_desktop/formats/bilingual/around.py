"""What a unit of XLIFF has from the elements around it."""

from __future__ import annotations

from qe_desktop.formats.bilingual.xml_tree import Element


def is_locked(unit: Element) -> bool:
    """Whether the nearest element that says something says `translate="no"`."""
    said = unit.attributes.get("translate")
    element = unit.parent
    while not said and element is not None:
        said = element.attributes.get("translate") if element.attributes else None
        element = element.parent
    return said == "no"


def file_of(unit: Element) -> int:
    """Which file of the document a unit is in, by its place: names are unique within one."""
    element: Element | None = unit.parent
    while element is not None and element.name != "file":
        element = element.parent
    return element.start if element is not None else 0
