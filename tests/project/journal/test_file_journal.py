"""Journals of bilingual files: data restored when a file is reopened, unchanged or changed by others."""

from __future__ import annotations

import json

from qe_desktop.corpus import Kind, Layer, LayerKey, Provenance, ReviewStatus, TagColumn
from qe_desktop.formats.bilingual.columns import ColumnChoice
from qe_desktop.project.events import ReviewField
from qe_desktop.project.journal.file_journal import JournalFolder, JournalReport
from qe_desktop.project.review.visits import KeyKind, Visit
from qe_desktop.report.reviewed_job import job_statistics
from tests.formats.bilingual.samples import read_sample
from tests.project.journal.journal_translator import (
    SOURCES,
    TARGETS,
    Translator,
    close,
    set_target,
    targets,
    xliff,
)


def test_edits_and_undo_history_are_restored_without_saving(translator):
    session, journal, report = translator.open()
    assert report == JournalReport()
    set_target(session, 1, "Ein Hund", ReviewStatus.CONFIRMED)
    set_target(session, 2, "Eine Katze")
    session.reviewing.set({3: {ReviewField.NOTE: "why?"}})
    assert session.reviewing.unsaved_segments() == [1, 2, 3]
    close(journal)

    session, journal, report = translator.open()
    assert report.unsaved == 3
    assert targets(session) == ["Das Haus", "Ein Hund", "Eine Katze", "Die Maus"]
    assert session.view.status(1) is ReviewStatus.CONFIRMED
    assert session.view.note(3) == "why?"
    assert session.reviewing.unsaved_segments() == [1, 2, 3]
    session.undo()
    session.undo()
    assert targets(session) == ["Das Haus", "Ein Hund", "Die Katze", "Die Maus"]
    assert session.reviewing.unsaved_segments() == [1]
    close(journal)


def test_mt_and_highlights_survive_saving(translator):
    tags = translator.folder / "qe.tags"
    tags.write_text("OK BAD\nOK OK\nBAD OK\nOK OK\n")
    session, journal, _ = translator.open(tags)
    set_target(session, 0, "Ein großes Haus")
    (before,) = job_statistics(session.view)
    translator.save(session, journal)
    assert session.reviewing.unsaved_segments() == []
    close(journal)

    # the file now has three words in a segment for which the tags have two
    session, journal, report = translator.open(tags)
    assert report == JournalReport()
    assert session.corpus.mt_line(0) == "Das Haus"
    assert targets(session)[0] == "Ein großes Haus"
    (key,) = [key for key in session.corpus.layers if key.kind is Kind.WORDS]
    assert session.view.segment_tags(key, 0).tolist() == [0, 1]
    # HTER counts the edits of the MT as it was loaded, not of the saved target
    (after,) = job_statistics(session.view)
    assert (after.hter, after.pooled_hter) == (before.hter, before.pooled_hter)
    assert after.pooled_hter > 0
    session.undo()
    assert targets(session)[0] == "Das Haus"
    assert session.reviewing.unsaved_segments() == [0]
    close(journal)


def test_visits_are_restored_also_after_the_file_was_changed(translator):
    session, journal, _ = translator.open()
    visit = Visit(10.0, 60.0, 30.0, 15.0, 5.0, 10.0, 4, 2, ((KeyKind.ERASE, 3),), before="a", after="b")
    session.reviewing.add_visit(2, visit)
    close(journal)
    session, journal, _ = translator.open()
    assert [(row.segment, row.visit) for row in session.reviewing.visits()] == [(2, visit)]
    close(journal)
    translator.path.write_bytes(xliff(["Der Fisch", *TARGETS], ["the fish", *SOURCES], "eabcd"))
    session, journal, _ = translator.open()
    assert [(row.segment, row.visit) for row in session.reviewing.visits()] == [(3, visit)]
    close(journal)


