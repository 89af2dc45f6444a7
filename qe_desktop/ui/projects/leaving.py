"""Before a project is closed while rows wait: how many, why, and what can be done about it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QMessageBox, QWidget

from qe_desktop.ui.projects.project_keeper import ProjectKeeper
from qe_desktop.wording import tr

AT_ONCE = 2.0
"""Seconds that are waited before anybody is asked."""
LONGER = 15.0
"""Seconds that are waited because a person wants to."""
REFUGE = tr("They are kept in a file on this computer, and go into the project when it is opened here again.")


class LeaveQuestion(QMessageBox):
    """The question, with its three buttons."""

    def __init__(self, keeper: ProjectKeeper, window: QWidget) -> None:
        super().__init__(window)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(tr("{n:,} {n:change is|changes are} not in the project yet.", "", keeper.pending))
        why = f"{keeper.error.line()}\n\n" if keeper.error is not None else ""
        self.setInformativeText(f"{why}{REFUGE}")
        self.wait = self.addButton(tr("Wait and try again"), QMessageBox.ButtonRole.AcceptRole)
        self.leave = self.addButton(tr("Close all the same"), QMessageBox.ButtonRole.DestructiveRole)
        self.back = self.addButton(tr("Go back"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.wait)
        self.setEscapeButton(self.back)


def may_leave(keeper: ProjectKeeper, window: QWidget) -> bool:
    """Whether the project may be closed: at once where all is saved, else as a person decides."""
    patience = AT_ONCE
    while not keeper.wait(patience):
        box = LeaveQuestion(keeper, window)
        box.exec()
        clicked = box.clickedButton()
        box.deleteLater()
        if clicked is not box.wait:
            return clicked is box.leave
        patience = LONGER
    return True
