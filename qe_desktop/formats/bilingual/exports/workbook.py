"""XLSX: a workbook of one sheet, a row for each segment; texts are texts, scores numbers, and nothing is a formula.

Source: ECMA-376, part 1 (SpreadsheetML), with the limits that Excel has.
"""

from __future__ import annotations

import io
import zipfile

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.exports.exported import Exported
from qe_desktop.formats.bilingual.exports.tables import Cells, rows_of
from qe_desktop.formats.bilingual.sheet_texts import MOST_CHARACTERS, written
from qe_desktop.formats.bilingual.sheets import letter_of
from qe_desktop.outgoing import utf8
from qe_desktop.wording import tr

MOST_ROWS = 1 << 20
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_SHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_PARTS = {
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


def write(exported: Exported) -> bytes:
    """The whole workbook. QeError for more rows or longer cells than a spreadsheet holds."""
    rows = rows_of(exported)
    if len(rows) > MOST_ROWS:
        message = tr("a sheet has {n:,} rows at most", "", MOST_ROWS)
        raise QeError(message, hint=tr("Write it as a TSV, or in parts."))
    parts = [f'<worksheet xmlns="{_MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" ']
    parts.append('activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>')
    for number, row in enumerate(rows, 1):
        cells = "".join([_cell(value, place, number) for place, value in enumerate(row)])
        parts.append(f'<row r="{number}">{cells}</row>')
    parts.append("</sheetData></worksheet>")
    return _packed({**_PARTS, "xl/worksheets/sheet1.xml": "".join(parts)})


def _cell(value: Cells | str | int | float | None, place: int, row: int) -> str:
    name = f"{letter_of(place)}{row}"
    if isinstance(value, str):
        if len(value) > MOST_CHARACTERS:
            message = tr("segment {number:,}: a cell has {n:,} characters at most", "", MOST_CHARACTERS, number=row - 1)
            raise QeError(message, hint=tr("Write it as a TSV."))
        return f'<c r="{name}" t="inlineStr"><is>{written(value)}</is></c>' if value else ""
    return "" if value is None else f'<c r="{name}"><v>{value!r}</v></c>'


def _packed(parts: dict[str, str]) -> bytes:
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in parts.items():
            # a time would make equal content unequal files
            package.writestr(zipfile.ZipInfo(name), utf8(_HEAD + part), zipfile.ZIP_DEFLATED)
    return kept.getvalue()
