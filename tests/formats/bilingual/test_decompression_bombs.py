"""Small files that expand to large ones, and large files without content, are refused."""

from __future__ import annotations

import codecs
import os

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats import files
from qe_desktop.formats.bilingual import detect_dialect, encodings, parse_document, read_document, registry, segments
from qe_desktop.formats.bilingual.tabular import worksheet, zip_patch
from qe_desktop.formats.bilingual.xml import xml_tree
from qe_desktop.formats.text_files import open_file
from tests.formats.bilingual.workbook import MAIN, OFFICE, OTHER, pack_workbook, workbook_parts


def many_sheets(count: int, *, one_part: bool) -> bytes:
    """Return a workbook with additional sheets, each with its own part, or all sharing one part."""
    members = workbook_parts()
    names = relations = ""
    for number in range(count):
        names += f'<sheet name="s{number}" sheetId="{number + 9}" r:id="s{number}"/>'
        target = "sheet2.xml" if one_part else f"more{number}.xml"
        relations += f'<Relationship Id="s{number}" Type="{OFFICE}/worksheet" Target="worksheets/{target}"/>'
        if not one_part:
            members[f"xl/worksheets/{target}"] = OTHER.encode() + b" " * 100_000
    main, listed = "xl/workbook.xml", "xl/_rels/workbook.xml.rels"
    members[main] = members[main].replace(b"</sheets>", f"{names}</sheets>".encode())
    members[listed] = members[listed].replace(b"</Relationships>", f"{relations}</Relationships>".encode())
    return pack_workbook(members)


def test_two_sheets_with_the_same_part_are_refused():
    with pytest.raises(QeError, match=r"two sheets refer to the same part xl/worksheets/sheet2\.xml"):
        parse_document(many_sheets(400, one_part=True), "x.xlsx")


def test_total_size_of_workbook_parts_is_limited(monkeypatch):
    data = many_sheets(20, one_part=False)
    assert parse_document(data, "x.xlsx").segments
    monkeypatch.setattr(zip_patch, "PARTS_ALLOWANCE_BYTES", 1 << 20)
    with pytest.raises(QeError, match=r"the parts of the workbook have more than [0-9,]+ bytes in total"):
        parse_document(data, "x.xlsx")


def test_only_the_selected_sheet_is_read_completely(monkeypatch):
    read: list[int] = []
    fill = worksheet._fill
    monkeypatch.setattr(worksheet, "_fill", lambda row, *more: read.append(row.number) or fill(row, *more))
    assert len(parse_document(pack_workbook(workbook_parts()), "x.xlsx").segments) == 6
    # the header rows of both sheets, then all rows of the sheet with source and target
    assert read == [1, 1, 1, 2, 3, 4, 5, 6, 7]


def test_row_with_too_many_cells_is_refused(monkeypatch):
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 100)
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{"<c/>" * 200}</row></sheetData></worksheet>'
    with pytest.raises(QeError, match="a unit has more than 100 elements"):
        parse_document(pack_workbook(workbook_parts(sheet)), "x.xlsx")


def test_unit_with_too_many_elements_is_refused(monkeypatch):
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 100)
    unit = '<trans-unit id="{}"><source>{}</source></trans-unit>'
    head = '<xliff version="1.2"><file source-language="en" target-language="de"><body>\n'
    many = "".join(unit.format(number, "a") for number in range(200))
    assert len(parse_document(f"{head}{many}</body></file></xliff>".encode(), "x.xlf").segments) == 200
    with pytest.raises(QeError, match=r"x\.xlf:2: a unit has more than 100 elements"):
        parse_document(f"{head}{unit.format(1, '<x/>' * 100)}</body></file></xliff>".encode(), "x.xlf")


@pytest.mark.parametrize("begin", [b"", b"\xff\xfe", b"\xef\xbb\xbf", b"<?xml version='1.0'?><xliff version='1.2'>"])
def test_file_of_null_bytes_is_refused_after_its_first_bytes(begin, monkeypatch):
    piece_lengths: list[int] = []
    decode = encodings.codecs.utf_8_decode
    monkeypatch.setattr(
        encodings.codecs, "utf_8_decode", lambda piece, *more: piece_lengths.append(len(piece)) or decode(piece, *more)
    )
    with pytest.raises(QeError):
        parse_document(begin + bytes(1 << 24), "x.xlf")
    assert sum(piece_lengths) <= 1 << 17


def test_unsupported_large_file_is_not_read_completely(tmp_path, monkeypatch):
    path = tmp_path / "x.xlf"
    path.write_bytes(bytes(1 << 20))
    monkeypatch.setattr(registry, "read_bytes", lambda *_: pytest.fail("all of it was read"))
    with pytest.raises(QeError, match="this is not a supported bilingual file"):
        read_document(path)


UNITS = '<xliff version="1.2"><file source-language="en"><body><trans-unit id="1"><source>a</source></trans-unit>\n'
HEADER = 'msgid ""\nmsgstr "Content-Type: text/plain; charset={}\\n"\n\nmsgid "a"\nmsgstr "b"\n'


