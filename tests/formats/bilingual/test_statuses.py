"""Statuses: which markup means that a segment is confirmed, and how a status is written, byte by byte."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual import Document, TargetsRejectedError, parse_document
from tests.formats.bilingual.samples import NAMES, parse_sample, read_sample

CONFIRMED_SEGMENTS = {
    "plain.xlf": [0],
    "studio.sdlxliff": [0, 2],
    "phrase.mxliff": [1],
    "memoq.mqxliff": [1],
    "two.xlf": [0],
    "catalogue.po": [4],
}


def confirmed_segments(document: Document) -> list[int]:
    return [
        number
        for number, segment in enumerate(document.segments)
        if document.status_rule.status(segment) is ReviewStatus.CONFIRMED
    ]


@pytest.mark.parametrize("name", NAMES)
def test_confirmed_segments_are_read_from_the_markup(name):
    assert confirmed_segments(parse_sample(name)) == CONFIRMED_SEGMENTS.get(name, [])


def changed_lines(
    name: str, statuses: dict[int, ReviewStatus], targets: dict[int, str] | None = None
) -> list[tuple[str, str]]:
    """Return the lines of a sample that differ after statuses were set, as pairs of old and new."""
    before = parse_sample(name)
    rewritten = before.with_targets(targets or {}, statuses)
    assert rewritten.unsupported_statuses == ()
    old, new = before.text.data.decode().split("\n"), rewritten.data.decode().split("\n")
    assert len(old) == len(new)
    return [(old_line, new_line) for old_line, new_line in zip(old, new, strict=True) if old_line != new_line]


CONFIRMED = [
    ("plain.xlf", 1, 'state="new"', 'state="signed-off"'),
    ("studio.sdlxliff", 1, 'id="2" conf="Draft"', 'id="2" conf="Translated"'),
    ("studio.sdlxliff", 3, '<sdl:seg id="4" origin="not-translated" />',
     '<sdl:seg id="4" origin="not-translated" conf="Translated" />'),
    ("studio.sdlxliff", 5, '<sdl:seg id="6" />', '<sdl:seg id="6" conf="Translated" />'),
    ("phrase.mxliff", 0, 'm:confirmed="0"', 'm:confirmed="1"'),
    ("memoq.mqxliff", 0, 'mq:status="MachineTranslated"', 'mq:status="ManuallyConfirmed"'),
    ("two.xlf", 3, '<unit id="u3"><segment>', '<unit id="u3"><segment state="reviewed">'),
    ("catalogue.po", 0, "#, fuzzy, c-format", "#, c-format"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "segment", "before", "after"), CONFIRMED)
def test_confirming_a_segment_changes_only_its_status(name, segment, before, after):
    ((old, new),) = changed_lines(name, {segment: ReviewStatus.CONFIRMED})
    assert old.replace(before, after) == new
    reparsed = parse_document(parse_sample(name).with_targets({}, {segment: ReviewStatus.CONFIRMED}).data, name)
    assert segment in confirmed_segments(reparsed)
    # a second confirmation changes nothing
    assert reparsed.with_targets({}, {segment: ReviewStatus.CONFIRMED}).changed_segments == 0


def test_confirming_an_xliff_2_segment_without_target_writes_an_empty_one():
    # XLIFF 2, constraint of state: if it is translated, reviewed or final, the segment must have a target
    before = parse_sample("two.xlf")
    rewritten = before.with_targets({}, {1: ReviewStatus.CONFIRMED})
    assert (rewritten.changed_segments, rewritten.unsupported_statuses) == (1, ())
    expected = before.text.data.replace(b'id="s2" state="initial"', b'id="s2" state="reviewed"')
    source = b'<ph id="3" disp="{x}"/> now.</source>'
    assert rewritten.data == expected.replace(source, source + b"\n    <target></target>")
    reparsed = parse_document(rewritten.data, "two.xlf")
    assert 1 in confirmed_segments(reparsed)
    assert reparsed.segments[1].target == ()
    # rejected and open segments need none
    assert b"<target></target>" not in before.with_targets({}, {1: ReviewStatus.REJECTED}).data


@pytest.mark.parametrize(("name", "segment"), [(name, rows[0]) for name, rows in CONFIRMED_SEGMENTS.items()])
def test_reopened_or_rejected_segment_is_no_longer_confirmed(name, segment):
    before = parse_sample(name)
    for status in (ReviewStatus.OPEN, ReviewStatus.REJECTED):
        rewritten = before.with_targets({}, {segment: status})
        assert rewritten.changed_segments == 1
        reparsed = parse_document(rewritten.data, name)
        assert confirmed_segments(reparsed) == [row for row in confirmed_segments(before) if row != segment]
        assert [item.target for item in reparsed.segments] == [item.target for item in before.segments]


@pytest.mark.parametrize("name", CONFIRMED_SEGMENTS)
def test_edited_and_confirmed_segment_remains_confirmed(name):
    """An edit resets the state, unless the segment is confirmed as well."""
    before, segment = parse_sample(name), CONFIRMED_SEGMENTS[name][0]
    line = before.segments[segment].target_line.replace("e", "é", 1)
    rewritten = before.with_targets({segment: line}, {segment: ReviewStatus.CONFIRMED})
    reparsed = parse_document(rewritten.data, name)
    assert (rewritten.changed_segments, rewritten.unsupported_statuses) == (1, ())
    assert reparsed.segments[segment].target_line == line
    assert confirmed_segments(reparsed) == confirmed_segments(before)


@pytest.mark.parametrize("name", ["plain.xlf", "studio.sdlxliff", "phrase.mxliff", "memoq.mqxliff", "two.xlf"])
def test_edited_segment_is_no_longer_confirmed(name):
    before = parse_sample(name)
    for segment, item in enumerate(before.segments):
        if item.target_location is not None and not item.locked:
            data = before.with_targets({segment: f"{item.target_line} x"}, other_codes=True).data
            assert confirmed_segments(parse_document(data, name)) == [
                row for row in confirmed_segments(before) if row != segment
            ]


@pytest.mark.parametrize(
    ("level", "left"),
    [
        *((level, "Draft") for level in ("Translated", "ApprovedTranslation", "ApprovedSignOff")),
        *((level, "Draft") for level in ("RejectedTranslation", "RejectedSignOff", "Draft")),
        ("Unspecified", "Draft"),
    ],
)
def test_editing_resets_the_studio_confirmation_level(level, left):
    data = parse_sample("studio.sdlxliff").text.data.replace(b"ApprovedTranslation", level.encode())
    edited = parse_document(data, "job.sdlxliff").with_targets({0: "Die Pumpe läuft an."}).data
    assert f'<sdl:seg id="1" conf="{left}" origin="interactive">' in edited.decode()


def test_target_of_an_untranslated_studio_segment_becomes_a_draft():
    before = parse_sample("studio.sdlxliff")
    draft = before.with_targets({4: "Nicht das.", 5: "Kein Ziel."}).data.decode()
    assert '<sdl:seg id="4" origin="not-translated" />' in draft
    assert '<sdl:seg id="5" origin="not-translated" conf="Draft" />' in draft
    assert '<sdl:seg id="6" conf="Draft" />' in draft
    statuses = {4: ReviewStatus.CONFIRMED, 5: ReviewStatus.REJECTED}
    final = before.with_targets({4: "Nicht das.", 5: "Kein Ziel."}, statuses).data.decode()
    assert '<sdl:seg id="5" origin="not-translated" conf="Translated" />' in final
    assert '<sdl:seg id="6" conf="RejectedTranslation" />' in final


def test_status_that_is_read_back_differently_is_rejected():
    document = replace(
        parse_sample("plain.xlf"),
        status_rule=replace(parse_sample("plain.xlf").status_rule, status=lambda segment: ReviewStatus.OPEN),
    )
    with pytest.raises(
        TargetsRejectedError, match="segment 2: the target, status or note would differ when the file"
    ) as caught:
        document.with_targets({0: "Neu."}, {1: ReviewStatus.CONFIRMED})
    assert list(caught.value.segments) == [1]


def test_statuses_that_cannot_be_written_are_unsupported():
    for name, segment in (("memory.tmx", 0), ("table.csv", 0), ("plain.xlf", 4), ("plain.xlf", 3)):
        rewritten = parse_sample(name).with_targets({}, {segment: ReviewStatus.CONFIRMED})
        assert (rewritten.data, rewritten.changed_segments) == (read_sample(name), 0)
        assert rewritten.unsupported_statuses == (segment,)


def test_empty_target_with_a_state_is_segmented_and_restated():
    """Both changes affect the same tag."""
    source = (
        '<xliff version="1.2"><file source-language="en" target-language="de"><body><trans-unit id="1">'
        '<source>One. Two.</source><seg-source><mrk mtype="seg" mid="a">One.</mrk> <mrk mtype="seg" mid="b">Two.</mrk>'
        '</seg-source><target state="needs-translation" /></trans-unit></body></file></xliff>'
    )
    document = parse_document(source.encode(), "job.xlf")
    data = document.with_targets({1: "Zwei."}).data.decode()
    assert data == source.replace(
        '<target state="needs-translation" />',
        '<target state="needs-review-translation"><mrk mtype="seg" mid="a"></mrk> '
        '<mrk mtype="seg" mid="b">Zwei.</mrk></target>',
    )


@pytest.mark.parametrize("state", ["new", "translated", "signed-off", "needs-review-translation", "needs-translation"])
def test_emptied_target_needs_a_translation(state):
    source = (
        '<xliff version="1.2"><file source-language="en" target-language="de"><body><trans-unit id="1">'
        f'<source>One.</source><target state="{state}">Eins.</target></trans-unit></body></file></xliff>'
    )
    document = parse_document(source.encode(), "job.xlf")
    emptied = source.replace(f'"{state}">Eins.', '"needs-translation">')
    assert document.with_targets({0: ""}).data.decode() == emptied
    translated = parse_document(emptied.encode(), "job.xlf").with_targets({0: "Eins."}).data.decode()
    assert translated == source.replace(f'"{state}"', '"needs-review-translation"')


def test_emptied_segment_of_several_needs_a_review():
    marks = '<mrk mtype="seg" mid="a">{}</mrk> <mrk mtype="seg" mid="b">{}</mrk>'
    source = (
        '<xliff version="1.2"><file source-language="en" target-language="de"><body><trans-unit id="1">'
        f"<source>One. Two.</source><seg-source>{marks.format('One.', 'Two.')}</seg-source>"
        f'<target state="final">{marks.format("Eins.", "Zwei.")}</target></trans-unit></body></file></xliff>'
    )
    data = parse_document(source.encode(), "job.xlf").with_targets({0: "", 1: "2."}).data.decode()
    assert data == source.replace('"final"', '"needs-review-translation"').replace("Eins.", "").replace("Zwei.", "2.")


# --- codes


def test_other_codes_allows_missing_and_extra_codes():
    document = parse_sample("plain.xlf")
    for line in ("Drücken Sie.", "⟨1⟩a⟨/1⟩⟨2/⟩⟨2/⟩"):
        with pytest.raises(TargetsRejectedError) as refused:
            document.with_targets({1: line})
        assert refused.value.only_codes
        assert list(refused.value.segments) == [1]
        data = document.with_targets({1: line}, other_codes=True).data
        assert data.count(b'<x id="2"') == 2 + line.count("⟨2/⟩")


@pytest.mark.parametrize("line", ["⟨7/⟩", "⟨1⟩a⟨2/⟩", "a⟨/1⟩⟨2/⟩⟨1⟩", "a\x01"])
def test_invalid_targets_are_rejected_despite_other_codes(line):
    document = parse_sample("plain.xlf")
    with pytest.raises(TargetsRejectedError) as refused:
        document.with_targets({1: line, 0: "⟨1/⟩"}, other_codes=True)
    assert not refused.value.only_codes
    assert list(refused.value.segments) == [0, 1]
    assert isinstance(refused.value, QeError)


XLIFF = (
    '<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2"><file original="a" source-language="en" '
    'target-language="de" datatype="plaintext"><body>{}</body></file></xliff>'
)
SEGMENTED = '<seg-source><mrk mtype="seg" mid="1">Dog</mrk></seg-source>'
NOTE = '<note from="qe-desktop:rejected"></note>'
REJECTED_UNITS = [
    ("", {}, '<target state="needs-translation"></target>'),
    ("", {0: "Hund"}, '<target state="needs-translation">Hund</target>'),
    (SEGMENTED, {}, '<target state="needs-translation"><mrk mtype="seg" mid="1"></mrk></target>'),
    (SEGMENTED, {0: "Hund"}, '<target state="needs-translation"><mrk mtype="seg" mid="1">Hund</mrk></target>'),
]


@pytest.mark.parametrize(("seg_source", "targets", "target"), REJECTED_UNITS)
def test_rejection_of_an_xliff_unit_without_target_is_stored_in_a_new_target(seg_source, targets, target):
    before = XLIFF.format(f'<trans-unit id="a"><source>Dog</source>{seg_source}<note>x</note></trans-unit>')
    document = parse_document(before.encode(), "a.xlf")
    asked = document.with_targets(targets, {0: ReviewStatus.REJECTED})
    assert (asked.unsupported_statuses, asked.addable_statuses) == ((0,), (0,))
    rewritten = document.with_targets(targets, {0: ReviewStatus.REJECTED}, add_missing=True)
    assert rewritten.unsupported_statuses == ()
    assert rewritten.data.decode() == before.replace("<note>x</note>", f"{target}<note>x</note>{NOTE}")
    (segment,) = parse_document(rewritten.data, "a.xlf").segments
    assert document.status_rule.status(segment) is ReviewStatus.REJECTED
