"""Spoilt and hostile files: refused in words and with a line, and nothing of them is ever loaded."""

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
from tests.formats.bilingual.samples import NAMES, bytes_of_sample, lines_of, sample

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
        (document("", "b")[:-10], 6, "not well-formed XML"),
        (document("", "b")[:200], 5, "not well-formed XML"),
        (document("", "<b></c>"), 5, "mismatched tag"),
        (document("").replace(b"<source>a", b"<source>\xff"), 5, "unexpected byte FF"),
        (document("").replace(b"UTF-8", b"UTF-16LE-X"), 1, "the encoding UTF-16LE-X, which is not supported"),
        (document("").replace(b"UTF-8", b"utf-7"), 1, "the encoding utf-7, which is not supported"),
        (
            document("", more='<trans-unit id="2"><source>a b</source><seg-source><mrk mtype="seg" mid="1">a</mrk>'
                     '<mrk mtype="seg" mid="1">b</mrk></seg-source></trans-unit>\n'), 6, "the name 2/1 is not unique",
        ),
        (b'msgid "a"\nmsgstr "b\n', 2, "the string is not closed"),
        (b'msgid "a"\nmsgstr "b"\n\nmsgid "a"\nmsgstr "c"\n', 4, "the name a is not unique; first used in line 1"),
        (b'msgid "a"\nmsgstr "b"\nwhat\n', 3, "expected a keyword, a string or a comment: what"),
        (b'msgid "a"\nmsgid "a"\nmsgstr "b"\n', 2, "msgid occurs twice in this entry"),
        (b'msgid "a"\nmsgstr "\xff"\n', 2, "unexpected byte FF"),
    ],
)  # fmt: skip
def test_spoilt_files_are_refused_with_their_line(data, line, says):
    with pytest.raises(QeError, match=says) as caught:
        parse_document(data, "job")
    assert caught.value.place is not None
    assert (caught.value.place.file, caught.value.place.line) == ("job", line)
    assert caught.value.hint


def test_names_of_units_may_be_there_twice_as_some_programs_write_them():
    found = parse_document(document("", more=UNIT.format("c")), "job")
    assert lines_of(found) == [("a", "b"), ("a", "c")]
    assert found.notes == ("1 unit has a duplicate name",)
    assert b"<target>d</target></trans-unit>\n</body>" in found.with_targets({1: "d"}).data
    twice = bytes_of_sample("two.xlf").replace(b'id="u2"', b'id="u1"')
    with pytest.raises(QeError, match="the name u1 is not unique; first used in line 4"):
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
def test_what_is_no_translators_file_is_named(data, says):
    with pytest.raises(QeError) as caught:
        parse_document(data, "job")
    assert says in caught.value.line()
    assert caught.value.hint


@pytest.mark.parametrize("name", NAMES)
def test_however_a_file_is_spoilt_it_is_read_or_refused(name):
    whole, rng = bytes_of_sample(name), random.Random(name)
    for _ in range(300):
        data = bytearray(whole)
        kind = rng.randrange(3)
        if kind == 0:
            del data[rng.randrange(len(data)) :]
        elif kind == 1:
            data[rng.randrange(len(data))] = rng.randrange(256)
        else:
            low = rng.randrange(len(data))
            data[low : low + rng.randrange(40)] = rng.choice((b"", b"<", b">", b'"', b"\0", b"&", b"</target>", b"\n"))
        # an error of any other kind fails
        with suppress(QeError):
            found = parse_document(bytes(data), "job")
            assert found.with_targets({}).data == data
            for number, segment in enumerate(found.segments[:3]):
                found.with_targets({number: segment.target_line + "x"})


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("catalogue", "table"))])
@pytest.mark.parametrize("codec", ["utf-16", "utf-16-be", "utf-8-sig", "utf-32"])
def test_encodings_come_back(name, codec):
    text = bytes_of_sample(name).decode("utf-8-sig").replace("\n", "\r\n")
    data = text.encode(codec)
    found = parse_document(data, "job")
    assert lines_of(found) == lines_of(sample(name))
    number = next(place for place, one in enumerate(found.segments) if one.target and not one.locked)
    line = found.segments[number].target_line
    new = found.with_targets({number: f"{line} → \u2028x"})
    assert new.data.decode(codec).replace(" → \r\nx", "").count("\r\n") == text.count("\r\n")
    assert parse_document(new.data, "job").segments[number].target_line == f"{line} → \u2028x"


def test_tables_in_the_encoding_of_spreadsheets_come_back():
    data = bytes_of_sample("table.tsv").decode().replace("\n", "\r\n").encode("utf-16")
    found = parse_document(data, "job")
    assert lines_of(found) == lines_of(sample("table.tsv"))
    assert found.with_targets({1: "a→b"}).data == data[:-4] + "a→b\r\n".encode("utf-16-le")


