"""Find and replace in targets: text alone, one step of undo, locked segments as they are."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Job, Status, TextColumn, TextRole
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.replacing import Found, Wanted, find_all, replacements

LINES = ["die ⟨1⟩Katze⟨/1⟩ und die Maus", "Die Diele ⟨⟨1⟩", "eine Katze die schläft"]


def session() -> Session:
    texts = {role: TextColumn.of(["x", "y", "z"]) for role in (TextRole.SOURCE, TextRole.MT)}
    lines = TextColumn.of(LINES)
    job = Job((), lines, lines, np.array([0, 0, Status.LOCKED], np.uint8), np.zeros(3, bool))
    return Session(replace(Corpus("c", 3, texts), job=job))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Wanted("die"), Found(4, (0, 1), 1)),
        (Wanted("die", case=True), Found(2, (0,), 1)),
        (Wanted("die", whole=True), Found(3, (0, 1), 1)),
        (Wanted("1"), Found(1, (1,), 0)),
        (Wanted("Katze und"), Found(0, (), 0)),
        (Wanted("."), Found(0, (), 0)),
        (Wanted(""), Found(0, (), 0)),
    ],
)
def test_what_is_found(wanted, found):
    assert find_all(session().view, range(3), wanted) == found


def test_what_a_person_is_done_with_is_counted_where_it_is_found():
    one = session()
    one.reviewing.set({0: {ReviewField.STATUS: Status.CONFIRMED}, 1: {ReviewField.STATUS: Status.REJECTED}})
    assert find_all(one.view, range(3), Wanted("die")) == Found(4, (0, 1), 1, 2)
    assert find_all(one.view, range(3), Wanted("Maus")) == Found(1, (0,), 0, 1)


def test_codes_and_doubled_signs_stay_and_the_new_text_is_plain():
    assert Wanted("katze").replaced(LINES[0], r"\1⟨2/⟩") == r"die ⟨1⟩\1⟨⟨2/⟩⟨/1⟩ und die Maus"
    assert Wanted("1").replaced(LINES[1], "2") == "Die Diele ⟨⟨2⟩"


def test_one_undo_takes_all_back_and_what_was_loaded_is_set_to_nothing():
    one = session()
    wanted = Wanted("die", case=False)
    lines = replacements(one.view, find_all(one.view, range(3), wanted), wanted, "der")
    one.reviewing.set({segment: {ReviewField.TARGET: line} for segment, line in lines.items()})
    assert [one.view.target(segment) for segment in range(3)] == [
        "der ⟨1⟩Katze⟨/1⟩ und der Maus", "der derle ⟨⟨1⟩", LINES[2],
    ]  # fmt: skip
    one.undo()
    assert one.view.review.targets == {}
    one.reviewing.set({0: {ReviewField.TARGET: LINES[0].replace("Maus", "Ratte")}})
    back = Wanted("Ratte")
    assert replacements(one.view, find_all(one.view, [0], back), back, "Maus") == {0: None}
