"""Propagation of a confirmed target: identical segments, their contexts, one undo step, finished segments."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from qe_desktop.corpus import Corpus, JobFile, QeError, ReviewStatus, TextColumn, TextRole, TranslationJob
from qe_desktop.corpus.translation_job import TargetRules
from qe_desktop.formats.bilingual.plain_lines import strip_codes
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.propagation import (
    MAX_DESCRIBED_SEGMENTS,
    check_propagation,
    describe_elsewhere,
    find_identical_segments,
)
from qe_desktop.project.review.review_edits import check_all_fields, check_confirmations

TARGET, STATUS = ReviewField.TARGET, ReviewField.STATUS
OPEN, EDITED, CONFIRMED, REJECTED, LOCKED = ReviewStatus


def session_of(
    sources: Sequence[str],
    targets: Sequence[str] = (),
    statuses: Sequence[int] = (),
    *,
    form: str = "xliff",
    notes: Mapping[int, tuple[str, ...]] | None = None,
    rules: Mapping[int, TargetRules] | None = None,
    files: Sequence[int] = (),
    loaded: Sequence[str] = (),
) -> Session:
    """Session over bilingual files with these segments; `files` are the numbers of segments of the files."""
    size, counts = len(sources), list(files) or [len(sources)]
    lines = list(targets) or [f"target {number}" for number in range(size)]
    firsts = np.cumsum([0, *counts]).tolist()
    job = TranslationJob(
        tuple(
            JobFile(f"{number}", "", form, b"", first, count)
            for number, (first, count) in enumerate(zip(firsts, counts, strict=False))
        ),
        TextColumn.of(sources),
        TextColumn.of(lines),
        np.array(list(statuses) or [0] * size, np.uint8),
        np.zeros(size, bool),
        notes=notes or {},
        rules=rules or {},
        loaded=TextColumn.of(loaded) if loaded else None,
    )
    texts = {
        TextRole.SOURCE: TextColumn.of([strip_codes(line) for line in sources]),
        TextRole.MT: TextColumn.of([strip_codes(line) for line in loaded or lines]),
    }
    return Session(Corpus("job", size, texts, job=job), person="me")


def propagate(session: Session, segment: int, *, only_open: bool = False) -> list[int]:
    """Propagate the target of a segment, and return the changed segments."""
    chosen = find_identical_segments(session.view, segment).segments_to_change(only_open=only_open)
    session.reviewing.set(check_propagation(session.view, {}, chosen, session.view.target(segment)))
    return chosen.tolist()


@pytest.mark.parametrize(
    ("notes", "text"),
    [(("first",), "with only some of the notes"), (("second", "first"), "with the notes in a different order")],
)
def test_notes_that_are_only_fewer_or_in_another_order_are_described(notes, text):
    session = session_of(["a", "b", "a", "b", "a"], notes={1: ("first", "second"), 3: notes})
    equal = find_identical_segments(session.view, 1)
    assert equal.in_other_context.tolist() == [3]
    assert describe_elsewhere(session.corpus, equal, equal.segments_to_change()) == (f"Segment 4: {text}",)


def test_open_and_edited_segments_are_changed_but_never_finished_ones():
    session = session_of(["a b"] * 6, statuses=[0, CONFIRMED, LOCKED, 0, 0, 0])
    session.reviewing.set({4: {TARGET: "mine"}})
    session.reviewing.set({5: {STATUS: REJECTED}})
    session.reviewing.set({0: {TARGET: "neu", STATUS: CONFIRMED}})
    equal = find_identical_segments(session.view, 0)
    assert (equal.untouched.tolist(), equal.edited.tolist(), equal.finished.tolist()) == ([3], [4], [1, 2, 5])
    assert propagate(session, 0, only_open=True) == [3]
    assert propagate(session, 0) == [4]
    view = session.view
    assert [view.target(segment) for segment in range(6)] == ["neu", "target 1", "target 2", "neu", "neu", "target 5"]
    assert view.statuses().tolist() == [CONFIRMED, CONFIRMED, LOCKED, CONFIRMED, CONFIRMED, REJECTED]
    assert not len(find_identical_segments(view, 0).segments_to_change())


def test_propagation_is_one_undo_step_and_can_be_redone():
    session = session_of(["a"] * 5)
    session.reviewing.set({2: {TARGET: "mine"}})
    session.reviewing.set({0: {TARGET: "neu", STATUS: CONFIRMED}})
    propagate(session, 0)
    assert session.undo_text == "4 segments changed"
    session.undo()
    assert [session.view.target(segment) for segment in range(5)] == ["neu", "target 1", "mine", "target 3", "target 4"]
    assert session.view.statuses().tolist() == [CONFIRMED, OPEN, EDITED, OPEN, OPEN]
    session.redo()
    assert {session.view.target(segment) for segment in range(5)} == {"neu"}
    assert set(session.view.statuses().tolist()) == {CONFIRMED}


def test_a_confirmation_and_its_propagation_can_be_one_step():
    session = session_of(["a"] * 4)
    fields = {0: {TARGET: "neu", STATUS: CONFIRMED}}
    chosen = find_identical_segments(session.view, 0, "neu").segments_to_change()
    session.reviewing.set(check_propagation(session.view, fields, chosen, "neu"))
    assert session.view.statuses().tolist() == [CONFIRMED] * 4
    session.undo()
    assert session.view.statuses().tolist() == [OPEN] * 4
    assert session.view.review.targets == {}
    assert session.undo() is None


def test_a_target_that_was_edited_in_its_file_is_not_open():
    session = session_of(["a"] * 3, ["x", "x", "by a person"], loaded=["x", "x", "x"])
    equal = find_identical_segments(session.view, 0)
    assert (equal.untouched.tolist(), equal.edited.tolist()) == ([1], [2])


@pytest.mark.parametrize(("source", "target"), [("", "x"), ("⟨1/⟩ ", "⟨1/⟩"), ("a", ""), ("a", " ")])
def test_segments_without_text_are_not_propagated(source, target):
    session = session_of([source] * 3, [target] * 3)
    assert not len(find_identical_segments(session.view, 0).segments_to_change())


def test_sources_are_equal_with_their_codes_and_spaces_only():
    session = session_of(["⟨1⟩a⟨/1⟩", "⟨1⟩a⟨/1⟩", "a", "⟨2⟩a⟨/2⟩", "⟨1⟩a⟨/1⟩ "])
    assert find_identical_segments(session.view, 0).segments_to_change().tolist() == [1]


def test_codes_that_are_not_in_the_source_must_be_in_the_target_as_loaded():
    session = session_of(["a"] * 4, ["x ⟨3/⟩", "y", "⟨3/⟩ z", "⟨4/⟩"])
    assert find_identical_segments(session.view, 0).segments_to_change().tolist() == [2]
    assert find_identical_segments(session.view, 0, "x").segments_to_change().tolist() == [1, 2, 3]


def test_other_plural_forms_of_the_same_source_are_not_equal():
    rules = {number: TargetRules(plural_form=form) for number, form in enumerate([1, 2, 3, 2])}
    session = session_of(["%d file", "%d files", "%d files", "%d files"], form="po", rules=rules)
    assert find_identical_segments(session.view, 1).segments_to_change().tolist() == [3]


def test_segments_with_other_notes_or_rules_are_not_changed_unasked():
    rules = {2: TargetRules(context="door"), 3: TargetRules(max_length=10), 4: TargetRules(max_length=3)}
    rules[7] = TargetRules(max_bytes=3)
    session = session_of(["a"] * 8, form="po", notes={5: ("a verb",)}, rules=rules)
    session.reviewing.set({0: {TARGET: "vier", STATUS: CONFIRMED}, 6: {TARGET: "mine"}})
    equal = find_identical_segments(session.view, 0)
    # the target is too long for segments 4 and 7
    assert (equal.segments_to_change().tolist(), equal.other_entries.tolist()) == ([1, 2, 3, 5, 6], [2, 3, 5])
    assert (equal.automatic_segments().tolist(), equal.automatic_segments(only_open=True).tolist()) == ([1, 6], [1])
    assert equal.all_segments().tolist() == [0, 1, 2, 3, 5, 6]


def test_neighbouring_sources_are_the_context_within_a_file():
    sources = ["one", "a", "two", "one", "a", "two", "one", "a", "three", "a", "two"]
    session = session_of(sources, files=[9, 2])
    equal = find_identical_segments(session.view, 1)
    assert equal.segments_to_change().tolist() == [4, 7, 9]
    assert equal.in_other_context.tolist() == [7, 9]
    assert equal.count_elsewhere(equal.segments_to_change()) == 2
    assert describe_elsewhere(session.corpus, equal, equal.segments_to_change()) == (
        "Segment 8: before “three”",
        "Segment 10: at the beginning of the file",
    )


@pytest.mark.parametrize("form", ["po", "tmx"])
def test_notes_and_rules_but_not_neighbours_are_the_context_of_independent_entries(form):
    notes = {0: ("context: menu",), 2: ("context: menu",), 4: ("context: door", "verb")}
    rules = {6: TargetRules(max_length=40)}
    session = session_of([*"abacaba"], form=form, notes=notes, rules=rules)
    equal = find_identical_segments(session.view, 0)
    assert (equal.segments_to_change().tolist(), equal.in_other_context.tolist()) == ([2, 4, 6], [4, 6])
    assert describe_elsewhere(session.corpus, equal, equal.segments_to_change()) == (
        "Segment 5: context: door · verb",
        "Segment 7: without a note · with different length limits, format strings or plural forms",
    )


def test_plain_texts_have_documents_or_neighbours_as_context_and_few_are_described():
    sources = TextColumn.of(["a", "b"] * 200 + ["a"])
    session = Session(Corpus("plain", 401, {TextRole.SOURCE: sources, TextRole.MT: sources}), person="me")
    equal = find_identical_segments(session.view, 2)
    assert (len(equal.segments_to_change()), equal.in_other_context.tolist()) == (200, [0, 400])
    described = describe_elsewhere(session.corpus, find_identical_segments(session.view, 0), equal.all_segments())
    assert len(described) == MAX_DESCRIBED_SEGMENTS + 1
    assert described[-1] == "and 150 more"


def test_confirmations_of_many_segments_are_checked_as_single_ones():
    session = session_of(["a"] * 3, ["x", "neu", "y"])
    checked = check_confirmations(session.view, [0, 1], "neu")
    expected = check_all_fields(
        session.view, {0: {TARGET: "neu", STATUS: CONFIRMED}, 1: {TARGET: None, STATUS: CONFIRMED}}
    )
    assert (checked.fields, checked.texts) == (expected.fields, expected.texts)
    with pytest.raises(QeError, match="not allowed"):
        check_confirmations(session.view, [0], "\x07")
    with pytest.raises(QeError, match="segment 1 is locked"):
        check_confirmations(session_of(["a"], statuses=[LOCKED]).view, [0], "x")


LINES = st.sampled_from(["a", "b", "⟨1⟩a⟨/1⟩", "⟨1/⟩", "", "é", "a "])
SEGMENT = st.tuples(LINES, st.sampled_from(["x", "y", "x ⟨1/⟩", ""]), st.sampled_from([*ReviewStatus]))


@given(st.lists(SEGMENT, min_size=1, max_size=12), st.data())
def test_any_propagation_changes_equal_unfinished_segments_only_and_undo_restores_all(segments, data):
    sources, targets, statuses = zip(*segments, strict=True)
    session = session_of(sources, targets, [LOCKED if status is LOCKED else 0 for status in statuses])
    fields = {
        segment: {TARGET: f"{targets[segment]}!"} if status is EDITED else {STATUS: status}
        for segment, status in enumerate(statuses)
        if status not in (OPEN, LOCKED)
    }
    session.reviewing.set(fields)
    before = session.view
    segment = data.draw(st.integers(0, len(segments) - 1))
    only_open = data.draw(st.booleans())
    changed = propagate(session, segment, only_open=only_open)
    after, line = session.view, before.target(segment)
    allowed = {OPEN} if only_open else {OPEN, EDITED}
    for number, source in enumerate(sources):
        if number in changed:
            assert source == sources[segment]
            assert number != segment
            assert before.status(number) in allowed
            assert (after.target(number), after.status(number)) == (line, CONFIRMED)
        else:
            assert (after.target(number), after.status(number)) == (before.target(number), before.status(number))
    if changed:
        session.undo()
        assert [session.view.target(number) for number in range(len(segments))] == [
            before.target(number) for number in range(len(segments))
        ]
        assert session.view.statuses().tolist() == before.statuses().tolist()
