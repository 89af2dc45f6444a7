"""Reviews in a real project: restored after reopening, with one undo history for targets and tags, or damaged."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError, ReviewStatus
from qe_desktop.project import Edit, Session
from qe_desktop.project.session_restore import missing_rows, restore_session
from qe_desktop.project.store import Project
from tests.project.store.review_rows import (
    NOTE,
    STATUS,
    TARGET,
    VISIT,
    make_review_row,
    make_visit_row,
    reviewed_corpus,
)
from tests.project.store.small_projects import GOLD
from tests.project.store.test_cell_validation import corrupt_cell
from tests.timeouts import PATIENCE


def make_session(project: Project) -> Session:
    session = restore_session(project, {})
    assert session is not None
    session.set_storage(project.append, project.person, project.window)
    return session


def reopen_session(location, project: Project, person: str = "ann") -> tuple[Project, Session]:
    assert project.flush(PATIENCE)
    project.close()
    again = location.open(person)
    return again, make_session(again)


def test_a_review_is_restored_after_reopening(location):
    project = location.create(reviewed_corpus(), person="ann")
    session = make_session(project)
    session.reviewing.set({0: {TARGET: "a ⟨1⟩home⟨/1⟩ .", STATUS: ReviewStatus.CONFIRMED}, 2: {NOTE: "why?"}})
    session.reviewing.add_visit(0, VISIT)
    _, again = reopen_session(location, project)
    view = again.view
    assert (view.target(0), view.status(0), view.note(2)) == ("a ⟨1⟩home⟨/1⟩ .", ReviewStatus.CONFIRMED, "why?")
    assert view.statuses().tolist() == session.view.statuses().tolist()
    assert view.review.people == {0: "ann"}
    assert [row.visit for row in again.reviewing.visits()] == [VISIT]
    assert [row.text for row in again.reviewing.history(0)] == ["segment 1 confirmed"]
    assert again.reviewing.unsaved_segments() == []


def test_targets_and_tags_share_one_undo_history_after_reopening(location):
    project = location.create(reviewed_corpus(), person="ann")
    session = make_session(project)
    session.reviewing.set({0: {TARGET: "one"}, 2: {TARGET: "two"}})
    session.apply(Edit(GOLD, 2, (0,), (0,)))
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    session.reviewing.set({3: {NOTE: "n"}})
    session.undo()
    project, session = reopen_session(location, project)
    assert (session.undo_text, session.redo_text) == ("segment 1 confirmed", "note on segment 4 changed")
    session.undo()
    session.undo()
    project, session = reopen_session(location, project)
    assert session.undo_text == "2 segments changed"
    session.undo()
    assert session.undo() is None
    assert session.view.review.targets == {}
    project, session = reopen_session(location, project)
    redo_texts = [session.redo_text]
    while session.redo() is not None:
        redo_texts.append(session.redo_text)
    assert redo_texts == [
        "2 segments changed",
        "word 1 BAD → OK, segment 3",
        "segment 1 confirmed",
        "note on segment 4 changed",
        "",
    ]
    assert (session.view.target(2), session.view.status(0), session.view.note(3)) == (
        "two",
        ReviewStatus.CONFIRMED,
        "n",
    )


@pytest.mark.parametrize("tag_first", [True, False])
def test_steps_undone_before_the_last_edit_are_not_redone_after_reopening(location, tag_first):
    project = location.create(reviewed_corpus(), person="ann")
    session = make_session(project)
    edits = [lambda: session.apply(Edit(GOLD, 2, (0,), (0,))), lambda: session.reviewing.set({0: {TARGET: "one"}})]
    first, second = edits if tag_first else reversed(edits)
    first()
    session.undo()
    second()
    assert session.redo() is None
    project, session = reopen_session(location, project)
    assert session.redo_text == ""
    assert session.redo() is None
    assert session.undo() is not None
    assert session.undo() is None


def test_undo_preserves_later_changes_of_other_users(location):
    project = location.create(reviewed_corpus(), person="ann")
    session = make_session(project)
    session.reviewing.set({0: {TARGET: "mine", NOTE: "mine"}})
    project, other_session = reopen_session(location, project, "bob")
    other_session.reviewing.set({0: {TARGET: "theirs"}})
    project, session = reopen_session(location, project)
    session.undo()
    assert (session.view.target(0), session.view.note(0)) == ("theirs", "")


def test_two_windows_reach_the_same_state(location):
    own_project, other_project = location.create(reviewed_corpus(), person="ann"), location.open("bob")
    sessions = [make_session(project) for project in (own_project, other_project)]
    for number in range(5):
        for index, session in enumerate(sessions):
            session.reviewing.set({0: {TARGET: f"{index} {number}"}, 2 + index: {STATUS: ReviewStatus.CONFIRMED}})
    for project in (own_project, other_project):
        assert project.flush(PATIENCE)
    sessions[0].reviewing.add_visit(0, VISIT)
    assert own_project.flush(PATIENCE)
    for project, session in zip((own_project, other_project), sessions, strict=True):
        session.apply_remote_changes(project.new_changes())
    views = [session.view for session in sessions]
    assert views[0].target(0) == views[1].target(0)
    assert views[0].statuses().tolist() == views[1].statuses().tolist()
    assert [len(session.reviewing.visits()) for session in sessions] == [1, 1]
    with_seq = [[(row.uid, row.seq) for row in session.reviewing.history(0)] for session in sessions]
    assert with_seq[0] == with_seq[1]


def test_the_review_of_a_session_without_a_project_is_stored_in_a_new_one(location):
    session = Session(reviewed_corpus(), person="ann")
    session.reviewing.set({0: {TARGET: "one"}})
    session.reviewing.set({2: {TARGET: "two"}})
    session.undo()
    session.reviewing.add_visit(0, VISIT)
    project = location.create(session.corpus, person="ann", uids=session.layer_uids())
    project.append(missing_rows(session, project, tuple(session.corpus.layers.values())))
    _, again = reopen_session(location, project)
    assert again.view.review.targets == {0: "one"}
    assert again.redo_text == "translation of segment 3 edited"
    assert len(again.reviewing.visits()) == 1


@pytest.fixture(scope="module")
def undamaged_path(tmp_path_factory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "a.qedesk"
    with Project.create(path, reviewed_corpus(), person="ann") as project:
        row = make_review_row(project)
        confirmed = make_review_row(project, fields=(STATUS,), values=(2,))
        project.append([row, confirmed, make_visit_row(project)])
        assert project.flush(PATIENCE)
    return path


@pytest.mark.parametrize(
    "change",
    [
        "fields = '[\"hue\"]'", "fields = '[]'", "fields = '5'", "fields = '[\"target\",\"target\"]'", "afters = '[5]'",
        "afters = '[true]'", "afters = '[]'", "afters = '[\"a\\u0000b\"]'", "afters = '[\"a\\nb\"]'",
        "afters = x'fffe'", "afters = '[4]', fields = '[\"status\"]'", "afters = '[9]', fields = '[\"status\"]'",
        "befores = '[' || replace(hex(zeroblob(60000)), '00', '1') || ']'", "segment = 4", "segment = -1",
        "afters = '[\"' || replace(hex(zeroblob(100001)), '00', 'x') || '\"]'", "segment = 'x'", "action = 7",
        "action = 'x'", "at = 1e300", "at = 'x'", "at = -1", "window = 99", "refers = 'x'", "uid = ''", "text = x'00'",
        "bundle = x'00'", "afters = replace(hex(zeroblob(5000)), '00', '[')", "afters = '[\"\\ud800\"]'",
        "afters = '[\"' || replace(hex(zeroblob(3000000)), '00', 'x') || '\"]'", "fields = 'null'",
    ],
)  # fmt: skip
def test_an_invalid_review_row_is_damage(undamaged_path, tmp_path, change):
    assert_damage_is_reported(undamaged_path, tmp_path, f"UPDATE OR IGNORE reviews SET {change} WHERE seq = 1")


@pytest.mark.parametrize(
    "change",
    [
        *(f"details = json_set(details, '$.{name}', {value})" for name, value in (
            ("seconds", -1), ("seconds", "'x'"), ("seconds", "9e999"), ("pauses", "json('null')"), ("opened", "1e15"),
            ("gaps_300", 1.5), ("gaps_1000", -3), ("keys", "json('[[\"letter\"]]')"), ("keys", "json('[[\"sun\",1]]')"),
            ("keys", "json('[[\"letter\",-1]]')"), ("keys", "5"), ("typed", "json('[[1,0,\"a\"]]')"),
            ("typed", "json('[[-1,0,\"\",\"a\"]]')"), ("typed", "json('[[1,\"0\",\"\",\"a\"]]')"), ("shown", 5),
            ("shown", "json('[[5],\"\",[]]')"), ("shown", "json('[[\"a\"],\"\",[[2,1,true]]]')"),
            ("typed", "json('[' || replace(hex(zeroblob(200000)), '00', '[1,0,\"\",\"a\"],') || '0]')"),
            ("before", "replace(hex(zeroblob(100001)), '00', 'x')"),
        )),
        "details = '{}'", "details = '[]'", "details = '5'", "details = 'NaN'", "segment = 4", "at = -1", "uid = ''",
        "window = 99", "details = replace(details, '41.5', 'NaN')", "details = replace(details, '41.5', 'Infinity')",
    ],
)  # fmt: skip
def test_an_invalid_visit_is_damage(undamaged_path, tmp_path, change):
    assert_damage_is_reported(undamaged_path, tmp_path, f"UPDATE visits SET {change}")


def assert_damage_is_reported(whole, tmp_path, statement: str) -> None:
    path = tmp_path / "a.qedesk"
    shutil.copy(whole, path)
    corrupt_cell(path, statement)
    with Project.open(path, person="ann") as project:
        for ask in (project.review, project.summary, lambda: restore_session(project, {})):
            with pytest.raises(QeError, match="damaged"):
                ask()
        # all other data can be read
        assert project.corpus().job is not None