def test_what_an_encoding_lacks_is_a_reference_in_xml_and_refused_in_catalogues():
    data = (
        bytes_of_sample("plain.xlf")
        .decode()
        .replace("UTF-8", "windows-1252")
        .replace("⟨", "<x id='0'/>")
        .encode("cp1252")
    )
    found = parse_document(data, "job")
    assert found.text.codec == "cp1252"
    new = found.with_targets({0: "ü → ж"})
    assert '<target state="needs-review-translation">ü &#8594; &#1078;</target>'.encode("cp1252") in new.data
    assert parse_document(new.data, "job").segments[0].target_line == "ü → ж"
    plain = bytes_of_sample("catalogue.po").decode().replace("UTF-8", "ISO-8859-1").translate({8222: None, 8220: None})
    catalogue = parse_document(plain.encode("latin-1"), "po")
    with pytest.raises(QeError, match="no character U\\+2192"):
        catalogue.with_targets({0: "→"})


def test_prefixes_that_are_bound_to_nothing():
    data = document("").replace(b'<trans-unit id="1">', b'<trans-unit id="1" its:mtConfidence="0.5" odd:x="1">')
    data = data.replace(b"<xliff ", b"<xliff xmlns:okp='http://www.w3.org/2005/11/its' ")
    found = parse_document(data, "job")
    assert lines_of(found) == [("a", "b")]
    assert found.segments[0].qualities[0].value == 0.5
    assert b"<target>c</target>" in found.with_targets({0: "c"}).data


def test_a_prefix_that_is_bound_to_nothing_behind_other_units():
    """The units before it were read twice."""
    data = document("", more='<trans-unit id="2" odd:x="1"><source>c</source><target>d</target></trans-unit>\n')
    found = parse_document(data, "job")
    assert lines_of(found) == [("a", "b"), ("c", "d")]
    assert found.with_targets({0: "e"}).data == data.replace(b"<target>b", b"<target>e")


def test_a_memory_of_one_language_has_no_targets():
    """Texts without a language were their own translations."""
    data = bytes_of_sample("memory.tmx").replace(b' xml:lang="en-US"', b"").replace(b' xml:lang="de-DE"', b"")
    found = parse_document(data.replace(b' srclang="en-US"', b""), "job")
    assert [(one.target, one.place) for one in found.segments] == [(None, None)] * 2


def test_locks_and_missing_places_are_named_all_at_once():
    found = sample("plain.xlf")
    with pytest.raises(QeError, match="segment 2: the code ⟨1⟩ is missing") as caught:
        found.with_targets({1: "Stopp⟨2/⟩", 2: "QX-8"})
    assert [fault.place.line for fault in caught.value.faults] == [11, 16]
    assert "segment 3: the segment is locked" in caught.value.faults[1].message


def test_a_target_that_is_not_cut_as_its_source_is_not_guessed():
    cut = (
        '<trans-unit id="2"><source>a b</source><seg-source><mrk mtype="seg" mid="1">a</mrk> <mrk mtype="seg" mid="2">b'
        "</mrk></seg-source><target>c d</target></trans-unit>\n"
    )
    found = parse_document(document("", more=cut), "job")
    assert lines_of(found)[1:] == [("a", ""), ("b", "")]
    assert "2 segments have no place for a target" in found.notes[0]
    with pytest.raises(QeError, match="the file has no place for its target"):
        found.with_targets({1: "x"})


TEXT = st.text(st.characters(exclude_categories=("Cs",))).filter(lambda text: not INVALID_XML_CHARS.search(text))


@pytest.mark.parametrize("name", NAMES)
@given(st.data())
def test_any_text_is_written_and_read_again(name, data):
    """Entities, brackets, quotes, any Unicode, and the codes of the source in any order that nests."""
    before = sample(name)
    able = [number for number, one in enumerate(before.segments) if not one.locked and one.place is not None]
    number = data.draw(st.sampled_from(able))
    segment = before.segments[number]
    text = data.draw(TEXT).replace("⟨", "⟨⟨").replace("\r\n", "\u2028").replace("\n", "\u2028").replace("\r", "\u2028")
    if name == "phrase.mxliff":
        text = text.replace("{", "(").replace("<", "(")
    parts = re.split("(⟨⟨|⟨[^⟩]*⟩)", segment.source_line)
    at = data.draw(st.integers(0, len(parts)))
    line = "".join([*parts[:at], text, *parts[at:]])
    if line == segment.target_line:
        return
    new = before.with_targets({number: line})
    after = parse_document(new.data, name)
    assert after.segments[number].target_line == line
    others = [one for place, one in enumerate(lines_of(after)) if place != number]
    assert others == [one for place, one in enumerate(lines_of(before)) if place != number]
    assert new.data.startswith(codecs.BOM_UTF8) == before.text.data.startswith(codecs.BOM_UTF8)
