"""XLSX: a sheet of a workbook with a source and a target column; macros and all else in the workbook stay as they are.

Columns are known by their names in the first row, or named by a person: by that name, by their letter, and with the
sheet where several have both (`Sheet1!C`). Where both are letters, the first row is a segment too, unless it names
source and target. An edited cell becomes a text of its own, so that no other cell which shared its text changes; its
style stays, and the looks of single words in it go. A target that a formula computes cannot be edited. A number whose
format is a date is read as ISO 8601.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from qe_desktop.corpus import QeError, ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.bilingual_format import AUTO_COLUMNS, BilingualFormat, ColumnChoice
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.file_signatures import is_workbook
from qe_desktop.formats.bilingual.segment_collector import SegmentCollector
from qe_desktop.formats.bilingual.segments import TargetLocation
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME
from qe_desktop.formats.bilingual.tabular.column_names import SOURCES, TARGETS, find_columns, normalize_header
from qe_desktop.formats.bilingual.tabular.table_columns import SideColumnCollector, TableColumns
from qe_desktop.formats.bilingual.xlsx import worksheet
from qe_desktop.formats.bilingual.xlsx.cell_edits import STATUSES, ExistingCell, NewCell
from qe_desktop.formats.bilingual.xlsx.workbook import CellValues, read_cell_values, sheet_members
from qe_desktop.formats.bilingual.xlsx.worksheet import (
    SheetRow,
    SheetText,
    column_index,
    column_letters,
    read_rows,
    sheet_text,
)
from qe_desktop.formats.bilingual.xlsx.zip_patch import ZipPackage, open_package
from qe_desktop.i18n.messages import join_localized, tr

NAME, DISPLAY_NAME = "xlsx", tr("Excel workbook with source and target")
_LETTERS = re.compile("[A-Z]{1,3}")
_HINT = tr("Say which columns are source and target.")
_COMMAND_HINT = tr("Name the columns with --columns SOURCE TARGET, such as Sheet1!B Sheet1!C.")


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """All rows of the sheet. QeError for what is damaged or larger than is read, and where the columns must be said."""
    package = open_package(text.data, text.name)
    sheets = sheet_members(package)
    sheet, columns, rows, held = _chosen(package, sheets, read_cell_values(package), choice)
    gathered, gathering = SegmentCollector(held, numbered=columns.own), SideColumnCollector(columns)
    computed = 0
    for row in rows if columns.first_is_one else rows[1:]:

        def cell_at(place: int, texts: dict[int, str] = row.texts) -> str:
            return texts.get(place, "")

        source, target, notes, state = map(cell_at, (columns.source, columns.target, columns.notes, columns.state))
        if not source and not target and not columns.own:
            continue
        place = _target_location(row, columns, state)
        computed += place is None
        written, translated = columns.content(source), columns.content(target) if target else ()
        loaded = columns.content(cell_at(columns.loaded)) if columns.own else None
        gathering.add(cell_at, written, translated if loaded is None else loaded)
        gathered.add(
            f"{sheet}!{column_letters(columns.target)}{row.number}",
            row.number,
            written,
            translated,
            place,
            state,
            STATUS_BY_NAME.get(state) is ReviewStatus.LOCKED,
            notes=(notes,) if notes else (),
            loaded=loaded,
        )
    beside, said = gathering.beside(rows[0].texts)
    if computed:
        formulas = tr("{n:,} {n:target is|targets are} computed by a formula, and cannot be edited", "", computed)
        said = (formulas, *said)
    return Document(
        held,
        NAME,
        DISPLAY_NAME,
        tuple(gathered.segments),
        lambda other: read(other, choice),
        notes=said,
        choice=choice,
        statuses=STATUSES,
        beside=beside,
    )


def _target_location(row: SheetRow, columns: TableColumns, stated: str) -> TargetLocation | None:
    """Where a target stands or would stand; `stated` is the status of its row."""
    column = columns.target
    cell, state = row.cells.get(column), row.cells.get(columns.state) if stated in STATUS_BY_NAME else None
    said = None if state is None or state.computed else (state.start, state.end)
    if cell is None:
        return NewCell(row.within, f"{column_letters(column)}{row.number}", row.prefix, said, columns.own)
    return None if cell.computed else ExistingCell(cell.start, cell.end, said, columns.own)


def _chosen(
    package: ZipPackage, sheets: Mapping[str, str], values: CellValues, choice: ColumnChoice
) -> tuple[str, TableColumns, list[SheetRow], SheetText]:
    """The sheet with both columns, which they are, and its rows."""
    (wanted, source), (other, target) = _parts(choice.source), _parts(choice.target)
    if wanted and other and wanted != other:
        message = tr("source and target are in two sheets: {sheets}", sheets=_listed([wanted, other]))
        raise QeError(message, hint=tr("Choose two columns of one sheet."), place=SourceLocation(package.name))
    wanted = wanted or other
    among = [name for name in sheets if name == wanted] if wanted else list(sheets)
    if not among:
        message = tr("there is no sheet {name}, but {sheets}", name=wanted, sheets=_listed(list(sheets)))
        raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(package.name))
    found: list[tuple[str, TableColumns]] = []
    headers: list[str] = []
    for name in among:
        # of each sheet only the names of its columns, so that no more than one is held as a whole
        rows = read_rows(sheet_text(package, sheets[name]), values, 1)
        first = rows[0].texts if rows else {}
        header = [first.get(at, "") for at in range(max(first, default=-1) + 1)]
        headers += [one for one in header if one]
        columns = _columns(header, source, target)
        if columns is not None and rows:
            found.append((name, columns))
    if len(found) == 1:
        name, columns = found[0]
        held = sheet_text(package, sheets[name])
        return name, columns, read_rows(held, values, target=columns.target, state=columns.state), held
    if found:
        message = tr("several sheets have both columns: {sheets}", sheets=_listed([one[0] for one in found]))
        raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(package.name))
    message = tr("of the columns {names} it is not told which are source and target", names=_listed(headers[:40]))
    raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(f"{package.name}!{among[0]}"))


def _listed(names: Sequence[str]) -> str:
    return join_localized(", ", list(names))


def _parts(column: str) -> tuple[str, str]:
    """The sheet and the column that a person named; `Sheet1!B`, `'My sheet'!source`, or `B` alone."""
    sheet, bang, name = column.rpartition("!")
    return (sheet.strip("'"), name) if bang else ("", column)


def _columns(header: list[str], source: str, target: str) -> TableColumns | None:
    at: list[int] = []
    by_letter = 0
    for wanted, known in ((source, SOURCES), (target, TARGETS)):
        fits = find_columns(header, wanted, known)
        if not fits and _LETTERS.fullmatch(wanted):
            by_letter, fits = by_letter + 1, [column_index(wanted)]
        if len(fits) != 1:
            return None
        at += fits
    named = [header[one] if one < len(header) else "" for one in at]
    titles = normalize_header(named[0]) in SOURCES or normalize_header(named[1]) in TARGETS
    rows_are_all = by_letter == 2 and not titles
    if rows_are_all:
        return TableColumns(at[0], at[1], first_is_one=True)
    return TableColumns.named(header, at[0], at[1])


FORMAT = BilingualFormat(
    NAME,
    DISPLAY_NAME,
    lambda begins: 0.9 if is_workbook(begins.head) else 0.0,
    read,
    worksheet.workbook_column_options,
    worksheet.first_rows,
    packed=True,
)
