"""The rows and cells of a sheet, with their places in its XML, and the sheet as the text of the workbook around it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.column_choice import AUTO_COLUMNS, ChoiceKind, ColumnChoice, ColumnOptions
from qe_desktop.formats.bilingual.encodings import DecodedFile, decode_file
from qe_desktop.formats.bilingual.tabular.column_names import SOURCES, TARGETS, find_columns
from qe_desktop.formats.bilingual.xlsx.workbook import (
    CellValues,
    read_cell_values,
    rich_text,
    sheet_members,
    unescape_cell_text,
)
from qe_desktop.formats.bilingual.xlsx.zip_patch import ZipPackage, open_package
from qe_desktop.formats.bilingual.xml.xml_tree import Element, UnboundPrefixError, element_end, parse_xml, tag_end
from qe_desktop.formats.io.limits import MAX_SEGMENTS
from qe_desktop.i18n.messages import tr

MAX_SHEET_COLUMNS = 16_384
_NAMED = re.compile("([A-Z]{1,3})([0-9]{1,7})")


@dataclass(frozen=True, slots=True, eq=False)
class SheetText(DecodedFile):
    """A sheet's XML (`utf8`) as a member of a package, which is the file (`data`)."""

    package: ZipPackage | None = None
    member: str = ""

    def back(self, utf8: bytes) -> bytes:
        """The whole package with another sheet in this one's place."""
        assert self.package is not None
        if utf8 == self.utf8:
            # nothing is packed again, for other programs pack in other ways
            return self.data
        return self.package.with_content(self.member, self.mark + self.own(utf8))

    def identical(self, kept: Iterable[bytes]) -> int:
        """Bytes of the sheet that stay, and of all other members, as they are unpacked."""
        assert self.package is not None
        others = self.package.size() - self.package.members[self.member].file_size
        return others + len(self.mark) + sum(len(self.own(piece)) for piece in kept)


def sheet_text(package: ZipPackage, member: str) -> SheetText:
    """A sheet of a workbook. QeError where it is damaged or no text."""
    inner = decode_file(package.content(member), f"{package.name}!{member}")
    return SheetText(package.name, package.data, inner.utf8, inner.codec, inner.mark, True, package, member)


class SheetCell(NamedTuple):
    """Where a cell stands, and whether a formula computes it."""

    start: int
    end: int
    computed: bool


@dataclass(slots=True)
class SheetRow:
    """A row: its number from 1, the cells that may change and all texts by their columns from 0, and where the cell of
    a target would stand that is missing (`within`).

    `prefix` is what names of elements have in front here.
    """

    number: int
    within: int
    prefix: str
    cells: dict[int, SheetCell] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)


def column_letters(place: int) -> str:
    """What a spreadsheet calls a column, by its place from 0: A to Z, AA…"""
    named = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        named = chr(ord("A") + rest) + named
    return named


