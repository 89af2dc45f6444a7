"""Undo across restarts: the restored undo and redo stacks equal those before the restart."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from qe_desktop.corpus import Kind, LayerKey, Provenance, offsets_from_lengths
from qe_desktop.project import Edit, Session
from qe_desktop.project.edits import EditColumns
from qe_desktop.project.events import EditAction, EditRow, RemoteChanges
from tests.small_corpora import corpus_of, tags

GOLD = LayerKey(Provenance.GOLD, "gold", Kind.WORDS)
PEOPLE = ("Anna", "Ben")


def corpus():
    return corpus_of(tags("oob", "boob", "o"), {"a": tags("obb", "boob", "b")})


def columns(rows: list[EditRow]) -> EditColumns:
    """Columns of edit rows, as a project returns them."""
    numbers = {row.uid: index for index, row in enumerate(rows)}
    single = [len(row.places) == 1 for row in rows]
    several = [index for index, scalar in enumerate(single) if not scalar]

    def scalar(name):
        return np.array([getattr(row, name)[0] if len(row.places) == 1 else -1 for row in rows])

    def flat(name):
        return np.array([value for index in several for value in getattr(rows[index], name)])

    return EditColumns(
        (GOLD,),
        ("uid of gold",),
        PEOPLE,
        ("w",),
        np.arange(len(rows), dtype=np.int64) * 3 + 5,
        np.zeros(len(rows), np.int32),
        np.array([PEOPLE.index(row.person) for row in rows], np.int32),
        np.zeros(len(rows), np.int32),
        np.array([row.action for row in rows], np.uint8),
        np.array([row.segment for row in rows], np.int32),
        scalar("places").astype(np.int32),
        np.maximum(0, scalar("tags")).astype(np.uint8),
        np.maximum(0, scalar("before")).astype(np.uint8),
        np.array([numbers.get(row.refers, -1) for row in rows], np.int64),
        np.array(several, np.int64),
        offsets_from_lengths([len(rows[index].places) for index in several]),
        flat("places").astype(np.int32),
        flat("tags").astype(np.uint8),
        flat("before").astype(np.uint8),
    )


def restore_user_session(rows: list[EditRow], person: str) -> Session:
    stored = columns(rows)
    rows_by_seq = {int(seq): replace(row, seq=int(seq)) for seq, row in zip(stored.seq, rows, strict=True)}
    return Session(corpus(), person=person, stored=stored, rows_of=lambda seqs: [rows_by_seq[seq] for seq in seqs])


class Team:
    """Users of one corpus with a window each; every row reaches the other windows immediately."""

    def __init__(self) -> None:
        self.rows: list[EditRow] = []
        self.windows = {
            name: self._join(Session(corpus(), person=name, uids={GOLD: "uid of gold"}), name) for name in PEOPLE
        }

    def _join(self, session: Session, name: str) -> Session:
        def record(rows) -> None:
            self.rows.extend(rows)
            for other_name, window in self.windows.items():
                if other_name != name:
                    window.apply_remote_changes(RemoteChanges(tuple(rows)))

        session.set_storage(record, name, f"window of {name}")
        return session

    def leave_and_come_back(self, name: str) -> None:
        self.windows[name] = self._join(restore_user_session(self.rows, name), name)


ACTS = st.lists(
    st.tuples(
        st.sampled_from(PEOPLE),
        st.sampled_from(["edit", "edit", "edit", "undo", "redo", "restart"]),
        st.integers(0, 2),
        st.lists(st.integers(0, 2), min_size=1, max_size=3, unique=True),
        st.integers(0, 1),
    ),
    max_size=30,
)


def act(team: Team, step) -> None:
    name, what, segment, words, tag = step
    window = team.windows[name]
    if what == "restart":
        team.leave_and_come_back(name)
    elif what == "edit":
        valid_words = [word for word in words if word < len(window.view.segment_tags(GOLD, segment))]
        window.apply(Edit(GOLD, segment, tuple(valid_words), (tag,) * len(valid_words)))
    else:
        getattr(window, what)()


@given(ACTS)
@settings(max_examples=150)
def test_all_windows_agree_and_a_restart_changes_nothing(acts):
    team = Team()
    for step in acts:
        act(team, step)
        anna, ben = team.windows.values()
        assert anna.view.tags(GOLD) == ben.view.tags(GOLD)
        for name, window in team.windows.items():
            again = restore_user_session(team.rows, name)
            assert again.view.tags(GOLD) == window.view.tags(GOLD)
            assert again.edited_tags() == window.edited_tags()
            assert again.view.edited_segments(GOLD).tolist() == window.view.edited_segments(GOLD).tolist()
            assert again.undo_text == window.undo_text
            assert again.redo_text == window.redo_text


@given(ACTS)
@settings(max_examples=100)
def test_after_a_restart_all_own_edits_and_no_others_can_be_undone(acts):
    team = Team()
    for step in acts:
        act(team, step)
    tags_by_ben = {
        (row.segment, word): tag
        for row in team.rows
        if row.person == "Ben"
        for word, tag in zip(row.places, row.tags, strict=True)
    }
    last_author = {(row.segment, word): row.person for row in team.rows for word in row.places}
    again = restore_user_session(team.rows, "Anna")
    for count in itertools.count():
        if again.undo() is None:
            break
        assert count <= len(team.rows)
    for (segment, word), tag in tags_by_ben.items():
        if last_author[segment, word] == "Ben":
            assert again.view.segment_tags(GOLD, segment)[word] == tag
    if not tags_by_ben:
        assert again.edited_tags() == 0


def rows_of_one_user(acts) -> list[EditRow]:
    rows: list[EditRow] = []
    session = Session(corpus(), person="Anna")
    session.set_storage(rows.extend, "Anna", "w")
    for what, segment, word in acts:
        if what == "edit":
            before = int(session.view.segment_tags(GOLD, segment)[word])
            session.apply(Edit(GOLD, segment, (word,), (1 - before,)))
        else:
            getattr(session, what)()
    return rows


def test_each_undo_and_redo_is_a_row_with_its_effect():
    rows = rows_of_one_user([("edit", 0, 0), ("edit", 1, 1), ("undo", 0, 0), ("redo", 0, 0), ("undo", 0, 0)])
    assert [row.action for row in rows] == [
        EditAction.EDIT, EditAction.EDIT, EditAction.UNDO, EditAction.REDO, EditAction.UNDO,
    ]  # fmt: skip
    assert [(row.segment, row.places, row.tags, row.before) for row in rows[1:]] == [
        (1, (1,), (1,), (0,)),
        (1, (1,), (0,), (1,)),
        (1, (1,), (1,), (0,)),
        (1, (1,), (0,), (1,)),
    ]
    assert {row.refers for row in rows[2:]} == {rows[1].uid}
    again = restore_user_session(rows, "Anna")
    assert again.undo_text == "word 1 OK → BAD, segment 1"
    assert again.redo_text == "word 2 OK → BAD, segment 2"


def test_a_new_edit_clears_the_redo_history():
    rows = rows_of_one_user([("edit", 0, 0), ("undo", 0, 0), ("edit", 1, 1)])
    again = restore_user_session(rows, "Anna")
    assert again.redo_text == ""
    assert again.undo_text == "word 2 OK → BAD, segment 2"


def test_a_user_without_edits_cannot_undo_those_of_others():
    again = restore_user_session(rows_of_one_user([("edit", 0, 0)]), "Ben")
    assert (again.undo_text, again.redo_text) == ("", "")
    assert again.undo() is None
    assert again.edited_tags() == 1


def test_the_author_of_each_edited_tag_is_known():
    rows = rows_of_one_user([("edit", 0, 0), ("edit", 1, 1), ("undo", 0, 0)])
    again = restore_user_session(rows, "Ben")
    assert again.edit_authors(GOLD, 0) == {}
    again.set_storage(lambda rows: None, "Ben")
    assert again.edit_authors(GOLD, 0) == {0: "Anna"}
    assert again.edit_authors(GOLD, 1) == {}
    again.apply(Edit(GOLD, 0, (1, 2), (1, 0)))
    assert again.edit_authors(GOLD, 0) == {0: "Anna", 1: "Ben", 2: "Ben"}
