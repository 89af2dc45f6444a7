"""Replacing in all targets: counts matches first, reports reset statuses, and is one undo step."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from qe_desktop.project import ReviewField
from tests.ui.inspect.postedit.conftest import TARGETS


def test_replacing_counts_matches_first_and_is_one_undo_step(area, job_workspace, qtbot):
    replacing = area.correcting.replacing
    replacing.enter()
    replacing.bar.text.setText("e")
    qtbot.waitUntil(lambda: replacing.bar.replace.isEnabled())
    assert replacing.bar.status_label.text() == "10 matches in 3 segments; 1 locked segment is not changed"
    replacing.bar.by.setText("ë")
    replacing.bar.replace.click()
    qtbot.waitUntil(lambda: bool(job_workspace.view.review.targets))
    assert job_workspace.view.target(0) == "Drückën Sië ⟨1⟩OK⟨/1⟩ jëtzt ⟨2/⟩."
    assert job_workspace.view.target(2) == TARGETS[2]
    assert replacing.bar.status_label.text() == "3 segments changed; one undo step"
    assert not replacing.bar.replace.isEnabled()
    job_workspace.undo()
    assert job_workspace.view.review.targets == {}
    # after undo, the matches can be replaced again
    qtbot.waitUntil(lambda: replacing.bar.replace.isEnabled())
    assert replacing.bar.status_label.text() == "10 matches in 3 segments; 1 locked segment is not changed"


def test_reset_statuses_are_announced_and_reported_and_undo_restores_them(area, job_workspace, qtbot):
    job_workspace.session.reviewing.set(
        {0: {ReviewField.STATUS: ReviewStatus.CONFIRMED}, 1: {ReviewField.STATUS: ReviewStatus.REJECTED}}
    )
    bar = area.correcting.replacing.bar
    area.correcting.replacing.enter()
    bar.text.setText("e")
    qtbot.waitUntil(lambda: bar.replace.isEnabled())
    assert bar.status_label.text().endswith("; 2 confirmed or rejected segments will be reset to edited")
    bar.by.setText("ë")
    bar.replace.click()
    qtbot.waitUntil(lambda: bool(job_workspace.view.review.targets))
    assert bar.status_label.text() == ("3 segments changed; 2 no longer confirmed or rejected; one undo step")
    assert [job_workspace.view.status(segment) for segment in (0, 1, 3)] == [ReviewStatus.EDITED] * 3
    job_workspace.undo()
    assert job_workspace.view.review.targets == {}
    assert [job_workspace.view.status(segment) for segment in (0, 1, 3)] == [
        ReviewStatus.CONFIRMED,
        ReviewStatus.REJECTED,
        ReviewStatus.OPEN,
    ]
    job_workspace.redo()
    assert [job_workspace.view.status(segment) for segment in (0, 1, 3)] == [ReviewStatus.EDITED] * 3


def is_taken_by(field, key=Qt.Key.Key_Z, modifiers=Qt.KeyboardModifier.ControlModifier):
    """Whether a field takes a key before the window's shortcuts."""
    event = QKeyEvent(QEvent.Type.ShortcutOverride, key, modifiers)
    event.ignore()
    QApplication.sendEvent(field, event)
    return event.isAccepted()


def test_undo_key_belongs_to_the_window_after_replacing_until_typing(area, job_workspace, qtbot):
    bar = area.correcting.replacing.bar
    area.correcting.replacing.enter()
    QTest.keyClicks(bar.text, "apfel")
    QTest.keyClicks(bar.by, "Baum")
    assert is_taken_by(bar.by)
    QTest.keyClick(bar.by, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: bool(job_workspace.view.review.targets))
    assert (bar.text.text(), bar.by.text()) == ("apfel", "Baum")
    assert not is_taken_by(bar.by)
    assert not is_taken_by(bar.text)
    assert not is_taken_by(
        bar.by, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier
    )
    QTest.keyClicks(bar.by, "?")
    assert is_taken_by(bar.by)
    assert is_taken_by(bar.by, Qt.Key.Key_V)


def test_escape_returns_the_focus_to_the_open_target_or_the_segments(area, job_workspace, qtbot):
    controller, replacing = area.correcting.controller, area.correcting.replacing
    job_workspace.go_to(1)
    controller.open()
    replacing.enter()
    QTest.keyClick(replacing.bar.text, Qt.Key.Key_Escape)
    assert controller.segment == 1
    qtbot.waitUntil(lambda: controller.panel.edit.hasFocus())
    controller.leave()
    replacing.enter()
    QTest.keyClick(replacing.bar.text, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: area.view.hasFocus() or area.reader.hasFocus())
