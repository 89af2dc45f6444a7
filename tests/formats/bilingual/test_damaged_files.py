"""Damaged and malicious files are refused with an error message and a line, and are never partly loaded."""

from __future__ import annotations

import codecs
import random
import re
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import parse_document
from qe_desktop.formats.bilingual.plain_lines import INVALID_XML_CHARS
from tests.formats.bilingual.samples import NAMES, line_pairs, parse_sample, read_sample

HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
XLIFF = '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n<file source-language="en">\n<body>\n'
UNIT = '<trans-unit id="1"><source>a</source><target>{}</target></trans-unit>\n'
END = "</body></file></xliff>"
LAUGHS = (
    '<!DOCTYPE x [\n<!ENTITY a "ha">\n'
    + "".join(f'<!ENTITY {b} "{f"&{a};" * 10}">\n' for a, b in ("ab", "bc", "cd", "de", "ef", "fg", "gh"))
    + "]>\n"
)


def document(before: str, content: str = "b", more: str = "") -> bytes:
    return (HEAD + before + XLIFF + UNIT.format(content) + more + END).encode()


@pytest.mark.parametrize(
    ("data", "line", "says"),
    [
        (document(LAUGHS, "&h;"), 3, "declares the entity a"),
        (document('<!DOCTYPE x [\n<!ENTITY e SYSTEM "file:///etc/passwd">]>\n', "&e;"), 3, "the external entity e"),
        (document('<!DOCTYPE x [\n<!ENTITY % e SYSTEM "file:///etc/passwd">]>\n'), 3, "the external entity e"),
        (document('<!DOCTYPE x SYSTEM "http://example.org/x.dtd">\n', "&auml;"), 6, "the entity auml is undefined"),
        (document("", "<g id='1'>" * 10_000 + "</g>" * 10_000), 5, "more than 200 levels deep"),
        (document("", "b")[:-10], 6, "the end of the file is missing"),
        (document("", "b")[:200], 5, "the end of the file is missing"),
        (document("", "<b></c>"), 5, "mismatched tag"),
        (document("").replace(b"<source>a", b"<source>\xff"), 5, "unexpected byte FF"),
        (document("").replace(b"UTF-8", b"UTF-16LE-X"), 1, "the encoding UTF-16LE-X, which is not supported"),
        (document("").replace(b"UTF-8", b"utf-7"), 1, "the encoding utf-7, which is not supported"),
        (
            document("", more='<trans-unit id="2"><source>a b</source><seg-source><mrk mtype="seg" mid="1">a</mrk>'
                     '<mrk mtype="seg" mid="1">b</mrk></seg-source></trans-unit>\n'), 6, "the name 2/1 is not unique",
        ),
        (b'msgid "a"\nmsgstr "b\n', 2, "expected a single string in quotation marks"),
        (b'msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', 4, "the name a is not unique: it is already used in"),
        (b'msgid "a"\nmsgstr "b"\nwhat\n', 3, "expected a keyword, a string or a comment, not what"),
        (b'msgid "a"\nmsgid "a"\nmsgstr "b"\n', 2, "msgid occurs twice in this entry"),
        (b'msgid "a"\nmsgstr "\xff"\n', 2, "unexpected byte FF"),
    ],
)  # fmt: skip
def test_damaged_files_are_refused_with_their_line(data, line, says):
    with pytest.raises(QeError, match=says) as caught:
        parse_document(data, "job")
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.line) == ("job", line)
    assert caught.value.hint


def test_duplicate_unit_names_are_allowed_in_xliff_1_only():
    parsed = parse_document(document("", more=UNIT.format("c")), "job")
    assert line_pairs(parsed) == [("a", "b"), ("a", "c")]
    assert parsed.notes == ("1 unit has a duplicate name",)
    assert b"<target>d</target></trans-unit>\n</body>" in parsed.with_targets({1: "d"}).data
    twice = read_sample("two.xlf").replace(b'id="u2"', b'id="u1"')
    with pytest.raises(QeError, match="the name u1 is not unique: it is already used in line 4"):
        parse_document(twice, "job")


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "the file is empty"),
        (b"%PDF-1.7\n%\xe2\xe3", "this is a PDF"),
        (b"{\\rtf1\\ansi}", "this is an RTF document"),
        (b"PK\x03\x04" + b"\0" * 26 + b"word/document.xml", "this is a Word document"),
        (b"PK\x03\x04" + b"\0" * 26 + b"x", "this is a zip archive"),
        (b"SQLite format 3\0", "this is a database"),
        (b"<!DOCTYPE html>\n<html>", "this is a web page"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "XML with the root element {http://www.w3.org/2000/svg}svg"),
        (b"one\ntwo\n", "this is not a supported bilingual file"),
    ],
)
def test_unsupported_content_is_named(data, says):
    with pytest.raises(QeError) as caught:
        parse_document(data, "job")
    assert says in caught.value.line()
    assert caught.value.hint


