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
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus, SourceLocation
from qe_desktop.formats.bilingual.columns import SOURCES, TARGETS, find_columns, normalize_header
from qe_desktop.formats.bilingual.document import AUTO_COLUMNS, BilingualFormat, ColumnChoice, Document
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.file_signatures import is_workbook
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.reviewer_notes import CellText, NoteChange, NoteRule, check_xml_note
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME, StatusRule, table_status
from qe_desktop.formats.bilingual.tabular import worksheet
from qe_desktop.formats.bilingual.tabular.table_columns import TableColumns, TableRowCollector, cell_text
from qe_desktop.formats.bilingual.tabular.workbook import (
    MAX_CELL_CHARS,
    CellValues,
    count_cell_chars,
    escape_cell_text,
    read_cell_values,
    sheet_members,
)
from qe_desktop.formats.bilingual.tabular.worksheet import (
    SheetRow,
    SheetText,
    column_index,
    column_letters,
    read_rows,
    sheet_text,
    split_sheet_column,
)
from qe_desktop.formats.bilingual.tabular.zip_patch import ZipPackage, open_package
from qe_desktop.formats.bilingual.xml.xml_tree import attribute_span, tag_end
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

    Raises QeError unless exactly one sheet has both columns; a selection such as `Sheet1!C` includes the sheet.
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
    """Columns selected by name or letter; if both are letters and have no known names, there is no header."""
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


class CellLocation(NamedTuple):
    """Location of a cell: its span, including its tags; for a missing cell, an empty span where it is inserted.

    `name` is the name of the cell, such as B7. `prefix` is the namespace prefix of elements in the sheet, with its
    colon.
    """

    start: int
    end: int
    name: str
    prefix: str = ""

    def text_edit(self, text: DecodedFile, content: str) -> TextEdit:
        """Edit that writes a text into the cell."""
        if self.start < self.end:
            return _rewrite_cell(text, self.start, self.end, content)
        element = f"{self.prefix}c"
        new = _cell(f'<{element} r="{self.name}"'.encode(), element.encode(), content)
        # several missing cells of a row may be inserted at the same offset
        rank = column_index(self.name.rstrip("0123456789"))
        return TextEdit(self.start, self.start, new, rank)


class StateCell(NamedTuple):
    """Status cell of a row; `has_status` is false if the cell is empty or missing."""

    cell: CellLocation
    has_status: bool = True


class ExistingCell(NamedTuple):
    """Existing target cell: its span, including its tags.

    `status_cell` is the status cell of the same row; None if no status can be written, for example if the cell is
    computed or contains a text that is not a status of this program. `is_own_table` is true for sheets written by this
    program.
    """

    start: int
    end: int
    status_cell: StateCell | None = None
    is_own_table: bool = False

    @property
    def group(self) -> object:
        """The cell itself, because cells are written independently."""
        return self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write the target as an inline string, and set the status to edited if the row has one."""
        new = _rewrite_cell(text, self.start, self.end, cell_text(contents[self], is_own_table=self.is_own_table))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


class NewCell(NamedTuple):
    """Missing target cell, which is inserted at `offset`; `name` is the name of the cell, such as B7.

    `prefix` is the namespace prefix of elements in the sheet, with its colon. `status_cell` and `is_own_table` are as
    in `ExistingCell`.
    """

    offset: int
    name: str
    prefix: str
    status_cell: StateCell | None = None
    is_own_table: bool = False

    @property
    def group(self) -> object:
        """The cell itself, because cells are written independently."""
        return self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that insert the cell, and set the status to edited if the row has one."""
        cell = CellLocation(self.offset, self.offset, self.name, self.prefix)
        new = cell.text_edit(text, cell_text(contents[self], is_own_table=self.is_own_table))
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    assert isinstance(location, ExistingCell | NewCell)
    if location.status_cell is None or not (location.status_cell.has_status or add):
        return []
    return [location.status_cell.cell.text_edit(text, status.name.lower())]


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    assert isinstance(location, ExistingCell | NewCell)
    return location.status_cell is not None and (location.status_cell.has_status or add)


STATUSES = StatusRule(table_status, _write_status, _can_store)


class SheetNote(NamedTuple):
    """Location of the reviewer's note: the note cell, and the lines by other authors in it (`text`)."""

    cell: CellLocation
    text: CellText = CellText()
    rejected: bool = False


def _note_edits(text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
    return [
        change.location.cell.text_edit(text, _note_text(change))
        for change in changes
        if isinstance(change.location, SheetNote)
    ]


def _note_text(change: NoteChange) -> str:
    assert isinstance(change.location, SheetNote)
    return change.location.text.with_note(change.note)


def _check_note(text: DecodedFile, change: NoteChange) -> None:
    check_xml_note(text, change)
    check_cell_length(_note_text(change))


NOTE_RULE = NoteRule(_note_edits, _check_note)


def _rewrite_cell(text: DecodedFile, start: int, end: int, content: str) -> TextEdit:
    """Edit that writes an inline string, as other cells may share the old one; the style is kept, rich text is not."""
    tag = text.utf8[start : tag_end(text, start)]
    type_span = attribute_span(text, start, "t")
    if type_span is not None:
        tag = tag[: type_span[0] - start] + tag[type_span[2] - start :]
    head = tag.rstrip(b">").rstrip(b"/").rstrip()
    return TextEdit(start, end, _cell(head, head[1:].split(None, 1)[0], content))


def check_cell_length(content: str) -> None:
    """Raise QeError without a location if a text is too long for a cell."""
    if count_cell_chars(content) > MAX_CELL_CHARS:
        message = tr("a cell can have at most {n:,} characters", "", MAX_CELL_CHARS)
        raise QeError(message, hint=tr("Shorten the text."))


def _cell(head: bytes, name: bytes, content: str) -> bytes:
    """Format a cell; `head` is the beginning of its start tag, and `name` the name of its element."""
    if not content:
        return head + b"/>"
    prefix = name.removesuffix(b"c").decode()
    inline = f"<{prefix}is>{escape_cell_text(content, prefix)}</{prefix}is>".encode()
    return head + b' t="inlineStr">' + inline + b"</" + name + b">"
