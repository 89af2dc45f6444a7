"""Tables with a source and a target column: CSV with commas or semicolons, and TSV, with a header row.

Cells may be quoted; quotes within them are doubled (RFC 4180). Columns are detected by name or selected by the user.
An edited cell is quoted if it was quoted before, or if its text requires it.

Notes are read and written only if there is exactly one note column, and statuses only if there is exactly one status
column. The statuses are those that this program writes (`open`, `edited`, `confirmed`, `rejected`, `locked`). Status
cells with other values are kept unchanged, and empty ones are filled only on request. In a note cell, each line of the
reviewer's note begins with the mark of this program; all other lines are by other authors.

A leading apostrophe that prevents a text from being read as a formula is not part of the text. A new text that looks
like a formula gets an apostrophe, unless the previous text or the source also looks like a formula and has none. This
preserves list items that begin with “-”. The loaded MT, documents, tags and scores are read from columns that this
program exported (`columns`); saving does not change these columns.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import partial
from typing import NamedTuple

from qe_desktop.corpus import QeError, ReviewStatus, SourceLocation
from qe_desktop.escaping import escape_csv_cell, unescape_csv_cell
from qe_desktop.formats.bilingual.columns import ChoiceKind, ColumnOptions, find_source_and_target
from qe_desktop.formats.bilingual.document import (
    AUTO_COLUMNS,
    BilingualFormat,
    ColumnChoice,
    Document,
    FileHead,
    check_encoding,
)
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.inline_codes import Content
from qe_desktop.formats.bilingual.reviewer_notes import CellText, NoteChange, NoteRule, check_text_note
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit
from qe_desktop.formats.bilingual.status_rules import STATUS_BY_NAME, StatusRule, table_status
from qe_desktop.formats.bilingual.tabular.table_columns import TableColumns, TableRowCollector, cell_text
from qe_desktop.i18n.messages import join_localized, tr

NAME, DISPLAY_NAME = "bilingual-table", tr("table with source and target")
_QUOTED = re.compile(rb'"(?:[^"]|"")*"')
_ENDS = {delimiter: re.compile(rb"[^%b\r\n]*" % delimiter) for delimiter in (b"\t", b";", b",")}
_HINT = tr("Select the source and target columns.")
_COMMAND_HINT = tr("Specify the columns with --columns SOURCE TARGET.")


class DelimitedCell(NamedTuple):
    """Target cell from `start` to `end`, including its quotes, in a table with this `delimiter`.

    `status_span` is the span of the status cell in the same row; None if there is no such cell, or if it contains a
    text that is not a status of this program. `has_status` is false if the status cell is empty. `is_own_table` is true
    for tables written by this program. `source` is the span of the source cell in the same row.
    """

    start: int
    end: int
    delimiter: bytes
    status_span: tuple[int, int] | None = None
    is_own_table: bool = False
    has_status: bool = True
    source: tuple[int, int] = (0, 0)

    @property
    def group(self) -> object:
        """The cell itself, because cells are written independently."""
        return self

    def edits(self, text: DecodedFile, segment: Segment, contents: Mapping[TargetLocation, Content]) -> list[TextEdit]:
        """Edits that write the target, quoted if required, and set the status to edited if the row has one."""
        new_text = cell_text(contents[self], is_own_table=self.is_own_table)
        new = _rewrite_cell(text, (self.start, self.end), self.delimiter, new_text, self.source)
        return [new, *_write_status(text, self, ReviewStatus.EDITED)]


def _rewrite_cell(
    text: DecodedFile, span: tuple[int, int], delimiter: bytes, new_text: str, source: tuple[int, int] = (0, 0)
) -> TextEdit:
    """Edit that replaces the text of a cell and quotes it if required.

    If the cell is a target, `source` is the span of the source cell in the same row.
    """
    start, end = span
    old_text = _raw_cell(text, start, end)
    if unescape_csv_cell(old_text) != old_text or unescape_csv_cell(new_text) != new_text:
        # escaped as before, or because the text starts with an apostrophe
        new_text = escape_csv_cell(new_text)
    elif not (_is_like_formula(old_text) or _is_like_formula(_raw_cell(text, *source))):
        # lists with “-”, for example, remain as in the source
        new_text = escape_csv_cell(new_text)
    new = new_text.encode()
    quoted = text.utf8[start : start + 1] == b'"' and (bool(new) or b"\n" not in text.utf8[start:end])
    if quoted or any(special in new for special in (b'"', b"\r", b"\n", delimiter)):
        new = b'"' + new.replace(b'"', b'""') + b'"'
    return TextEdit(start, end, new)


def _is_like_formula(raw_text: str) -> bool:
    """Whether the text of a cell begins like a formula and is not escaped."""
    return escape_csv_cell(raw_text) != raw_text == unescape_csv_cell(raw_text)


def _write_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    assert isinstance(location, DelimitedCell)
    if location.status_span is None or not (location.has_status or add):
        return []
    start, end = location.status_span
    name = status.name.lower().encode()
    return [TextEdit(start, end, b'"' + name + b'"' if text.utf8[start : start + 1] == b'"' else name)]


def _can_store(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
    return isinstance(location, DelimitedCell) and location.status_span is not None and (location.has_status or add)


STATUSES = StatusRule(table_status, _write_status, _can_store)


class CellNote(NamedTuple):
    """Location of the reviewer's note: the span of the note cell, and the lines by other authors in it (`text`)."""

    span: tuple[int, int]
    delimiter: bytes
    text: CellText = CellText()
    rejected: bool = False


