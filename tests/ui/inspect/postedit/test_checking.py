"""Checks while one corrects: marks and reasons under the editor, the filter, walking, and what confirming tells."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QHelpEvent, QTextCharFormat, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QToolTip

from qe_desktop.corpus import ReviewStatus, TextColumn, TextRole
from qe_desktop.local_qe.qa_checks.live_checks import TargetChecks
from qe_desktop.local_qe.qa_checks.runner import run_checks
from qe_desktop.project import ReviewField
from qe_desktop.ui.inspect.postedit import target_checks as module
from qe_desktop.ui.inspect.postedit.review_filter_bar import WITH_FINDING
from qe_desktop.ui.jobs import JobCancelled
from tests.ui.inspect.postedit.conftest import TARGETS

TWICE = "“Apfel” is repeated"


@pytest.fixture
def checking(area, qtbot):
    qtbot.waitUntil(lambda: area.correcting.checking.is_ready)
    return area.correcting.checking


def typing(area, segment, text):
    """Open a segment and type at its end."""
    controller = area.correcting.controller
    area.workspace.go_to(segment)
    controller.open()
    controller.panel.edit.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(controller.panel.edit, text)
    return controller


def waves(edit) -> list[str]:
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    return [one.cursor.selectedText() for one in edit.extraSelections() if one.format.underlineStyle() == wave]


def set_target(area, segment, line):
    assert area.workspace.session.reviewing.set({segment: {ReviewField.TARGET: line}})


def test_a_finding_is_marked_said_and_explained_as_long_as_it_is_there(area, checking, qtbot):
    controller = typing(area, 1, " Apfel Apfel")
    edit, line = controller.panel.edit, controller.panel.found
    qtbot.waitUntil(line.isVisible)
    assert line.text() == f"QA checks: {TWICE}"
    assert waves(edit) == ["Apfel"]
    at = edit.cursorRect(edit.textCursor()).center() - QPoint(8, 0)
    where = edit.viewport().mapTo(edit, at)
    QApplication.sendEvent(edit, QHelpEvent(QHelpEvent.Type.ToolTip, where, edit.mapToGlobal(where)))
    assert TWICE in QToolTip.text()
    QToolTip.hideText()
    for _ in " Apfel":
        QTest.keyClick(edit, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: not line.isVisible())
    assert waves(edit) == []


def test_the_finding_at_the_cursor_is_said_first_and_the_key_walks_them(area, checking, qtbot):
    controller = typing(area, 1, " Apfel Apfel (so  ist")
    line = controller.panel.found
    qtbot.waitUntil(lambda: line.text().count(" · ") == 2)
    edit = controller.panel.edit
    edit.moveCursor(QTextCursor.MoveOperation.Start)
    text = edit.line
    starts = [text.rindex("Apfel"), text.index("("), text.index("  ")]
    for start, said in zip(starts, ("repeated", "bracket", "spaces"), strict=True):
        checking.step(1)
        assert edit.place() == start
        qtbot.waitUntil(lambda said=said: said in line.text().partition(" · ")[0])
    checking.step(-1)
    assert edit.place() == starts[1]


def test_marks_go_with_the_other_marks_and_the_line_stays(area, checking, qtbot):
    controller = typing(area, 1, " Apfel Apfel")
    qtbot.waitUntil(lambda: waves(controller.panel.edit) == ["Apfel"])
    area.correcting.toggle_highlights()
    assert waves(controller.panel.edit) == []
    assert TWICE in controller.panel.found.text()


def test_the_legend_explains_the_wave_while_there_is_one(area, checking, qtbot):
    def explained() -> bool:
        return "QA check result" in [entry.text for entry in area.legend.entries]

    controller = typing(area, 1, " Apfel")
    assert not explained()
    QTest.keyClicks(controller.panel.edit, " Apfel")
    qtbot.waitUntil(explained)
    area.correcting.toggle_highlights()
    assert not explained()
    area.correcting.toggle_highlights()
    assert explained()
    controller.leave()
    # what was found is said, and no mark is on screen
    assert TWICE in controller.panel.found.text()
    assert not explained()


def test_codes_are_said_once(area, checking, qtbot):
    controller = typing(area, 0, " x")
    edit = controller.panel.edit
    qtbot.waitUntil(lambda: edit.line.endswith(" x"))
    edit.replace_line("Drücken Sie OK⟨/1⟩ jetzt ⟨2/⟩.")
    qtbot.waitUntil(controller.panel.codes.isVisible)
    assert not controller.panel.found.isVisible()
    controller.leave()
    assert "the code ⟨1⟩ of the source is missing" in controller.panel.found.text()


def test_a_check_that_is_switched_off_says_nothing_at_once(area, checking, qtbot):
    controller = typing(area, 1, " Apfel Apfel")
    qtbot.waitUntil(controller.panel.found.isVisible)
    area.workspace.settings.checks_off = ["doubled"]
    qtbot.waitUntil(lambda: not controller.panel.found.isVisible())
    area.workspace.settings.checks_off = []
    qtbot.waitUntil(controller.panel.found.isVisible)


def test_confirming_says_what_remains_and_says_no_more_of_it_behind_the_next(area, checking, qtbot):
    told: list[str] = []
    checking.remains.connect(told.append)
    controller = typing(area, 1, " Apfel Apfel")
    controller.confirm()
    assert area.workspace.view.status(1) is ReviewStatus.CONFIRMED
    assert told == [f"Segment 2 is confirmed. QA checks: {TWICE}"]
    assert controller.segment == 3
    controller.confirm()
    assert told[1:] == [""]
    area.workspace.go_to(0)
    controller.reject()
    assert len(told) == 2


@pytest.mark.parametrize("step", ["go", "undo", "type"])
def test_what_remains_is_said_until_the_next_step(area, checking, step):
    told: list[str] = []
    checking.remains.connect(told.append)
    controller = typing(area, 1, " Apfel Apfel")
    controller.confirm()
    assert len(told) == 1
    # what others do is no step of whoever reads it, and neither is what is saved
    area.workspace.session.reviewing.saved()
    assert len(told) == 1
    if step == "go":
        area.workspace.go_to(0)
    elif step == "undo":
        area.workspace.undo()
    else:
        set_target(area, controller.segment, "neu")
    assert told[1:] == [""]


def test_the_bar_counts_and_filters_what_is_found_now(area, checking, qtbot):
    status = area.correcting.status
    assert status.buttons[WITH_FINDING].isHidden()
    for segment in (1, 3):
        set_target(area, segment, "so so")
    qtbot.waitUntil(lambda: status.buttons[WITH_FINDING].text() == "checks 2")
    status.buttons[WITH_FINDING].click()
    qtbot.waitUntil(lambda: area.model.segments.tolist() == [1, 3])
    # what is mended is counted no longer, and undo brings it back
    set_target(area, 1, "so")
    assert status.buttons[WITH_FINDING].text() == "checks 1"
    area.workspace.undo()
    assert status.buttons[WITH_FINDING].text() == "checks 2"
    area.filters.reset()
    assert not status.buttons[WITH_FINDING].isChecked()


def test_what_nobody_edited_counts_as_the_system_of_checks_marks_it(area, checking, qtbot):
    session = area.workspace.session
    set_target(area, 1, "so so")
    assert np.flatnonzero(checking.segments()).tolist() == [1]
    corpus = session.corpus
    roles = (TextRole.SOURCE, TextRole.RAW_SOURCE)
    numbered = {role: TextColumn.of([f"{line} 1234" for line in corpus.texts[role].lines()]) for role in roles}
    texts = {**corpus.texts, **numbered}
    made = run_checks(replace(corpus, texts=texts, job=None))
    with qtbot.waitSignal(checking.changed):
        session.extend(replace(corpus, layers={**corpus.layers, **{layer.key: layer for layer in made}}))
    assert np.flatnonzero(checking.segments()).tolist() == [0, 1, 2, 3]
    set_target(area, 1, "so")
    assert np.flatnonzero(checking.segments()).tolist() == [0, 2, 3]


def test_of_which_segments_nothing_is_found_is_said(area, checking):
    told: list[str] = []
    area.correcting.controller.message_posted.connect(told.append)
    checking.step(1)
    assert told == [
        "No QA check results in other edited segments of the list. To check all segments, use Edit ▸ QA checks."
    ]
    session = area.workspace.session
    made = run_checks(replace(session.corpus, job=None))
    session.extend(replace(session.corpus, layers={**session.corpus.layers, **{layer.key: layer for layer in made}}))
    assert not checking.segments().any()
    checking.step(1)
    assert told[1:] == ["No QA check results in other segments of the list"]


def test_the_key_goes_to_the_next_segment_with_a_finding_and_opens_it_where_one_types(area, checking, qtbot):
    told = []
    controller = area.correcting.controller
    controller.message_posted.connect(told.append)
    checking.step(1)
    assert told == [
        "No QA check results in other edited segments of the list. To check all segments, use Edit ▸ QA checks."
    ]
    for segment in (1, 3):
        set_target(area, segment, f"{TARGETS[segment]} so so")
    checking.step(1)
    assert (area.workspace.segment, controller.segment) == (1, None)
    assert controller.panel.found.text() == "QA checks: “so” is repeated"
    controller.open()
    controller.panel.edit.moveCursor(QTextCursor.MoveOperation.End)
    checking.step(1)
    assert (area.workspace.segment, controller.segment) == (3, 3)
    assert controller.panel.edit.place() == len(TARGETS[3]) + 4


def test_where_one_reads_the_key_goes_to_the_word_and_then_to_the_next_segment(area, checking, qtbot):
    def at() -> tuple[int, int]:
        return area.workspace.segment, area.reader.cursor_place.place

    set_target(area, 1, "Der Der grüne Apfel Apfel.")
    set_target(area, 3, "Dann Dann 😀 auf Wiedersehen Wiedersehen.")
    area.workspace.go_to(0)
    places = [(1, 0), (1, 2), (3, 0), (3, 3)]
    for place in places:
        checking.step(1)
        assert at() == place
    for place in places[-2::-1]:
        checking.step(-1)
        assert at() == place


def test_many_targets_at_once_are_looked_at_beside_the_window(area, checking, qtbot, monkeypatch):
    monkeypatch.setattr(module, "MAX_SYNC_SEGMENTS", 1)
    with qtbot.waitSignal(checking.changed):
        area.workspace.session.reviewing.set({one: {ReviewField.TARGET: "so so"} for one in (0, 1, 3)})
    qtbot.waitUntil(area.workspace.jobs.idle)
    assert np.flatnonzero(checking.segments()).tolist() == [0, 1, 3]


def test_what_changes_while_findings_are_looked_up_is_looked_at_too(area, checking, qtbot):
    checking._begin()
    set_target(area, 1, "so so")
    qtbot.waitUntil(area.workspace.jobs.idle)
    assert np.flatnonzero(checking.segments()).tolist() == [1]


def test_many_that_change_while_many_are_looked_at_are_looked_at_after_them(area, checking, qtbot, monkeypatch):
    monkeypatch.setattr(module, "MAX_SYNC_SEGMENTS", 1)
    reviewing = area.workspace.session.reviewing
    reviewing.set({one: {ReviewField.TARGET: "so so"} for one in (1, 3)})
    reviewing.set({one: {ReviewField.TARGET: text} for one, text in {1: "so", 0: "so so"}.items()})
    qtbot.waitUntil(lambda: checking.is_ready)
    assert np.flatnonzero(checking.segments()).tolist() == [0, 3]


@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_a_look_that_came_to_nothing_is_taken_again_with_the_next_edit(area, checking, qtbot, monkeypatch, end):
    told = []
    area.workspace.failed.connect(told.append)

    def fail(checks, view, segments, watch=None):
        if end == "cancelled":
            raise JobCancelled
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(module, "MAX_SYNC_SEGMENTS", 1)
        patched.setattr(TargetChecks, "follow", fail)
        area.workspace.session.reviewing.set({one: {ReviewField.TARGET: "so so"} for one in (0, 1)})
        qtbot.waitUntil(area.workspace.jobs.idle)
    assert not checking.is_ready
    assert len(told) == (end == "failed")
    set_target(area, 3, "so so")
    qtbot.waitUntil(lambda: checking.is_ready)
    assert np.flatnonzero(checking.segments()).tolist() == [0, 1, 3]


def test_nothing_is_looked_up_where_nothing_is_open(area, checking):
    area.workspace.close()
    assert checking.segments().tolist() == []
    checking.step(1)
    assert not area.correcting.controller.panel.found.isVisible()
