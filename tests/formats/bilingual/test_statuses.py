"""Statuses: which words of a file say that a segment is finished, and how a file is told so, byte by byte."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.formats.bilingual import Document, TargetsRejectedError, parse_document
from tests.formats.bilingual.samples import NAMES, bytes_of_sample, sample

FINISHED = {
    "plain.xlf": [0],
    "studio.sdlxliff": [0, 2],
    "phrase.mxliff": [1],
    "memoq.mqxliff": [1],
    "two.xlf": [0],
    "catalogue.po": [4],
}


def finished(document: Document) -> list[int]:
    return [
        number
        for number, one in enumerate(document.segments)
        if document.statuses.status(one) is ReviewStatus.CONFIRMED
    ]


@pytest.mark.parametrize("name", NAMES)
def test_what_a_person_finished_by_the_words_of_the_file(name):
    assert finished(sample(name)) == FINISHED.get(name, [])


def pieces(
    name: str, statuses: dict[int, ReviewStatus], targets: dict[int, str] | None = None
) -> list[tuple[str, str]]:
    """What is other in a sample, line by line, after statuses were given."""
    before = sample(name)
    rewritten = before.with_targets(targets or {}, statuses)
    assert rewritten.unsupported == ()
    old, new = before.text.data.decode().split("\n"), rewritten.data.decode().split("\n")
    assert len(old) == len(new)
    return [(one, other) for one, other in zip(old, new, strict=True) if one != other]


CONFIRMED = [
    ("plain.xlf", 1, 'state="new"', 'state="signed-off"'),
    ("studio.sdlxliff", 1, 'id="2" conf="Draft"', 'id="2" conf="Translated"'),
    ("studio.sdlxliff", 3, '<sdl:seg id="4" origin="not-translated" />',
     '<sdl:seg id="4" origin="not-translated" conf="Translated" />'),
    ("studio.sdlxliff", 5, '<sdl:seg id="6" />', '<sdl:seg id="6" conf="Translated" />'),
    ("phrase.mxliff", 0, 'm:confirmed="0"', 'm:confirmed="1"'),
    ("memoq.mqxliff", 0, 'mq:status="MachineTranslated"', 'mq:status="ManuallyConfirmed"'),
    ("two.xlf", 1, 'id="s2" state="initial"', 'id="s2" state="reviewed"'),
    ("two.xlf", 3, '<unit id="u3"><segment>', '<unit id="u3"><segment state="reviewed">'),
    ("catalogue.po", 0, "#, fuzzy, c-format", "#, c-format"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "segment", "before", "after"), CONFIRMED)
def test_what_is_confirmed_is_said_and_nothing_else_changes(name, segment, before, after):
    ((old, new),) = pieces(name, {segment: ReviewStatus.CONFIRMED})
    assert old.replace(before, after) == new
    again = parse_document(sample(name).with_targets({}, {segment: ReviewStatus.CONFIRMED}).data, name)
    assert segment in finished(again)
    # who confirms it once more changes nothing
    assert again.with_targets({}, {segment: ReviewStatus.CONFIRMED}).changed == 0


@pytest.mark.parametrize(("name", "segment"), [(name, rows[0]) for name, rows in FINISHED.items()])
def test_what_is_opened_again_is_not_called_finished_any_longer(name, segment):
    before = sample(name)
    for status in (ReviewStatus.OPEN, ReviewStatus.REJECTED):
        rewritten = before.with_targets({}, {segment: status})
        assert rewritten.changed == 1
        again = parse_document(rewritten.data, name)
        assert finished(again) == [row for row in finished(before) if row != segment]
        assert [one.target for one in again.segments] == [one.target for one in before.segments]


@pytest.mark.parametrize("name", FINISHED)
def test_a_target_that_is_edited_and_confirmed_stays_finished(name):
    """What an edit takes away is not taken away where the person confirms it."""
    before, segment = sample(name), FINISHED[name][0]
    line = before.segments[segment].target_line.replace("e", "é", 1)
    rewritten = before.with_targets({segment: line}, {segment: ReviewStatus.CONFIRMED})
    again = parse_document(rewritten.data, name)
    assert (rewritten.changed, rewritten.unsupported) == (1, ())
    assert again.segments[segment].target_line == line
    assert finished(again) == finished(before)


@pytest.mark.parametrize("name", ["plain.xlf", "studio.sdlxliff", "phrase.mxliff", "memoq.mqxliff", "two.xlf"])
def test_what_is_edited_and_not_confirmed_is_not_called_finished(name):
    before = sample(name)
    for segment, one in enumerate(before.segments):
        if one.place is not None and not one.locked:
            data = before.with_targets({segment: f"{one.target_line} x"}, other_codes=True).data
            assert finished(parse_document(data, name)) == [row for row in finished(before) if row != segment]


@pytest.mark.parametrize(
    ("said", "left"),
    [
        *((said, "Draft") for said in ("Translated", "ApprovedTranslation", "ApprovedSignOff")),
        *((said, "Draft") for said in ("RejectedTranslation", "RejectedSignOff", "Draft")),
        ("Unspecified", "Unspecified"),
    ],
)
def test_a_confirmation_in_studio_goes_with_the_text_that_it_was_of(said, left):
    data = sample("studio.sdlxliff").text.data.replace(b"ApprovedTranslation", said.encode())
    edited = parse_document(data, "job.sdlxliff").with_targets({0: "Die Pumpe läuft an."}).data
    assert f'<sdl:seg id="1" conf="{left}" origin="interactive">' in edited.decode()


def test_a_status_that_is_read_back_differently_is_an_error_of_its_segment():
    document = replace(
        sample("plain.xlf"),
        statuses=replace(sample("plain.xlf").statuses, status=lambda segment: ReviewStatus.OPEN),
    )
    with pytest.raises(
        TargetsRejectedError, match="segment 2: the written target, status or note would be read back"
    ) as caught:
        document.with_targets({0: "Neu."}, {1: ReviewStatus.CONFIRMED})
    assert list(caught.value.segments) == [1]


def test_a_file_without_statuses_says_which_confirmations_it_cannot_hold():
    for name, segment in (("memory.tmx", 0), ("table.csv", 0), ("plain.xlf", 4), ("plain.xlf", 3)):
        rewritten = sample(name).with_targets({}, {segment: ReviewStatus.CONFIRMED})
        assert (rewritten.data, rewritten.changed) == (bytes_of_sample(name), 0)
        assert rewritten.unsupported == (segment,)


def test_an_empty_target_with_a_state_is_cut_as_its_source_and_restated():
    """Both changes stand in one tag, and met each other."""
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


# --- codes


def test_codes_may_be_missing_or_too_many_where_a_person_wants_it():
    document = sample("plain.xlf")
    for line in ("Drücken Sie.", "⟨1⟩a⟨/1⟩⟨2/⟩⟨2/⟩"):
        with pytest.raises(TargetsRejectedError) as refused:
            document.with_targets({1: line})
        assert refused.value.only_codes
        assert list(refused.value.segments) == [1]
        data = document.with_targets({1: line}, other_codes=True).data
        assert data.count(b'<x id="2"') == 2 + line.count("⟨2/⟩")


@pytest.mark.parametrize("line", ["⟨7/⟩", "⟨1⟩a⟨2/⟩", "a⟨/1⟩⟨2/⟩⟨1⟩", "a\x01"])
def test_what_no_file_can_hold_is_refused_all_the_same(line):
    document = sample("plain.xlf")
    with pytest.raises(TargetsRejectedError) as refused:
        document.with_targets({1: line, 0: "⟨1/⟩"}, other_codes=True)
    assert not refused.value.only_codes
    assert list(refused.value.segments) == [0, 1]
    assert isinstance(refused.value, QeError)
