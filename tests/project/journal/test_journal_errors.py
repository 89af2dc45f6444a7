"""Journals after the end of the program, and journals that cannot be used: drafts, damage, other windows."""

from __future__ import annotations

import sqlite3

import pytest

from qe_desktop.formats import build_corpus, plan_imports
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_journal import JournalFolder, JournalReport
from qe_desktop.project.journal.journal_opening import JournalOpening
from qe_desktop.project.journal.typing_draft import TypedText
from qe_desktop.project.store.errors import TransientError
from qe_desktop.project.store.project import Project
from qe_desktop.project.store.tables import schema
from tests.project.journal.journal_translator import (
    TARGETS,
    close,
    kill,
    open_without_journal,
    set_target,
    targets,
    xliff,
)
from tests.timeouts import PATIENCE


def test_draft_is_not_restored_after_a_later_edit(translator):
    session, journal, _ = translator.open()
    journal.store_draft(TypedText(2, ReviewField.TARGET, "Eine Ka"))
    set_target(session, 2, "Eine Katze")
    close(journal)
    session, journal, report = translator.open()
    assert report.draft is None
    assert targets(session)[2] == "Eine Katze"
    close(journal)


def test_draft_is_restored_as_an_edit(translator):
    session, journal, _ = translator.open()
    journal.store_draft(TypedText(2, ReviewField.TARGET, "Eine Ka"))
    journal.project.close(PATIENCE)
    journal.lock.release()
    session, journal, report = translator.open()
    assert (report.draft, report.unsaved) == (2, 1)
    assert targets(session)[2] == "Eine Ka"
    session.undo()
    assert targets(session)[2] == "Die Katze"
    close(journal)


def test_draft_of_a_note_is_restored_although_its_target_was_committed_meanwhile(translator):
    session, journal, _ = translator.open()
    journal.store_draft(TypedText(2, ReviewField.NOTE, "check the te"))
    set_target(session, 2, "Eine Katze")
    kill(journal)
    session, journal, report = translator.open()
    assert (report.draft, report.unsaved) == (2, 1)
    assert (session.view.target(2), session.view.note(2)) == ("Eine Katze", "check the te")
    session.undo()
    assert (session.view.target(2), session.view.note(2)) == ("Eine Katze", "")
    close(journal)


def test_another_window_has_the_mt_of_the_journal_but_no_journal(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    translator.save(session, journal)
    set_target(session, 1, "Ein Hund")
    opening = JournalOpening(JournalFolder(translator.folder / "journals"), "Ada")
    (plan,) = plan_imports([translator.path])
    second, none, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
    assert none is None
    assert report.problem.message == "the file is open in another window"
    assert report.problem.hint == "Edits in this window are stored only when you save the file."
    # edits that are not in the file belong to the first window
    assert targets(second) == ["Ein Haus", *TARGETS[1:]]
    assert [second.corpus.mt_line(segment) for segment in range(4)] == TARGETS
    set_target(second, 2, "x")
    set_target(session, 3, "Eine Maus")
    close(journal)
    session, journal, report = translator.open()
    assert targets(session) == ["Ein Haus", "Ein Hund", TARGETS[2], "Eine Maus"]
    close(journal)


@pytest.mark.parametrize(
    "draft",
    [
        "", "[]", "{}", '"x"', "{" * 9999,
        '{"segment": 9, "field": "target", "text": "x", "before": "Der Hund", "last_edit": ""}',
        '{"segment": 1, "field": "target", "text": 2, "before": "Der Hund", "last_edit": ""}',
        '{"segment": 1, "field": "target", "text": "a\\u0000", "before": "Der Hund", "last_edit": ""}',
        '{"segment": 1, "field": "target", "text": "x", "before": "Der Hund", "last_edit": "other"}',
        '{"segment": 1, "field": "status", "text": "2", "before": "Der Hund", "last_edit": ""}',
    ],
)  # fmt: skip
def test_invalid_drafts_are_ignored(translator, draft):
    _, journal, _ = translator.open()
    close(journal)
    journal.entry.draft.write_text(draft)
    _, journal, report = translator.open()
    assert report == JournalReport()
    close(journal)


def test_draft_is_not_restored_over_the_text_of_another_program(translator):
    _, journal, _ = translator.open()
    journal.store_draft(TypedText(2, ReviewField.TARGET, "Eine Ka"))
    kill(journal)
    translator.path.write_bytes(xliff([*TARGETS[:2], "Der Kater", TARGETS[3]]))
    session, journal, report = translator.open()
    assert report == JournalReport(updated=1)
    assert targets(session)[2] == "Der Kater"
    close(journal)


def test_draft_that_was_cleared_or_closed_is_not_restored(translator):
    _, journal, _ = translator.open()
    journal.store_draft(TypedText(2, ReviewField.TARGET, "Eine Ka"))
    journal.clear_draft()
    kill(journal)
    _, journal, report = translator.open()
    assert report.draft is None
    journal.store_draft(TypedText(2, ReviewField.TARGET, "Eine Ka"))
    close(journal)
    session, journal, report = translator.open()
    assert report.draft is None
    assert targets(session) == TARGETS
    close(journal)


def test_file_that_is_open_in_another_window_has_no_journal_there(translator):
    _, journal, _ = translator.open()
    opening = JournalOpening(JournalFolder(translator.folder / "journals"), "Ada")
    (plan,) = plan_imports([translator.path])
    session, other, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
    assert other is None
    assert report.problem.message == "the file is open in another window"
    assert targets(session) == TARGETS
    close(journal)


def test_damaged_journal_is_reported_replaced_and_kept(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    close(journal)
    damaged = journal.entry.database
    damaged.write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    session, journal, report = translator.open()
    assert report == JournalReport(damaged=damaged)
    assert targets(session) == TARGETS
    assert damaged.exists()
    close(journal)


def test_journal_that_cannot_be_read_now_is_neither_replaced_nor_hidden(translator, monkeypatch):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    close(journal)
    with monkeypatch.context() as patch:
        patch.setattr(Project, "open", lambda *_, **__: (_ for _ in ()).throw(TransientError("the disk is full")))
        assert open_without_journal(translator).problem.message == "the disk is full"
    with sqlite3.connect(journal.entry.database) as connection:
        connection.execute("UPDATE meta SET value = '999' WHERE key = 'schema'")
    connection.close()
    assert "newer version" in open_without_journal(translator).problem.message
    with sqlite3.connect(journal.entry.database) as connection:
        connection.execute("UPDATE meta SET value = ? WHERE key = 'schema'", (str(schema.VERSION),))
    connection.close()
    session, journal, report = translator.open()
    assert report.unsaved == 1
    assert targets(session)[0] == "Ein Haus"
    close(journal)


def test_files_without_a_description_are_listed_and_deleted(translator):
    _, journal, _ = translator.open()
    close(journal)
    folder = JournalFolder(translator.folder / "journals")
    journal.entry.stem.with_name(f"{journal.entry.stem.name}.json").unlink()
    (entry,) = folder.entries()
    assert entry.files == ()
    assert folder.remove_old(entry.used + 91 * 86400) == 1
    assert list(folder.path.iterdir()) == []


def test_unwritable_folder_is_reported_and_the_file_opens(translator):
    (translator.folder / "journals").write_bytes(b"")
    opening = JournalOpening(JournalFolder(translator.folder / "journals"), "Ada")
    (plan,) = plan_imports([translator.path])
    session, journal, report = opening.finish(build_corpus(plan, with_mt=opening.with_mt))
    assert journal is None
    assert "the stored edits cannot be read or written" in report.problem.message
    assert targets(session) == TARGETS
