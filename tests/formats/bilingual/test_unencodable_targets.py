"""Targets that the encoding or a cell of a file cannot store are errors of their segments."""

from __future__ import annotations

import pytest

from qe_desktop.formats.bilingual import TargetsRejectedError, parse_document
from tests.formats.bilingual.workbook import default_workbook

XLIFF = (
    '<?xml version="1.0" encoding="{}"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">'
    '<file original="a" source-language="en" target-language="ja" datatype="x"><body><trans-unit id="1">'
    "<source>s</source><target>t</target></trans-unit></body></file></xliff>"
)
LACKING = [
    ("ISO-8859-1", "€", "U+20AC"),
    ("EUC-JP", "a🙂", "U+1F642"),
    # Python encodes these as another character instead of raising an error
    ("EUC-JP", "a¥", "U+00A5"),
    ("Shift_JIS", "¥ ‾", "U+00A5"),
    ("cp932", "£", "U+00A3"),
]


def catalogue(charset: str) -> bytes:
    head = f'msgid ""\nmsgstr ""\n"Content-Type: text/plain; charset={charset}\\n"\n\n'
    return (head + 'msgid "a"\nmsgstr "x"\n\nmsgid "b"\nmsgstr "y"\n').encode(charset)


@pytest.mark.parametrize(("charset", "target", "code"), LACKING)
def test_unencodable_po_target_is_an_error_of_its_segment(charset, target, code):
    data = catalogue(charset)
    document = parse_document(data, "x.po")
    with pytest.raises(TargetsRejectedError) as caught:
        document.with_targets({0: target, 1: "ok"})
    assert list(caught.value.segments) == [0]
    assert caught.value.segments[0].endswith(f"cannot represent the character {code}")
    assert not caught.value.only_codes
    assert [error.place.line for error in caught.value.faults] == [5]
    assert document.with_targets({1: "ok"}).data == data.replace(b'"y"', b'"ok"')


@pytest.mark.parametrize(("charset", "target", "_code"), LACKING)
def test_xml_writes_unencodable_characters_as_references(charset, target, _code):
    document = parse_document(XLIFF.format(charset).encode(charset), "x.xlf")
    written = document.with_targets({0: target}).data
    assert b"&#" in written
    assert parse_document(written, "x.xlf").segments[0].target_line == target


def test_too_long_cell_text_is_an_error_of_its_segment():
    document = parse_document(default_workbook(), "x.xlsx")
    with pytest.raises(TargetsRejectedError) as caught:
        # two UTF-16 code units per character
        document.with_targets({0: "🙂" * 16_384, 1: "Warte."})
    assert caught.value.segments == {0: "a cell can have at most 32,767 characters"}
    assert document.with_targets({0: "🙂" * 16_383}).changed_segments == 1
