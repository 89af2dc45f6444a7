"""Confirming and rejecting targets, the segment opened next, and the segment at which a file is opened."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Layer, ReviewStatus, TextColumn, TextRole, View
from qe_desktop.project import ReviewField
from qe_desktop.project.segment_filter import SortOrder
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.commands import ACTIONS
from qe_desktop.ui.inspect.postedit.target_messages import is_target_empty
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.notices import NoticeBar
from tests.small_corpora import tags
from tests.ui.inspect.postedit.conftest import SYSTEM, TARGETS, job_corpus, post_edit_controller, type_at_end


def test_confirming_opens_the_next_segment_to_review_and_stops_at_the_last(area, job_workspace):
    controller, messages = post_edit_controller(area), []
    controller.message_posted.connect(messages.append)
    job_workspace.session.set_threshold("none", 0.5)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, "!")
    controller.confirm()
    # the locked segment is skipped
    assert (job_workspace.segment, controller.segment) == (3, 3)
    assert (job_workspace.view.target(1), job_workspace.view.status(1)) == (TARGETS[1] + "!", ReviewStatus.CONFIRMED)
    controller.reject()
    assert controller.segment == 0
    assert job_workspace.view.status(3) is ReviewStatus.REJECTED
    assert messages == ["End of the list: continued at the start"]
    controller.confirm()
    assert controller.segment is None
    assert messages[1:] == ["No other segments to review in the list"]
    # status and text are one undo step
    job_workspace.undo()
    job_workspace.undo()
    job_workspace.undo()
    assert (job_workspace.view.target(1), job_workspace.view.status(1)) == (TARGETS[1], ReviewStatus.OPEN)


def open_flagged(workspace, marked):
    """Open the bilingual file with a flag on the first word of the segments that have a "b" in `marked`."""
    corpus = job_corpus()
    lengths = corpus.layers[SYSTEM].tags.lengths().tolist()
    values = tags(*(sign + "o" * (length - 1) for sign, length in zip(marked, lengths, strict=True)))
    workspace.open(replace(corpus, layers={SYSTEM: Layer(SYSTEM, values, origin="qe.tags", form="n")}))


def test_first_step_over_unfinished_segments_states_that_flagged_ones_come_first(area, job_workspace):
    controller, messages = post_edit_controller(area), []
    open_flagged(job_workspace, "boob")
    controller.message_posted.connect(messages.append)
    assert job_workspace.segment == 0
    controller.confirm()
    # the locked segment is not counted
    assert job_workspace.segment == 3
    assert messages == ["1 unfinished segment skipped: flagged segments come first"]
    controller.reopen()
    job_workspace.go_to(0)
    controller.step(1)
    # the last message is removed
    assert messages[1:] == ["Segment 4 reopened", ""]
    # without flagged segments, the skipped segment is next
    controller.confirm()
    assert (job_workspace.segment, messages[3:]) == (1, ["End of the list: continued at the start"])


def test_order_of_a_sorted_list_comes_before_the_flags(area, job_workspace, qtbot):
    controller = post_edit_controller(area)
    open_flagged(job_workspace, "obob")
    area.filters.show_query(replace(area.filters.query, order=SortOrder.LONGEST), "")
    qtbot.waitUntil(job_workspace.jobs.is_idle)
    rows = [
        row
        for row in controller.listed_segments().tolist()
        if job_workspace.view.status(row) is not ReviewStatus.LOCKED
    ]
    assert rows != sorted(rows)
    job_workspace.go_to(rows[0])
    visited = [rows[0]]
    for _ in rows[1:]:
        controller.confirm()
        visited.append(job_workspace.segment)
    assert visited == rows


def test_explanation_of_a_step_names_the_key_back_to_the_skipped_segment(area, job_workspace):
    commands = ActionRegistry(area, job_workspace.settings)
    commands.add_all(ACTIONS)
    controller, messages = post_edit_controller(area), []
    open_flagged(job_workspace, "boob")
    area.window().show()
    area.window().activateWindow()
    controller.message_posted.connect(messages.append)
    controller.confirm()
    start = "1 unfinished segment skipped: flagged segments come first. Press "
    assert [message.removeprefix(start) for message in messages] == ["Alt+Up to go back"]


def test_every_step_over_edited_segments_is_reported(area, job_workspace):
    controller, messages = post_edit_controller(area), []
    open_flagged(job_workspace, "boob")
    controller.message_posted.connect(messages.append)
    controller.restore(1, "Der grüne Apfel!")
    for step in (1, -1, 1):
        controller.step(step)
    assert job_workspace.segment == 3
    assert messages == ["1 unfinished segment skipped (1 edited): flagged segments come first"] * 3


def test_flagged_segment_left_open_does_not_come_first_again(area, job_workspace):
    controller = post_edit_controller(area)
    open_flagged(job_workspace, "oboo")
    visited = [job_workspace.segment]
    for _ in range(5):
        controller.step(1)
        visited.append(job_workspace.segment)
    assert visited == [1, 3, 0, 1, 3, 0]
    # confirming goes forward, not back to the flagged segment
    job_workspace.go_to(0)
    controller.confirm()
    assert job_workspace.segment == 1
    controller.step(1)
    controller.confirm()
    assert job_workspace.segment == 1


def test_steps_in_both_directions_visit_the_flagged_segments(area, job_workspace):
    controller = post_edit_controller(area)
    open_flagged(job_workspace, "boob")
    for step, segment in ((1, 3), (-1, 0), (1, 3), (-1, 0)):
        controller.step(step)
        assert job_workspace.segment == segment


def test_undo_of_a_confirmation_leaves_the_target_open(area, job_workspace, qtbot):
    controller, edit = post_edit_controller(area), post_edit_controller(area).panel.edit
    with qtbot.waitActive(area):
        area.activateWindow()
    open_flagged(job_workspace, "oooo")
    controller.open()
    edit.setFocus()
    for _ in range(2):
        controller.confirm()
    assert controller.segment == 3
    for segment in (1, 0):
        job_workspace.undo()
        assert (job_workspace.segment, controller.segment) == (segment, segment)
        assert edit.isVisible()
        assert edit.hasFocus()
        assert job_workspace.view.status(segment) is ReviewStatus.OPEN
    job_workspace.redo()
    assert controller.segment == 0
    type_at_end(area, "x")
    controller.flush()
    assert job_workspace.view.target(0) == TARGETS[0] + "x"


def test_undo_opens_the_target_again_that_the_last_confirmation_closed(area, job_workspace):
    controller = post_edit_controller(area)
    open_flagged(job_workspace, "oooo")
    controller.open()
    for _ in range(3):
        controller.confirm()
    assert controller.segment is None
    job_workspace.undo()
    assert controller.segment == job_workspace.segment == 3
    # the user closed it
    controller.stop_editing()
    job_workspace.redo()
    assert controller.segment is None
    job_workspace.undo()
    assert controller.segment is None


def test_stepping_lays_out_the_page_once_and_keeps_the_editor_visible(area, job_workspace, monkeypatch):
    controller, layouts, hidden = post_edit_controller(area), [], []
    job_workspace.go_to(1)
    controller.open()
    monkeypatch.setattr(controller.panel.edit, "hideEvent", hidden.append)
    area.reader.laid_out.connect(lambda: layouts.append(area.reader.page.segment))
    controller.step(1)
    assert controller.segment == 3
    assert layouts == [3]
    assert not hidden
    assert controller.panel.edit.isVisible()


def test_editor_is_hidden_if_the_next_segment_cannot_be_opened(area, job_workspace, qtbot):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()

    def make_read_only(segment: int) -> None:
        job_workspace.session.read_only = "somebody else has it"

    job_workspace.segment_changed.connect(make_read_only)
    with qtbot.waitSignal(job_workspace.failed):
        controller.step(1)
    assert (job_workspace.segment, controller.segment) == (3, None)
    assert not controller.panel.edit.isVisible()


def test_locked_segment_is_not_opened_and_a_message_states_why(area, job_workspace):
    controller, messages, failed = post_edit_controller(area), [], []
    controller.message_posted.connect(messages.append)
    job_workspace.failed.connect(failed.append)
    job_workspace.go_to(2)
    QTest.keyClick(area.view, Qt.Key.Key_Return)
    controller.confirm()
    assert controller.segment is None
    assert job_workspace.view.status(2) is ReviewStatus.LOCKED
    assert failed == []
    assert len(messages) == 2
    assert all(text.startswith("Segment 3 is locked in its file. Unlock it in your CAT tool.") for text in messages)
    assert "(read-only)" in controller.panel.status.text()


@pytest.mark.parametrize(
    ("statuses", "marked", "first"),
    [
        ((ReviewStatus.LOCKED, 0, 0, 0), "oobo", 2),
        ((ReviewStatus.LOCKED, 0, 0, 0), "bbob", 1),
        ((ReviewStatus.LOCKED, ReviewStatus.CONFIRMED, 0, 0), "bboo", 2),
        ((ReviewStatus.LOCKED, ReviewStatus.CONFIRMED, ReviewStatus.LOCKED, 0), "bboo", 3),
        ((ReviewStatus.LOCKED,) * 4, "bbbb", 0),
    ],
)
def test_file_is_opened_at_the_first_segment_to_review(area, job_workspace, statuses, marked, first):
    corpus = job_corpus()
    lengths = corpus.layers[SYSTEM].tags.lengths().tolist()
    values = tags(*(sign + "o" * (length - 1) for sign, length in zip(marked, lengths, strict=True)))
    changed = replace(
        corpus,
        layers={SYSTEM: Layer(SYSTEM, values, origin="qe.tags", form="n")},
        job=replace(corpus.job, statuses=np.array(statuses, np.uint8)),
    )
    job_workspace.open(changed)
    assert job_workspace.segment == first
    assert area.model.segment_at(area.view.currentIndex().row()) == first


def test_area_created_after_opening_shows_the_first_segment_to_review(qtbot, workspace):
    corpus = job_corpus()
    workspace.open(
        replace(corpus, job=replace(corpus.job, statuses=np.array([ReviewStatus.LOCKED, 0, 0, 0], np.uint8)))
    )
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert workspace.segment == 1
    assert area.model.segment_at(area.view.currentIndex().row()) == 1
    workspace.go_to(3)
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    assert workspace.segment == 3


def test_confirming_shows_a_notice_with_a_way_back_only_if_codes_differ_from_the_source(area, job_workspace, qtbot):
    controller, bar = post_edit_controller(area), NoticeBar()
    qtbot.addWidget(bar)
    controller.codes_notice.slot = NoticeSlot(bar, "codes")
    edit = controller.panel.edit
    controller.open()
    type_at_end(area, " mehr")
    controller.confirm()
    assert bar.notices() == []
    job_workspace.go_to(0)
    controller.open()
    edit.selectAll()
    QTest.keyClicks(edit, "ohne")
    controller.confirm()
    assert job_workspace.view.status(0) is ReviewStatus.CONFIRMED
    message = bar.current.message
    assert message.title == (
        "Segment 1: the inline codes differ from those in the source; when you save, you will be asked what to do"
    )
    [(text, go_to_segment)] = message.buttons
    assert text == "Go to segment 1"
    # the notice outlives the messages of later steps
    assert controller.segment == 1
    NoticeSlot(bar, "action").add("End of the list: continued at the start")
    qtbot.wait(1)
    go_to_segment()
    assert controller.segment == job_workspace.segment == 0
    assert message in [notice.message for notice in bar.notices()]
    edit.replace_line(TARGETS[0])
    controller.flush()
    assert message not in [notice.message for notice in bar.notices()]


def test_a_removed_mark_of_a_term_is_no_problem_and_can_be_inserted_again(area, workspace):
    corpus = job_corpus()
    workspace.open(replace(corpus, job=replace(corpus.job, annotations={0: frozenset((1,))})))
    controller, bar = post_edit_controller(area), NoticeBar(area)
    controller.codes_notice.slot = NoticeSlot(bar, "codes")
    controller.open()
    edit = controller.panel.edit
    edit.replace_line("Drücken Sie OK jetzt ⟨2/⟩.")
    controller._show_draft()
    assert controller.panel.codes.isHidden()
    edit.go_to(edit.line.index("OK"))
    controller.insert_code()
    assert edit.line == "Drücken Sie ⟨1⟩OK jetzt ⟨2/⟩."
    controller._show_draft()
    assert [code.display_text for code in controller.panel.codes.missing_codes] == ["⟨/1⟩"]
    edit.undo()
    controller.confirm()
    assert workspace.view.target(0) == "Drücken Sie OK jetzt ⟨2/⟩."
    assert bar.notices() == []


def test_going_to_another_segment_saves_typed_text(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, "?")
    job_workspace.go_to(3)
    assert controller.segment is None
    assert job_workspace.view.target(1) == TARGETS[1] + "?"
    assert job_workspace.view.target(3) == TARGETS[3]


def test_empty_target_needs_a_second_confirmation(area, job_workspace):
    controller, messages = post_edit_controller(area), []
    controller.message_posted.connect(messages.append)
    job_workspace.go_to(1)
    controller.open()
    controller.panel.edit.selectAll()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Delete)
    controller.confirm()
    assert messages == ["The target of segment 2 is empty. Confirm again to leave it empty."]
    assert job_workspace.view.status(1) is ReviewStatus.OPEN
    assert (job_workspace.segment, controller.segment) == (1, 1)
    controller.confirm()
    assert job_workspace.view.status(1) is ReviewStatus.CONFIRMED
    assert job_workspace.view.target(1) == ""
    # the message is cleared after the answer
    assert messages[1:] == [""]


def test_empty_target_is_asked_about_again_after_another_action(area, job_workspace):
    controller, messages = post_edit_controller(area), []
    controller.message_posted.connect(messages.append)
    job_workspace.session.reviewing.set({1: {ReviewField.TARGET: " "}, 3: {ReviewField.TARGET: ""}})
    job_workspace.go_to(1)
    controller.confirm()
    job_workspace.go_to(3)
    controller.confirm()
    job_workspace.go_to(1)
    controller.confirm()
    assert [bool(text) for text in messages] == [True, False, True, False, True]
    controller.open()
    type_at_end(area, "x")
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Backspace)
    controller.confirm()
    assert [bool(text) for text in messages[5:]] == [False, True]
    assert job_workspace.view.status(1) is not ReviewStatus.CONFIRMED
    controller.reject()
    assert job_workspace.view.status(1) is ReviewStatus.REJECTED
    assert messages[7:] == [""]


@pytest.mark.parametrize(
    ("source", "target", "asks"),
    [
        ("", "", False),
        (" ", "", False),
        ("⟨1/⟩", "⟨1/⟩", False),
        ("A", "⟨1/⟩ ", True),
        ("⟨1/⟩ A", "", True),
        ("A", "B", False),
    ],
)
def test_target_is_empty_if_only_the_source_has_text(job_workspace, source, target, asks):
    corpus = job_corpus()
    job_texts = replace(corpus.job, sources=TextColumn.of([source, *"bcd"]), targets=TextColumn.of([target, *"bcd"]))
    assert is_target_empty(View(replace(corpus, job=job_texts)), 0, target) is asks


def test_without_a_source_the_mt_decides_whether_the_target_is_empty():
    texts = {TextRole.MT: TextColumn.of(["a b", ""])}
    view = View(Corpus("c", 2, texts))
    assert is_target_empty(view, 0, "")
    assert not is_target_empty(view, 1, "")
