"""Segments that consist of one inline code, and targets that are rejected individually."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, TargetsRejectedError, parse_document
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind
from qe_desktop.formats.bilingual.plain_lines import line_to_content
from tests.formats.bilingual.samples import parse_sample

CODES = ('<x id="1"/>', '<bpt id="1">b</bpt>', '<ept id="1"/>', '<ph id="1">p</ph>', '<it id="1" pos="open"/>')


def xliff(*units: tuple[str, str]) -> bytes:
    body = "".join(
        f'<trans-unit id="{number}"><source>{source}</source><target>{target}</target></trans-unit>'
        for number, (source, target) in enumerate(units)
    )
    return (
        '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file source-language="en" '
        f'target-language="de"><body>{body}</body></file></xliff>'
    ).encode()


@pytest.mark.parametrize("code", CODES)
@pytest.mark.parametrize("target", ["{}", "", "a"])
def test_segment_of_one_code_is_written(code, target):
    data = xliff((code, target.format(code)), ("a", "b"))
    document = parse_document(data, "x.xlf")
    assert document.segments[0].source_line == "⟨1/⟩"
    assert document.with_targets({1: "c"}).data == data.replace(b">b</target>", b">c</target>")
    new = parse_document(document.with_targets({0: "⟨1/⟩c"}).data, "x.xlf")
    assert new.segments[0].target_line == "⟨1/⟩c"


def test_code_that_is_the_whole_target_is_numbered():
    document = parse_document(xliff(("a", '<x id="7"/>')), "x.xlf")
    assert document.segments[0].target_line == "⟨1/⟩"


def test_stored_lines_with_code_number_zero_are_read():
    code = Code(CodeKind.STANDALONE, "x:1", "<x/>", number=1)
    for mark in ("⟨0/⟩", "⟨0⟩", "⟨/0⟩"):
        assert line_to_content(f"{mark} a", (code,), None) == (code, " a")
        with pytest.raises(QeError, match="the segment has no code"):
            line_to_content(mark, (code, code._replace(number=2)), None)


def test_target_that_is_read_back_differently_is_rejected(monkeypatch):
    document = parse_document(xliff(("a", "b"), ("c", "d"), ("e", "f")), "x.xlf")

    def parse_differently(text: object) -> Document:
        """Return the document with a second target that differs from the written one."""
        segments = list(document.parse_again(text).segments)  # type: ignore[arg-type]
        segments[1] = segments[1]._replace(target=("other",))
        return replace(document, segments=segments)

    with pytest.raises(TargetsRejectedError) as caught:
        replace(document, parse_again=parse_differently).with_targets({0: "g", 1: "h"})
    assert caught.value.segments == {1: "the target, status or note would differ when the file is read again"}
    # the second segment was not edited, so leaving it out cannot help
    with pytest.raises(QeError, match="would change other parts of the file") as refused:
        replace(document, parse_again=parse_differently).with_targets({0: "g"})
    assert not isinstance(refused.value, TargetsRejectedError)


@pytest.mark.parametrize("code", ["{1}", "{b>", "<b}"])
def test_text_that_phrase_would_read_as_a_code_is_rejected_with_the_reason(code):
    document = parse_sample("phrase.mxliff")
    with pytest.raises(TargetsRejectedError) as caught:
        document.with_targets({1: f"Press {code}"})
    assert caught.value.segments == {1: f"the text {code} would be read as an inline code"}
    assert document.with_targets({1: "Press {a} or {1"}).changed_segments == 1
