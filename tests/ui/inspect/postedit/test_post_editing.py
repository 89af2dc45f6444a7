"""Post-editing in the Inspect area: typing, codes, highlights, notes, history, and their display."""

from __future__ import annotations

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest

from qe_desktop.corpus import Kind, ReviewStatus, TextRole
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder, filter_segments, take_snapshot
from qe_desktop.ui.inspect.postedit.review_feature import CloseHook, history_entries
from qe_desktop.ui.inspect.reader.segment_descriptions import tooltip_at
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from tests.ui.inspect.conftest import rich_corpus
from tests.ui.inspect.postedit.conftest import TARGETS, post_edit_controller, type_at_end


def test_enter_opens_the_target_a_pause_saves_it_and_escape_leaves_it(area, job_workspace, qtbot):
    controller, events = post_edit_controller(area), []
    controller.opened.connect(lambda segment: events.append(("opened", segment)))
    controller.typed.connect(lambda *what: events.append(what))
    controller.closed.connect(lambda segment: events.append(("closed", segment)))
    job_workspace.go_to(1)
    QTest.keyClick(area.view, Qt.Key.Key_Return)
    assert controller.segment == 1
    type_at_end(area, "!")
    assert job_workspace.session.view.target(1) == TARGETS[1]
    qtbot.waitUntil(lambda: job_workspace.session.view.target(1) == TARGETS[1] + "!")
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Escape)
    assert controller.segment is None
    assert events == [("opened", 1), (len(TARGETS[1]), "", "!"), ("closed", 1)]
    assert job_workspace.view.status(1) is ReviewStatus.EDITED
    assert area.model.index(1, SegmentColumn.STATUS).data() == "✎"
    assert area.model.index(1, SegmentColumn.STATUS).data(Qt.ItemDataRole.AccessibleTextRole) == "edited"


def test_target_typed_back_to_the_mt_is_not_an_edit(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, "!")
    controller.flush()
    assert job_workspace.view.is_edited(1)
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Backspace)
    controller.stop_editing()
    assert job_workspace.view.review.targets == {}
    assert job_workspace.view.status(1) is ReviewStatus.OPEN


def test_missing_codes_are_listed_and_inserted_in_order(area, job_workspace):
    controller = post_edit_controller(area)
    controller.open()
    assert controller.panel.codes.isHidden()
    edit = controller.panel.edit
    edit.selectAll()
    QTest.keyClicks(edit, "neu ")
    controller._show_draft()
    assert not controller.panel.codes.isHidden()
    assert [code.display_text for code in controller.panel.codes.missing_codes] == ["⟨1⟩", "⟨/1⟩", "⟨2/⟩"]
    controller.insert_code()
    controller.insert_code()
    assert edit.line == "neu ⟨1⟩⟨/1⟩"
    assert "⟨2/⟩" in controller.panel.codes._buttons[-1].text()
    controller.insert_code()
    controller._show_draft()
    assert controller.panel.codes.isHidden()


