"""Workbooks are read by sheet and column, and written such that only one cell changes."""

from __future__ import annotations

import io
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lxml import etree

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual import ColumnChoice, detect_dialect, parse_document
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from tests.formats.bilingual.samples import line_pairs
from tests.formats.bilingual.workbook import MAIN, SHARED, SHEET, default_workbook, pack_workbook, workbook_parts

SHEET_PART = "xl/worksheets/sheet2.xml"
LINES = [
    ("Press “Stop”.", "Stopp drücken."), ("Wait.", "Warten!"), ("OK", "OK"), ("Two runs", ""), ("Wait.", "WARTEN"),
    ("12", "45123"),
]  # fmt: skip


def members(data: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(data)) as package:
        assert package.testzip() is None
        return {info.filename: package.read(info) for info in package.infolist()}


def cells(data: bytes) -> dict[str, str]:
    """Return type, style, value and text of each cell of the sheet, as another parser reads them."""
    sheet = etree.fromstring(members(data)[SHEET_PART])
    return {
        cell.get("r"): f"{cell.get('t')} {cell.get('s')} {''.join(cell.itertext())}"
        for cell in sheet.iter(f"{{{MAIN}}}c")
    }


@pytest.mark.parametrize("streamed", [False, True])
@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])
def test_edit_changes_only_one_cell(method, streamed):
    data = pack_workbook(workbook_parts(), method, streamed)
    document = parse_document(data, "job.xlsx")
    assert document.dialect == "xlsx"
    assert line_pairs(document) == LINES
    assert [(segment.name, segment.line) for segment in document.segments][:2] == [("Text!B2", 2), ("Text!B3", 3)]
    assert document.segments[0].notes == ("Chapter 1",)
    same = document.with_targets({number: line for number, (_, line) in enumerate(LINES)})
    assert same.data == data
    before = members(data)
    for number, cell, line, written in [
        (0, "B2", "Halt < & >", "inlineStr 3 Halt < & >"),
        (1, "B3", " zwei\u2028Zeilen", "inlineStr None  zwei\nZeilen"),
        # a shared string that the source uses too is not changed there
        (2, "B4", "In Ordnung", "inlineStr None In Ordnung"), (3, "B5", "Zwei Läufe", "inlineStr None Zwei Läufe"),
        (5, "B7", "13. 8.", "inlineStr 2 13. 8."), (0, "B2", "", "None 3 "),
    ]:  # fmt: skip
        new = document.with_targets({number: line})
        after = members(new.data)
        assert {name for name in before if before[name] != after[name]} == {SHEET_PART}
        assert list(after) == list(before)
        old = cells(data)
        assert cells(new.data) == old | {cell: written}
        assert list(cells(new.data)) == sorted({*old, cell}, key=lambda name: (int(name[1:]), name))
        assert new.unchanged_bytes > sum(map(len, before.values())) - 60
        # members before the sheet keep their offsets, and other members their compressed bytes
        sheet_start = data.index(b"PK\x03\x04", data.index(b"xl/worksheets/sheet1.xml"))
        assert new.data[:sheet_start] == data[:sheet_start]
        sheet_end = data.index(b"PK\x03\x04", data.index(b"xl/worksheets/sheet2.xml"))
        assert data[sheet_end : data.index(b"PK\x01\x02")] in new.data
        assert new.data.endswith(b"a comment")


def test_formula_cells_are_not_editable():
    document = parse_document(default_workbook(), "job.xlsx")
    assert document.notes == ("1 target is computed by a formula and cannot be edited",)
    with pytest.raises(QeError, match="segment 5: the file has no editable element or cell for the target"):
        document.with_targets({4: "warten"})


