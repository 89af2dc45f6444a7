"""Files with many units: errors have correct lines, and targets are written into any unit."""

from __future__ import annotations

import pytest

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.formats.bilingual import parse_document

HEAD = (
    '<?xml version="1.0"?>\n<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
    '<file original="a" source-language="en" target-language="de" datatype="x"><body>\n'
)
FOOT = "</body></file></xliff>\n"
UNIT = (
    '<trans-unit id="{0}"><source>a {0} <g id="1">b</g></source>\n'
    '<target state="new">ü &amp; {0} <g id="1">b</g></target><note>n</note></trans-unit>\n'
)


def many(count: int) -> bytes:
    return (HEAD + "".join(UNIT.format(number) for number in range(count)) + FOOT).encode()


@pytest.mark.parametrize(
    ("cut", "line"),
    [
        (b"</note></trans-unit>\n</body>", 103),
        (b"</body></file>", 104),
        (b'<trans-unit id="30">', 64),
        (b'id="1">b</g></source>', 4),
    ],
)
def test_xml_errors_state_the_line_in_the_file(cut, line):
    data = many(50)
    assert data.count(cut)
    with pytest.raises(QeError, match="not well-formed XML") as caught:
        parse_document(data.replace(cut, b"<", 1), "job.xlf")
    assert caught.value.place == SourceLocation("job.xlf", line)


def test_duplicate_unit_names_are_noted():
    document = parse_document(many(50).replace(b'id="30"', b'id="7"'), "job.xlf")
    assert document.notes == ("1 unit has a duplicate name",)


def test_too_long_text_is_refused_with_its_line():
    with pytest.raises(QeError, match="longer than 100,000 characters") as caught:
        parse_document(many(50).replace(b"a 30 ", b"a" * 100_001), "job.xlf")
    assert caught.value.place == SourceLocation("job.xlf", 64)


def test_segments_support_negative_indices_and_slices():
    segments = parse_document(many(50), "job.xlf").segments
    assert segments[49].source_line == "a 49 ⟨1⟩b⟨/1⟩"
    assert segments[-2:] == segments[48:]


def test_target_is_written_into_the_last_unit():
    written = parse_document(many(40), "job.xlf").with_targets({39: "neu ⟨1⟩b⟨/1⟩"}).data
    assert written == many(40).replace(
        '<target state="new">ü &amp; 39 <g id="1">b</g></target>'.encode(),
        b'<target state="needs-review-translation">neu <g id="1">b</g></target>',
    )


def test_locks_of_units_that_are_otherwise_equal_are_read():
    unit = '<trans-unit id="{}"{}><source>{}</source><target>{}</target></trans-unit>'
    locks = ["", ' translate="no"', "", ' translate="no"', ' translate="yes"']
    coded = '<g id="3"><x id="4"/></g>'
    units = [unit.format(0, "", "", "")]
    units += [f"<!-- a unit -->{unit.format(number, lock, coded, coded)}" for number, lock in enumerate(locks, 1)]
    segments = parse_document((HEAD + "".join(units) + FOOT).encode(), "job.xlf").segments
    assert [segment.locked for segment in segments] == [False, False, True, False, True, False]


def test_equal_codes_are_numbered_separately_in_each_unit():
    unit = '<trans-unit id="{}"><source>{}</source><target>{}</target></trans-unit>'
    coded = '<g id="3"><x id="4"/></g>'
    units = unit.format(0, "", "") + "<!-- a unit -->" + unit.format(1, coded, coded) + unit.format(2, coded, coded)
    segments = parse_document((HEAD + units + FOOT).encode(), "job.xlf").segments
    assert [segment.target_line for segment in segments] == ["", "⟨1⟩⟨2/⟩⟨/1⟩", "⟨1⟩⟨2/⟩⟨/1⟩"]
