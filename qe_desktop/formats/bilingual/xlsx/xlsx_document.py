"""XLSX: a worksheet with a source and a target column; macros and other parts are kept unchanged.

Columns are detected by their names in the first row, or selected by the user, by name or letter. If several sheets
match, the selection must include the sheet (`Sheet1!C`). If both columns are selected by letter, the first row is also
a segment, unless it names the source or target column.

An edited cell becomes an inline string, so that cells with the same shared string do not change. The cell keeps its
style, but loses its rich-text formatting. A target that is computed by a formula or hidden in merged cells cannot be
edited. Notes and statuses are written as in tables (`delimited_tables`), but only into cells that are empty or contain
unformatted text. Numbers in a date format are read as ISO 8601.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import partial

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual.bilingual_format import AUTO_COLUMNS, BilingualFormat, ColumnChoice
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.file_signatures import is_workbook
from qe_desktop.formats.bilingual.segments import TargetLocation
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME
from qe_desktop.formats.bilingual.tabular.column_names import SOURCES, TARGETS, find_columns, normalize_header
from qe_desktop.formats.bilingual.tabular.table_columns import TableColumns, TableRowCollector, cell_text
from qe_desktop.formats.bilingual.xlsx import worksheet
from qe_desktop.formats.bilingual.xlsx.cell_edits import (
    NOTE_RULE,
    STATUSES,
    CellLocation,
    ExistingCell,
    NewCell,
    SheetNote,
    StateCell,
    check_cell_length,
)
from qe_desktop.formats.bilingual.xlsx.workbook import CellValues, read_cell_values, sheet_members
from qe_desktop.formats.bilingual.xlsx.worksheet import (
    SheetRow,
    SheetText,
    column_index,
    column_letters,
    read_rows,
    sheet_text,
    split_sheet_column,
)
from qe_desktop.formats.bilingual.xlsx.zip_patch import ZipPackage, open_package
from qe_desktop.i18n.messages import join_localized, tr

NAME, DISPLAY_NAME = "xlsx", tr("Excel workbook with source and target")
_LETTERS = re.compile("[A-Z]{1,3}")
_HINT = tr("Select the source and target columns.")
_COMMAND_HINT = tr("Specify the columns with --columns SOURCE TARGET, for example Sheet1!B Sheet1!C.")


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """Parse a workbook.

    Raises QeError if the workbook is damaged or too large, or unless exactly one sheet has both columns. Raises
    UnboundPrefixError as `parse_xml` does.
    """
    package = open_package(text.data, text.name)
    sheets = sheet_members(package)
    sheet, columns, rows, selected_sheet = _select_sheet(package, sheets, read_cell_values(package), choice)
    collector = TableRowCollector(selected_sheet, columns)
    computed = covered = 0
    for row in rows if columns.is_headerless else rows[1:]:

        def cell_at(index: int, texts: dict[int, str] = row.texts) -> str:
            return texts.get(index, "")

        if not cell_at(columns.source) and not cell_at(columns.target) and not columns.is_own_table:
            continue
        location = _target_location(row, columns, cell_at(columns.state))
        if location is None:
            target_cell = row.cells[columns.target]
            computed, covered = computed + target_cell.is_computed, covered + target_cell.is_covered
        note_cell = _free_cell(row, columns.notes)
        collector.add(
            f"{sheet}!{column_letters(columns.target)}{row.number}", row.number, cell_at, location,
            None if note_cell is None else partial(SheetNote, note_cell),
        )  # fmt: skip
    side_columns, column_notes = collector.side_columns(rows[0].texts)
    if computed:
        formulas = tr("{n:,} {n:target is|targets are} computed by a formula and cannot be edited", "", computed)
        column_notes = (formulas, *column_notes)
    if covered:
        hidden = tr("{n:,} {n:target is|targets are} hidden in merged cells and cannot be edited", "", covered)
        column_notes = (hidden, *column_notes)
    return Document(
        selected_sheet,
        NAME,
        DISPLAY_NAME,
        collector.segments(),
        lambda new_text: read(new_text, choice),
        notes=column_notes,
        choice=choice,
        status_rule=STATUSES,
        side_columns=side_columns,
        check_content=lambda _, content: check_cell_length(cell_text(content, is_own_table=columns.is_own_table)),
        note_rule=NOTE_RULE,
        positional_names=True,
    )


def _target_location(row: SheetRow, columns: TableColumns, status: str) -> TargetLocation | None:
    """Location of the target cell, even if missing; None if it is not editable. `status` is the row's status text."""
    column = columns.target
    cell, state_cell = row.cells.get(column), _free_cell(row, columns.state)
    has_status = status in STATUS_BY_NAME
    state = None if state_cell is None or (status and not has_status) else StateCell(state_cell, has_status)
    if cell is None:
        return NewCell(
            row.insert_offsets[column], f"{column_letters(column)}{row.number}", row.prefix, state, columns.is_own_table
        )
    return (
        None if cell.is_computed or cell.is_covered else ExistingCell(cell.start, cell.end, state, columns.is_own_table)
    )


