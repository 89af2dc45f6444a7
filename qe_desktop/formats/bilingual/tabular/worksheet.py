"""Worksheets: their XML as a member of a package, rows and cells with offsets in the XML, and column options."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.columns import (
    AUTO_COLUMNS,
    ChoiceKind,
    ColumnChoice,
    ColumnOptions,
    find_source_and_target,
)
from qe_desktop.formats.bilingual.encodings import DecodedFile, decode_file
from qe_desktop.formats.bilingual.tabular.workbook import (
    CellValues,
    is_formatted,
    read_cell_values,
    rich_text,
    sheet_members,
    unescape_cell_text,
)
from qe_desktop.formats.bilingual.tabular.zip_patch import ZipPackage, open_package
from qe_desktop.formats.bilingual.xml.xml_tree import Element, UnboundPrefixError, element_end, parse_xml, tag_end
from qe_desktop.formats.files import MAX_SEGMENTS
from qe_desktop.i18n.messages import tr

MAX_SHEET_COLUMNS = 16_384
_CELL_NAME = re.compile("([A-Z]{1,3})([0-9]{1,7})")
_RANGE = re.compile(f"{_CELL_NAME.pattern}:{_CELL_NAME.pattern}")


@dataclass(frozen=True, slots=True, eq=False)
class SheetText(DecodedFile):
    """XML of a sheet (`utf8`) that is a member of a package; `data` is the whole package file."""

    package: ZipPackage | None = None
    member: str = ""

    def encode_file(self, utf8: bytes) -> bytes:
        """Return the package file with `utf8` as the new XML of the sheet."""
        assert self.package is not None
        if utf8 == self.utf8:
            # no recompression: other programs compress differently
            return self.data
        return self.package.with_content(self.member, self.byte_order_mark + self.encode(utf8))

    def unchanged_size(self, unchanged_pieces: Iterable[bytes]) -> int:
        """Number of uncompressed bytes that do not change: `unchanged_pieces` of the sheet, and all other members."""
        assert self.package is not None
        other_bytes = self.package.size() - self.package.members[self.member].file_size
        return other_bytes + len(self.byte_order_mark) + sum(len(self.encode(piece)) for piece in unchanged_pieces)


def sheet_text(package: ZipPackage, member: str) -> SheetText:
    """Read a sheet of a workbook. Raises QeError as `ZipPackage.content` does, or if the sheet is not text."""
    inner = decode_file(package.content(member), f"{package.name}!{member}")
    return SheetText(package.name, package.data, inner.utf8, inner.codec, inner.byte_order_mark, True, package, member)


class SheetCell(NamedTuple):
    """Span of a cell, and whether a formula computes its value (`is_computed`).

    `is_plain` is true if the cell is empty or contains unformatted text. `is_covered` is true for the cells of a merged
    range that are not displayed (all but the first), even if the file does not contain them.
    """

    start: int
    end: int
    is_computed: bool
    is_plain: bool
    is_covered: bool = False


@dataclass(slots=True)
class SheetRow:
    """Row of a sheet: its 1-based number, and its cells and non-empty texts by 0-based column index.

    `cells` contains only cells of requested columns (target, status and note). For each of these columns,
    `insert_offsets` has the offset at which a missing cell is inserted. `prefix` is the namespace prefix of elements in
    the sheet, with its colon.
    """

    number: int
    insert_offsets: dict[int, int]
    prefix: str
    cells: dict[int, SheetCell] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)


def column_letters(index: int) -> str:
    """Letters of the column with a 0-based index: A to Z, then AA, AB and so on."""
    letters = ""
    index += 1
    while index:
        index, remainder = divmod(index - 1, 26)
        letters = chr(ord("A") + remainder) + letters
    return letters


def column_index(letters: str) -> int:
    """0-based index of the column with these letters."""
    index = 0
    for letter in letters:
        index = index * 26 + ord(letter) - ord("A") + 1
    return index - 1


class _RowLimitReachedError(Exception):
    """Raised to stop parsing at the last requested row."""


def read_rows(
    sheet: SheetText, values: CellValues, max_rows: int = MAX_SEGMENTS + 1, *, requested_columns: Sequence[int] = ()
) -> list[SheetRow]:
    """Read at most `max_rows` non-empty rows of a sheet, with the spans of their cells in `requested_columns`.

    Raises QeError with the location of the row or cell if rows or cells are out of order, a cell is invalid, or there
    are too many rows. Invalid XML raises QeError or UnboundPrefixError as in `parse_xml`.
    """
    rows: list[SheetRow] = []
    written_columns = [column for column in requested_columns if column >= 0]
    last = 0

    def row(element: Element) -> None:
        nonlocal last
        number = int(row_number) if (row_number := element.get("r")).isdecimal() and len(row_number) < 8 else last + 1
        if number <= last:
            raise _sheet_error(sheet, f"{number}", tr("the rows are out of order"))
        if len(rows) >= MAX_SEGMENTS:
            message = tr("there are more than {n:,} {n:row|rows}", "", MAX_SEGMENTS)
            raise _sheet_error(sheet, f"{number}", message, hint=tr("Divide the sheet into several workbooks."))
        last = number
        tag = sheet.text_between(element.start, tag_end(sheet, element.start))
        name = tag[1:].split(None, 1)[0].rstrip("/>")
        # a self-closing row has no cells, and none can be inserted
        insert_offsets = dict.fromkeys(written_columns, tag_end(sheet, element.start))
        sheet_row = SheetRow(number, insert_offsets, name.removesuffix("row"))
        _fill(sheet_row, element, sheet, values)
        if any(sheet_row.texts.values()):
            rows.append(sheet_row)
        if len(rows) >= max_rows:
            raise _RowLimitReachedError

    with suppress(_RowLimitReachedError):
        root = parse_xml(sheet, {"row": row})
        _mark_covered(rows, written_columns, root.child("mergeCells"))
    return rows


def _mark_covered(rows: Sequence[SheetRow], columns: Sequence[int], merged: Element | None) -> None:
    """Set `is_covered` in cells of these columns that are hidden by a merged range."""
    ranges: list[tuple[int, int, int, int]] = []
    for element in merged.elements() if merged is not None else ():
        if match := _RANGE.fullmatch(element.get("ref")):
            ranges.append((column_index(match[1]), column_index(match[3]), int(match[2]), int(match[4])))
    for column in columns:
        # the first cell is displayed
        spans = sorted(
            (top + (left == column), bottom) for left, right, top, bottom in ranges if left <= column <= right
        )
        position = covered_until = 0
        for row in rows if spans else ():
            while position < len(spans) and spans[position][0] <= row.number:
                covered_until = max(covered_until, spans[position][1])
                position += 1
            if row.number <= covered_until:
                offset = row.insert_offsets[column]
                row.cells[column] = row.cells.get(column, SheetCell(offset, offset, False, True))._replace(
                    is_covered=True
                )


def _fill(row: SheetRow, element: Element, sheet: SheetText, values: CellValues) -> None:
    last, last_written = -1, max(row.insert_offsets, default=-1)
    for cell in element.elements():
        if cell.name != "c":
            continue
        name = _CELL_NAME.fullmatch(cell.get("r"))
        index = column_index(name[1]) if name else last + 1
        location = f"{column_letters(index)}{row.number}"
        if index >= MAX_SHEET_COLUMNS:
            message = tr("there are more than {n:,} {n:column|columns}", "", MAX_SHEET_COLUMNS)
            raise _sheet_error(sheet, location, message)
        if index <= last or (name and int(name[2]) != row.number):
            raise _sheet_error(sheet, location, tr("the cells are out of order"))
        last = index
        if text := _text_of(cell, sheet, values, location):
            row.texts[index] = text
        if index <= last_written:
            end = element_end(sheet, cell)
            for column in row.insert_offsets:
                if index == column:
                    is_plain = not text or _is_plain(cell, values)
                    row.cells[index] = SheetCell(cell.start, end, cell.child("f") is not None, is_plain)
                elif index < column:
                    row.insert_offsets[column] = end


def _text_of(cell: Element, sheet: SheetText, values: CellValues, location: str) -> str:
    """Text of a cell: a string, a date as ISO 8601, or another value as stored; empty if there is none."""
    kind = cell.get("t")
    if kind == "inlineStr":
        inline = cell.child("is")
        return rich_text(inline) if inline is not None else ""
    value = cell.child("v")
    text = value.text() if value is not None else ""
    if kind != "s" or not text:
        if kind in ("", "n") and text:
            return values.number(text.strip(), cell.get("s"))
        return unescape_cell_text(text) if kind == "str" else text
    number = text.strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and int(number) < len(values.shared_strings)):
        raise _sheet_error(sheet, location, tr("the cell refers to a missing shared string"))
    return values.shared_strings[int(number)]


def _is_plain(cell: Element, values: CellValues) -> bool:
    """Whether a cell contains unformatted text, not a number, date or boolean; its value must be valid."""
    kind, inline, value = cell.get("t"), cell.child("is"), cell.child("v")
    if kind == "inlineStr":
        return inline is None or not is_formatted(inline)
    if kind == "s":
        return value is None or int(value.text()) not in values.formatted_strings
    return kind == "str"


def _sheet_error(sheet: SheetText, location: str, message: str, hint: str = "") -> QeError:
    default_hint = tr("Save the workbook again in the program that created it.")
    return QeError(message, hint=hint or default_hint, place=SourceLocation(f"{sheet.name}!{location}"))


MAX_OPTION_SHEETS = 50
MAX_OPTION_COLUMNS = 100
"""Maximum number of columns per sheet listed as options; further columns can be specified on the command line."""
MAX_INSPECTED_ROWS = 10
"""Maximum number of rows of a sheet that are read to count and preview its columns."""


class SheetHead(NamedTuple):
    """First rows of a sheet, all with the same number of cells."""

    name: str
    rows: list[tuple[str, ...]]

    def letters(self) -> tuple[str, ...]:
        """Column letters of the sheet."""
        return tuple(column_letters(index) for index in range(len(self.rows[0])))


def workbook_column_options(data: bytes) -> ColumnOptions | None:
    """Columns of all sheets that can be selected as source or target.

    The source and target columns detected by name are the default if exactly one sheet has both. Returns None if no
    readable sheet has two columns.
    """
    sheets, several = _sheets(data)
    if not sheets:
        return None
    detected = [columns for sheet in sheets if (columns := _detect_sheet_columns(sheet)) is not None]
    default = AUTO_COLUMNS
    if len(detected) == 1:
        (name, source, target) = detected[0]
        default = ColumnChoice(_qualified_column(name, source, several), _qualified_column(name, target, several))
    names = [_qualified_column(sheet.name, column, several) for sheet in sheets for column in _columns(sheet)]
    return ColumnOptions(ChoiceKind.COLUMNS, tuple(names), default)


def first_rows(data: bytes, choice: ColumnChoice, max_rows: int) -> list[tuple[str, ...]]:
    """Column letters and up to `max_rows` rows of the sheet that `choice` names, else of the first sheet.

    Only readable sheets with at least two columns are considered; if there is none, one empty row is returned.
    """
    sheets, several = _sheets(data)
    if not sheets:
        return [()]
    sheet_name, _ = split_sheet_column(choice.source or choice.target)
    selected = [head for head in sheets if head.name == sheet_name]
    sheet = (selected or sheets)[0]
    letters = tuple(_qualified_column(sheet.name, letter, several) for letter in sheet.letters())
    return [letters, *sheet.rows[:max_rows]]


def split_sheet_column(column: str) -> tuple[str, str]:
    """Split a user's selection into sheet and column: `Sheet1!B`, `'My sheet'!source`, or `B` alone."""
    sheet, separator, name = column.rpartition("!")
    return (sheet.strip("'"), name) if separator else ("", column)