def _note_edits(text: DecodedFile, changes: Sequence[NoteChange]) -> list[TextEdit]:
    edits = []
    for change in changes:
        location = change.location
        assert isinstance(location, CellNote)
        edits.append(_rewrite_cell(text, location.span, location.delimiter, location.text.with_note(change.note)))
    return edits


NOTE_RULE = NoteRule(_note_edits, check_text_note)


def detect_delimiter(head: bytes) -> bytes:
    """Most frequent cell delimiter in the first line; empty if there is none.

    Delimiters within quotes are counted only if there are none outside quotes.
    """
    row = head.partition(b"\n")[0]
    for text in (_QUOTED.sub(b"", row), row):
        if any(delimiter in text for delimiter in _ENDS):
            return max(_ENDS, key=text.count)
    return b""


def named_columns(head: bytes) -> tuple[int, int] | None:
    """Indices of the source and target columns, found by name; None unless exactly one column matches each."""
    delimiter = detect_delimiter(head)
    if not delimiter:
        return None
    # a quoted name may continue on the next line
    names = _quoted_names(head) or head.partition(b"\n")[0].decode("utf-8", "replace").split(delimiter.decode())
    return find_source_and_target([name.strip('\r" ') for name in names])


def _quoted_names(head: bytes) -> list[str]:
    """Cells of the first row of a table; empty if the first line has no delimiter or ends within quotes."""
    # the beginning of a file may end within a character
    row = head.partition(b"\n")[0].decode("utf-8", "replace").encode()
    text, delimiter = DecodedFile("", row, row), detect_delimiter(row)
    if delimiter and row.count(b'"') % 2 == 0:
        with suppress(QeError):
            return [_cell(text, *span) for span in next(_rows(text, delimiter), (0, []))[1]]
    return []


def read(text: DecodedFile, choice: ColumnChoice = AUTO_COLUMNS) -> Document:
    """Parse a table.

    Raises QeError if the source or target column is not found, a quote is not closed, a row has no source cell, or a
    limit is exceeded.
    """
    delimiter = detect_delimiter(text.utf8[: 1 << 16])
    rows = _rows(text, delimiter or b",")
    header = [_cell(text, *span) for span in next(rows, (0, []))[1]]
    chosen_columns = find_source_and_target(header, choice.source, choice.target)
    if chosen_columns is None:
        raise unknown_columns_error(text.name, header)
    source, target = chosen_columns
    columns = TableColumns.detect(header, source, target)
    collector = TableRowCollector(text, columns)
    for line, spans in rows:
        if len(spans) <= source:
            message = tr("the row has {n:,} {n:cell|cells} but no source", "", len(spans))
            raise QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(text.name, line))

        def cell_at(index: int, spans: list[tuple[int, int]] = spans) -> str:
            return _cell(text, *spans[index]) if -1 < index < len(spans) else ""

        location = _target_cell(spans, delimiter, columns, cell_at(columns.state))
        note_place = None
        if -1 < columns.notes < len(spans):
            note_place = partial(CellNote, spans[columns.notes], delimiter)
        collector.add("", line, cell_at, location, note_place)
    chosen = ColumnChoice(header[source], header[target])
    side_columns, column_notes = collector.side_columns(header)
    return Document(
        text,
        NAME,
        DISPLAY_NAME,
        collector.segments(),
        lambda new_text: read(new_text, chosen),
        notes=column_notes,
        choice=chosen,
        status_rule=STATUSES,
        side_columns=side_columns,
        check_content=check_encoding,
        note_rule=NOTE_RULE,
        positional_names=True,
    )