def _free_cell(row: SheetRow, column: int) -> CellLocation | None:
    """Location of a status or note cell, existing or missing; None if no text can be written into it.

    Formulas, numbers, dates, booleans and formatted texts are not overwritten, because they could not be restored. The
    result is also None if a merged range hides the cell, or if the sheet has no such column (`column` is -1).
    """
    if column < 0:
        return None
    cell, name = row.cells.get(column), f"{column_letters(column)}{row.number}"
    if cell is None:
        return CellLocation(row.insert_offsets[column], row.insert_offsets[column], name, row.prefix)
    if cell.is_computed or cell.is_covered or not cell.is_plain:
        return None
    return CellLocation(cell.start, cell.end, name, row.prefix)


def _select_sheet(
    package: ZipPackage, sheets: Mapping[str, str], values: CellValues, choice: ColumnChoice
) -> tuple[str, TableColumns, list[SheetRow], SheetText]:
    """Name, columns, rows and XML of the sheet with the source and target columns.

    Raises QeError unless exactly one sheet has both columns.
    """
    (sheet_name, source), (target_sheet, target) = split_sheet_column(choice.source), split_sheet_column(choice.target)
    if sheet_name and target_sheet and sheet_name != target_sheet:
        message = tr(
            "source and target are in different sheets: {sheets}", sheets=_join_names([sheet_name, target_sheet])
        )
        raise QeError(message, hint=tr("Select two columns of one sheet."), place=SourceLocation(package.name))
    sheet_name = sheet_name or target_sheet
    candidates = [name for name in sheets if name == sheet_name] if sheet_name else list(sheets)
    if not candidates:
        message = tr("there is no sheet {name}, only {sheets}", name=sheet_name, sheets=_join_names(list(sheets)))
        raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(package.name))
    matches: list[tuple[str, TableColumns]] = []
    headers: list[str] = []
    for name in candidates:
        # read only the header of each sheet, so that at most one sheet is in memory
        rows = read_rows(sheet_text(package, sheets[name]), values, 1)
        first = rows[0].texts if rows else {}
        header = [first.get(index, "") for index in range(max(first, default=-1) + 1)]
        headers += [title for title in header if title]
        columns = _columns(header, source, target)
        if columns is not None and rows:
            matches.append((name, columns))
    if len(matches) == 1:
        name, columns = matches[0]
        sheet = sheet_text(package, sheets[name])
        return (
            name,
            columns,
            read_rows(sheet, values, requested_columns=(columns.target, columns.state, columns.notes)),
            sheet,
        )
    if matches:
        message = tr(
            "several sheets contain a source and a target column: {sheets}",
            sheets=_join_names([match[0] for match in matches]),
        )
        raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(package.name))
    message = tr("the source and target cannot be determined from the columns {names}", names=_join_names(headers[:40]))
    raise QeError(
        message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(f"{package.name}!{candidates[0]}")
    )


def _join_names(names: Sequence[str]) -> str:
    return join_localized(", ", list(names))


def _columns(header: list[str], source: str, target: str) -> TableColumns | None:
    indices: list[int] = []
    by_letter = 0
    for requested_name, known_names in ((source, SOURCES), (target, TARGETS)):
        matches = find_columns(header, requested_name, known_names)
        if not matches and _LETTERS.fullmatch(requested_name):
            by_letter, matches = by_letter + 1, [column_index(requested_name)]
        if len(matches) != 1:
            return None
        indices += matches
    named = [header[index] if index < len(header) else "" for index in indices]
    has_titles = normalize_header(named[0]) in SOURCES or normalize_header(named[1]) in TARGETS
    if by_letter == 2 and not has_titles:
        return TableColumns(indices[0], indices[1], is_headerless=True)
    return TableColumns.detect(header, indices[0], indices[1])


FORMAT = BilingualFormat(
    NAME,
    DISPLAY_NAME,
    lambda begins: 0.9 if is_workbook(begins.head) else 0.0,
    read,
    worksheet.workbook_column_options,
    worksheet.first_rows,
    is_packed=True,
)