def test_columns_are_selected_by_name_or_letter():
    data = default_workbook()
    assert line_pairs(parse_document(data, "job", ColumnChoice("target", "source")))[0] == LINES[0][::-1]
    assert line_pairs(parse_document(data, "job", ColumnChoice("Text!A", "B"))) == LINES
    by_letters = parse_document(data, "job", ColumnChoice("'Text'!B", "C"))
    assert line_pairs(by_letters)[0] == ("target", "")
    reparsed = parse_document(by_letters.with_targets({1: "x"}).data, "job", ColumnChoice("Text!B", "C"))
    assert line_pairs(reparsed)[:2] == [("target", ""), ("Stopp drücken.", "x")]
    with pytest.raises(QeError, match="there is no sheet Texts, only Read me, Text"):
        parse_document(data, "job", ColumnChoice("Texts!A", "B"))
    with pytest.raises(QeError, match="the source and target cannot be determined"):
        parse_document(data, "job", ColumnChoice("Text!nothing", "B"))
    with pytest.raises(QeError, match="several sheets contain a source and a target column: Read me, Text"):
        parse_document(pack_workbook(workbook_parts(other=SHEET)), "job")


@given(st.text(st.characters(exclude_categories=("Cs",))).filter(lambda text: not INVALID_XML_CHARS.search(text)))
def test_any_text_is_written_and_read_back(text):
    text = text.replace("⟨", "⟨⟨").replace("\r\n", "\u2028").replace("\n", "\u2028").replace("\r", "\u2028")
    document = parse_document(default_workbook(), "job")
    for number in (0, 3):
        reparsed = parse_document(document.with_targets({number: text}).data, "job")
        assert reparsed.segments[number].target_line == text


def damage_part(part: str, old: bytes, new: bytes) -> bytes:
    members_before = workbook_parts()
    assert old in members_before[part]
    return pack_workbook(members_before | {part: members_before[part].replace(old, new, 1)})


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (default_workbook()[:-40], "damaged"),
        (default_workbook().replace(b"PK\x05\x06", b"PK\x05\x07"), "damaged"),
        (damage_part(SHEET_PART, b"<v>3</v>", b"<v>99</v>"), "job!B2: the cell refers to a missing shared string"),
        (damage_part(SHEET_PART, b'r="B2"', b'r="A2"'), "job!A2: the cells are out of order"),
        (damage_part(SHEET_PART, b'row r="4"', b'row r="2"'), "job!2: the rows are out of order"),
        (damage_part(SHEET_PART, b"<sheetData>", b"<sheetData><row>"), "not well-formed XML"),
        (damage_part(SHEET_PART, b"?>\n", b'?>\n<!DOCTYPE x [<!ENTITY a "ha">]>'), "declares the entity a"),
        (damage_part(SHEET_PART, b"?>\n", b'?>\n<!DOCTYPE x [<!ENTITY a SYSTEM "f">]>'), "the external entity a"),
        (damage_part("xl/workbook.xml", b"UTF-8", b"UTF-7"), "the encoding UTF-7, which is not supported"),
        (
            pack_workbook({name: xml for name, xml in workbook_parts().items() if name != "xl/workbook.xml"}),
            "workbook.xml is missing",
        ),
        (
            pack_workbook(workbook_parts() | {"xl/sharedStrings.xml": b"<sst>" + b" " * (1 << 25)}),
            "is larger than 16,777,216 bytes",
        ),
        (pack_workbook(workbook_parts(), zipfile.ZIP_BZIP2), "unsupported compression method"),
    ],
)  # fmt: skip
def test_damaged_workbooks_are_refused(data, says):
    with pytest.raises(QeError) as caught:
        parse_document(data, "job")
    assert says in caught.value.line()
    assert caught.value.hint


def test_workbook_is_detected_by_content(tmp_path):
    (tmp_path / "job").write_bytes(default_workbook())
    dialect = detect_dialect(tmp_path / "job")
    assert dialect is not None
    assert dialect.name == "xlsx"


def test_openpyxl_reads_the_written_workbook(tmp_path):
    openpyxl = pytest.importorskip("openpyxl")
    book = openpyxl.Workbook()
    sheet = book.active
    for row in (("id", "source", "target"), (1, "a", "b"), (2, "c", None)):
        sheet.append(row)
    buffer = io.BytesIO()
    book.save(buffer)
    document = parse_document(buffer.getvalue(), "job")
    assert line_pairs(document) == [("a", "b"), ("c", "")]
    new = document.with_targets({0: "ä < b", 1: "d"}).data
    rows = openpyxl.load_workbook(io.BytesIO(new)).active.values
    assert list(rows) == [("id", "source", "target"), (1, "a", "ä < b"), (2, "c", "d")]