def _sheets(data: bytes) -> tuple[list[SheetHead], bool]:
    """Sheets with at least two columns, up to the first unreadable sheet, and whether several sheets have content."""
    heads: list[SheetHead] = []
    non_empty = 0
    with suppress(QeError, UnboundPrefixError):
        package = open_package(data, "")
        values = read_cell_values(package)
        for name, member in list(sheet_members(package).items())[:MAX_OPTION_SHEETS]:
            row_texts = [row.texts for row in read_rows(sheet_text(package, member), values, MAX_INSPECTED_ROWS)]
            non_empty += bool(row_texts)
            width = min(MAX_OPTION_COLUMNS, max((max(texts, default=-1) + 1 for texts in row_texts), default=0))
            if width > 1:
                heads.append(
                    SheetHead(name, [tuple(cells.get(index, "") for index in range(width)) for cells in row_texts])
                )
    return heads, non_empty > 1


def _columns(sheet: SheetHead) -> list[str]:
    """Names by which the columns of a sheet can be selected: unique titles, then letters that are not titles."""
    header = sheet.rows[0]
    names = [name for name in header if _has_unique_title(header, name)]
    return [*names, *(letter for letter in sheet.letters() if letter not in header)]


def _has_unique_title(header: Sequence[str], name: str) -> bool:
    """Whether a title is unique and can be combined with the name of its sheet."""
    return bool(name.strip()) and "!" not in name and header.count(name) == 1


def _detect_sheet_columns(sheet: SheetHead) -> tuple[str, str, str] | None:
    """Name of a sheet, and titles of its source and target columns; None unless both are detected by name."""
    header = sheet.rows[0]
    indices = find_source_and_target(header)
    return None if indices is None else (sheet.name, header[indices[0]], header[indices[1]])


def _qualified_column(sheet: str, column: str, several: bool) -> str:
    return f"{sheet}!{column}" if several else column
