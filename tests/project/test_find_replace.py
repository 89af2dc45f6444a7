"""Find and replace in targets: plain text only, one undo step, locked segments unchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, ReviewStatus, TextColumn, TextRole, TranslationJob
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.find_replace import (
    SearchResult,
    SearchText,
    TargetMatch,
    find_all,
    next_match,
    replacements,
)

LINES = ["die ⟨1⟩Katze⟨/1⟩ und die Maus", "Die Diele ⟨⟨1⟩", "eine Katze die schläft"]


def session() -> Session:
    texts = {role: TextColumn.of(["x", "y", "z"]) for role in (TextRole.SOURCE, TextRole.MT)}
    lines = TextColumn.of(LINES)
    job = TranslationJob((), lines, lines, np.array([0, 0, ReviewStatus.LOCKED], np.uint8), np.zeros(3, bool))
    return Session(replace(Corpus("c", 3, texts), job=job))


@pytest.mark.parametrize(
    ("query", "matches"),
    [
        (SearchText("die"), SearchResult(4, (0, 1), 1)),
        (SearchText("die", is_case_sensitive=True), SearchResult(2, (0,), 1)),
        (SearchText("die", whole_words_only=True), SearchResult(3, (0, 1), 1)),
        (SearchText("1"), SearchResult(1, (1,), 0)),
        (SearchText("Katze und"), SearchResult(0, (), 0)),
        (SearchText("."), SearchResult(0, (), 0)),
        (SearchText(""), SearchResult(0, (), 0)),
    ],
)
def test_find_all_counts_matches_and_locked_segments(query, matches):
    assert find_all(session().view, range(3), query) == matches


@pytest.mark.parametrize(
    ("query", "by", "replaced"),
    [
        (SearchText("modificar"), "editar", "Editar editar EDITAR"),
        (SearchText("modificar", is_case_sensitive=True), "editar", "Modificar editar MODIFICAR"),
        (SearchText("modificar"), "eBook", "eBook eBook eBook"),
        (SearchText("Modificar"), "modificar", "modificar modificar modificar"),
        (SearchText("modificar"), "¿y?", "¿y? ¿y? ¿Y?"),
        (SearchText("modificar"), "", "  "),
    ],
)
def test_replacement_takes_over_the_capitals_of_a_match_unless_case_matters(query, by, replaced):
    assert query.replace("Modificar modificar MODIFICAR", by) == replaced


def test_spans_of_matches_do_not_count_codes():
    assert list(SearchText("die").spans(LINES[0])) == [(0, 3), (14, 17)]
    assert list(SearchText("katze").spans(LINES[0])) == [(4, 9)]
    assert list(SearchText("1").spans(LINES[1])) == [(11, 12)]


@pytest.mark.parametrize("step", [1, -1])
@pytest.mark.parametrize("order", [[0, 1, 2], [1, 0], [2, 0]])
def test_next_match_visits_every_match_of_unlocked_segments_in_order(order, step):
    view, term = session().view, SearchText("die")
    expected = [(segment, *span) for segment in order if segment != 2 for span in term.spans(LINES[segment])][::step]
    current, visited = TargetMatch(order[0] if step > 0 else order[-1], *((0, 0) if step > 0 else (99, 99))), []
    for _ in range(len(expected) + 1):
        match = next_match(view, order, find_all(view, order, term).segments, term, current, step)
        assert match is not None
        visited.append(match)
        current = match
    assert [match[:3] for match in visited] == [*expected, expected[0]]
    assert [match.wrapped for match in visited] == [*[False] * len(expected), True]


def test_next_match_ignores_segments_that_no_longer_match():
    view, term = session().view, SearchText("katze")
    assert next_match(view, range(3), (0, 1, 2), term, TargetMatch(1, 0, 0)) == TargetMatch(0, 4, 9, True)
    assert next_match(view, range(3), (), term, TargetMatch(1, 0, 0)) is None
    assert next_match(view, range(3), (0,), SearchText("schläft"), TargetMatch(2, 0, 0)) is None
    # a segment outside the list counts as before its first one
    assert next_match(view, [1, 0], (0,), term, TargetMatch(2, 0, 0)) == TargetMatch(0, 4, 9)


def test_confirmed_and_rejected_segments_with_matches_are_counted():
    current = session()
    current.reviewing.set(
        {0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 1: {ReviewField.STATUS: ReviewStatus.REJECTED}}
    )
    assert find_all(current.view, range(3), SearchText("die")) == SearchResult(4, (0, 1), 1, 2)
    assert find_all(current.view, range(3), SearchText("Maus")) == SearchResult(1, (0,), 0, 1)


def test_replacing_preserves_codes_and_inserts_plain_text():
    assert SearchText("katze").replace(LINES[0], r"\1⟨2/⟩") == r"die ⟨1⟩\1⟨⟨2/⟩⟨/1⟩ und die Maus"
    assert SearchText("1").replace(LINES[1], "2") == "Die Diele ⟨⟨2⟩"


def test_replacing_is_one_undo_step_and_loaded_targets_become_none():
    current = session()
    term = SearchText("die", is_case_sensitive=False)
    lines = replacements(current.view, find_all(current.view, range(3), term), term, "der")
    current.reviewing.set({segment: {ReviewField.TARGET: line} for segment, line in lines.items()})
    assert [current.view.target(segment) for segment in range(3)] == [
        "der ⟨1⟩Katze⟨/1⟩ und der Maus", "Der Derle ⟨⟨1⟩", LINES[2],
    ]  # fmt: skip
    current.undo()
    assert current.view.review.targets == {}
    current.reviewing.set({0: {ReviewField.TARGET: LINES[0].replace("Maus", "Ratte")}})
    second_term = SearchText("Ratte")
    assert replacements(current.view, find_all(current.view, [0], second_term), second_term, "Maus") == {0: None}