@pytest.mark.parametrize(
    ("name", "begin", "message"),
    [
        ("x.xlf", UNITS.encode(), "x.xlf:2: the text is not valid UTF-8: unexpected byte 00"),
        ("x.xlf", UNITS.encode("utf-16"), "x.xlf:2: the text is not valid UTF-16-LE: unexpected byte 00"),
        (
            "x.xlf",
            codecs.BOM_UTF32_BE + UNITS.encode("utf-32-be"),
            "x.xlf:2: the text is not valid UTF-32-BE: unexpected byte 00",
        ),
        ("x.tsv", b"source\ttarget\na\tb\n", "x.tsv:3: the text is not valid UTF-8: unexpected byte 00"),
        ("x.po", HEADER.format("UTF-8").encode(), "x.po:6: the text is not valid UTF-8: unexpected byte 00"),
        ("x.po", HEADER.format("ISO-8859-15").encode(), "x.po:6: the text is not valid ISO8859-15: unexpected byte 00"),
    ],
)
def test_document_followed_by_null_bytes_is_read_up_to_them(name, begin, message, tmp_path, monkeypatch):
    read: list[int] = []
    parse = registry.parse_document
    monkeypatch.setattr(files, "COPY_BLOCK_BYTES", 1 << 16)
    monkeypatch.setattr(registry, "parse_document", lambda data, *more: read.append(len(data)) or parse(data, *more))
    path = tmp_path / name
    path.write_bytes(begin)
    os.truncate(path, 1 << 24)
    with pytest.raises(QeError) as refused:
        read_document(path)
    assert str(refused.value).startswith(f"{tmp_path}{os.sep}{message}")
    assert read == [1 << 16]


def test_read_bytes_stops_after_the_first_null_byte(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "COPY_BLOCK_BYTES", 1 << 16)
    path = tmp_path / "x.txt"
    path.write_bytes(b"a\n" * (1 << 16))
    assert len(files.read_bytes(path, null_width=lambda _: 1)) == 1 << 17
    os.truncate(path, 1 << 24)
    assert len(files.read_bytes(path, null_width=lambda _: 1)) == 3 << 16
    assert len(files.read_bytes(path)) == 1 << 24
    with pytest.raises(QeError, match="contains NUL bytes"):
        open_file(path)


@pytest.mark.parametrize("width", [1, 2, 4])
def test_find_null_matches_only_whole_code_units(width):
    codec = {1: "utf-8", 2: "utf-16-be", 4: "utf-32-be"}[width]
    # on both sides of a block boundary; U+0100 has a zero byte that must not be interpreted as part of a NUL
    for count in (0, 9, files.SEARCH_BLOCK_BYTES // width - 1, files.SEARCH_BLOCK_BYTES // width):
        text = ("\u0100" if width > 1 else "a") * count
        assert files.find_null(text.encode(codec) + b"a" * (width - 1), width) == -1
        assert files.find_null(f"{text}\0b".encode(codec), width) == count * width


def test_truncated_zip_archive_is_not_read_completely(tmp_path, monkeypatch):
    path = tmp_path / "x.xlsx"
    path.write_bytes(pack_workbook(workbook_parts())[:-30])
    monkeypatch.setattr(registry, "read_bytes", lambda *_: pytest.fail("all of it was read"))
    with pytest.raises(QeError, match="the file is damaged: its end is missing"):
        read_document(path)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
@pytest.mark.parametrize(("name", "text"), [("x.tsv", "source\ttarget\na\tb\n" * 9), ("x.xlf", f"\n {UNITS}")])
def test_utf16_without_byte_order_mark_is_reported(name, text, codec, tmp_path):
    path = tmp_path / name
    path.write_bytes(text.encode(codec))
    assert detect_dialect(path) is None
    with pytest.raises(QeError, match="encoding looks like UTF-16"):
        read_document(path)


def test_null_byte_is_reported_with_its_line():
    data = b'<xliff version="1.2">\n<file source-language="en">\n\0</file></xliff>'
    with pytest.raises(QeError, match=r"x\.xlf:3: the text is not valid UTF-8: unexpected byte 00"):
        parse_document(data, "x.xlf")


def repeated_cells(column: str) -> bytes:
    """Return a workbook in which many cells of a column refer to one long shared string."""
    names = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1" t="s"><v>1</v></c><c r="C1" t="s"><v>3</v></c></row>'
    rows = "".join(
        f'<row r="{row}"><c r="B{row}"><v>1</v></c><c r="C{row}"><v>1</v></c></row>'.replace(
            f'<c r="{column}{row}"><v>1</v>', f'<c r="{column}{row}" t="s"><v>2</v>'
        )
        for row in range(2, 400)
    )
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData>{names}{rows}</sheetData></worksheet>'
    return pack_workbook(workbook_parts(sheet, ("source", "target", "ab " * 10_000, "score")))


def plural_forms(comments: int, length: int) -> bytes:
    forms = "".join(f'msgstr[{number}] "x"\n' for number in range(900))
    plural = "b" * length
    return ("#a\n" * comments + f'msgid "a"\nmsgid_plural "{plural}"\n{forms}').encode()


@pytest.mark.parametrize(
    ("name", "data", "line"),
    [
        ("x.xlsx", repeated_cells("B"), r"\d+"),
        ("x.xlsx", repeated_cells("C"), r"\d+"),
        ("x.po", plural_forms(0, 10_000), "1"),
        ("x.po", plural_forms(4_000, 1), "4,?001"),
    ],
    ids=["a shared string as a target", "a shared string in another column", "a plural text", "comments"],
)
def test_total_length_of_repeated_texts_is_limited(name, data, line, monkeypatch):
    assert len(parse_document(data, name).segments) > 300
    monkeypatch.setattr(segments, "TEXT_ALLOWANCE_CHARS", 1 << 20)
    with pytest.raises(QeError, match=rf"{name}(!.*)?:{line}: the texts of the segments have more than [0-9,]+ char"):
        parse_document(data, name)


def test_plural_forms_share_the_notes_of_their_entry():
    first, *others = parse_document(plural_forms(9, 1), "x.po").segments
    assert first.notes == ("a",) * 9
    assert all(segment.notes is first.notes for segment in others)
