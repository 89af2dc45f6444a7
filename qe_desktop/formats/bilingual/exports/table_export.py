"""Export as tables (CSV, TSV, XLSX) or plain lines. Codes are written as `⟨1⟩`; no cell is parsed as a formula."""

from __future__ import annotations

import io
import zipfile
from codecs import BOM_UTF8
from collections.abc import Iterable, Sequence
from math import isnan

from qe_desktop.corpus import QeError
from qe_desktop.escaping import encode_utf8, escape_csv_cell
from qe_desktop.formats.bilingual.columns import QE_COLUMNS, SCORE, TAGS, WORDS
from qe_desktop.formats.bilingual.exports.export_model import ExportData
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.formats.bilingual.reviewer_notes import CellText
from qe_desktop.formats.bilingual.tabular.workbook import MAX_CELL_CHARS, count_cell_chars, escape_cell_text
from qe_desktop.formats.bilingual.tabular.worksheet import column_letters
from qe_desktop.i18n.messages import tr

Cells = list[str | int | float | None]
"""Row of texts and numbers; None is an empty cell."""


def table_rows(exported: ExportData) -> list[Cells]:
    """Column names, then one row per segment; tag and score columns come last."""
    scores = list(exported.scores.values())
    tags: dict[str, Sequence[str]] = {WORDS: exported.words} if exported.words else {}
    tags |= {f"{TAGS}{name}": column for name, column in exported.tags.items()}
    rows: list[Cells] = [[*QE_COLUMNS, *tags, *(f"{SCORE}{name}" for name in exported.scores)]]
    for document, pairs in exported.by_document():
        for number, pair in pairs:
            texts = (pair.source, pair.mt, pair.target)
            other_notes = "\n".join(note.replace(LINE_BREAK, "\n") for note in pair.notes)
            notes = CellText.of_others(other_notes).with_note(pair.file_note)
            source, loaded, target = (text.replace(LINE_BREAK, "\n") for text in texts)
            row: Cells = [document, number, source, loaded, target, pair.status.name.lower(), notes]
            row += [column[number - 1] for column in tags.values()]
            row += [None if isnan(column[number - 1]) else column[number - 1] for column in scores]
            rows.append(row)
    return rows


def write_csv(exported: ExportData) -> bytes:
    """Serialize as CSV with commas and CRLF (RFC 4180), and a byte order mark so that spreadsheets detect UTF-8."""
    return BOM_UTF8 + encode_utf8(_table(table_rows(exported), ",", "\r\n"))


def write_tsv(exported: ExportData) -> bytes:
    """Serialize as TSV with LF line ends; cells with tabs, quotes or line breaks are quoted as in CSV."""
    return encode_utf8(_table(table_rows(exported), "\t", "\n"))


def _table(rows: list[Cells], delimiter: str, end: str) -> str:
    return "".join([delimiter.join([_cell(value, delimiter) for value in row]) + end for row in rows])


def _cell(value: str | int | float | None, delimiter: str) -> str:
    if not isinstance(value, str):
        return (
            "" if value is None else repr(float(value)).removesuffix(".0") if isinstance(value, float) else str(value)
        )
    text = escape_csv_cell(value)
    if any(char in text for char in ('"', "\n", "\r", delimiter)):
        return '"' + text.replace('"', '""') + '"'
    return text


def write_sources(exported: ExportData) -> bytes:
    """Serialize the sources as lines with codes (`plain_lines`), one per segment."""
    return _lines(pair.source for pair in exported.segments)


def write_mt(exported: ExportData) -> bytes:
    """Serialize the loaded MT as lines with codes, one per segment."""
    return _lines(pair.mt for pair in exported.segments)


def write_post_edits(exported: ExportData) -> bytes:
    """Serialize the current targets as lines with codes, one per segment."""
    return _lines(pair.target for pair in exported.segments)


def _lines(lines: Iterable[str]) -> bytes:
    return encode_utf8("".join([f"{line}\n" for line in lines]))


MAX_SHEET_ROWS = 1 << 20
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_WORKBOOK_PARTS = {
    "[Content_Types].xml": (
        f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats'
        '-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/'
        f'workbook.xml" ContentType="{_SHEET}.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" '
        f'ContentType="{_SHEET}.worksheet+xml"/></Types>'
    ),
    "_rels/.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" Type="{_OFFICE}/officeDocument" '
        'Target="xl/workbook.xml"/></Relationships>'
    ),
    "xl/workbook.xml": (
        f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets><sheet name="segments" sheetId="1" r:id="rId1"/>'
        "</sheets></workbook>"
    ),
    "xl/_rels/workbook.xml.rels": (
        f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="rId1" Type="{_OFFICE}/worksheet" '
        'Target="worksheets/sheet1.xml"/></Relationships>'
    ),
}


def write_xlsx(exported: ExportData) -> bytes:
    """Serialize as a workbook. Raises QeError if there are too many rows or a cell is too long."""
    rows = table_rows(exported)
    if len(rows) > MAX_SHEET_ROWS:
        message = tr("a worksheet can have at most {n:,} rows", "", MAX_SHEET_ROWS)
        raise QeError(message, hint=tr("Export as CSV or TSV instead."))
    parts = [f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ']
    parts.append('activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>')
    for number, row in enumerate(rows, 1):
        cells = "".join([_worksheet_cell(value, column, number) for column, value in enumerate(row)])
        parts.append(f'<row r="{number}">{cells}</row>')
    parts.append("</sheetData></worksheet>")
    return _zip_parts({**_WORKBOOK_PARTS, "xl/worksheets/sheet1.xml": "".join(parts)})


def _worksheet_cell(value: Cells | str | int | float | None, column: int, row: int) -> str:
    name = f"{column_letters(column)}{row}"
    if isinstance(value, str):
        if count_cell_chars(value) > MAX_CELL_CHARS:
            message = tr(
                "segment {number:,}: a cell can have at most {n:,} characters", "", MAX_CELL_CHARS, number=row - 1
            )
            raise QeError(message, hint=tr("Export as CSV or TSV instead."))
        return f'<c r="{name}" t="inlineStr"><is>{escape_cell_text(value)}</is></c>' if value else ""
    return "" if value is None else f'<c r="{name}"><v>{value!r}</v></c>'


def _zip_parts(parts: dict[str, str]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in parts.items():
            # a fixed timestamp makes files of equal content identical
            package.writestr(zipfile.ZipInfo(name), encode_utf8(_HEAD + part), zipfile.ZIP_DEFLATED)
    return buffer.getvalue()
