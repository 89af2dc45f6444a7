"""Files with a journal in which another person or program changed statuses and notes."""

from __future__ import annotations

from dataclasses import replace

import pytest

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project.events import ReviewField
from tests.formats.bilingual.samples import read_sample
from tests.project.journal.journal_translator import Translator, close, review_segment, set_target

CONFIRMED, REJECTED = ReviewStatus.CONFIRMED, ReviewStatus.REJECTED
JOBS = [("studio.sdlxliff", 1), ("two.xlf", 0), ("plain.xlf", 0), ("catalogue.po", 0)]


@pytest.fixture(params=JOBS, ids=[name for name, _ in JOBS])
def people(request, tmp_path):
    """Two translators with journals of their own and one file, and the segment that both review."""
    name, segment = request.param
    ada = Translator(tmp_path, name)
    ada.path.write_bytes(read_sample(name))
    return ada, replace(ada, journals="other"), segment


def test_decisions_and_notes_of_others_are_shown_and_remain_in_the_file(people):
    ada, bob, segment = people
    session, journal, _ = ada.open()
    review_segment(session, segment, CONFIRMED, "fine")
    ada.save(session, journal, add_missing=True)
    close(journal)
    session, journal, _ = bob.open()
    review_segment(session, segment, REJECTED, "wrong term")
    bob.save(session, journal, add_missing=True)
    close(journal)

    session, journal, report = ada.open()
    assert (report.changed, report.unsaved) == ((segment,), 0)
    assert (session.view.status(segment), session.view.note(segment)) == (REJECTED, "wrong term")
    session.reviewing.set({segment + 1: {ReviewField.NOTE: "of another segment"}})
    ada.save(session, journal, add_missing=True)
    session.undo()
    session.undo()
    assert (session.view.status(segment), session.view.note(segment)) == (CONFIRMED, "fine")
    close(journal)
    session, journal, _ = bob.open()
    assert (session.view.status(segment), session.view.note(segment)) == (REJECTED, "wrong term")
    close(journal)


def test_a_decision_that_is_no_longer_in_the_file_is_unsaved(people):
    ada, _, segment = people
    before = ada.path.read_bytes()
    session, journal, _ = ada.open()
    review_segment(session, segment, REJECTED, "why")
    ada.save(session, journal, add_missing=True)
    close(journal)
    ada.path.write_bytes(before)
    session, journal, report = ada.open()
    assert (session.view.status(segment), session.view.note(segment)) == (REJECTED, "why")
    assert (report.changed, session.reviewing.unsaved_segments()) == ((), [segment])
    close(journal)


def test_a_status_of_others_does_not_apply_to_an_edit_that_is_not_saved(translator):
    bob = replace(translator, journals="other")
    session, journal, _ = translator.open()
    set_target(session, 0, "Ein Haus", CONFIRMED)
    translator.save(session, journal, add_missing=True)
    set_target(session, 0, "Das alte Haus", CONFIRMED)
    close(journal)
    session, journal, _ = bob.open()
    review_segment(session, 0, REJECTED, "too short")
    bob.save(session, journal)
    close(journal)
    session, journal, report = translator.open()
    assert (session.view.target(0), session.view.status(0)) == ("Das alte Haus", CONFIRMED)
    assert session.view.note(0) == "too short"
    assert (report.changed, session.reviewing.unsaved_segments()) == ((0,), [0])
    close(journal)


def test_saved_edits_keep_their_status_after_others_changed_another_segment(translator):
    other = replace(translator, journals="other")
    session, journal, _ = translator.open()
    set_target(session, 1, "etwas anderes")
    translator.save(session, journal)
    close(journal)
    session, journal, _ = other.open()
    set_target(session, 0, "ganz neu")
    other.save(session, journal)
    close(journal)
    session, journal, _ = translator.open()
    assert (session.view.target(0), session.view.target(1)) == ("ganz neu", "etwas anderes")
    assert session.view.status(1) is ReviewStatus.EDITED
    assert session.view.statuses()[1] == ReviewStatus.EDITED
    close(journal)


def test_edited_entry_of_a_catalogue_without_a_decision_is_saved(tmp_path):
    """A PO file has no status between fuzzy and confirmed."""
    ada = Translator(tmp_path, "a.po")
    head = 'msgid ""\nmsgstr "Content-Type: text/plain; charset=UTF-8\\nLanguage: de\\n"\n\n'
    ada.path.write_text(f'{head}msgid "House"\nmsgstr ""\n\n#, fuzzy\nmsgid "Dog"\nmsgstr "Hund"\n', encoding="utf-8")
    session, journal, _ = ada.open()
    set_target(session, 0, "Haus")
    set_target(session, 1, "Der Hund")
    ada.save(session, journal)
    close(journal)
    session, journal, report = ada.open()
    assert (report.unsaved, report.changed) == (0, ())
    assert session.view.status(0) is ReviewStatus.EDITED
    assert session.reviewing.unsaved_segments() == []
    close(journal)


def test_segments_changed_only_by_others_are_counted(people):
    ada, bob, segment = people
    session, journal, _ = ada.open()
    review_segment(session, segment, REJECTED, "why")
    ada.save(session, journal, add_missing=True)
    close(journal)
    session, journal, report = bob.open()
    assert report.updated == 0
    view = session.view
    others = (number for number in range(session.corpus.size) if number != segment)
    changed = next(number for number in others if view.target(number) and not view.is_locked(number))
    target = f"{view.target(changed)} (neu)"
    set_target(session, changed, target)
    bob.save(session, journal)
    close(journal)
    session, journal, report = ada.open()
    assert (report.updated, report.changed) == (1, ())
    assert session.view.target(changed) == target
    close(journal)
    session, journal, report = ada.open()
    assert report.updated == 0
    close(journal)
