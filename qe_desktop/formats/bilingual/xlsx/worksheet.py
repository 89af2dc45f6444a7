"""The rows and cells of a sheet, with their places in its XML, and the sheet as the text of the workbook around it."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass, field
from typing import NamedTuple

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.bilingual.encodings import Text, decoded
from qe_desktop.formats.bilingual.packages import Package
from qe_desktop.formats.bilingual.sheet_texts import read
from qe_desktop.formats.bilingual.workbooks import CellValues, text_in
from qe_desktop.formats.bilingual.xml_tree import Element, behind, behind_tag, parse
from qe_desktop.formats.limits import MOST_SEGMENTS
from qe_desktop.wording import tr

MOST_COLUMNS = 16_384
_NAMED = re.compile("([A-Z]{1,3})([0-9]{1,7})")


@dataclass(frozen=True, slots=True, eq=False)
class SheetText(Text):
    """A sheet's XML (`utf8`) as a member of a package, which is the file (`data`)."""

    package: Package | None = None
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


def sheet_text(package: Package, member: str) -> SheetText:
    """A sheet of a workbook. QeError where it is damaged or no text."""
    inner = decoded(package.content(member), f"{package.name}!{member}")
    return SheetText(package.name, package.data, inner.utf8, inner.codec, inner.mark, True, package, member)


class SheetCell(NamedTuple):
    """Where a cell stands, and whether a formula computes it."""

    start: int
    end: int
    computed: bool


@dataclass(slots=True)
class Row:
    """A row: its number from 1, the cells that may change and all texts by their columns from 0, and where the cell of
    a target would stand that is missing (`within`).

    `prefix` is what names of elements have in front here.
    """

    number: int
    within: int
    prefix: str
    cells: dict[int, SheetCell] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)


def letter_of(place: int) -> str:
    """What a spreadsheet calls a column, by its place from 0: A to Z, AA…"""
    named = ""
    place += 1
    while place:
        place, rest = divmod(place - 1, 26)
        named = chr(ord("A") + rest) + named
    return named


def place_of_letters(letters: str) -> int:
    """The place of a column from 0, by what a spreadsheet calls it."""
    place = 0
    for letter in letters:
        place = place * 26 + ord(letter) - ord("A") + 1
    return place - 1


class _Enough(Exception):
    """Ends the reading at the last row that is wanted."""


def rows_of(
    sheet: SheetText, values: CellValues, most: int = MOST_SEGMENTS + 1, *, target: int = -1, state: int = -1
) -> list[Row]:
    """The rows of a sheet that have texts, `most` at most, with their cells in the columns of `target` and `state`.

    QeError with the cell for what no spreadsheet writes.
    """
    rows: list[Row] = []
    last = 0

    def row(element: Element) -> None:
        nonlocal last
        number = int(said) if (said := element.get("r")).isdecimal() and len(said) < 8 else last + 1
        if number <= last or len(rows) >= MOST_SEGMENTS:
            raise _refused(sheet, f"{number}", tr("the rows are in no order"))
        last = number
        tag = sheet.cut(element.start, behind_tag(sheet, element.start))
        name = tag[1:].split(None, 1)[0].rstrip("/>")
        # a row that is written as one tag has no cells, and gets none
        one = Row(number, behind_tag(sheet, element.start), name.removesuffix("row"))
        _fill(one, element, sheet, values, (target, state))
        if any(one.texts.values()):
            rows.append(one)
        if len(rows) >= most:
            raise _Enough

    with suppress(_Enough):
        parse(sheet, {"row": row})
    return rows


def _fill(row: Row, element: Element, sheet: SheetText, values: CellValues, wanted: tuple[int, int]) -> None:
    at = -1
    for cell in element.elements():
        if cell.name != "c":
            continue
        named = _NAMED.fullmatch(cell.get("r"))
        place = place_of_letters(named[1]) if named else at + 1
        where = f"{letter_of(place)}{row.number}"
        if place <= at or place >= MOST_COLUMNS or (named and int(named[2]) != row.number):
            raise _refused(sheet, where, tr("the cells are in no order"))
        at = place
        if place in wanted:
            row.cells[place] = SheetCell(cell.start, behind(sheet, cell), cell.child("f") is not None)
        if place < wanted[0]:
            row.within = behind(sheet, cell)
        if text := _text_of(cell, sheet, values, where):
            row.texts[place] = text


def _text_of(cell: Element, sheet: SheetText, values: CellValues, where: str) -> str:
    """What a cell says: a text, a date as ISO 8601, or another number as it is kept."""
    kind = cell.get("t")
    if kind == "inlineStr":
        held = cell.child("is")
        return text_in(held) if held is not None else ""
    value = cell.child("v")
    text = value.text() if value is not None else ""
    if kind != "s" or not text:
        if kind in ("", "n") and text:
            return values.number(text.strip(), cell.get("s"))
        return read(text) if kind == "str" else text
    number = text.strip()
    if not (number.isascii() and number.isdecimal() and len(number) < 10 and int(number) < len(values.shared)):
        raise _refused(sheet, where, tr("the cell refers to a text that is not there"))
    return values.shared[int(number)]


def _refused(sheet: SheetText, where: str, message: str) -> QeError:
    hint = tr("Save it again in the program that it comes from.")
    return QeError(message, hint=hint, place=Place(f"{sheet.name}!{where}"))
