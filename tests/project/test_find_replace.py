"""Find and replace in targets: plain text only, one undo step, locked segments unchanged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, ReviewStatus, TextColumn, TextRole, TranslationJob
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.find_replace import SearchResult, SearchText, find_all, replacements

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
        (SearchText("die", case=True), SearchResult(2, (0,), 1)),
        (SearchText("die", whole=True), SearchResult(3, (0, 1), 1)),
        (SearchText("1"), SearchResult(1, (1,), 0)),
        (SearchText("Katze und"), SearchResult(0, (), 0)),
        (SearchText("."), SearchResult(0, (), 0)),
        (SearchText(""), SearchResult(0, (), 0)),
    ],
)
def test_find_all_counts_matches_and_locked_segments(query, matches):
    assert find_all(session().view, range(3), query) == matches


def test_confirmed_and_rejected_segments_with_matches_are_counted():
    current = session()
    current.reviewing.set(
        {0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 1: {ReviewField.STATUS: ReviewStatus.REJECTED}}
    )
    assert find_all(current.view, range(3), SearchText("die")) == SearchResult(4, (0, 1), 1, 2)
    assert find_all(current.view, range(3), SearchText("Maus")) == SearchResult(1, (0,), 0, 1)


def test_replacing_preserves_codes_and_inserts_plain_text():
    assert SearchText("katze").replaced(LINES[0], r"\1⟨2/⟩") == r"die ⟨1⟩\1⟨⟨2/⟩⟨/1⟩ und die Maus"
    assert SearchText("1").replaced(LINES[1], "2") == "Die Diele ⟨⟨2⟩"


def test_replacing_is_one_undo_step_and_loaded_targets_become_none():
    current = session()
    term = SearchText("die", case=False)
    lines = replacements(current.view, find_all(current.view, range(3), term), term, "der")
    current.reviewing.set({segment: {ReviewField.TARGET: line} for segment, line in lines.items()})
    assert [current.view.target(segment) for segment in range(3)] == [
        "der ⟨1⟩Katze⟨/1⟩ und der Maus", "der derle ⟨⟨1⟩", LINES[2],
    ]  # fmt: skip
    current.undo()
    assert current.view.review.targets == {}
    current.reviewing.set({0: {ReviewField.TARGET: LINES[0].replace("Maus", "Ratte")}})
    second_term = SearchText("Ratte")
    assert replacements(current.view, find_all(current.view, [0], second_term), second_term, "Maus") == {0: None}