def test_confirm_is_filled_once_there_is_something_to_confirm(area, job_workspace):
    controller, session = post_edit_controller(area), job_workspace.session
    confirm, labels = controller.panel.buttons["confirm"], controller.panel
    job_workspace.go_to(1)
    assert not confirm.is_primary
    controller.open()
    assert confirm.is_primary
    type_at_end(area, " neu")
    controller._show_draft()
    assert (labels._label.text(), labels._changes_label.text()) == ("target", "changes")
    assert labels._changes_label.isVisible()
    controller.stop_editing()
    assert confirm.is_primary
    assert (labels._label.text(), labels._changes_label.text()) == ("target", "changes")
    session.reviewing.set({1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    assert not confirm.is_primary
    job_workspace.go_to(3)
    assert not confirm.is_primary


def test_status_tells_that_the_target_is_being_edited(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    status = controller.panel.status
    assert status.text() == "○ open"
    controller.open()
    assert status.text() == "✎ editing"
    type_at_end(area, "?")
    controller._show_draft()
    assert status.text() == "✎ editing"
    controller.stop_editing()
    assert status.text().startswith("✎ edited")


def test_confirmed_target_in_the_editor_is_shown_as_confirmed_until_the_user_types(area, job_workspace):
    job_workspace.session.reviewing.set({1: {ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    status = controller.panel.status
    assert status.text().startswith("✓ confirmed")
    assert status.text().endswith(" · editing")
    type_at_end(area, "?")
    assert status.text() == "✎ editing"


def test_figures_follow_the_view(area, job_workspace):
    job_workspace.session.reviewing.set({1: {ReviewField.TARGET: "Der rote Apfel."}})
    job_workspace.go_to(1)
    figures = post_edit_controller(area).panel.statistics_label
    assert figures.text() == "1 of 4 MT words changed"
    area.inspect_view.show_evaluation()
    assert figures.text() == "HTER .250 · 1 of 4 words edited"


def test_hter_diff_and_highlights_follow_typing(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    controller._show_draft()
    selections = controller.panel.edit.extraSelections()
    assert [(selection.cursor.selectedText()) for selection in selections] == ["grüne"]
    assert controller.panel.changes.isHidden()
    cursor = controller.panel.edit.textCursor()
    cursor.setPosition(4)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    controller.panel.edit.setTextCursor(cursor)
    QTest.keyClicks(controller.panel.edit, "rote")
    controller._show_draft()
    assert controller.panel.edit.extraSelections() == []
    # the translator's view shows no HTER
    assert controller.panel.statistics_label.text() == "1 of 4 MT words changed"
    assert "HTER" not in controller.panel.statistics_label.toolTip()
    runs = controller._draft.runs()
    assert [(run.change, run.text) for run in runs] == [
        (ChangeKind.KEPT, "Der"),
        (ChangeKind.REMOVED, " grüne"),
        (ChangeKind.ADDED, " rote"),
        (ChangeKind.KEPT, " Apfel."),
    ]
    assert controller.panel.changes.toPlainText() == "Der grüne rote Apfel."


def test_post_edit_marks_the_words_and_has_no_row(area, job_workspace):
    area.inspect_view.show_evaluation()
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: "Neu."}})
    page = area.reader.page
    block = page.block(Kind.WORDS)
    tips = {
        track.name: tooltip_at(page, QPointF(page.metrics.margin + 2, page.row_top(block, 0, row) + 3))
        for row, track in enumerate(block.tag_rows)
    }
    assert list(tips) == ["qe"]
    assert f"; post-edit {job_workspace.session.person} (annotator): BAD" in area.reader.describe((Kind.WORDS, 0))
    assert "edits never change them" in tips["qe"]


def test_session_undo_is_shown_in_the_editor(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, "!")
    controller.flush()
    job_workspace.undo()
    assert controller.panel.edit.line == TARGETS[1]
    assert controller.segment == 1


def test_invalid_characters_are_reported_once_and_stay_in_the_editor(area, job_workspace, qtbot):
    controller, errors = post_edit_controller(area), []
    job_workspace.failed.connect(errors.append)
    job_workspace.go_to(1)
    controller.open()
    controller.panel.edit.textCursor().insertText("\x02")
    controller.flush()
    controller.flush()
    assert len(errors) == 1
    assert "\x02" in controller.panel.edit.line
    assert job_workspace.view.target(1) == TARGETS[1]


def test_closing_the_window_saves_typed_text(area, job_workspace):
    controller = post_edit_controller(area)
    CloseHook(area, controller.flush)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, "?")
    area.close()
    assert job_workspace.session.view.target(1) == TARGETS[1] + "?"


def test_review_filters_show_counts_and_filter_the_list(area, job_workspace, qtbot):
    bar = area.review.filter_bar
    assert not bar.isHidden()
    assert bar.buttons["doubtful"].text() == "flagged, unfinished 3"
    assert bar.buttons[ReviewStatus.LOCKED].text() == "⊘ locked 1"
    bar.buttons["doubtful"].click()
    qtbot.waitUntil(lambda: area.model.segments.tolist() == [0, 1, 3])
    post_edit_controller(area).confirm()
    assert bar.buttons["doubtful"].text() == "flagged, unfinished 2"
    # rows do not move while the user works on them
    assert area.model.segments.tolist() == [0, 1, 3]
    area.filters.reset()
    assert not bar.buttons["doubtful"].isChecked()
    assert area.model.segments.tolist() == [0, 1, 2, 3]


def test_columns_stay_when_reviewing_starts(area, job_workspace):
    job_workspace.open(rich_corpus())
    assert area.review.filter_bar.isHidden()
    columns = [area.view.columnViewportPosition(column) for column in SegmentColumn]
    # otherwise the texts of the list would move to the right
    assert not area.view.isColumnHidden(SegmentColumn.STATUS)
    post_edit_controller(area).toggle_editing()
    assert not area.review.filter_bar.isHidden()
    assert [area.view.columnViewportPosition(column) for column in SegmentColumn] == columns


def test_history_lists_changes_and_restores_targets(area, job_workspace):
    controller, session = post_edit_controller(area), job_workspace.session
    session.reviewing.set({1: {ReviewField.TARGET: "eins"}})
    session.reviewing.set({1: {ReviewField.TARGET: "zwei", ReviewField.STATUS: ReviewStatus.CONFIRMED}})
    job_workspace.undo()
    steps = history_entries(session.reviewing.history(1))
    assert [step.description for step in steps] == [
        "Undo: segment 2 confirmed", "segment 2 confirmed", "translation of segment 2 edited", "as loaded",
    ]  # fmt: skip
    assert [step.target_line for step in steps] == ["eins", "zwei", "eins", None]
    controller.restore(1, steps[1].target_line)
    assert job_workspace.view.target(1) == "zwei"
    controller.restore(1, steps[3].target_line)
    assert job_workspace.view.review.targets == {}


def test_read_only_session_opens_no_target(area, job_workspace, qtbot):
    job_workspace.session.read_only = "another program writes"
    with qtbot.waitSignal(job_workspace.failed):
        post_edit_controller(area).open()
    assert post_edit_controller(area).segment is None


def test_opening_another_corpus_ends_typing(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, "?")
    controller.flush()
    job_workspace.open(rich_corpus())
    assert controller.segment is None
    assert isinstance(job_workspace.session, Session)
    assert job_workspace.view.review.targets == {}


@pytest.mark.parametrize("segment", [0, 3])
def test_tags_of_the_word_at_the_cursor_are_shown(area, job_workspace, segment):
    controller = post_edit_controller(area)
    job_workspace.go_to(segment)
    controller.open()
    controller._show_draft()
    # the cursor starts at the first flagged word
    assert "flagged by the QE system" in controller.panel.word_label.text()
    area.inspect_view.show_evaluation()
    controller._show_draft()
    # the status bar describes the word
    assert controller.panel.word_label.isHidden()
    assert "qe: BAD" in area.reader.describe()


def test_the_list_sorts_by_the_length_of_the_edited_target(area, job_workspace):
    query = SegmentQuery(order=SortOrder.LONGEST)
    last = job_workspace.corpus.size - 1
    job_workspace.session.reviewing.set({last: {ReviewField.TARGET: "Wort " * 200}})
    snapshot = take_snapshot(job_workspace.view, job_workspace.kind, query)
    assert filter_segments(snapshot, query).segments[0] == last


def test_list_marks_the_flagged_words_that_an_edited_target_still_contains(area, job_workspace):
    before = area.model.column_marks(0, SegmentColumn.MT).tolist()
    target = job_workspace.view.target(0)
    assert sum(map(bool, before)) == 2
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: f"Neu {target}"}})
    assert area.model.column_marks(0, SegmentColumn.MT).tolist() == [0, *before]
    flagged = job_workspace.corpus.tokens(TextRole.MT, 0)[before.index(2)]
    job_workspace.session.reviewing.set({0: {ReviewField.TARGET: target.replace(flagged, "anders")}})
    assert np.count_nonzero(area.model.column_marks(0, SegmentColumn.MT)) == 1


def test_list_shows_and_finds_the_edited_target(area, job_workspace):
    segment, row = 0, area.model.row_of(0)
    index = area.model.index(row, SegmentColumn.MT)
    before = index.data()
    job_workspace.session.reviewing.set({segment: {ReviewField.TARGET: "Ganz ⟨⟨anders⟩"}})
    assert index.data() == "Ganz ⟨anders⟩"
    assert not area.model.column_marks(segment, SegmentColumn.MT).any()
    snapshot = take_snapshot(job_workspace.view, job_workspace.kind, SegmentQuery(text="ANDERS"))
    assert filter_segments(snapshot, SegmentQuery(text="ANDERS")).segments.tolist() == [segment]
    job_workspace.undo()
    assert index.data() == before