def test_mt_survives_without_the_file_of_tags(translator):
    session, journal, _ = translator.open()
    key = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)
    session.add_layers([Layer(key, TagColumn.of([[0, 1], [0, 0], [1, 0], [0, 0]]))], (), "qe")
    set_target(session, 2, "Eine Katze")
    translator.save(session, journal)
    close(journal)
    session, journal, _ = translator.open()
    assert session.view.segment_tags(key, 2).tolist() == [1, 0]
    assert session.corpus.mt_line(2) == "Die Katze"
    close(journal)


def test_changes_by_other_programs_win_and_can_be_undone(translator):
    session, journal, _ = translator.open()
    for segment, target in ((0, "Ein Haus"), (1, "Ein Hund"), (3, "Eine Maus")):
        set_target(session, segment, target)
    key = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)
    session.add_layers([Layer(key, TagColumn.of([[0, 1], [0, 0], [1, 0], [0, 1]]))], (), "qe")
    close(journal)
    # another program inserts a segment, removes one that was edited, and edits one
    translator.path.write_bytes(
        xliff(
            ["Der Fisch", "Das Haus", "Mein Hund", "Die Katze"],
            ["the fish", "the house", "the dog", "the cat"], "eabc",
        )
    )  # fmt: skip

    session, journal, report = translator.open()
    assert targets(session) == ["Der Fisch", "Ein Haus", "Mein Hund", "Die Katze"]
    assert report == JournalReport(1, None, (2,), (("the mouse", "Eine Maus", ""),))
    assert [session.corpus.mt_line(segment) for segment in range(4)] == ["Der Fisch", *TARGETS[:3]]
    tags = [session.view.segment_tags(key, segment).tolist() for segment in range(4)]
    assert tags == [[0, 0], [0, 1], [0, 0], [1, 0]]
    session.undo()
    assert targets(session)[2] == "Ein Hund"
    close(journal)

    again, journal, report = translator.open()
    assert targets(again) == ["Der Fisch", "Ein Haus", "Ein Hund", "Die Katze"]
    assert report.changed == ()
    close(journal)


