"""What to do where there are texts and no tags at all: one line, which goes when it was done."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton, QWidget

from qe_desktop.corpus import Kind, TextRole, View
from qe_desktop.project import Change
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.inspect.offered import judged
from qe_desktop.ui.parts.labels import ElidedLabel
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr

COMMANDS = {"edit.qe-checks": tr("Plain checks"), "edit.qe-run": tr("Run a QE system…")}


class UntaggedLine(QWidget):
    """Leads to the commands that mark words."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._workspace = workspace
        self.said = ElidedLabel(tr("No word is marked yet."), token="muted")
        self.buttons = {id: QToolButton() for id in COMMANDS}
        for id, button in self.buttons.items():
            button.setText(COMMANDS[id])
        row_of(self.said, *self.buttons.values(), Placed(QWidget(), 1), on=self, gap=6, margins=(8, 0, 0, 0))
        self.hide()
        workspace.opened.connect(self.refresh)
        workspace.changed.connect(self._on_change)

    def connect_actions(self, commands: ActionTable) -> None:
        """Say what the buttons do; they say on hover what the commands do."""
        for id, button in self.buttons.items():
            button.clicked.connect(commands[id].trigger)
            button.setToolTip(commands[id].toolTip())
        self.refresh()

    def _on_change(self, change: Change) -> None:
        if change.layers:
            self.refresh()

    def refresh(self) -> None:
        """Stand there, or not; for whoever has given this its place in a window."""
        session, view = self._workspace.session, self._workspace.view
        may = session is not None and not session.read_only
        self.setVisible(may and view is not None and is_untagged(view))


def is_untagged(view: View) -> bool:
    """Whether there are a source and an MT, and nobody said anything of a word or a gap; correcting says nothing."""
    texts = view.corpus.texts
    if TextRole.SOURCE not in texts or TextRole.MT not in texts:
        return False
    return not any(judged(view, kind) for kind in (Kind.WORDS, Kind.GAPS, Kind.SOURCE))
