"""Small files that would become large, and large files that hold nothing, are refused."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import encodings, parse_document, read_document, registry
from qe_desktop.formats.bilingual.xlsx import worksheet, zip_patch
from qe_desktop.formats.bilingual.xml import xml_tree
from tests.formats.bilingual.workbook import MAIN, OFFICE, OTHER, packed, parts


def many_sheets(count: int, *, one_part: bool) -> bytes:
    """A workbook with more sheets, each a part of its own, or all of them one."""
    members = parts()
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
    return packed(members)


def test_a_part_that_many_sheets_name_is_read_once():
    with pytest.raises(QeError, match=r"two sheets refer to the same part xl/worksheets/sheet2\.xml"):
        parse_document(many_sheets(400, one_part=True), "x.xlsx")


def test_all_parts_together_are_bounded(monkeypatch):
    data = many_sheets(20, one_part=False)
    assert parse_document(data, "x.xlsx").segments
    monkeypatch.setattr(zip_patch, "PARTS_ALLOWANCE_BYTES", 1 << 20)
    with pytest.raises(QeError, match=r"its parts are larger than [0-9,]+ bytes uncompressed"):
        parse_document(data, "x.xlsx")


def test_each_sheet_is_read_as_a_whole_only_where_it_is_chosen(monkeypatch):
    read: list[int] = []
    fill = worksheet._fill
    monkeypatch.setattr(worksheet, "_fill", lambda row, *more: read.append(row.number) or fill(row, *more))
    assert len(parse_document(packed(parts()), "x.xlsx").segments) == 6
    # the first rows of both sheets, and the rows of the one with a source and a target
    assert read == [1, 1, 1, 2, 3, 4, 5, 6, 7]


def test_a_row_of_more_cells_than_there_are_is_refused_before_it_is_built(monkeypatch):
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 100)
    sheet = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1">{"<c/>" * 200}</row></sheetData></worksheet>'
    with pytest.raises(QeError, match="a unit has more than 100 elements"):
        parse_document(packed(parts(sheet)), "x.xlsx")


def test_a_unit_of_too_many_elements_is_refused(monkeypatch):
    monkeypatch.setattr(xml_tree, "MAX_ELEMENTS", 100)
    unit = '<trans-unit id="{}"><source>{}</source></trans-unit>'
    head = '<xliff version="1.2"><file source-language="en" target-language="de"><body>\n'
    many = "".join(unit.format(number, "a") for number in range(200))
    assert len(parse_document(f"{head}{many}</body></file></xliff>".encode(), "x.xlf").segments) == 200
    with pytest.raises(QeError, match=r"x\.xlf:2: a unit has more than 100 elements"):
        parse_document(f"{head}{unit.format(1, '<x/>' * 100)}</body></file></xliff>".encode(), "x.xlf")


@pytest.mark.parametrize("begin", [b"", b"\xff\xfe", b"\xef\xbb\xbf", b"<?xml version='1.0'?><xliff version='1.2'>"])
def test_a_file_of_null_bytes_is_refused_by_how_it_begins(begin, monkeypatch):
    looked: list[int] = []
    decode = encodings.codecs.utf_8_decode
    monkeypatch.setattr(
        encodings.codecs, "utf_8_decode", lambda piece, *more: looked.append(len(piece)) or decode(piece, *more)
    )
    with pytest.raises(QeError):
        parse_document(begin + bytes(1 << 24), "x.xlf")
    assert sum(looked) <= 1 << 17


def test_a_large_file_that_is_none_is_not_read_as_a_whole(tmp_path, monkeypatch):
    path = tmp_path / "x.xlf"
    path.write_bytes(bytes(1 << 20))
    monkeypatch.setattr(registry, "read_bytes", lambda *_: pytest.fail("all of it was read"))
    with pytest.raises(QeError, match="this is not a supported bilingual file"):
        read_document(path)


def test_a_null_byte_is_named_with_its_line():
    data = b'<xliff version="1.2">\n<file source-language="en">\n\0</file></xliff>'
    with pytest.raises(QeError, match=r"x\.xlf:3: not valid UTF-8: unexpected byte 00"):
        parse_document(data, "x.xlf")
