"""QA checks while post-editing: marks, reasons below the editor, filter, navigation, messages on confirming."""

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
from qe_desktop.ui.inspect.postedit.review_queue import WITH_ISSUE
from qe_desktop.ui.jobs import JobCancelled

TWICE = "“Apfel” is repeated"
END_MARKS = "end-punctuation"
"""Check that is turned off, because what is typed here ends without a full stop."""


@pytest.fixture
def ready_checks(area, qtbot):
    area.workspace.settings.disabled_checks = [END_MARKS]
    qtbot.waitUntil(lambda: area.review.live_checks.is_ready)
    return area.review.live_checks


def type_in_segment(area, segment, text):
    """Open a segment and type at its end."""
    controller = area.review.controller
    area.workspace.go_to(segment)
    controller.open()
    controller.panel.edit.moveCursor(QTextCursor.MoveOperation.End)
    QTest.keyClicks(controller.panel.edit, text)
    return controller


def underlined_texts(edit) -> list[str]:
    wave = QTextCharFormat.UnderlineStyle.WaveUnderline
    return [
        selection.cursor.selectedText()
        for selection in edit.extraSelections()
        if selection.format.underlineStyle() == wave
    ]


def set_target(area, segment, line):
    assert area.workspace.session.reviewing.set({segment: {ReviewField.TARGET: line}})


