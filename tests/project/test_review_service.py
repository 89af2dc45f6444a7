"""Targets, statuses and notes in a session: one notification, atomic changes, one undo history with tags."""

from __future__ import annotations

import numpy as np
import pytest

from qe_desktop.corpus import Corpus, Kind, QeError, ReviewStatus, TextColumn, TextRole, TranslationJob
from qe_desktop.project import Edit, ReviewField, Session, SessionChange
from qe_desktop.project.events import EditAction, RemoteChanges
from qe_desktop.project.review import review_edits
from qe_desktop.project.review.review_edits import check_all_fields

TARGET, STATUS, NOTE = ReviewField.TARGET, ReviewField.STATUS, ReviewField.NOTE


@pytest.fixture
def session() -> Session:
    texts = {TextRole.MT: TextColumn.of(["a b", "c d", "e ⟨ f"]), TextRole.SOURCE: TextColumn.of(["x", "y", "z"])}
    return Session(Corpus("three", 3, texts), person="me")


def test_a_target_is_edited_confirmed_and_reopened_by_another_edit(session: Session) -> None:
    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    session.reviewing.set({0: {TARGET: "a q"}})
    assert (session.view.target(0), session.view.status(0)) == ("a q", ReviewStatus.EDITED)
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    assert session.view.statuses().tolist() == [ReviewStatus.CONFIRMED, ReviewStatus.OPEN, ReviewStatus.OPEN]
    session.reviewing.set({0: {TARGET: "a q r"}})
    assert session.view.status(0) is ReviewStatus.EDITED
    assert [(change.segments, change.affects_review) for change in changes] == [((0,), True)] * 3
    assert session.view.target(2) == "e ⟨⟨ f"


def test_undo_reverts_tags_and_targets_in_reverse_order(session: Session) -> None:
    session.reviewing.set({0: {TARGET: "a q"}, 1: {TARGET: "c", NOTE: " hm "}})
    key = session.add_person("me", Kind.WORDS)
    session.apply(Edit(key, 1, (0,), (1,)))
    session.reviewing.set({2: {STATUS: ReviewStatus.REJECTED}})
    assert session.undo_text == "segment 3 rejected"
    session.undo()
    assert session.undo_text == "word 1 OK → BAD, segment 2"
    session.undo()
    assert session.undo_text == "me (words) added"
    session.undo()
    assert session.undo_text == "2 segments changed"
    session.undo()
    assert session.view.review.targets == {}
    assert session.view.note(1) == ""
    assert session.undo() is None
    session.redo()
    assert (session.view.target(1), session.view.note(1)) == ("c", "hm")
    session.reviewing.set({0: {TARGET: "other"}})
    assert session.redo() is None


def test_undoing_an_edit_restores_the_confirmed_status(session: Session) -> None:
    session.reviewing.set({0: {TARGET: "a q", STATUS: ReviewStatus.CONFIRMED}})
    session.reviewing.set({0: {TARGET: "a"}})
    session.undo()
    assert (session.view.target(0), session.view.status(0)) == ("a q", ReviewStatus.CONFIRMED)


def test_a_locked_segment_accepts_only_notes() -> None:
    column = TextColumn.of(["a", "b"])
    job = TranslationJob(
        (), column, column, np.array([ReviewStatus.LOCKED, ReviewStatus.CONFIRMED], np.uint8), np.zeros(2, bool)
    )
    session = Session(Corpus("job", 2, {TextRole.MT: column}, job=job), person="me")
    with pytest.raises(QeError, match="segment 1 is locked"):
        session.reviewing.set({1: {TARGET: "c"}, 0: {TARGET: "c"}})
    assert session.view.target(1) == "b", "of several, none is set where one is refused"
    session.reviewing.set({0: {NOTE: "why?"}})
    assert session.view.note(0) == "why?"
    assert session.view.status(1) is ReviewStatus.CONFIRMED
    session.reviewing.set({1: {STATUS: ReviewStatus.OPEN}})
    assert session.view.statuses().tolist() == [ReviewStatus.LOCKED, ReviewStatus.OPEN]


