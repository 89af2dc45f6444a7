"""What a workbook holds: its sheets by name, and the texts that its cells share (ECMA-376, part 1: SpreadsheetML)."""

from __future__ import annotations

import posixpath
from dataclasses import dataclass

from qe_desktop.formats.bilingual.encodings import Text, decoded
from qe_desktop.formats.bilingual.packages import Package
from qe_desktop.formats.bilingual.sheet_dates import DateKind, date_text, kind_of_format
from qe_desktop.formats.bilingual.sheet_texts import read
from qe_desktop.formats.bilingual.xml_tree import Element, parse
from qe_desktop.wording import tr

MOST_SHEETS = 1000
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
            if member in sheets.values():
                raise package.refused(tr("two sheets are the same part {part}", part=member))
            sheets[element.get("name")] = member
            if len(sheets) > MOST_SHEETS:
                raise package.refused(tr("there are more than {n:,} sheets", "", MOST_SHEETS))

    parse(_text(package, main), {"sheet": sheet})
    return sheets


@dataclass(frozen=True, slots=True)
class CellValues:
    """What the cells of a workbook refer to: texts that they share, by number, and which of their styles are dates."""

    shared: list[str]
    dates: dict[str, DateKind]
    from_1904: bool = False

    def number(self, value: str, style: str) -> str:
        """What a number says in a style: a date or a time as ISO 8601, or the number as it is kept."""
        kind = self.dates.get(style)
        return value if kind is None else date_text(value, kind, from_1904=self.from_1904)


def values_of(package: Package) -> CellValues:
    """The texts that cells share, and the styles that are dates."""
    main = _by_type(_relations(package, "")).get("officeDocument", "xl/workbook.xml")
    relations = _by_type(_relations(package, main))
    texts: list[str] = []
    member = relations.get("sharedStrings", "")
    if member and package.has(member):
        parse(_text(package, member), {"si": lambda element: texts.append(text_in(element))})
    from_1904 = False

    def properties(element: Element) -> None:
        nonlocal from_1904
        from_1904 = element.get("date1904").lower() in ("1", "true", "on")

    parse(_text(package, main), {"workbookPr": properties})
    member = relations.get("styles", "")
    styles = _dates_in(_text(package, member)) if member and package.has(member) else {}
    return CellValues(texts, styles, from_1904)


def _dates_in(styles: Text) -> dict[str, DateKind]:
    """The styles of cells that show dates or times, by their numbers."""
    codes: dict[str, str] = {}
    formats: list[str] = []

    def cells(element: Element) -> None:
        formats.extend([one.get("numFmtId") for one in element.elements() if one.name == "xf"])

    def code(element: Element) -> None:
        codes[element.get("numFmtId")] = element.get("formatCode")

    parse(styles, {"numFmt": code, "cellXfs": cells})
    found: dict[str, DateKind] = {}
    for place, number in enumerate(formats):
        known = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
        kind = kind_of_format(known, codes.get(number))
        if kind is not None:
            found[str(place)] = kind
    return found


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
