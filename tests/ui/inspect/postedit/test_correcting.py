"""Correcting in the area: typing, codes, marks, notes, history, and what is shown of it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QKeySequence, QTextCursor
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind, ReviewStatus
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.segment_filter import SegmentQuery, filter_view, take_snapshot
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.inspect.postedit.history_dialog import HistoryModel
from qe_desktop.ui.inspect.postedit.review_feature import CloseHook, history_entries
from qe_desktop.ui.inspect.postedit.target_diff import DiffType
from qe_desktop.ui.inspect.reader.tooltips import tooltip_at
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.inspect.postedit.conftest import TARGETS, desk_of, type_at_end


def test_enter_opens_what_is_typed_reaches_the_session_when_typing_pauses_and_escape_leaves(area, job, qtbot):
    controller, told = desk_of(area), []
    controller.opened.connect(lambda segment: told.append(("opened", segment)))
    controller.typed.connect(lambda *what: told.append(what))
    controller.closed.connect(lambda segment: told.append(("closed", segment)))
    job.go_to(1)
    QTest.keyClick(area.view, Qt.Key.Key_Return)
    assert controller.segment == 1
    type_at_end(area, "!")
    assert job.session.view.target(1) == TARGETS[1]
    qtbot.waitUntil(lambda: job.session.view.target(1) == TARGETS[1] + "!")
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Escape)
    assert controller.segment is None
    assert told == [("opened", 1), (len(TARGETS[1]), "", "!"), ("closed", 1)]
    assert job.view.status(1) is ReviewStatus.EDITED
    assert area.model.index(1, SegmentColumn.STATUS).data() == "✎"
    assert area.model.index(1, SegmentColumn.STATUS).data(Qt.ItemDataRole.AccessibleTextRole) == "edited"


def test_what_is_typed_back_to_the_mt_is_no_edit(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()
    type_at_end(area, "!")
    controller.flush()
    assert job.view.is_edited(1)
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Backspace)
    controller.leave()
    assert job.view.review.targets == {}
    assert job.view.status(1) is ReviewStatus.OPEN


def test_codes_that_are_missing_are_said_and_put_back_in_order(area, job):
    controller = desk_of(area)
    controller.open()
    assert controller.panel.codes.isHidden()
    edit = controller.panel.edit
    edit.selectAll()
    QTest.keyClicks(edit, "neu ")
    controller._show_draft()
    assert not controller.panel.codes.isHidden()
    assert [code.shown for code in controller.panel.codes.missing] == ["⟨1⟩", "⟨/1⟩", "⟨2/⟩"]
    controller.insert_code()
    controller.insert_code()
    assert edit.line == "neu ⟨1⟩⟨/1⟩"
    assert "⟨2/⟩" in controller.panel.codes._buttons[-1].text()
    controller.insert_code()
    controller._show_draft()
    assert controller.panel.codes.isHidden()


def test_figures_changes_and_marks_follow_what_is_typed(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()
    controller._show_draft()
    chosen = controller.panel.edit.extraSelections()
    assert [(one.cursor.selectedText()) for one in chosen] == ["grüne"]
    assert controller.panel.changes.isHidden()
    go = controller.panel.edit.textCursor()
    go.setPosition(4)
    go.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    controller.panel.edit.setTextCursor(go)
    QTest.keyClicks(controller.panel.edit, "rote")
    controller._show_draft()
    assert controller.panel.edit.extraSelections() == []
    assert controller.panel.figures.text() == "HTER 0.250 · 1 of 4 words edited"
    runs = controller._draft.runs()
    assert [(run.change, run.text) for run in runs] == [
        (DiffType.KEPT, "Der"), (DiffType.REMOVED, " grüne"), (DiffType.ADDED, " rote"), (DiffType.KEPT, " Apfel."),
    ]  # fmt: skip
    assert controller.panel.changes.toPlainText() == "Der grüne rote Apfel."


def test_marks_are_off_by_one_key_in_the_reader_and_where_one_types(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()
    controller._show_draft()
    assert area.reader.page.blocks[1].tracks
    area.correcting.toggle_highlights()
    controller._show_draft()
    assert not any(block.tracks for block in area.reader.page.blocks)
    assert controller.panel.edit.extraSelections() == []
    area.correcting.toggle_highlights()
    assert area.reader.page.blocks[1].tracks


def test_the_row_of_a_post_edit_says_on_hover_that_it_is_made_of_the_target(area, job):
    job.session.reviewing.set({0: {ReviewField.TARGET: "Neu."}})
    page = area.reader.page
    block = page.block(Kind.WORDS)
    tips = {
        track.name: tooltip_at(page, QPointF(page.sizes.margin + 2, page.row_top(block, 0, row) + 3))
        for row, track in enumerate(block.tracks)
    }
    name = f"post-edit {job.session.person}"
    assert list(tips) == [name, "qe"]
    assert tips[name].startswith(f"From the current target ({name}): ")
    assert "never changed" in tips["qe"]


def test_undo_by_the_session_is_shown_where_one_types(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()
    type_at_end(area, "!")
    controller.flush()
    job.undo()
    assert controller.panel.edit.line == TARGETS[1]
    assert controller.segment == 1


def test_what_no_file_can_hold_is_said_once_and_stays_where_it_is(area, job, qtbot):
    controller, said = desk_of(area), []
    job.failed.connect(said.append)
    job.go_to(1)
    controller.open()
    controller.panel.edit.textCursor().insertText("\x02")
    controller.flush()
    controller.flush()
    assert len(said) == 1
    assert "\x02" in controller.panel.edit.line
    assert job.view.target(1) == TARGETS[1]


def test_a_closing_window_takes_what_was_typed_along(area, job):
    controller = desk_of(area)
    CloseHook(area, controller.flush)
    job.go_to(1)
    controller.open()
    type_at_end(area, "?")
    area.close()
    assert job.session.view.target(1) == TARGETS[1] + "?"


def test_notes_are_kept_shown_counted_and_taken_away(area, job):
    controller = desk_of(area)
    assert "keep the name of the button" in controller.panel.file_notes.text()
    controller.note()
    QTest.keyClicks(controller.panel.note, "look")
    QTest.keyClick(controller.panel.note, Qt.Key.Key_Return)
    assert job.view.note(0) == "look"
    assert controller.panel.noted.text() == "look"
    assert area.model.index(0, SegmentColumn.STATUS).data() == "○ ¶"
    controller.note()
    controller.panel.note.clear()
    QTest.keyClick(controller.panel.note, Qt.Key.Key_Return)
    assert job.view.note(0) == ""
    controller.note()
    QTest.keyClicks(controller.panel.note, "no")
    QTest.keyClick(controller.panel.note, Qt.Key.Key_Escape)
    assert job.view.note(0) == ""


@pytest.mark.parametrize("ends", ["confirm", "reject", "step", "flush", "segment", "leave"])
def test_a_note_that_nobody_ended_is_kept_where_it_was_written(area, job, ends):
    controller = desk_of(area)
    job.go_to(1)
    if ends == "leave":
        controller.open()
    controller.note()
    QTest.keyClicks(controller.panel.note, "ask them")
    if ends == "segment":
        job.go_to(2)
    elif ends == "step":
        controller.step(1)
    else:
        getattr(controller, ends)()
    assert {segment: job.view.note(segment) for segment in range(4) if job.view.note(segment)} == {1: "ask them"}


def test_a_note_goes_with_the_status_in_one_step(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.note()
    QTest.keyClicks(controller.panel.note, "ask them")
    controller.confirm()
    assert (job.view.note(1), job.view.status(1)) == ("ask them", ReviewStatus.CONFIRMED)
    job.session.undo()
    assert (job.view.note(1), job.view.status(1)) == ("", ReviewStatus.OPEN)


def test_filters_say_how_many_and_show_them(area, job, qtbot):
    bar = area.correcting.status
    assert not bar.isHidden()
    assert bar.buttons["doubtful"].text() == "flagged 3"
    assert bar.buttons[ReviewStatus.LOCKED].text() == "⊘ locked 1"
    bar.buttons["doubtful"].click()
    qtbot.waitUntil(lambda: area.model.segments.tolist() == [0, 1, 3])
    desk_of(area).confirm()
    assert bar.buttons["doubtful"].text() == "flagged 2"
    # no row moves under the hand
    assert area.model.segments.tolist() == [0, 1, 3]
    area.filters.reset()
    assert not bar.buttons["doubtful"].isChecked()
    assert area.model.segments.tolist() == [0, 1, 2, 3]


def test_statuses_are_shown_only_where_there_is_something_to_review(area, job):
    job.open(rich_corpus())
    assert area.correcting.status.isHidden()
    assert area.view.isColumnHidden(SegmentColumn.STATUS)
    desk_of(area).correct()
    assert not area.correcting.status.isHidden()
    assert not area.view.isColumnHidden(SegmentColumn.STATUS)


def test_history_says_who_did_what_and_brings_targets_back(area, job):
    controller, session = desk_of(area), job.session
    session.reviewing.set({1: {ReviewField.TARGET: "eins"}})
    session.reviewing.set({1: {ReviewField.TARGET: "zwei", ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    job.undo()
    steps = history_entries(session.reviewing.history(1))
    assert [step.what for step in steps] == [
        "Undo: segment 2 confirmed", "segment 2 confirmed", "translation of segment 2 edited", "as loaded",
    ]  # fmt: skip
    model = HistoryModel(steps, TARGETS[1])
    assert [model.index(row, 3).data() for row in range(4)] == ["eins", "zwei", "eins", TARGETS[1]]
    controller.restore(1, steps[1].line)
    assert job.view.target(1) == "zwei"
    controller.restore(1, steps[3].line)
    assert job.view.review.targets == {}


def test_a_read_only_session_opens_nothing(area, job, qtbot):
    job.session.read_only = "somebody else writes"
    with qtbot.waitSignal(job.failed):
        desk_of(area).open()
    assert desk_of(area).segment is None


def test_another_corpus_ends_what_was_typed_in_this_one(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()
    type_at_end(area, "?")
    controller.flush()
    job.open(rich_corpus())
    assert controller.segment is None
    assert isinstance(job.session, Session)
    assert job.view.review.targets == {}


def test_no_key_is_there_twice():
    keys = [QKeySequence(key).toString() for action in ACTIONS for key in action.keys]
    assert len(keys) == len(set(keys))


@pytest.mark.parametrize("segment", [0, 3])
def test_the_word_under_the_cursor_says_what_the_systems_said(area, job, segment):
    controller = desk_of(area)
    job.go_to(segment)
    controller.open()
    controller._show_draft()
    # one begins at the first doubtful word
    assert "qe: BAD" in controller.panel.word.text()


def test_the_list_shows_and_finds_what_was_corrected(area, job):
    segment, row = 0, area.model.row_of(0)
    index = area.model.index(row, SegmentColumn.MT)
    before = index.data()
    job.session.reviewing.set({segment: {ReviewField.TARGET: "Ganz ⟨⟨anders⟩"}})
    assert index.data() == "Ganz ⟨anders⟩"
    assert area.model.marked(segment, SegmentColumn.MT) is None
    taken = take_snapshot(job.view, job.kind, SegmentQuery(text="ANDERS"))
    assert filter_view(taken, SegmentQuery(text="ANDERS")).tolist() == [segment]
    job.undo()
    assert index.data() == before
