"""What a workbook holds: its sheets by name, and the texts that its cells share (ECMA-376, part 1: SpreadsheetML)."""

from __future__ import annotations

import datetime
import enum
import posixpath
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from qe_desktop.formats.bilingual.encodings import DecodedFile, decode_file
from qe_desktop.formats.bilingual.xlsx.zip_patch import ZipPackage
from qe_desktop.formats.bilingual.xml.xml_tree import Element, parse_xml
from qe_desktop.i18n.messages import tr

_DATES = frozenset((*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58))
_TIMES = frozenset((*range(18, 22), *range(32, 36), 45, 47, 55, 56))
_BOTH = 22
_LITERAL_PARTS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
"""Parts of a format that are text, blanks, colours, conditions and languages."""
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_FRACTION = re.compile("s[.,]0+")
_DAY = 86_400
_LAST = 2_958_465
"""The number of 9999-12-31."""
_MISSING = 60
"""The number of 1900-02-29, a day that only spreadsheets have."""


class DateKind(enum.Enum):
    """What a format shows of a number: a day, a time, or both."""

    DATE = "date"
    TIME = "time"
    BOTH = "both"


def date_kind(number: int, code: str | None) -> DateKind | None:
    """What a format shows, by its number and, for one of a workbook's own, its code; None for other numbers.

    Times that were taken (`[h]:mm`) are numbers: they are no time of a day.
    """
    if code is None:
        if number == _BOTH:
            return DateKind.BOTH
        return DateKind.DATE if number in _DATES else DateKind.TIME if number in _TIMES else None
    if _ELAPSED.search(code):
        return None
    # what is shown of numbers that are not negative
    shown = _LITERAL_PARTS.sub("", code).partition(";")[0].lower()
    if "general" in shown or (any(sign in shown for sign in "0#?@") and not _FRACTION.search(shown)):
        return None
    has_time = any(sign in shown for sign in "hs")
    has_date = any(sign in shown for sign in "dy") or ("m" in shown and not has_time)
    if not has_date:
        return DateKind.TIME if has_time else None
    return DateKind.BOTH if has_time else DateKind.DATE


def format_date(value: str, kind: DateKind, *, from_1904: bool) -> str:
    """The day or the time of a number as ISO 8601, to the second; the number itself where it is none of either.

    >>> format_date("45413", DateKind.DATE, from_1904=False)
    '2024-05-01'
    >>> format_date("45413.75", DateKind.BOTH, from_1904=False)
    '2024-05-01T18:00:00'
    >>> format_date("0.5", DateKind.TIME, from_1904=False)
    '12:00:00'
    """
    try:
        seconds = int((Decimal(value) * _DAY).to_integral_value())
    except (InvalidOperation, ValueError, OverflowError):
        return value
    day, rest = divmod(seconds, _DAY)
    if not 0 <= day <= _LAST - 1462 * from_1904:
        return value
    time = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    if kind is DateKind.TIME and day == 0:
        return time
    if not from_1904 and day in (0, _MISSING):
        return value
    first = datetime.date(1904, 1, 1) if from_1904 else datetime.date(1899, 12, 31 if day < _MISSING else 30)
    date = (first + datetime.timedelta(days=day)).isoformat()
    return date if kind is DateKind.DATE and not rest else f"{date}T{time}"


MAX_CELL_CHARS = 32_767
"""Characters of a cell, counted as Excel does, at the most."""
_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def unescape_cell_text(text: str) -> str:
    """What is meant by the text of a cell."""
    return _ESCAPE.sub(_character, text) if "_x" in text else text


def _character(found: re.Match[str]) -> str:
    code = int(found[1], 16)
    # half a character is none
    return found[0] if 0xD800 <= code < 0xE000 else chr(code)


def escape_cell_text(text: str, prefix: str = "") -> str:
    """A `t` element with a text, to stand in a cell."""
    text = _ESCAPED.sub(lambda found: f"_x{ord(found[0]):04X}_", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text or "\t" in text or "  " in text else ""
    return f"<{prefix}t{space}>{text}</{prefix}t>"


MAX_SHEETS = 1000
_RELATION = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships id",
    "http://purl.oclc.org/ooxml/officeDocument/relationships id",
)
"""The attribute of a sheet that names its relation, transitional or strict."""


def sheet_members(package: ZipPackage) -> dict[str, str]:
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
            if len(sheets) > MAX_SHEETS:
                raise package.refused(tr("there are more than {n:,} sheets", "", MAX_SHEETS))

    parse_xml(_text(package, main), {"sheet": sheet})
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
        return value if kind is None else format_date(value, kind, from_1904=self.from_1904)


def read_cell_values(package: ZipPackage) -> CellValues:
    """The texts that cells share, and the styles that are dates."""
    main = _by_type(_relations(package, "")).get("officeDocument", "xl/workbook.xml")
    relations = _by_type(_relations(package, main))
    texts: list[str] = []
    member = relations.get("sharedStrings", "")
    if member and package.has(member):
        parse_xml(_text(package, member), {"si": lambda element: texts.append(rich_text(element))})
    from_1904 = False

    def properties(element: Element) -> None:
        nonlocal from_1904
        from_1904 = element.get("date1904").lower() in ("1", "true", "on")

    parse_xml(_text(package, main), {"workbookPr": properties})
    member = relations.get("styles", "")
    styles = _dates_in(_text(package, member)) if member and package.has(member) else {}
    return CellValues(texts, styles, from_1904)


def _dates_in(styles: DecodedFile) -> dict[str, DateKind]:
    """The styles of cells that show dates or times, by their numbers."""
    codes: dict[str, str] = {}
    formats: list[str] = []

    def cells(element: Element) -> None:
        formats.extend([one.get("numFmtId") for one in element.elements() if one.name == "xf"])

    def code(element: Element) -> None:
        codes[element.get("numFmtId")] = element.get("formatCode")

    parse_xml(styles, {"numFmt": code, "cellXfs": cells})
    found: dict[str, DateKind] = {}
    for place, number in enumerate(formats):
        known = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
        kind = date_kind(known, codes.get(number))
        if kind is not None:
            found[str(place)] = kind
    return found


def rich_text(element: Element) -> str:
    """The text of an `si` or `is`: of itself and its runs, without how it is pronounced."""
    parts = []
    for child in element.elements():
        if child.name == "t":
            parts.append(child.text())
        elif child.name == "r":
            parts += [one.text() for one in child.elements() if one.name == "t"]
    return unescape_cell_text("".join(parts))


def _text(package: ZipPackage, member: str) -> DecodedFile:
    return decode_file(package.content(member), f"{package.name}!{member}")


def _relations(package: ZipPackage, member: str) -> dict[str, tuple[str, str]]:
    """What a member refers to, by the names of its relations: of which type, and which member."""
    folder, name = posixpath.split(member)
    listed = posixpath.join(folder, "_rels", f"{name}.rels")
    found: dict[str, tuple[str, str]] = {}

    def relation(element: Element) -> None:
        target = posixpath.normpath(posixpath.join("/", folder, element.get("Target"))).lstrip("/")
        found[element.get("Id")] = element.get("Type").rpartition("/")[2], target

    if package.has(listed):
        parse_xml(_text(package, listed), {"Relationship": relation})
    return found


def _by_type(relations: dict[str, tuple[str, str]]) -> dict[str, str]:
    return dict(relations.values())