@pytest.mark.parametrize("fields", [{TARGET: "a\x00b"}, {TARGET: "a" * 100_001}, {STATUS: ReviewStatus.LOCKED}])
def test_invalid_fields_and_segments_are_rejected(session: Session, fields: dict[ReviewField, str | int]) -> None:
    with pytest.raises(QeError):
        session.reviewing.set({0: fields})
    assert session.reviewing.rows() == ()
    with pytest.raises(QeError, match="segment 4 does not exist"):
        session.reviewing.set({3: {TARGET: "a"}})


def test_remote_rows_are_applied_in_the_order_of_the_project(session: Session) -> None:
    other_session = Session(session.corpus, person="you")
    other_session.reviewing.set({0: {TARGET: "theirs"}})
    session.reviewing.set({0: {TARGET: "mine"}})
    (remote_row,), (own_row,) = other_session.reviewing.rows(), session.reviewing.rows()
    session.apply_remote_changes(RemoteChanges(reviews=(own_row._replace(seq=1), remote_row._replace(seq=2))))
    assert session.view.target(0) == "theirs"
    assert session.view.review.people == {0: "you"}
    change = session.undo()
    assert change is not None
    assert change.had_no_effect
    assert session.view.target(0) == "theirs", "a later target of another user stays"


def test_the_message_about_remote_rows_counts_segments(session: Session) -> None:
    messages: list[str] = []
    session.subscribe(lambda change: messages.append(change.text))
    other_session = Session(session.corpus, person="you")
    for target in ("first", "second", "third"):
        other_session.reviewing.set({0: {TARGET: target}})
    rows = [row._replace(seq=number) for number, row in enumerate(other_session.reviewing.rows(), 1)]
    session.apply_remote_changes(RemoteChanges(reviews=tuple(rows)))
    assert messages == ["you: 1 segment changed"]


def test_stored_rows_can_be_undone_and_redone_in_a_new_session(session: Session) -> None:
    session.reviewing.set({0: {TARGET: "one"}})
    session.reviewing.set({0: {TARGET: "two"}, 1: {TARGET: "too"}})
    session.undo()
    rows = [row._replace(seq=number + 1) for number, row in enumerate(session.reviewing.rows())]
    assert [row.action for row in rows] == [EditAction.EDIT] * 3 + [EditAction.UNDO] * 2
    again = Session(session.corpus, person="me", reviews=rows)
    assert again.view.target(0) == "one"
    again.redo()
    assert (again.view.target(0), again.view.target(1)) == ("two", "too")
    again.undo()
    again.undo()
    assert again.view.review.targets == {}


def test_unsaved_segments_are_listed(session: Session) -> None:
    session.reviewing.set({1: {TARGET: "q"}})
    assert session.reviewing.unsaved_segments() == [1]
    session.reviewing.mark_saved()
    assert session.reviewing.unsaved_segments() == []
    session.undo()
    assert session.reviewing.unsaved_segments() == [1]


def test_checked_fields_are_not_checked_again(session: Session, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job checks many segments, so that the GUI thread, which would be blocked, need not do so."""
    checked = check_all_fields(session.view, {0: {TARGET: "a q"}, 1: {TARGET: "c"}})
    monkeypatch.setattr(review_edits, "check_fields", lambda *arguments: pytest.fail("checked again"))
    changes: list[SessionChange] = []
    session.subscribe(changes.append)
    session.reviewing.set(checked)
    assert [change.segments for change in changes] == [(0, 1)]
    assert session.undo_text == "2 segments changed"
    session.undo()
    assert session.view.review.targets == {}


def test_fields_checked_against_an_older_view_are_checked_again(session: Session) -> None:
    checked = check_all_fields(session.view, {0: {TARGET: "a q"}})
    session.reviewing.set({0: {STATUS: ReviewStatus.CONFIRMED}})
    session.reviewing.set(checked)
    # the changed target resets the status that was set since
    assert session.view.status(0) is ReviewStatus.EDITED


def test_checking_reports_progress_and_can_be_stopped(session: Session) -> None:
    shares: list[float] = []
    check_all_fields(session.view, {0: {TARGET: "a"}, 1: {TARGET: "b"}}, shares.append)
    assert shares == [0.0]

    def stop(share: float) -> None:
        raise InterruptedError

    with pytest.raises(InterruptedError):
        check_all_fields(session.view, {0: {TARGET: "a"}}, stop)