def _target_cell(
    spans: list[tuple[int, int]], delimiter: bytes, columns: TableColumns, status: str
) -> DelimitedCell | None:
    """Location of the target of a row; None if the row is too short. `status` is the row's status text."""
    source, target = spans[columns.source], columns.target
    if target >= len(spans):
        return None
    state_span = None
    if -1 < columns.state < len(spans) and (status in STATUS_BY_NAME or not status):
        state_span = spans[columns.state]
    return DelimitedCell(*spans[target], delimiter, state_span, columns.is_own_table, status in STATUS_BY_NAME, source)


def unknown_columns_error(name: str, header: Sequence[str]) -> QeError:
    """Error for a table whose source and target columns cannot be determined."""
    names = join_localized(", ", list(header))
    message = tr("the source and target cannot be determined from the columns {names}", names=names)
    return QeError(message, hint=_HINT, command_hint=_COMMAND_HINT, place=SourceLocation(name, 1))


def _rows(text: DecodedFile, delimiter: bytes) -> Iterator[tuple[int, list[tuple[int, int]]]]:
    """1-based line number and cell spans of each non-empty row. Raises QeError for an unclosed quote, except in TSV."""
    data, position, line = text.utf8, 0, 1
    while position < len(data):
        first_line, spans = line, []
        while True:
            span = _span(text, position, delimiter, line)
            line += data.count(b"\n", *span)
            spans.append(span)
            position = span[1] + 1
            if data[span[1] : position] != delimiter:
                break
        if data[position - 1 : position + 1] == b"\r\n":
            position += 1
        line += 1
        if len(spans) > 1 or spans[0][0] < spans[0][1]:
            yield first_line, spans


def _span(text: DecodedFile, start: int, delimiter: bytes, line: int) -> tuple[int, int]:
    data = text.utf8
    if data[start : start + 1] == b'"':
        quoted = _QUOTED.match(data, start)
        if quoted is None and delimiter != b"\t":
            raise QeError(
                tr("a closing quotation mark is missing"),
                hint=tr("Double each quotation mark that is part of the text."),
                place=SourceLocation(text.name, line),
            )
        if quoted is not None and data[quoted.end() : quoted.end() + 1] in (delimiter, b"\r", b"\n", b""):
            return quoted.span()
    match = _ENDS[delimiter].match(data, start)
    return match.span() if match else (start, start)


def _cell(text: DecodedFile, start: int, end: int) -> str:
    return unescape_csv_cell(_raw_cell(text, start, end))


def _raw_cell(text: DecodedFile, start: int, end: int) -> str:
    raw = text.text_between(start, end)
    return raw[1:-1].replace('""', '"') if len(raw) > 1 and raw[0] == raw[-1] == '"' else raw


def _confidence(file_head: FileHead) -> float:
    return 0.6 if file_head.root is None and named_columns(file_head.head) is not None else 0.0


def first_rows(head: bytes, choice: ColumnChoice, max_rows: int) -> list[tuple[str, ...]]:
    """Header and up to `max_rows` further rows from the beginning of a table, without an incomplete last row.

    All columns are included, regardless of `choice`. If a quote is not closed, the row in which it begins and all later
    rows are omitted. If no row remains, one empty row is returned.
    """
    complete = head[: head.rfind(b"\n") + 1] or head
    text = DecodedFile("", complete, complete)
    rows: list[tuple[str, ...]] = []
    with suppress(QeError):
        for _, spans in _rows(text, detect_delimiter(complete) or b","):
            rows.append(tuple(_cell(text, *span) for span in spans))
            if len(rows) == max_rows + 1:
                break
    return rows or [()]


def table_column_options(head: bytes) -> ColumnOptions | None:
    """Columns of a table that can be selected as source or target: those with a name.

    The source and target columns detected by name, if any, are the default. Returns None if there are fewer than two
    different names.
    """
    first = _quoted_names(head)
    names = tuple(dict.fromkeys(name for cell in first if (name := cell.strip())))
    if len(names) < 2:
        return None
    detected = named_columns(head)
    default = AUTO_COLUMNS if detected is None else ColumnChoice(*(first[index] for index in detected))
    return ColumnOptions(ChoiceKind.COLUMNS, names, default)


FORMAT = BilingualFormat(NAME, DISPLAY_NAME, _confidence, read, table_column_options, first_rows)
