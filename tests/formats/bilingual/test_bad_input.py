"""What every dialect does with bad input: it is refused in words, or read with what can be said of it."""

from __future__ import annotations

import os
import random
import re
import stat
from contextlib import suppress

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, parse_document, read_document, save_document
from tests.formats.bilingual.samples import NAMES, bytes_of_sample
from tests.formats.bilingual.workbook import packed, parts, workbook

IN_XML = [name for name in NAMES if not name.startswith(("catalogue", "table"))]
ALL = [*NAMES, "book.xlsx"]
SHEET = "xl/worksheets/sheet2.xml"
ENTITY = '<!DOCTYPE x [<!ENTITY a "ha">]>'
OUTSIDE = '<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>'


def data_of(name: str) -> bytes:
    return workbook() if name == "book.xlsx" else bytes_of_sample(name)


def with_doctype(name: str, doctype: str) -> bytes:
    if name == "book.xlsx":
        held = parts()
        return packed(held | {SHEET: held[SHEET].replace(b"?>", b"?>" + doctype.encode(), 1)})
    data = re.sub(rb"<!DOCTYPE[^>]*>", b"", bytes_of_sample(name))
    head = re.match(rb"(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>)?", data)
    assert head is not None
    return data[: head.end()] + doctype.encode() + data[head.end() :]


@pytest.mark.parametrize("name", [*IN_XML, "book.xlsx"])
@pytest.mark.parametrize(("doctype", "says"), [(ENTITY, "declares the entity a"), (OUTSIDE, "the external entity a")])
def test_entities_are_refused(name, doctype, says):
    with pytest.raises(QeError, match=says) as caught:
        parse_document(with_doctype(name, doctype), "job")
    assert caught.value.place is not None
    assert caught.value.place.line is not None
    assert caught.value.hint


@pytest.mark.parametrize("name", [*IN_XML, "book.xlsx"])
def test_deep_nesting_is_refused(name):
    deep = b"<g id='1'>" * 5000
    if name == "book.xlsx":
        held = parts()
        data = packed(held | {SHEET: held[SHEET].replace(b"<sheetData>", b"<sheetData>" + deep, 1)})
    else:
        tag = b"<seg>" if name.endswith(".tmx") else b"<source"
        whole = bytes_of_sample(name)
        at = whole.index(b">", whole.index(tag)) + 1
        data = whole[:at] + deep + whole[at:]
    with pytest.raises(QeError, match="more than 200 levels deep"):
        parse_document(data, "job")


@pytest.mark.parametrize("name", NAMES)
def test_a_wrong_encoding_is_refused(name):
    data = bytes_of_sample(name)
    text = data.decode("utf-8-sig")
    place = next((at for at, sign in enumerate(text) if ord(sign) > 127), len(text) // 2)
    broken = text[:place].encode() + b"\xfc" + text[place + 1 :].encode()
    with pytest.raises(QeError, match="unexpected byte FC") as caught:
        parse_document(broken, "job")
    assert caught.value.place is not None
    assert caught.value.place.line == text[:place].count("\n") + 1


@pytest.mark.parametrize("name", ALL)
def test_codes_in_no_order_are_refused(name):
    document = parse_document(data_of(name), "job")
    able = [number for number, one in enumerate(document.segments) if not one.locked and one.place is not None]
    for number in able:
        codes = re.findall("⟨[^⟨⟩]*⟩", document.segments[number].source_line.replace("⟨⟨", ""))
        for bad in ("".join(codes) + "⟨77/⟩", "⟨/77⟩⟨77⟩" + "".join(codes), "⟨"):
            with pytest.raises(QeError, match=f"segment {number + 1}: "):
                document.with_targets({number: bad})
        if len(codes) > 1:
            with pytest.raises(QeError, match=r"wrong position|too often|missing"):
                document.with_targets({number: "".join(reversed(codes)) + codes[0]})


def first_able(document: Document) -> int:
    return next(place for place, one in enumerate(document.segments) if not one.locked and one.place is not None)


@pytest.mark.parametrize("name", ALL)
def test_segments_without_a_target_or_a_source(name):
    """What has no target gets one, or it is said that there is no place; no segment is lost by having no source."""
    document = parse_document(data_of(name), "job")
    without = [number for number, one in enumerate(document.segments) if not one.target and not one.locked]
    for number in without:
        segment = document.segments[number]
        line = re.sub("[^⟨⟩/0-9]+(?![^⟨]*⟩)", "", segment.source_line.replace("⟨⟨", ""))
        if segment.place is None:
            with pytest.raises(QeError, match="the file has no place for its target"):
                document.with_targets({number: line + "x"})
        else:
            again = parse_document(
                document.with_targets({number: line + "x"}).data,
                "job",
            )
            assert again.segments[number].target_line == line + "x"


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("become", ["other", "gone", "a folder"])
def test_a_file_that_is_another_by_now_is_not_written(name, become, tmp_path):
    path, output = tmp_path / name, tmp_path / "out"
    path.write_bytes(data_of(name))
    document = read_document(path)
    number = first_able(document)
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
    assert sorted(one.name for one in tmp_path.iterdir()) == ([] if become == "gone" else [name])


@pytest.mark.parametrize("name", ALL)
def test_a_file_that_may_not_be_changed_stays(name, tmp_path):
    path = tmp_path / name
    path.write_bytes(data_of(name))
    document = read_document(path)
    number = first_able(document)
    codes = "".join(re.findall("⟨[^⟨⟩]*⟩", document.segments[number].source_line.replace("⟨⟨", "")))
    new = document.with_targets({number: codes + "x"})
    path.chmod(0o440)
    if os.access(path, os.W_OK):
        # who may do everything keeps the rights of the file all the same
        save_document(new, document, path, path)
        assert stat.S_IMODE(path.stat().st_mode) == 0o440
        assert path.read_bytes() == new.data
        return
    with pytest.raises(QeError, match="the file is read-only"):
        save_document(new, document, path, path)
    assert path.read_bytes() == data_of(name)


@pytest.mark.parametrize("part", [SHEET, "xl/sharedStrings.xml", "xl/workbook.xml", "xl/_rels/workbook.xml.rels"])
def test_however_a_part_of_a_workbook_is_spoilt_it_is_read_or_refused(part):
    rng, held = random.Random(part), parts()
    for _ in range(150):
        data = bytearray(held[part])
        low = rng.randrange(len(data))
        data[low : low + rng.randrange(12)] = rng.choice(
            (b"", b"<", b">", b'"', b"\0", b"&", b"</c>", b"<c>", b"9", b"A1", b"\xff", b'r="', b"-1", b"../../")
        )
        with suppress(QeError):
            found = parse_document(packed(held | {part: bytes(data)}), "job")
            for number, segment in enumerate(found.segments[:2]):
                found.with_targets({number: segment.target_line + "x"})


def test_however_a_workbook_is_spoilt_it_is_read_or_refused():
    rng, whole = random.Random(3), workbook()
    for _ in range(300):
        data = bytearray(whole)
        low = rng.randrange(len(data))
        data[low : low + rng.randrange(9)] = rng.randbytes(rng.randrange(9))
        with suppress(QeError):
            found = parse_document(bytes(data), "job")
            assert found.with_targets({}).data == data
            for number, segment in enumerate(found.segments[:2]):
                found.with_targets({number: segment.target_line + "x"})
