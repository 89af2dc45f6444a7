"""Confirming and rejecting, and what is opened next; where a file begins."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Corpus, Layer, ReviewStatus, TextColumn, TextRole, View
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.inspect.postedit.empty_target_dialog import is_target_empty
from tests.building import tags
from tests.ui.inspect.postedit.conftest import SYSTEM, TARGETS, desk_of, job_corpus, type_at_end


def test_confirming_goes_on_to_what_is_doubtful_then_to_what_is_open_and_stops(area, job):
    controller, told = desk_of(area), []
    controller.message_posted.connect(told.append)
    job.session.set_threshold("none", 0.5)
    job.go_to(1)
    controller.open()
    type_at_end(area, "!")
    controller.confirm()
    # the locked one is passed over
    assert (job.segment, controller.segment) == (3, 3)
    assert (job.view.target(1), job.view.status(1)) == (TARGETS[1] + "!", ReviewStatus.CONFIRMED)
    controller.reject()
    assert controller.segment == 0
    assert job.view.status(3) is ReviewStatus.REJECTED
    assert not told
    controller.confirm()
    assert controller.segment is None
    assert len(told) == 1
    # confirming and the text that came with it are one step
    job.undo()
    job.undo()
    job.undo()
    assert (job.view.target(1), job.view.status(1)) == (TARGETS[1], ReviewStatus.OPEN)


def test_going_on_lays_the_page_out_once_and_hides_nothing_in_between(area, job, monkeypatch):
    controller, laid, hidden = desk_of(area), [], []
    job.go_to(1)
    controller.open()
    monkeypatch.setattr(controller.panel.edit, "hideEvent", hidden.append)
    area.reader.laid_out.connect(lambda: laid.append(area.reader.page.segment))
    controller.step(1)
    assert controller.segment == 3
    assert laid == [3]
    assert not hidden
    assert controller.panel.edit.isVisible()


def test_what_cannot_be_opened_any_more_is_not_shown_as_if_it_were_typed(area, job, qtbot):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()

    def take_away(segment: int) -> None:
        job.session.read_only = "somebody else has it"

    job.segment_changed.connect(take_away)
    with qtbot.waitSignal(job.failed):
        controller.step(1)
    assert (job.segment, controller.segment) == (3, None)
    assert not controller.panel.edit.isVisible()


def test_a_locked_segment_is_not_opened_and_says_quietly_why_and_what_to_do(area, job):
    controller, told, failed = desk_of(area), [], []
    controller.message_posted.connect(told.append)
    job.failed.connect(failed.append)
    job.go_to(2)
    QTest.keyClick(area.view, Qt.Key.Key_Return)
    controller.confirm()
    assert controller.segment is None
    assert job.view.status(2) is ReviewStatus.LOCKED
    assert failed == []
    assert len(told) == 2
    assert all(text.startswith("Segment 3 is locked in its file. Unlock it in your CAT tool.") for text in told)
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
def test_a_file_is_opened_where_there_is_something_to_do(area, job, statuses, marked, first):
    made = job_corpus()
    lengths = made.layers[SYSTEM].tags.lengths().tolist()
    values = tags(*(sign + "o" * (length - 1) for sign, length in zip(marked, lengths, strict=True)))
    other = replace(
        made,
        layers={SYSTEM: Layer(SYSTEM, values, origin="qe.tags", form="n")},
        job=replace(made.job, statuses=np.array(statuses, np.uint8)),
    )
    job.open(other)
    assert job.segment == first
    assert area.model.segment_at(area.view.currentIndex().row()) == first


def test_it_is_so_too_for_the_area_that_comes_after_the_file(qtbot, workspace):
    made = job_corpus()
    workspace.open(replace(made, job=replace(made.job, statuses=np.array([ReviewStatus.LOCKED, 0, 0, 0], np.uint8))))
    area = InspectArea(workspace, QWidget())
    qtbot.addWidget(area)
    assert workspace.segment == 1
    assert area.model.segment_at(area.view.currentIndex().row()) == 1
    workspace.go_to(3)
    other = InspectArea(workspace, QWidget())
    qtbot.addWidget(other)
    assert workspace.segment == 3


def test_confirming_with_other_codes_is_said_at_once_and_with_those_of_the_file_is_not(area, job):
    controller, told = desk_of(area), []
    controller.message_posted.connect(told.append)
    controller.open()
    type_at_end(area, " mehr")
    controller.confirm()
    assert told == []
    job.go_to(0)
    controller.open()
    controller.panel.edit.selectAll()
    QTest.keyClicks(controller.panel.edit, "ohne")
    controller.confirm()
    assert job.view.status(0) is ReviewStatus.CONFIRMED
    assert told == ["Segment 1: the inline codes differ from those in the source; saving will ask what to do"]


def test_going_elsewhere_hands_over_what_was_typed(area, job):
    controller = desk_of(area)
    job.go_to(1)
    controller.open()
    type_at_end(area, "?")
    job.go_to(3)
    assert controller.segment is None
    assert job.view.target(1) == TARGETS[1] + "?"
    assert job.view.target(3) == TARGETS[3]


def test_an_empty_target_is_confirmed_only_when_that_is_done_twice(area, job):
    controller, told = desk_of(area), []
    controller.message_posted.connect(told.append)
    job.go_to(1)
    controller.open()
    controller.panel.edit.selectAll()
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Delete)
    controller.confirm()
    assert told == ["The target of segment 2 is empty. Confirm again to leave it empty."]
    assert job.view.status(1) is ReviewStatus.OPEN
    assert (job.segment, controller.segment) == (1, 1)
    controller.confirm()
    assert job.view.status(1) is ReviewStatus.CONFIRMED
    assert job.view.target(1) == ""
    # the question is answered, and no longer shown
    assert told[1:] == [""]


def test_it_is_asked_again_when_something_else_was_done_meanwhile(area, job):
    controller, told = desk_of(area), []
    controller.message_posted.connect(told.append)
    job.session.reviewing.set({1: {ReviewField.TARGET: " "}, 3: {ReviewField.TARGET: ""}})
    job.go_to(1)
    controller.confirm()
    job.go_to(3)
    controller.confirm()
    job.go_to(1)
    controller.confirm()
    assert [bool(text) for text in told] == [True, False, True, False, True]
    controller.open()
    type_at_end(area, "x")
    QTest.keyClick(controller.panel.edit, Qt.Key.Key_Backspace)
    controller.confirm()
    assert [bool(text) for text in told[5:]] == [False, True]
    assert job.view.status(1) is not ReviewStatus.CONFIRMED
    controller.reject()
    assert job.view.status(1) is ReviewStatus.REJECTED
    assert told[7:] == [""]


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
def test_empty_is_what_has_no_text(job, source, target, asks):
    corpus = job_corpus()
    other = replace(corpus.job, sources=TextColumn.of([source, *"bcd"]), targets=TextColumn.of([target, *"bcd"]))
    assert is_target_empty(View(replace(corpus, job=other)), 0, target) is asks


def test_without_a_source_the_mt_says_whether_there_was_anything():
    texts = {TextRole.MT: TextColumn.of(["a b", ""])}
    view = View(Corpus("c", 2, texts))
    assert is_target_empty(view, 0, "")
    assert not is_target_empty(view, 1, "")