@pytest.mark.parametrize("name", NAMES)
def test_randomly_damaged_files_raise_only_qe_errors(name):
    original, rng = read_sample(name), random.Random(name)
    for _ in range(300):
        data = bytearray(original)
        kind = rng.randrange(3)
        if kind == 0:
            del data[rng.randrange(len(data)) :]
        elif kind == 1:
            data[rng.randrange(len(data))] = rng.randrange(256)
        else:
            start = rng.randrange(len(data))
            data[start : start + rng.randrange(40)] = rng.choice(
                (b"", b"<", b">", b'"', b"\0", b"&", b"</target>", b"\n")
            )
        # any other exception fails the test
        with suppress(QeError):
            parsed = parse_document(bytes(data), "job")
            assert parsed.with_targets({}).data == data
            for number, segment in enumerate(parsed.segments[:3]):
                parsed.with_targets({number: segment.target_line + "x"})


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("catalogue", "table"))])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-8-sig", "utf-32"])
def test_encoding_is_preserved(name, codec):
    text = read_sample(name).decode("utf-8-sig").replace("\n", "\r\n")
    data = text.encode(codec)
    parsed = parse_document(data, "job")
    assert line_pairs(parsed) == line_pairs(parse_sample(name))
    number = next(index for index, segment in enumerate(parsed.segments) if segment.target and not segment.locked)
    line = parsed.segments[number].target_line
    new = parsed.with_targets({number: f"{line} → \u2028x"})
    assert new.data.decode(codec).replace(" → \r\nx", "").count("\r\n") == text.count("\r\n")
    assert parse_document(new.data, "job").segments[number].target_line == f"{line} → \u2028x"


def test_utf16_tables_are_read_and_written():
    data = read_sample("table.tsv").decode().replace("\n", "\r\n").encode("utf-16")
    parsed = parse_document(data, "job")
    assert line_pairs(parsed) == line_pairs(parse_sample("table.tsv"))
    assert parsed.with_targets({1: "a→b"}).data == data[:-4] + "a→b\r\n".encode("utf-16-le")


def test_unencodable_characters_are_references_in_xml_and_errors_in_po():
    data = (
        read_sample("plain.xlf").decode().replace("UTF-8", "windows-1252").replace("⟨", "<x id='0'/>").encode("cp1252")
    )
    parsed = parse_document(data, "job")
    assert parsed.text.codec == "cp1252"
    new = parsed.with_targets({0: "ü → ж"})
    assert '<target state="needs-review-translation">ü &#8594; &#1078;</target>'.encode("cp1252") in new.data
    assert parse_document(new.data, "job").segments[0].target_line == "ü → ж"
    plain = read_sample("catalogue.po").decode().replace("UTF-8", "ISO-8859-1").translate({8222: None, 8220: None})
    catalogue = parse_document(plain.encode("latin-1"), "po")
    with pytest.raises(QeError, match="cannot represent the character U\\+2192"):
        catalogue.with_targets({0: "→"})


def test_unbound_namespace_prefixes_are_read():
    data = document("").replace(b'<trans-unit id="1">', b'<trans-unit id="1" its:mtConfidence="0.5" odd:x="1">')
    data = data.replace(b"<xliff ", b"<xliff xmlns:okp='http://www.w3.org/2005/11/its' ")
    parsed = parse_document(data, "job")
    assert line_pairs(parsed) == [("a", "b")]
    assert parsed.segments[0].qualities[0].value == 0.5
    assert b"<target>c</target>" in parsed.with_targets({0: "c"}).data


