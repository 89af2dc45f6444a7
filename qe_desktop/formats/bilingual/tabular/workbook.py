"""Workbook parts: sheets by name, shared strings, and date styles (ECMA-376, part 1: SpreadsheetML)."""

from __future__ import annotations

import datetime
import enum
import posixpath
import re
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from qe_desktop.formats.bilingual.encodings import DecodedFile, decode_file
from qe_desktop.formats.bilingual.tabular.zip_patch import ZipPackage
from qe_desktop.formats.bilingual.xml.xml_tree import Element, parse_xml
from qe_desktop.i18n.messages import tr

_DATE_FORMAT_IDS = frozenset((*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58))
_TIME_FORMAT_IDS = frozenset((*range(18, 22), *range(32, 36), 45, 47, 55, 56))
_DATE_TIME_FORMAT_ID = 22
_LITERAL_PARTS = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\[\]]*\]')
"""Pattern of the ignored parts of a number format: literal text, spaces, colours, conditions and locales."""
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_FRACTION = re.compile("s[.,]0+")
_DAY = 86_400
_LAST_DAY = 2_958_465
"""Serial number of 9999-12-31."""
_PHANTOM_DAY = 60
"""Serial number of 1900-02-29, a date that exists only in spreadsheets."""


class DateKind(enum.Enum):
    """Kind of value that a number format displays: a date, a time, or both."""

    DATE = "date"
    TIME = "time"
    BOTH = "both"


def date_kind(number: int, code: str | None) -> DateKind | None:
    """Kind of date or time that a number format displays; None if it displays neither.

    `number` is the id of the format; `code` is the format code, or None for a built-in format. Elapsed times (`[h]:mm`)
    count as numbers, not as times of day.
    """
    if code is None:
        if number == _DATE_TIME_FORMAT_ID:
            return DateKind.BOTH
        return DateKind.DATE if number in _DATE_FORMAT_IDS else DateKind.TIME if number in _TIME_FORMAT_IDS else None
    if _ELAPSED.search(code):
        return None
    # the section for non-negative numbers
    section = _LITERAL_PARTS.sub("", code).partition(";")[0].lower()
    if "general" in section or (any(char in section for char in "0#?@") and not _FRACTION.search(section)):
        return None
    has_time = any(char in section for char in "hs")
    # e and b are years, g is an era, aaa a weekday
    has_date = any(code in section for code in (*"dyebg", "aaa")) or ("m" in section and not has_time)
    if not has_date:
        return DateKind.TIME if has_time else None
    return DateKind.BOTH if has_time else DateKind.DATE


def format_date(value: str, kind: DateKind, *, from_1904: bool) -> str:
    """Format a serial number as ISO 8601, rounded to the second; return it unchanged if it is not a valid date or time.

    >>> format_date("45413", DateKind.DATE, from_1904=False)
    '2024-05-01'
    >>> format_date("45413.75", DateKind.BOTH, from_1904=False)
    '2024-05-01T18:00:00'
    >>> format_date("0.5", DateKind.TIME, from_1904=False)
    '12:00:00'
    """
    try:
        number = Decimal(value)
    except InvalidOperation:
        return value
    # converting a number with a huge exponent to an integer would take minutes
    if not number.is_finite() or number.adjusted() > 9:
        return value
    seconds = int((number * _DAY).to_integral_value())
    day, remainder = divmod(seconds, _DAY)
    if not 0 <= day <= _LAST_DAY - 1462 * from_1904:
        return value
    time = f"{remainder // 3600:02}:{remainder // 60 % 60:02}:{remainder % 60:02}"
    if kind is DateKind.TIME and day == 0:
        return time
    if not from_1904 and day in (0, _PHANTOM_DAY):
        return value
    first = datetime.date(1904, 1, 1) if from_1904 else datetime.date(1899, 12, 31 if day < _PHANTOM_DAY else 30)
    date = (first + datetime.timedelta(days=day)).isoformat()
    return date if kind is DateKind.DATE and not remainder else f"{date}T{time}"


MAX_CELL_CHARS = 32_767
"""Maximum number of characters in a cell, as counted by `count_cell_chars`."""


def count_cell_chars(text: str) -> int:
    """Return the number of characters of a text as Excel counts them: in UTF-16 code units."""
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


_ESCAPE = re.compile("_x([0-9A-Fa-f]{4})_")
_ESCAPED = re.compile("[\x00-\x08\x0b-\x1f\ufffe\uffff]|_(?=x[0-9A-Fa-f]{4}_)")


def unescape_cell_text(text: str) -> str:
    """Decode the escapes in the text of a cell, such as `_x000D_`."""
    return _ESCAPE.sub(_character, text) if "_x" in text else text


def _character(match: re.Match[str]) -> str:
    code = int(match[1], 16)
    # a lone surrogate is not a character
    return match[0] if 0xD800 <= code < 0xE000 else chr(code)


def escape_cell_text(text: str, prefix: str = "") -> str:
    """Format the text of a cell as a `t` element; `prefix` is its namespace prefix, with the colon."""
    text = _ESCAPED.sub(lambda match: f"_x{ord(match[0]):04X}_", text)
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    space = ' xml:space="preserve"' if text != text.strip() or "\n" in text or "\t" in text or "  " in text else ""
    return f"<{prefix}t{space}>{text}</{prefix}t>"


MAX_SHEETS = 1000
_RELATIONSHIP_ID_NAMES = (
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships id",
    "http://purl.oclc.org/ooxml/officeDocument/relationships id",
)
"""Names of the attribute that contains a sheet's relationship id, in transitional and in strict workbooks."""


