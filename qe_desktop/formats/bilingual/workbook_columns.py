"""The columns of a workbook that may be chosen as source and target, and its first rows.

A column is called by the text in its first row, or by its letter, with its sheet in front where several hold anything.
By its name it begins behind that row; by its letter with it.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.choices import AS_IT_TELLS, Choice, Of, Offer
from qe_desktop.formats.bilingual.column_names import SOURCES, TARGETS, places
from qe_desktop.formats.bilingual.packages import package_of
from qe_desktop.formats.bilingual.sheets import letter_of, rows_of, sheet_text
from qe_desktop.formats.bilingual.workbooks import sheets_of, values_of
from qe_desktop.formats.bilingual.xml_tree import UnboundPrefixError

MOST_SHEETS = 50
MOST_COLUMNS = 100
"""Columns of a sheet that are offered; others can be named on the command line."""
LOOKED_AT = 10
"""Rows of a sheet that tell how many columns it has."""


class SheetBegin(NamedTuple):
    """The first rows of a sheet, all of one width."""

    name: str
    rows: list[tuple[str, ...]]

    def letters(self) -> tuple[str, ...]:
        """What a spreadsheet calls its columns."""
        return tuple(letter_of(place) for place in range(len(self.rows[0])))


def offer(data: bytes) -> Offer | None:
    """The columns of all sheets, and those whose names tell; None where no sheet has two."""
    sheets, several = _sheets(data)
    if not sheets:
        return None
    told = [found for one in sheets if (found := _told(one)) is not None]
    held = AS_IT_TELLS
    if len(told) == 1:
        (name, source, target) = told[0]
        held = Choice(_named(name, source, several), _named(name, target, several))
    names = [_named(one.name, column, several) for one in sheets for column in _columns(one)]
    return Offer(Of.COLUMNS, tuple(names), held)


def first_rows(data: bytes, choice: Choice, most: int) -> list[tuple[str, ...]]:
    """The letters of columns and the first rows of one sheet: that which a choice names, or else the first."""
    sheets, several = _sheets(data)
    if not sheets:
        return [()]
    wanted = [one for one in sheets if (choice.source or choice.target).rpartition("!")[0] == one.name]
    sheet = (wanted or sheets)[0]
    letters = tuple(_named(sheet.name, letter, several) for letter in sheet.letters())
    return [letters, *sheet.rows[:most]]


def _sheets(data: bytes) -> tuple[list[SheetBegin], bool]:
    """The sheets with at least two columns, and whether several hold anything; none of what cannot be read."""
    found: list[SheetBegin] = []
    filled = 0
    with suppress(QeError, UnboundPrefixError):
        package = package_of(data, "")
        values = values_of(package)
        for name, member in list(sheets_of(package).items())[:MOST_SHEETS]:
            held = [row.texts for row in rows_of(sheet_text(package, member), values, LOOKED_AT)]
            filled += bool(held)
            width = min(MOST_COLUMNS, max((max(texts, default=-1) + 1 for texts in held), default=0))
            if width > 1:
                found.append(SheetBegin(name, [tuple(one.get(at, "") for at in range(width)) for one in held]))
    return found, filled > 1


def _columns(sheet: SheetBegin) -> list[str]:
    """What the columns of a sheet are called: by the names that tell them apart, and by their letters."""
    header = sheet.rows[0]
    names = [name for name in header if _tells(header, name)]
    return [*names, *(letter for letter in sheet.letters() if letter not in header)]


def _tells(header: Sequence[str], name: str) -> bool:
    """Whether one column is called so, in a way that can be said with the name of its sheet."""
    return bool(name.strip()) and "!" not in name and header.count(name) == 1


def _told(sheet: SheetBegin) -> tuple[str, str, str] | None:
    """A sheet, its source and its target, where the names of its columns tell."""
    header = sheet.rows[0]
    sources, targets = places(header, "", SOURCES), places(header, "", TARGETS)
    return (sheet.name, header[sources[0]], header[targets[0]]) if len(sources) == len(targets) == 1 else None


def _named(sheet: str, column: str, several: bool) -> str:
    return f"{sheet}!{column}" if several else column