def test_unbound_prefix_after_other_units_is_read():
    """The units before the unbound prefix must not be read twice."""
    data = document("", more='<trans-unit id="2" odd:x="1"><source>c</source><target>d</target></trans-unit>\n')
    parsed = parse_document(data, "job")
    assert line_pairs(parsed) == [("a", "b"), ("c", "d")]
    assert parsed.with_targets({0: "e"}).data == data.replace(b"<target>b", b"<target>e")


def test_tmx_without_languages_has_no_targets():
    """A text without a language must not be its own translation."""
    data = read_sample("memory.tmx").replace(b' xml:lang="en-US"', b"").replace(b' xml:lang="de-DE"', b"")
    parsed = parse_document(data.replace(b' srclang="en-US"', b""), "job")
    assert [(segment.target, segment.target_location) for segment in parsed.segments] == [(None, None)] * 2


def test_all_rejected_targets_are_reported_together():
    document = parse_sample("plain.xlf")
    with pytest.raises(QeError, match="segment 2: the codes ⟨1⟩ and ⟨/1⟩ are missing") as caught:
        document.with_targets({1: "Stopp⟨2/⟩", 2: "QX-8"})
    assert [error.place.line for error in caught.value.faults] == [11, 16]
    assert "segment 3: the segment is locked" in caught.value.faults[1].message


def test_unsegmented_target_of_a_segmented_source_is_not_assigned():
    unsegmented = (
        '<trans-unit id="2"><source>a b</source><seg-source><mrk mtype="seg" mid="1">a</mrk> <mrk mtype="seg" mid="2">b'
        "</mrk></seg-source><target>c d</target></trans-unit>\n"
    )
    parsed = parse_document(document("", more=unsegmented), "job")
    assert line_pairs(parsed)[1:] == [("a", ""), ("b", "")]
    assert "no target can be saved for 2 segments" in parsed.notes[0]
    with pytest.raises(QeError, match="the file has no editable element or cell for the target"):
        parsed.with_targets({1: "x"})


TEXT = st.text(st.characters(exclude_categories=("Cs",))).filter(lambda text: not INVALID_XML_CHARS.search(text))


@pytest.mark.parametrize("name", NAMES)
@given(st.data())
def test_any_text_is_written_and_read_back(name, data):
    """Text with entities, brackets, quotes and any Unicode, between the codes of the source."""
    before = parse_sample(name)
    editable = [
        number for number, item in enumerate(before.segments) if not item.locked and item.target_location is not None
    ]
    number = data.draw(st.sampled_from(editable))
    segment = before.segments[number]
    text = data.draw(TEXT).replace("⟨", "⟨⟨").replace("\r\n", "\u2028").replace("\n", "\u2028").replace("\r", "\u2028")
    if name == "phrase.mxliff":
        text = text.replace("{", "(").replace("<", "(")
    parts = re.split("(⟨⟨|⟨[^⟩]*⟩)", segment.source_line)
    index = data.draw(st.integers(0, len(parts)))
    line = "".join([*parts[:index], text, *parts[index:]])
    if line == segment.target_line:
        return
    new = before.with_targets({number: line})
    after = parse_document(new.data, name)
    assert after.segments[number].target_line == line
    other_lines = [item for row, item in enumerate(line_pairs(after)) if row != number]
    assert other_lines == [item for row, item in enumerate(line_pairs(before)) if row != number]
    assert new.data.startswith(codecs.BOM_UTF8) == before.text.data.startswith(codecs.BOM_UTF8)


@pytest.mark.parametrize("codec", ["utf-16-le", "utf-16-be"])
def test_large_utf16_files_without_byte_order_mark_are_read(codec):
    # the encoding is detected from the beginning, which may end within a character
    units = "".join(f'<trans-unit id="{n}"><source>ü{n}</source><target>x</target></trans-unit>' for n in range(3000))
    head = f'<?xml version="1.0" encoding="{codec[:6]}"?><xliff version="1.2"><file source-language="en"><body>'
    data = f"{head}{units}</body></file></xliff>".encode(codec)
    assert len(data) > 1 << 16
    parsed = parse_document(data, "job.xlf")
    assert parsed.segments[2999].source_line == "ü2999"
    assert parsed.with_targets({0: "y"}).data == data.replace(">x<".encode(codec), ">y<".encode(codec), 1)