SHARED_CELL = '<c r="D2" t="s"><v>8</v></c>'
NOTE_CELLS = {
    "date": ('<c r="D2" s="1"><v>45413</v></c>', "45413"),
    "number": ('<c r="D2"><v>42</v></c>', "42"),
    "boolean": ('<c r="D2" t="b"><v>1</v></c>', "1"),
    "formatted text": ('<c r="D2" t="inlineStr"><is><r><rPr><b/></rPr><t>bold</t></r></is></c>', "bold"),
    "formula": ('<c r="D2" t="str"><f>A2</f><v>x</v></c>', "x"),
}


@pytest.mark.parametrize("kind", NOTE_CELLS)
def test_cells_that_are_not_plain_text_have_no_place_for_a_note(kind):
    cell, note = NOTE_CELLS[kind]
    document = parse_document(pack_workbook(workbook_parts(SHEET.replace(SHARED_CELL, cell))), "job.xlsx")
    assert document.segments[0].notes == (note,)
    rewritten = document.with_targets({}, {}, {0: "x"})
    assert (rewritten.data, rewritten.unsupported_notes) == (document.text.data, (0,))


def test_a_shared_string_with_phonetic_text_has_no_place_for_a_note():
    shared = (*SHARED[:-1], '漢</t><rPh sb="0" eb="1"><t>かん</t></rPh><t>')
    document = parse_document(pack_workbook(workbook_parts(shared=shared)), "job.xlsx")
    assert document.segments[0].notes == ("漢",)
    assert document.with_targets({}, {}, {0: "x"}).unsupported_notes == (0,)


def test_a_note_with_formatting_is_not_changed_and_this_is_reported():
    cell = '<c r="D2" t="inlineStr"><is><r><rPr><b/></rPr><t>qe-desktop: x</t></r></is></c>'
    document = parse_document(pack_workbook(workbook_parts(SHEET.replace(SHARED_CELL, cell))), "job.xlsx")
    assert document.segments[0].note == "x"
    for note, unsupported in (("x", ()), ("y", (0,)), ("", (0,))):
        rewritten = document.with_targets({}, {}, {0: note})
        assert (rewritten.data, rewritten.unsupported_notes) == (document.text.data, unsupported)


@pytest.mark.parametrize("cell", ['<c r="D2" s="2"/>', '<c r="D2" s="2" t="s"/>', '<c r="D2" t="inlineStr"></c>'])
def test_an_empty_cell_has_a_place_for_a_note(cell):
    document = parse_document(pack_workbook(workbook_parts(SHEET.replace(SHARED_CELL, cell))), "job.xlsx")
    noted = parse_document(document.with_targets({}, {}, {0: "x"}).data, "job.xlsx")
    assert noted.segments[0].note == "x"


def test_nothing_is_written_into_cells_that_merged_cells_hide():
    merged = (
        '<mergeCells count="3"><mergeCell ref="D2:D4"/><mergeCell ref="B3:B4"/><mergeCell ref="C4:C7"/></mergeCells>'
    )
    sheet = (
        SHEET.replace("<phoneticPr/>", merged)
        .replace('<c r="D1"', '<c r="C1" t="inlineStr"><is><t>status</t></is></c><c r="D1"')
        .replace('<c r="C5"><v>7</v></c>', "")
    )
    document = parse_document(pack_workbook(workbook_parts(sheet)), "job.xlsx")
    assert document.notes[0] == "1 target is hidden in merged cells and cannot be edited"
    notes = document.with_targets({}, {}, dict.fromkeys(range(4), "x"))
    assert notes.unsupported_notes == (1, 2)
    assert [segment.note for segment in parse_document(notes.data, "job.xlsx").segments] == ["x", "", "", "x", "", ""]
    assert cells(notes.data)["D5"] == "inlineStr None qe-desktop: x"
    statuses = document.with_targets({}, dict.fromkeys(range(4), ReviewStatus.CONFIRMED), add_missing=True)
    assert (statuses.changed_segments, statuses.unsupported_statuses) == (2, (2, 3))
    assert document.with_targets({1: "Halt"}).changed_segments == 1
    with pytest.raises(QeError, match="the file has no editable element or cell for the target"):
        document.with_targets({2: "Halt"})