def sheet_members(package: ZipPackage) -> dict[str, str]:
    """Map the names of worksheets to package members, in the order of the workbook.

    Raises QeError for unsupported or damaged workbooks, and UnboundPrefixError as `parse_xml` does.
    """
    main = _by_type(_relations(package, "")).get("officeDocument", "xl/workbook.xml")
    if main.endswith(".bin"):
        raise package.read_error(tr("this is a binary workbook (XLSB); only XLSX and XLSM are supported"))
    relations = _relations(package, main)
    sheets: dict[str, str] = {}

    def sheet(element: Element) -> None:
        relation_id = next(
            (element.attributes[name] for name in _RELATIONSHIP_ID_NAMES if name in element.attributes), ""
        )
        member = relations.get(relation_id, ("", ""))[1]
        if "/worksheets/" in f"/{member}" and package.has(member):
            if member in sheets.values():
                raise package.read_error(tr("two sheets refer to the same part {part}", part=member))
            sheets[element.get("name")] = member
            if len(sheets) > MAX_SHEETS:
                message = tr("there are more than {n:,} sheets", "", MAX_SHEETS)
                raise package.read_error(message, tr("Split the workbook."))

    parse_xml(_text(package, main), {"sheet": sheet})
    return sheets


@dataclass(frozen=True, slots=True)
class CellValues:
    """Workbook data that cells refer to: shared strings, and the kind of date or time that each cell style displays.

    `formatted_strings` are the indices of shared strings with formatted runs or phonetic text.
    """

    shared_strings: list[str]
    date_kinds: dict[str, DateKind]
    is_from_1904: bool = False
    formatted_strings: frozenset[int] = frozenset()

    def number(self, value: str, style: str) -> str:
        """Text of a number with this cell style: ISO 8601 for a date or time, otherwise the number as stored."""
        kind = self.date_kinds.get(style)
        return value if kind is None else format_date(value, kind, from_1904=self.is_from_1904)


def read_cell_values(package: ZipPackage) -> CellValues:
    """Read the shared strings and the date styles.

    Raises QeError if a part of the workbook is damaged, and UnboundPrefixError as `parse_xml` does.
    """
    main = _by_type(_relations(package, "")).get("officeDocument", "xl/workbook.xml")
    relations = _by_type(_relations(package, main))
    texts: list[str] = []
    formatted: set[int] = set()

    def shared(element: Element) -> None:
        if is_formatted(element):
            formatted.add(len(texts))
        texts.append(rich_text(element))

    member = relations.get("sharedStrings", "")
    if member and package.has(member):
        parse_xml(_text(package, member), {"si": shared})
    from_1904 = False

    def properties(element: Element) -> None:
        nonlocal from_1904
        from_1904 = element.get("date1904").lower() in ("1", "true", "on")

    parse_xml(_text(package, main), {"workbookPr": properties})
    member = relations.get("styles", "")
    styles = _date_styles(_text(package, member)) if member and package.has(member) else {}
    return CellValues(texts, styles, from_1904, frozenset(formatted))


def _date_styles(styles: DecodedFile) -> dict[str, DateKind]:
    """Kind of date or time that each cell style displays, by style index; styles that display neither are omitted."""
    codes: dict[str, str] = {}
    formats: list[str] = []

    def cells(element: Element) -> None:
        formats.extend([xf.get("numFmtId") for xf in element.elements() if xf.name == "xf"])

    def code(element: Element) -> None:
        codes[element.get("numFmtId")] = element.get("formatCode")

    parse_xml(styles, {"numFmt": code, "cellXfs": cells})
    kinds: dict[str, DateKind] = {}
    for style, number in enumerate(formats):
        number_format = int(number) if number.isascii() and number.isdecimal() and len(number) < 10 else 0
        kind = date_kind(number_format, codes.get(number))
        if kind is not None:
            kinds[str(style)] = kind
    return kinds


def rich_text(element: Element) -> str:
    """Text of an `si` or `is` element, including its runs but not its phonetic text."""
    parts = []
    for child in element.elements():
        if child.name == "t":
            parts.append(child.text())
        elif child.name == "r":
            parts += [text_element.text() for text_element in child.elements() if text_element.name == "t"]
    return unescape_cell_text("".join(parts))


def is_formatted(element: Element) -> bool:
    """Whether an `si` or `is` element has runs or phonetic text, which are lost when plain text replaces it."""
    return any(child.name in ("r", "rPh") for child in element.elements())


def _text(package: ZipPackage, member: str) -> DecodedFile:
    return decode_file(package.content(member), f"{package.name}!{member}")


def _relations(package: ZipPackage, member: str) -> dict[str, tuple[str, str]]:
    """Relationships of a package member: type and target member by relationship id; empty if there are none."""
    folder, name = posixpath.split(member)
    relations_member = posixpath.join(folder, "_rels", f"{name}.rels")
    relations: dict[str, tuple[str, str]] = {}

    def relation(element: Element) -> None:
        target = posixpath.normpath(posixpath.join("/", folder, element.get("Target"))).lstrip("/")
        relations[element.get("Id")] = element.get("Type").rpartition("/")[2], target

    if package.has(relations_member):
        parse_xml(_text(package, relations_member), {"Relationship": relation})
    return relations


def _by_type(relations: dict[str, tuple[str, str]]) -> dict[str, str]:
    return dict(relations.values())