def column_index(letters: str) -> int:
    """The place of a column from 0, by what a spreadsheet calls it."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


class _RowLimitReachedError(Exception):
    """Ends the reading at the last row that is wanted."""


def read_rows(
    sheet: SheetText, values: CellValues, most: int = MAX_SEGMENTS + 1, *, target: int = -1, state: int = -1
) -> list[SheetRow]:
    """The rows of a sheet that have texts, `most` at most, with their cells in the columns of `target` and `state`.

    QeError with the cell for what no spreadsheet writes.
    """
    rows: list[SheetRow] = []
    last = 0

    def row(element: Element) -> None:
        nonlocal last
        number = int(said) if (said := element.get("r")).isdecimal() and len(said) < 8 else last + 1
        if number <= last or len(rows) >= MAX_SEGMENTS:
            raise _sheet_error(sheet, f"{number}", tr("the rows are in no order"))
        last = number
        tag = sheet.cut(element.start, tag_end(sheet, element.start))
        name = tag[1:].split(None, 1)[0].rstrip("/>")
        # a row that is written as one tag has no cells, and gets none
        one = SheetRow(number, tag_end(sheet, element.start), name.removesuffix("row"))
        _fill(one, element, sheet, values, (target, state))
        if any(one.texts.values()):
            rows.append(one)
        if len(rows) >= most:
            raise _RowLimitReachedError

    with suppress(_RowLimitReachedError):
        parse_xml(sheet, {"row": row})
    return rows


def _fill(row: SheetRow, element: Element, sheet: SheetText, values: CellValues, wanted: tuple[int, int]) -> None:
    at = -1
    for cell in element.elements():
        if cell.name != "c":
            continue
        named = _NAMED.fullmatch(cell.get("r"))
        place = column_index(named[1]) if named else at + 1
        where = f"{column_letters(place)}{row.number}"
        if place <= at or place >= MAX_SHEET_COLUMNS or (named and int(named[2]) != row.number):
            raise _sheet_error(sheet, where, tr("the cells are in no order"))
        at = place
        if place in wanted:
            row.cells[place] = SheetCell(cell.start, element_end(sheet, cell), cell.child("f") is not None)
        if place < wanted[0]:
            row.within = element_end(sheet, cell)
        if text := _text_of(cell, sheet, values, where):
            row.texts[place] = text


def _text_of(cell: Element, sheet: SheetText, values: CellValues, where: str) -> str:
    """What a cell says: a text, a date as ISO 8601, or another number as it is kept."""
    kind = cell.get("t")
    if kind == "inlineStr":
        held = cell.child("is")
        return rich_text(held) if held is not None else ""
    value = cell.child("v")
    text = value.text() if value is not None else ""
    if kind != "s" or not text:
        if kind in ("", "n") and text:
            return values.number(text.strip(), cell.get("s"))
        return unescape_cell_text(text) if kind == "str" else text
    number = text.strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and int(number) < len(values.shared)):
        raise _sheet_error(sheet, where, tr("the cell refers to a text that is not there"))
    return values.shared[int(number)]


def _sheet_error(sheet: SheetText, where: str, message: str) -> QeError:
    hint = tr("Save it again in the program that it comes from.")
    return QeError(message, hint=hint, place=SourceLocation(f"{sheet.name}!{where}"))


MAX_OFFERED_SHEETS = 50
MAX_OFFERED_COLUMNS = 100
"""Columns of a sheet that are offered; others can be named on the command line."""
MAX_INSPECTED_ROWS = 10
"""Rows of a sheet that tell how many columns it has."""


class SheetHead(NamedTuple):
    """The first rows of a sheet, all of one width."""

    name: str
    rows: list[tuple[str, ...]]

    def letters(self) -> tuple[str, ...]:
        """What a spreadsheet calls its columns."""
        return tuple(column_letters(place) for place in range(len(self.rows[0])))


def workbook_column_options(data: bytes) -> ColumnOptions | None:
    """The columns of all sheets, and those whose names tell; None where no sheet has two."""
    sheets, several = _sheets(data)
    if not sheets:
        return None
    told = [found for one in sheets if (found := _named_sheet(one)) is not None]
    held = AUTO_COLUMNS
    if len(told) == 1:
        (name, source, target) = told[0]
        held = ColumnChoice(_named(name, source, several), _named(name, target, several))
    names = [_named(one.name, column, several) for one in sheets for column in _columns(one)]
    return ColumnOptions(ChoiceKind.COLUMNS, tuple(names), held)


def first_rows(data: bytes, choice: ColumnChoice, most: int) -> list[tuple[str, ...]]:
    """The letters of columns and the first rows of one sheet: that which a choice names, or else the first."""
    sheets, several = _sheets(data)
    if not sheets:
        return [()]
    wanted = [one for one in sheets if (choice.source or choice.target).rpartition("!")[0] == one.name]
    sheet = (wanted or sheets)[0]
    letters = tuple(_named(sheet.name, letter, several) for letter in sheet.letters())
    return [letters, *sheet.rows[:most]]


def _sheets(data: bytes) -> tuple[list[SheetHead], bool]:
    """The sheets with at least two columns, and whether several hold anything; none of what cannot be read."""
    found: list[SheetHead] = []
    filled = 0
    with suppress(QeError, UnboundPrefixError):
        package = open_package(data, "")
        values = read_cell_values(package)
        for name, member in list(sheet_members(package).items())[:MAX_OFFERED_SHEETS]:
            held = [row.texts for row in read_rows(sheet_text(package, member), values, MAX_INSPECTED_ROWS)]
            filled += bool(held)
            width = min(MAX_OFFERED_COLUMNS, max((max(texts, default=-1) + 1 for texts in held), default=0))
            if width > 1:
                found.append(SheetHead(name, [tuple(one.get(at, "") for at in range(width)) for one in held]))
    return found, filled > 1


def _columns(sheet: SheetHead) -> list[str]:
    """What the columns of a sheet are called: by the names that tell them apart, and by their letters."""
    header = sheet.rows[0]
    names = [name for name in header if _has_unique_title(header, name)]
    return [*names, *(letter for letter in sheet.letters() if letter not in header)]


def _has_unique_title(header: Sequence[str], name: str) -> bool:
    """Whether one column is called so, in a way that can be said with the name of its sheet."""
    return bool(name.strip()) and "!" not in name and header.count(name) == 1


def _named_sheet(sheet: SheetHead) -> tuple[str, str, str] | None:
    """A sheet, its source and its target, where the names of its columns tell."""
    header = sheet.rows[0]
    sources, targets = find_columns(header, "", SOURCES), find_columns(header, "", TARGETS)
    return (sheet.name, header[sources[0]], header[targets[0]]) if len(sources) == len(targets) == 1 else None


def _named(sheet: str, column: str, several: bool) -> str:
    return f"{sheet}!{column}" if several else column
