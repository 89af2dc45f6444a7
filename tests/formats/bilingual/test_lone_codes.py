"""Segments that are one inline code, and targets that cannot be written: each by itself, not the whole file."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual import Document, TargetsRejectedError, parse_document
from qe_desktop.formats.bilingual.inline_codes import Code, CodeKind
from qe_desktop.formats.bilingual.plain_lines import line_to_content

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
def test_a_segment_that_is_one_code_is_written(code, target):
    data = xliff((code, target.format(code)), ("a", "b"))
    document = parse_document(data, "x.xlf")
    assert document.segments[0].source_line == "⟨1/⟩"
    assert document.with_targets({1: "c"}).data == data.replace(b">b</target>", b">c</target>")
    new = parse_document(document.with_targets({0: "⟨1/⟩c"}).data, "x.xlf")
    assert new.segments[0].target_line == "⟨1/⟩c"


def test_a_target_that_is_one_code_has_its_number_too():
    document = parse_document(xliff(("a", '<x id="7"/>')), "x.xlf")
    assert document.segments[0].target_line == "⟨1/⟩"


def test_lines_that_were_kept_without_a_number_are_understood():
    code = Code(CodeKind.ALONE, "x:1", "<x/>", number=1)
    for mark in ("⟨0/⟩", "⟨0⟩", "⟨/0⟩"):
        assert line_to_content(f"{mark} a", (code,), None) == (code, " a")
        with pytest.raises(QeError, match="the segment has no code"):
            line_to_content(mark, (code, code._replace(number=2)), None)


def test_a_target_that_comes_back_otherwise_is_named(monkeypatch):
    document = parse_document(xliff(("a", "b"), ("c", "d"), ("e", "f")), "x.xlf")

    def again(text: object) -> Document:
        """Read it with another second target than was written."""
        segments = list(document.again(text).segments)  # type: ignore[arg-type]
        segments[1] = segments[1]._replace(target=("other",))
        return replace(document, segments=segments)

    with pytest.raises(TargetsRejectedError) as caught:
        replace(document, again=again).with_targets({0: "g", 1: "h"})
    assert caught.value.segments == {1: "the written target or status would be read back differently"}
    # what was not to change is no target that could be left out
    with pytest.raises(QeError, match="would change other parts of the file") as refused:
        replace(document, again=again).with_targets({0: "g"})
    assert not isinstance(refused.value, TargetsRejectedError)
