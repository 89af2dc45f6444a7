"""What a workbook holds: its sheets by name, and the texts that its cells share (ECMA-376, part 1: SpreadsheetML)."""

from __future__ import annotations

import posixpath

from qe_desktop.formats.bilingual.encodings import Text, decoded
from qe_desktop.formats.bilingual.packages import Package
from qe_desktop.formats.bilingual.sheet_texts import read
from qe_desktop.formats.bilingual.xml_tree import Element, parse
from qe_desktop.wording import tr

_RELATION = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships id",
    "http://purl.oclc.org/ooxml/officeDocument/relationships id",
)
"""The attribute of a sheet that names its relation, transitional or strict."""


def sheets_of(package: Package) -> dict[str, str]:
    """The member of each sheet, by the name that people see, in their order. QeError for what is no such workbook."""
    main = _by_type(_relations(package, "")).get("officeDocument", "xl/workbook.xml")
    if main.endswith(".bin"):
        raise package.refused(tr("this is a binary workbook (XLSB), which is not read"))
    relations = _relations(package, main)
    sheets: dict[str, str] = {}

    def sheet(element: Element) -> None:
        known = next((element.attributes[name] for name in _RELATION if name in element.attributes), "")
        member = relations.get(known, ("", ""))[1]
        if "/worksheets/" in f"/{member}" and package.has(member):
            sheets[element.get("name")] = member

    parse(_text(package, main), {"sheet": sheet})
    return sheets


def shared_texts(package: Package) -> list[str]:
    """The texts that cells share, by their numbers."""
    main = _by_type(_relations(package, "")).get("officeDocument", "xl/workbook.xml")
    member = _by_type(_relations(package, main)).get("sharedStrings", "")
    texts: list[str] = []
    if member and package.has(member):
        parse(_text(package, member), {"si": lambda element: texts.append(text_in(element))})
    return texts


def text_in(element: Element) -> str:
    """The text of an `si` or `is`: of itself and its runs, without how it is pronounced."""
    parts = []
    for child in element.elements():
        if child.name == "t":
            parts.append(child.text())
        elif child.name == "r":
            parts += [one.text() for one in child.elements() if one.name == "t"]
    return read("".join(parts))


def _text(package: Package, member: str) -> Text:
    return decoded(package.content(member), f"{package.name}!{member}")


def _relations(package: Package, member: str) -> dict[str, tuple[str, str]]:
    """What a member refers to, by the names of its relations: of which type, and which member."""
    folder, name = posixpath.split(member)
    listed = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, tuple[str, str]] = {}

    def relation(element: Element) -> None:
        target = posixpath.normpath(posixpath.join("/", folder, element.get("Target"))).lstrip("/")
        found[element.get("Id")] = element.get("Type").rpartition("/")[2], target

    if package.has(listed):
        parse(_text(package, listed), {"Relationship": relation})
    return found


def _by_type(relations: dict[str, tuple[str, str]]) -> dict[str, str]:
    return dict(relations.values())
