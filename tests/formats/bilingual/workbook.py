"""Workbooks as various programs write them, built part by part."""

from __future__ import annotations

import io
import zipfile

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PACKAGE = "http://schemas.openxmlformats.org/package/2006/relationships"
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
SHARED = ("source", "target", "Press “Stop”.", "Stopp drücken.", "Wait.", "Warten_x0021_", "OK", "notes", "Chapter 1")
SHEET = (
    f'<worksheet xmlns="{MAIN}"><dimension ref="A1:D7"/><sheetData>\n'
    '<row r="1" spans="1:4"><c r="A1" t="s"><v>0</v></c><c r="B1" s="1" t="s"><v>1</v></c><c r="D1" t="s"><v>7</v></c>'
    "</row>\n"
    '<row r="2"><c r="A2" t="s"><v>2</v></c><c r="B2" s="3" t="s"><v>3</v></c><c r="D2" t="s"><v>8</v></c></row>\n'
    '<row r="3"><c r="A3" t="s"><v>4</v></c><c r="B3" t="s"><v>5</v></c></row>\n'
    '<row r="4"><c r="A4" t="s"><v>6</v></c><c r="B4" t="s"><v>6</v></c></row>\n'
    '<row r="5"><c r="A5" t="inlineStr"><is><r><t>Two </t></r><r><rPr><b/></rPr><t>runs</t></r></is></c>'
    '<c r="C5"><v>7</v></c></row>\n'
    '<row r="6"><c r="A6" t="s"><v>4</v></c><c r="B6" t="str"><f>UPPER("warten")</f><v>WARTEN</v></c></row>\n'
    '<row r="7"><c r="A7"><v>12</v></c><c r="B7" s="2"><v>45123</v></c></row>\n'
    "</sheetData><phoneticPr/></worksheet>"
)
OTHER = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row></sheetData></worksheet>'


def workbook_parts(sheet: str = SHEET, shared: tuple[str, ...] = SHARED, other: str = OTHER) -> dict[str, bytes]:
    """Return the members of a workbook with the sheets “Read me” and “Text”."""
    texts = "".join(f"<si><t>{text}</t></si>" for text in shared)
    members = {
        "[Content_Types].xml": "<Types/>",
        "_rels/.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
        'Target="/xl/workbook.xml"/></Relationships>',
        "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets><sheet name="Read me" sheetId="1" '
        'r:id="r1"/><sheet name="Text" sheetId="2" r:id="r2"/></sheets></workbook>',
        "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{PACKAGE}"><Relationship Id="r1" '
        f'Type="{OFFICE}/worksheet" Target="worksheets/sheet1.xml"/><Relationship Id="r2" Type="{OFFICE}/worksheet" '
        f'Target="worksheets/sheet2.xml"/><Relationship Id="r3" Type="{OFFICE}/sharedStrings" '
        'Target="sharedStrings.xml"/></Relationships>',
        "xl/worksheets/sheet1.xml": other,
        "xl/worksheets/sheet2.xml": sheet,
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}">{texts}</sst>',
        "xl/vbaProject.bin": "macros",
    }
    return {name: (content if name.endswith(".bin") else HEAD + content).encode() for name, content in members.items()}


class _UnseekableBuffer(io.BytesIO):
    """Unseekable stream, for which zipfile writes sizes after the content, as streaming programs do."""

    def seekable(self) -> bool:
        return False

    def seek(self, *_: int) -> int:
        raise io.UnsupportedOperation

    def tell(self) -> int:
        raise io.UnsupportedOperation


def pack_workbook(members: dict[str, bytes], method: int = zipfile.ZIP_DEFLATED, streamed: bool = False) -> bytes:
    """Return a zip archive of members."""
    buffer = _UnseekableBuffer() if streamed else io.BytesIO()
    with zipfile.ZipFile(buffer, "w", method) as package:
        package.comment = b"a comment"
        for name, content in members.items():
            info = zipfile.ZipInfo(name, (2020, 1, 2, 3, 4, 6))
            package.writestr(info, content, method)
    return buffer.getvalue()


def default_workbook() -> bytes:
    """Return the default workbook."""
    return pack_workbook(workbook_parts())