def test_finding_is_marked_and_explained_while_it_exists(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel")
    edit, line = controller.panel.edit, controller.panel.check_links
    qtbot.waitUntil(line.isVisible)
    assert line.text() == f"QA checks: {TWICE}"
    assert underlined_texts(edit) == ["Apfel"]
    point = edit.cursorRect(edit.textCursor()).center() - QPoint(8, 0)
    position = edit.viewport().mapTo(edit, point)
    QApplication.sendEvent(edit, QHelpEvent(QHelpEvent.Type.ToolTip, position, edit.mapToGlobal(position)))
    assert TWICE in QToolTip.text()
    QToolTip.hideText()
    for _ in " Apfel":
        QTest.keyClick(edit, Qt.Key.Key_Backspace)
    qtbot.waitUntil(lambda: not line.isVisible())
    assert underlined_texts(edit) == []


def test_links_of_the_line_select_the_words_of_their_results(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel (so  ist")
    edit, line = controller.panel.edit, controller.panel.check_links
    qtbot.waitUntil(lambda: line.text().count(" · ") == 2)
    for word, selected in (("repeated", "Apfel"), ("spaces", "  "), ("bracket", "(")):
        link = next(link for link in line.links if word in link.accessibleName())
        link.click()
        assert edit.textCursor().selectedText() == selected
        assert edit.hasFocus()
    # the line is reached by Tab, and Enter presses a link
    QTest.keyClick(edit, Qt.Key.Key_Tab)
    focused = QApplication.focusWidget()
    assert focused is line.links[0]
    edit.go_to(0)
    name = focused.accessibleName()
    QTest.keyClick(focused, Qt.Key.Key_Return)
    assert name == line.links[0].accessibleName()
    assert edit.textCursor().hasSelection()


def test_link_of_several_results_selects_one_after_the_other(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " so  ist  es")
    edit, line = controller.panel.edit, controller.panel.check_links
    qtbot.waitUntil(lambda: bool(line.text()))
    starts = []
    for _ in range(3):
        next(link for link in line.links if "spaces" in link.accessibleName()).click()
        starts.append(edit.textCursor().selectionStart())
    assert starts[0] == starts[2] == edit.line.index("  ")
    assert starts[1] == edit.line.rindex("  ")


def test_link_opens_the_editor_of_a_target_that_is_not_edited(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel")
    qtbot.waitUntil(controller.panel.check_links.isVisible)
    controller.stop_editing()
    assert not controller.panel.edit.isVisible()
    controller.panel.check_links.links[0].click()
    assert controller.panel.edit.isVisible()
    assert controller.panel.edit.textCursor().selectedText() == "Apfel"


def test_links_that_do_not_fit_are_in_a_menu(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel (so  ist")
    edit, line = controller.panel.edit, controller.panel.check_links
    qtbot.waitUntil(lambda: line.text().count(" · ") == 2)
    assert [link.isVisible() for link in line.links] == [True] * 3
    assert [link.shown_text() for link in line.links] == [link.text() for link in line.links]
    height = line.height()
    assert height == controller.panel.word_label.sizeHint().height()
    line.setFixedWidth(line.label.width() + 160)
    QApplication.processEvents()
    visible = [link for link in line.links if link.isVisible()]
    assert len(visible) == 1
    assert all(line.rect().contains(part.geometry()) for part in (*visible, line._more_link))
    assert line._more_link.text() == "+2"
    entry = next(action for action in line._more_link.menu().actions() if "bracket" in action.text())
    entry.trigger()
    assert edit.textCursor().selectedText() == "("
    assert line.height() == height


def test_finding_at_the_cursor_is_listed_first(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel (so  ist")
    line = controller.panel.check_links
    qtbot.waitUntil(lambda: line.text().count(" · ") == 2)
    edit = controller.panel.edit
    text = edit.line
    starts = [text.rindex("Apfel"), text.index("("), text.index("  ")]
    for start, word in zip(starts, ("repeated", "bracket", "spaces"), strict=True):
        edit.go_to(start)
        qtbot.waitUntil(lambda word=word: word in line.text().partition(" · ")[0])


def test_moves_of_the_cursor_do_not_check_the_target_again(area, ready_checks, qtbot, monkeypatch):
    controller = type_in_segment(area, 1, " Apfel Apfel")
    controller.flush()
    qtbot.waitUntil(controller.panel.check_links.isVisible)
    checked: list[str] = []
    find = TargetChecks.issues

    def counted(checks, segment, line):
        checked.append(line)
        return find(checks, segment, line)

    monkeypatch.setattr(TargetChecks, "issues", counted)
    drafts: list[object] = []
    controller.draft_changed.connect(drafts.append)
    for place in (3, 1, 2):
        controller.panel.edit.go_to(place)
        qtbot.waitUntil(lambda place=place: len(drafts) >= 1)
        drafts.clear()
    assert set(checked) <= {controller.panel.edit.line}
    assert len(checked) <= 1
    # a changed target of another segment may change the results
    set_target(area, 3, "neu")
    assert len(checked) >= 1
    QTest.keyClicks(controller.panel.edit, "x")
    qtbot.waitUntil(lambda: checked[-1] == controller.panel.edit.line)


def test_a_run_of_all_checks_renews_the_evidence_for_single_targets(area, ready_checks, qtbot):
    first = ready_checks.current
    ready_checks.recheck_if_outdated()
    assert ready_checks.current is first
    set_target(area, 1, "Apfel Apfel")
    assert first.is_evidence_outdated
    area.review.qa_results.run()
    qtbot.waitUntil(lambda: ready_checks.is_ready and ready_checks.current is not first)
    assert not ready_checks.current.is_evidence_outdated


def test_toggling_highlights_hides_check_marks_but_not_their_text(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel")
    qtbot.waitUntil(lambda: underlined_texts(controller.panel.edit) == ["Apfel"])
    area.review.toggle_highlights()
    assert underlined_texts(controller.panel.edit) == []
    assert TWICE in controller.panel.check_links.text()


def test_legend_explains_the_wave_underline_while_it_is_shown(area, ready_checks, qtbot):
    def legend_has_checks() -> bool:
        return "QA check result" in [entry.label for entry in area.legend_popup.tags.entries]

    area.show()
    area.header.legend.click()
    controller = type_in_segment(area, 1, " Apfel")
    assert not legend_has_checks()
    QTest.keyClicks(controller.panel.edit, " Apfel")
    qtbot.waitUntil(legend_has_checks)
    area.review.toggle_highlights()
    assert not legend_has_checks()
    area.review.toggle_highlights()
    assert legend_has_checks()
    controller.stop_editing()
    # the result is listed, but not highlighted
    assert TWICE in controller.panel.check_links.text()
    assert not legend_has_checks()


def test_missing_codes_are_reported_in_one_place_only(area, ready_checks, qtbot):
    controller = type_in_segment(area, 0, " x")
    edit = controller.panel.edit
    qtbot.waitUntil(lambda: edit.line.endswith(" x"))
    edit.replace_line("Drücken Sie OK⟨/1⟩ jetzt ⟨2/⟩.")
    qtbot.waitUntil(controller.panel.codes.isVisible)
    assert not controller.panel.check_links.isVisible()
    controller.stop_editing()
    assert "the code ⟨1⟩ is missing from the target" in controller.panel.check_links.text()


def test_disabling_a_check_hides_its_findings_immediately(area, ready_checks, qtbot):
    controller = type_in_segment(area, 1, " Apfel Apfel")
    qtbot.waitUntil(controller.panel.check_links.isVisible)
    area.workspace.settings.disabled_checks = [END_MARKS, "doubled"]
    qtbot.waitUntil(lambda: not controller.panel.check_links.isVisible())
    area.workspace.settings.disabled_checks = [END_MARKS]
    qtbot.waitUntil(controller.panel.check_links.isVisible)


def test_confirming_reports_remaining_findings_until_the_next_confirmation(area, ready_checks, qtbot):
    messages: list[str] = []
    ready_checks.remaining_text_changed.connect(messages.append)
    controller = type_in_segment(area, 1, " Apfel Apfel")
    controller.confirm()
    assert area.workspace.view.status(1) is ReviewStatus.CONFIRMED
    assert messages == [f"Segment 2 is confirmed. QA checks: {TWICE}"]
    assert controller.segment == 3
    controller.confirm()
    assert messages[1:] == [""]
    area.workspace.go_to(0)
    controller.reject()
    assert len(messages) == 2


@pytest.mark.parametrize("step", ["go", "undo", "type"])
def test_remaining_findings_are_shown_until_the_next_step(area, ready_checks, step):
    messages: list[str] = []
    ready_checks.remaining_text_changed.connect(messages.append)
    controller = type_in_segment(area, 1, " Apfel Apfel")
    controller.confirm()
    assert len(messages) == 1
    # saving is not an action of the user
    area.workspace.session.reviewing.mark_saved()
    assert len(messages) == 1
    if step == "go":
        area.workspace.go_to(0)
    elif step == "undo":
        area.workspace.undo()
    else:
        set_target(area, controller.segment, "neu")
    assert messages[1:] == [""]


def test_filter_bar_counts_and_filters_current_findings(area, ready_checks, qtbot):
    status = area.review.filter_bar
    assert status.buttons[WITH_ISSUE].isHidden()
    for segment in (1, 3):
        set_target(area, segment, "so so")
    qtbot.waitUntil(lambda: status.buttons[WITH_ISSUE].text() == "checks 2")
    status.buttons[WITH_ISSUE].click()
    qtbot.waitUntil(lambda: area.model.segments.tolist() == [1, 3])
    # a corrected segment is not counted until undo
    set_target(area, 1, "so")
    assert status.buttons[WITH_ISSUE].text() == "checks 1"
    area.workspace.undo()
    assert status.buttons[WITH_ISSUE].text() == "checks 2"
    area.filters.reset()
    assert not status.buttons[WITH_ISSUE].isChecked()


def test_unedited_segments_count_by_the_layer_of_qa_checks(area, ready_checks, qtbot):
    session = area.workspace.session
    set_target(area, 1, "so so")
    assert np.flatnonzero(ready_checks.segments()).tolist() == [1]
    corpus = session.corpus
    roles = (TextRole.SOURCE, TextRole.RAW_SOURCE)
    numbered = {role: TextColumn.of([f"{line} 1234" for line in corpus.texts[role].lines()]) for role in roles}
    texts = {**corpus.texts, **numbered}
    layers = run_checks(replace(corpus, texts=texts, job=None))
    with qtbot.waitSignal(ready_checks.changed):
        session.extend(replace(corpus, layers={**corpus.layers, **{layer.key: layer for layer in layers}}))
    assert np.flatnonzero(ready_checks.segments()).tolist() == [0, 1, 2, 3]
    set_target(area, 1, "so")
    assert np.flatnonzero(ready_checks.segments()).tolist() == [0, 2, 3]


def test_many_changed_targets_are_checked_in_a_background_job(area, ready_checks, qtbot, monkeypatch):
    monkeypatch.setattr(module, "MAX_SYNC_SEGMENTS", 1)
    with qtbot.waitSignal(ready_checks.changed):
        area.workspace.session.reviewing.set({segment: {ReviewField.TARGET: "so so"} for segment in (0, 1, 3)})
    qtbot.waitUntil(area.workspace.jobs.is_idle)
    assert np.flatnonzero(ready_checks.segments()).tolist() == [0, 1, 3]


def test_targets_changed_during_a_check_are_checked_too(area, ready_checks, qtbot):
    ready_checks._begin()
    set_target(area, 1, "so so")
    qtbot.waitUntil(area.workspace.jobs.is_idle)
    assert np.flatnonzero(ready_checks.segments()).tolist() == [1]


def test_targets_changed_during_a_background_check_are_checked_after_it(area, ready_checks, qtbot, monkeypatch):
    monkeypatch.setattr(module, "MAX_SYNC_SEGMENTS", 1)
    reviewing = area.workspace.session.reviewing
    reviewing.set({segment: {ReviewField.TARGET: "so so"} for segment in (1, 3)})
    reviewing.set({segment: {ReviewField.TARGET: text} for segment, text in {1: "so", 0: "so so"}.items()})
    qtbot.waitUntil(lambda: ready_checks.is_ready)
    assert np.flatnonzero(ready_checks.segments()).tolist() == [0, 3]


@pytest.mark.parametrize("end", ["cancelled", "failed"])
def test_cancelled_or_failed_check_is_repeated_after_the_next_edit(area, ready_checks, qtbot, monkeypatch, end):
    errors = []
    area.workspace.failed.connect(errors.append)

    def fail(checks, view, segments, check_cancelled=None):
        if end == "cancelled":
            raise JobCancelled
        raise MemoryError

    with monkeypatch.context() as patched:
        patched.setattr(module, "MAX_SYNC_SEGMENTS", 1)
        patched.setattr(TargetChecks, "update_to_view", fail)
        area.workspace.session.reviewing.set({segment: {ReviewField.TARGET: "so so"} for segment in (0, 1)})
        qtbot.waitUntil(area.workspace.jobs.is_idle)
    assert not ready_checks.is_ready
    assert len(errors) == (end == "failed")
    set_target(area, 3, "so so")
    qtbot.waitUntil(lambda: ready_checks.is_ready)
    assert np.flatnonzero(ready_checks.segments()).tolist() == [0, 1, 3]


def test_nothing_is_checked_without_a_corpus(area, ready_checks):
    area.workspace.close()
    assert ready_checks.segments().tolist() == []
    assert not area.review.controller.panel.check_links.isVisible()


def test_invalid_word_list_is_reported_and_the_checks_run_without_it(area, ready_checks, qtbot, tmp_path):
    errors = []
    area.workspace.failed.connect(errors.append)
    words = tmp_path / "words.txt"
    words.write_text("grüne\n")
    set_target(area, 1, "Der grüne Apfel Apfel.")
    settings = area.workspace.settings
    settings.forbidden_words_file = str(words)
    qtbot.waitUntil(lambda: ready_checks.is_ready)

    def reasons() -> list[str]:
        return [issue.reason for issue in ready_checks.current.issues(1, area.workspace.view.target(1))]

    assert reasons() == ["“grüne” is a forbidden word", TWICE]
    words.write_text("x" * 300)
    ready_checks._begin()
    qtbot.waitUntil(lambda: len(errors) == 1 and ready_checks.is_ready)
    assert str(errors[0].place).endswith("words.txt:1")
    assert reasons() == [TWICE]