def test_new_translation_begins_a_new_journal(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    translator.save(session, journal)
    close(journal)
    translator.path.write_bytes(xliff(["A", "B", "C", "D"]))
    session, journal, report = translator.open()
    assert targets(session) == ["A", "B", "C", "D"]
    assert session.corpus.mt_line(0) == "A"
    assert report == JournalReport()
    close(journal)
    # the former one is kept
    assert len(JournalFolder(translator.folder / "journals").entries()) == 2
    session, journal, _ = translator.open()
    assert targets(session) == ["A", "B", "C", "D"]
    close(journal)


def test_a_new_translation_replaces_unsaved_edits_and_undo_restores_them(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus", ReviewStatus.CONFIRMED)
    translator.save(session, journal)
    set_target(session, 1, "Ein Hund")
    key = LayerKey(Provenance.SYSTEM, "qe", Kind.WORDS)
    session.add_layers([Layer(key, TagColumn.of([[0, 1], [0, 1], [0, 1], [0, 1]]))], (), "qe")
    close(journal)
    translator.path.write_bytes(xliff(["A", "Der Bär", "C", TARGETS[3]]))
    session, journal, report = translator.open()
    assert [session.view.segment_tags(key, segment).tolist() for segment in (1, 3)] == [[0, 0], [0, 1]]
    assert targets(session) == ["A", "Der Bär", "C", TARGETS[3]]
    assert [session.corpus.mt_line(segment) for segment in range(3)] == ["A", "Der Bär", "C"]
    assert (report.changed, report.unmatched) == ((0, 1), ())
    session.undo()
    assert targets(session) == ["Ein Haus", "Ein Hund", "C", TARGETS[3]]
    close(journal)


def test_translations_that_others_add_are_the_mt_of_segments_without_one(translator):
    translator.path.write_bytes(xliff([*TARGETS[:2], "", ""]))
    session, journal, _ = translator.open()
    set_target(session, 2, "Eine Katze")
    translator.save(session, journal)
    close(journal)
    translator.path.write_bytes(xliff([*TARGETS[:2], "Eine Katze", "Die Maus"]))
    session, journal, _ = translator.open()
    assert [session.corpus.mt_line(segment) for segment in range(4)] == [*TARGETS[:2], "", "Die Maus"]
    assert [*session.view.post_edited_segments()] == [2]
    close(journal)


def test_older_version_of_the_file_is_shown_with_the_edits(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    translator.save(session, journal)
    close(journal)
    translator.path.write_bytes(xliff(TARGETS))
    session, journal, report = translator.open()
    assert targets(session)[0] == "Ein Haus"
    assert report.unsaved == 1
    close(journal)


def test_moved_file_keeps_its_journal_and_is_saved_at_its_new_place(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    close(journal)
    moved = translator.folder / "moved"
    moved.mkdir()
    translator.path.rename(moved / "job.xlf")
    (translator.folder / "journals").rename(moved / "journals")
    translator.folder = moved
    session, journal, report = translator.open()
    assert report.unsaved == 1
    assert targets(session)[0] == "Ein Haus"
    assert session.corpus.job.files[0].path == str(moved / "job.xlf")
    close(journal)


def test_discarded_edits_do_not_come_back_but_can_be_redone(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus", ReviewStatus.CONFIRMED)
    translator.save(session, journal)
    set_target(session, 0, "Mein Haus")
    set_target(session, 1, "Mein Hund")
    journal.revert_unsaved()
    close(journal)
    session, journal, report = translator.open()
    assert report == JournalReport()
    assert targets(session) == ["Ein Haus", *TARGETS[1:]]
    assert session.view.status(0) is ReviewStatus.CONFIRMED
    session.undo()
    assert targets(session)[:2] == ["Mein Haus", "Mein Hund"]
    close(journal)


def test_statuses_that_the_file_cannot_store_are_unsaved_only_until_it_is_saved(translator):
    session, journal, _ = translator.open()
    session.reviewing.set({1: {ReviewField.STATUS: int(ReviewStatus.CONFIRMED)}})
    close(journal)
    session, journal, report = translator.open()
    assert report.unsaved == 1
    translator.save(session, journal)
    close(journal)
    description = json.loads(journal.entry.stem.with_name(journal.entry.stem.name + ".json").read_bytes())
    assert description["saved"] > 0
    session, journal, report = translator.open()
    assert report.unsaved == 0
    assert session.view.status(1) is ReviewStatus.CONFIRMED
    close(journal)


def test_a_note_that_needs_a_target_is_unsaved_only_until_the_file_is_saved(tmp_path):
    """Studio stores a comment as a mark in the target, so an empty target has no comment."""
    translator = Translator(tmp_path, "job.sdlxliff")
    translator.path.write_bytes(read_sample("studio.sdlxliff"))
    session, journal, _ = translator.open()
    segment = next(number for number in range(session.corpus.size) if not session.view.target(number))
    session.reviewing.set({segment: {ReviewField.NOTE: "why?"}})
    translator.save(session, journal)
    close(journal)
    session, journal, report = translator.open()
    assert (session.view.note(segment), report.unsaved) == ("why?", 0)
    # once there is a target, the file can store the note
    set_target(session, segment, "Ziel")
    translator.save(session, journal)
    assert b"why?" in translator.path.read_bytes()
    close(journal)


def test_discarding_a_changed_note_restores_that_of_the_file(translator):
    session, journal, _ = translator.open()
    session.reviewing.set({1: {ReviewField.NOTE: "first"}})
    translator.save(session, journal)
    close(journal)
    for entry in JournalFolder(translator.folder / "journals").entries():
        entry.remove()
    session, journal, _ = translator.open()
    assert session.view.note(1) == "first"
    session.reviewing.set({1: {ReviewField.NOTE: "second"}})
    journal.revert_unsaved()
    close(journal)
    session, journal, report = translator.open()
    assert report == JournalReport()
    assert session.view.note(1) == "first"
    close(journal)


def test_mt_with_a_code_that_the_target_lost_is_restored(translator):
    coded = '<ph id="1">&lt;br/&gt;</ph>'
    translator.path.write_bytes(xliff([f"Das {coded}Haus", *TARGETS[1:]]))
    session, journal, _ = translator.open()
    mt = session.corpus.mt_line(0)
    assert mt == "Das ⟨1/⟩Haus"
    set_target(session, 0, "Das Haus")
    translator.save(session, journal)
    close(journal)
    session, journal, report = translator.open()
    assert report == JournalReport()
    assert session.corpus.mt_line(0) == mt
    assert targets(session)[0] == "Das Haus"
    close(journal)


def test_unsaved_edits_survive_most_targets_being_filled_in_elsewhere(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    close(journal)
    translator.path.write_bytes(xliff(["Das Haus", "A", "B", "C"]))
    session, journal, report = translator.open()
    assert targets(session) == ["Ein Haus", "A", "B", "C"]
    assert report.unsaved == 1
    # the other targets are a new translation
    assert [session.corpus.mt_line(segment) for segment in range(4)] == ["Das Haus", "A", "B", "C"]
    close(journal)


def test_copies_and_partial_saves_do_not_count_as_saved(translator):
    session, journal, _ = translator.open()
    session.reviewing.set({1: {ReviewField.STATUS: int(ReviewStatus.CONFIRMED)}})
    journal.record_files(session.written_files)
    close(journal)
    _, journal, report = translator.open()
    assert report.unsaved == 1
    close(journal)


def test_row_inserted_into_a_table_does_not_move_edits_to_other_rows(translator):
    table = translator.folder / "job.csv"
    table.write_text("source,target\nOpen,Öffnen\nOK,OK\nClose,Zu\nOK,OK\n")
    session, journal = translator.open_table(table)
    set_target(session, 1, "In Ordnung")
    close(journal)
    table.write_text("source,target\nHello,Hallo\nOpen,Öffnen\nOK,OK\nClose,Zu\nOK,OK\n")
    session, journal = translator.open_table(table)
    assert targets(session) == ["Hallo", "Öffnen", "In Ordnung", "Zu", "OK"]
    close(journal)


def test_another_target_column_begins_a_new_review(translator):
    table = translator.folder / "job.csv"
    table.write_text("source,first,second\nOpen,Öffnen,Auf\nClose,Schließen,Zu\n")
    for column, mt in (("first", "Öffnen"), ("second", "Auf"), ("second", "Auf")):
        session, journal = translator.open_table(table, ColumnChoice("source", column))
        assert session.corpus.mt_line(0) == mt
        close(journal)


def test_file_saved_through_a_link_keeps_its_mt(translator):
    real = translator.folder / "real"
    real.mkdir()
    translator.path.rename(real / "job.xlf")
    link = translator.folder / "link"
    link.symlink_to(real, target_is_directory=True)
    journals = translator.folder / "journals"
    for folder in (link, link, real):
        user = Translator(folder)
        # one folder of journals for both paths
        if not (real / "journals").exists():
            (real / "journals").symlink_to(journals, target_is_directory=True)
            journals.mkdir(exist_ok=True)
        session, journal, report = user.open()
        assert session.corpus.mt_line(0) == "Das Haus"
        assert report == JournalReport()
        if session.view.target(0) == "Das Haus":
            set_target(session, 0, "Ein Haus")
            user.save(session, journal)
        assert targets(session)[0] == "Ein Haus"
        close(journal)
    assert len(JournalFolder(journals).entries()) == 1


def test_edits_after_the_decision_to_discard_are_kept(translator):
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus")
    journal.row_count_at_discard = len(session.reviewing.rows())
    # while the next file is read
    set_target(session, 1, "Ein Hund")
    close(journal)
    session, journal, report = translator.open()
    assert report.unsaved == 2
    assert targets(session)[:2] == ["Ein Haus", "Ein Hund"]
    journal.row_count_at_discard = len(session.reviewing.rows())
    close(journal)
    session, journal, report = translator.open()
    assert report.unsaved == 0
    assert targets(session) == TARGETS
    close(journal)
