"""Invalid input in each dialect is rejected with a message, or its valid part is read."""

from __future__ import annotations

import os
import random
import re
import stat
from contextlib import suppress

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, parse_document, read_document, save_document
from tests.formats.bilingual.samples import NAMES, read_sample
from tests.formats.bilingual.workbook import default_workbook, pack_workbook, workbook_parts

IN_XML = [name for name in NAMES if not name.startswith(("catalogue", "table"))]
ALL = [*NAMES, "book.xlsx"]
SHEET = "xl/worksheets/sheet2.xml"
ENTITY = '<!DOCTYPE x [<!ENTITY a "ha">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def data_of(name: str) -> bytes:
    return default_workbook() if name == "book.xlsx" else read_sample(name)


def add_doctype(name: str, doctype: str) -> bytes:
    if name == "book.xlsx":
        members = workbook_parts()
        return pack_workbook(members | {SHEET: members[SHEET].replace(b"?>", b"?>" + doctype.encode(), 1)})
    data = re.sub(rb"<!DOCTYPE[^>]*>", b"", read_sample(name))
    head = re.match(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>)?", data)
    assert head is not None
    return data[: head.end()] + doctype.encode() + data[head.end() :]


@pytest.mark.parametrize("name", [*IN_XML, "book.xlsx"])
@pytest.mark.parametrize(("doctype", "says"), [(ENTITY, "declares the entity a"), (OUTSIDE, "the external entity a")])
def test_entities_are_refused(name, doctype, says):
    with pytest.raises(QeError, match=says) as caught:
        parse_document(add_doctype(name, doctype), "job")
    assert caught.value.place is not None
    assert caught.value.place.line is not None
    assert caught.value.hint


@pytest.mark.parametrize("name", [*IN_XML, "book.xlsx"])
def test_deep_nesting_is_refused(name):
    deep = b"<g id='1'>" * 5000
    if name == "book.xlsx":
        members = workbook_parts()
        data = pack_workbook(members | {SHEET: members[SHEET].replace(b"<sheetData>", b"<sheetData>" + deep, 1)})
    else:
        tag = b"<seg>" if name.endswith(".tmx") else b"<source"
        content = read_sample(name)
        offset = content.index(b">", content.index(tag)) + 1
        data = content[:offset] + deep + content[offset:]
    with pytest.raises(QeError, match="more than 200 levels deep"):
        parse_document(data, "job")


@pytest.mark.parametrize("name", NAMES)
def test_invalid_utf8_is_refused(name):
    data = read_sample(name)
    text = data.decode("utf-8-sig")
    index = next((position for position, char in enumerate(text) if ord(char) > 127), len(text) // 2)
    broken = text[:index].encode() + b"\xfc" + text[index + 1 :].encode()
    with pytest.raises(QeError, match="unexpected byte FC") as caught:
        parse_document(broken, "job")
    assert caught.value.place is not None
    assert caught.value.place.line == text[:index].count("\n") + 1


@pytest.mark.parametrize("name", ALL)
def test_invalid_codes_are_refused(name):
    document = parse_document(data_of(name), "job")
    editable = [
        number for number, item in enumerate(document.segments) if not item.locked and item.target_location is not None
    ]
    for number in editable:
        codes = re.findall("⟨[^⟨⟩]*⟩", document.segments[number].source_line.replace("⟨⟨", ""))
        for line in ("".join(codes) + "⟨77/⟩", "⟨/77⟩⟨77⟩" + "".join(codes), "⟨"):
            with pytest.raises(QeError, match=f"segment {number + 1}: "):
                document.with_targets({number: line})
        if len(codes) > 1:
            with pytest.raises(QeError, match=r"wrong position|too often|missing"):
                document.with_targets({number: "".join(reversed(codes)) + codes[0]})


WITHOUT_MISSING_TARGETS = ("phrase.mxliff", "memoq.mqxliff", "okapi.xlf")


def first_editable(document: Document) -> int:
    return next(
        number
        for number, segment in enumerate(document.segments)
        if not segment.locked and segment.target_location is not None
    )


@pytest.mark.parametrize("name", [name for name in ALL if name not in WITHOUT_MISSING_TARGETS])
def test_missing_targets_are_inserted_or_refused(name):
    """A missing target is inserted, or the error states that the file has no position for it."""
    document = parse_document(data_of(name), "job")
    without = [number for number, item in enumerate(document.segments) if not item.target and not item.locked]
    assert without
    for number in without:
        segment = document.segments[number]
        line = re.sub("[^⟨⟩/0-9]+(?![^⟨]*⟩)", "", segment.source_line.replace("⟨⟨", ""))
        if segment.target_location is None:
            with pytest.raises(QeError, match="the file has no editable element or cell for the target"):
                document.with_targets({number: line + "x"})
        else:
            reparsed = parse_document(
                document.with_targets({number: line + "x"}).data,
                "job",
            )
            assert reparsed.segments[number].target_line == line + "x"


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("become", ["other", "gone", "a folder"])
def test_file_changed_since_reading_is_not_overwritten(name, become, tmp_path):
    path, output = tmp_path / name, tmp_path / "out"
    path.write_bytes(data_of(name))
    document = read_document(path)
    number = first_editable(document)
    codes = "".join(re.findall("⟨[^⟨⟩]*⟩", document.segments[number].source_line.replace("⟨⟨", "")))
    new = document.with_targets({number: codes + "x"})
    if become == "other":
        path.write_bytes(data_of(name) + b"\n")
    else:
        path.unlink()
        if become == "a folder":
            path.mkdir()
    for target in (output, path):
        with pytest.raises(QeError):
            save_document(new, document, path, target)
    assert not output.exists()
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ([] if become == "gone" else [name])


@pytest.mark.parametrize("name", ALL)
def test_read_only_file_is_not_changed(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(data_of(name))
    document = read_document(path)
    number = first_editable(document)
    codes = "".join(re.findall("⟨[^⟨⟩]*⟩", document.segments[number].source_line.replace("⟨⟨", "")))
    new = document.with_targets({number: codes + "x"})
    path.chmod(0o440)
    if os.access(path, os.W_OK):
        # root can write, and the file mode is preserved
        save_document(new, document, path, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o440
        assert path.read_bytes() == new.data
        return
    with pytest.raises(QeError, match="the file is read-only"):
        save_document(new, document, path, path)
    assert path.read_bytes() == data_of(name)


@pytest.mark.parametrize("part", [SHEET, "xl/sharedStrings.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"])
def test_damaged_workbook_parts_raise_only_qe_errors(part):
    rng, members = random.Random(part), workbook_parts()
    for _ in range(150):
        data = bytearray(members[part])
        start = rng.randrange(len(data))
        data[start : start + rng.randrange(12)] = rng.choice(
            (b"", b"<", b">", b'"', b"\0", b"&", b"</c>", b"<c>", b"9", b"A1", b"\xff", b'r="', b"-1", b"../../")
        )
        with suppress(QeError):
            document = parse_document(pack_workbook(members | {part: bytes(data)}), "job")
            for number, segment in enumerate(document.segments[:2]):
                document.with_targets({number: segment.target_line + "x"})


def test_damaged_workbooks_raise_only_qe_errors():
    rng, content = random.Random(3), default_workbook()
    for _ in range(300):
        data = bytearray(content)
        start = rng.randrange(len(data))
        data[start : start + rng.randrange(9)] = rng.randbytes(rng.randrange(9))
        with suppress(QeError):
            document = parse_document(bytes(data), "job")
            assert document.with_targets({}).data == data
            for number, segment in enumerate(document.segments[:2]):
                document.with_targets({number: segment.target_line + "x"})
