"""Undo and redo inside and outside the target editor share one history."""

from __future__ import annotations

import random

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from qe_desktop.corpus import ReviewStatus
from qe_desktop.ui.inspect.area import InspectArea
from qe_desktop.ui.workspace import Workspace
from tests.ui.inspect.postedit.conftest import TARGETS, post_edit_controller, type_at_end


def press(area: InspectArea, workspace: Workspace, key: Qt.Key) -> None:
    """Press Ctrl and a key in the editor, which may leave it to the window."""
    edit = post_edit_controller(area).panel.edit
    shortcut = QKeyEvent(QKeyEvent.Type.ShortcutOverride, key, Qt.KeyboardModifier.ControlModifier)
    shortcut.ignore()
    QApplication.sendEvent(edit, shortcut)
    if shortcut.isAccepted():
        QTest.keyClick(edit, key, Qt.KeyboardModifier.ControlModifier)
    else:
        (workspace.undo if key is Qt.Key.Key_Z else workspace.redo)()


def test_typing_undone_in_the_editor_is_not_brought_back_by_undo(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, " und")
    controller.flush()
    controller.panel.edit.moveCursor(QTextCursor.MoveOperation.Start)
    QTest.keyClicks(controller.panel.edit, "Ja. ")
    controller.flush()
    press(area, job_workspace, Qt.Key.Key_Z)
    controller.flush()
    assert job_workspace.view.target(1) == TARGETS[1] + " und"
    press(area, job_workspace, Qt.Key.Key_Z)
    controller.stop_editing()
    assert job_workspace.view.target(1) == TARGETS[1]
    assert job_workspace.view.status(1) is ReviewStatus.OPEN
    assert not job_workspace.session.undo_text
    for expected in (f"{TARGETS[1]} und", f"Ja. {TARGETS[1]} und"):
        job_workspace.redo()
        assert job_workspace.view.target(1) == expected


def test_confirmed_text_after_undo_in_the_editor_is_one_step(area, job_workspace):
    controller = post_edit_controller(area)
    job_workspace.go_to(1)
    controller.open()
    type_at_end(area, " und")
    controller.flush()
    press(area, job_workspace, Qt.Key.Key_Z)
    controller.confirm()
    assert job_workspace.view.status(1) is ReviewStatus.CONFIRMED
    job_workspace.undo()
    assert (job_workspace.view.target(1), job_workspace.view.status(1)) == (TARGETS[1], ReviewStatus.OPEN)
    assert not job_workspace.session.undo_text


class HistoryWalk:
    """Random keys in the editor, with the texts that undo and redo can still reach."""

    def __init__(self, area: InspectArea, workspace: Workspace, seed: int) -> None:
        self.area, self.workspace, self.chance = area, workspace, random.Random(seed)
        self.controller = post_edit_controller(area)
        self.live, self.undone = [TARGETS[1]], []

    @property
    def text(self) -> str:
        return self.controller.panel.edit.line if self.controller.segment is not None else self.workspace.view.target(1)

    def type(self) -> None:
        QTest.keyClicks(self.controller.panel.edit, self.chance.choice("abc"))
        self.live.append(self.text)
        self.undone.clear()

    def move(self) -> None:
        ends = QTextCursor.MoveOperation.Start, QTextCursor.MoveOperation.End
        self.controller.panel.edit.moveCursor(self.chance.choice(ends))

    def undo(self) -> None:
        press(self.area, self.workspace, Qt.Key.Key_Z)
        self.go_back()

    def go_back(self) -> None:
        assert self.text in self.live
        while self.live[-1] != self.text:
            self.undone.append(self.live.pop())

    def redo(self) -> None:
        press(self.area, self.workspace, Qt.Key.Key_Y)
        if self.text not in [self.live[-1], *self.undone]:
            # typing that was undone before it was committed does not end the redo of earlier steps
            self.undone.append(self.text)
        while self.live[-1] != self.text:
            self.live.append(self.undone.pop())


@pytest.mark.parametrize("seed", range(6))
def test_typing_undo_and_redo_in_and_out_of_the_editor_are_one_history(area, job_workspace, seed):
    """Undo leads back to the loaded target through texts that were not undone before."""
    job_workspace.go_to(1)
    walk = HistoryWalk(area, job_workspace, seed)
    controller = walk.controller
    actions = [*[walk.type] * 3, walk.move, controller.flush, *[walk.undo] * 2, walk.redo, controller.stop_editing]
    for _ in range(40):
        if controller.segment is None:
            controller.open()
        walk.chance.choice(actions)()
    controller.stop_editing()
    while job_workspace.session.undo_text:
        job_workspace.undo()
        walk.go_back()
    assert walk.text == TARGETS[1]
