"""Command that computes gold from the open post-edit in a background job, or removes the computed gold."""

from __future__ import annotations

from dataclasses import replace

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QMessageBox, QWidget

from qe_desktop.corpus import Kind, Layer
from qe_desktop.i18n.messages import tr
from qe_desktop.project import Session
from qe_desktop.project.review.post_edit_gold import (
    existing_gold_layers,
    gold_from_post_edit,
    missing_gold_kinds,
    post_edit_caution,
)
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.widgets.dialogs import WarningBox, show_question
from qe_desktop.ui.workspace import Workspace

COMMAND = "edit.post-edit-gold"
JOB = "post-edit-gold"


def possible_gold_kinds(workspace: Workspace) -> tuple[Kind, ...]:
    """Return the kinds of gold that can be computed; empty if no corpus is open or the session is read-only."""
    session = workspace.session
    return () if session is None or session.read_only else missing_gold_kinds(session.corpus)


def make_gold(workspace: Workspace) -> None:
    """Compute missing gold from the post-edit in the background; add it unless other files were opened meanwhile."""
    session = workspace.session
    if session is None:
        return
    corpus = session.corpus

    def work(progress: Progress) -> tuple[Layer, ...]:
        return gold_from_post_edit(corpus, progress.report)

    def done(layers: tuple[Layer, ...]) -> None:
        # gold may have been read from a file in the meantime, and takes precedence
        now, kinds = session.corpus, missing_gold_kinds(session.corpus)
        new_layers = {layer.key: layer for layer in layers if layer.key.kind in kinds}
        if new_layers and session is workspace.session:
            workspace.attempt(lambda: session.extend(replace(now, layers={**now.layers, **new_layers})))
            caution = post_edit_caution(corpus)
            if caution:
                workspace.warning_posted.emit(caution)

    workspace.jobs.submit(tr("Gold from the post-edit"), work, done, latest=JOB, owner=workspace, computing=True)


class GoldFromPostEdit(QObject):
    """Controller of the command that computes gold from the post-edit or, if such gold exists, removes it."""

    def __init__(self, workspace: Workspace, commands: ActionRegistry, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._commands = commands
        self._window = window
        commands.connect_to(COMMAND, self._run, enabled=False)
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._show)

    def _on_opened(self) -> None:
        self.workspace.jobs.cancel(JOB)
        self._show()

    def _show(self) -> None:
        """Update the text and state of the command."""
        session = self.workspace.session
        has_gold = session is not None and not session.read_only and bool(existing_gold_layers(session.corpus))
        self._commands[COMMAND].setEnabled(has_gold or bool(possible_gold_kinds(self.workspace)))
        self._commands.set_text(COMMAND, tr("Remove the gold derived from the post-edit") if has_gold else "")

    def _run(self) -> None:
        session = self.workspace.session
        if session is None:
            return
        if existing_gold_layers(session.corpus):
            self._remove(session)
        else:
            make_gold(self.workspace)

    def _remove(self, session: Session) -> None:
        layers = existing_gold_layers(session.corpus)
        edited = {int(segment) for key in layers if key.kind.is_tags for segment in session.view.edited_segments(key)}
        if edited:
            self._ask_remove(session, len(edited))
        else:
            self._remove_layers(session)

    def _remove_layers(self, session: Session) -> None:
        for key in existing_gold_layers(session.corpus):
            self.workspace.attempt(lambda key=key: session.remove(key))  # type: ignore[misc]

    def _ask_remove(self, session: Session, edited: int) -> None:
        """Ask whether the user's edits may be deleted together with the gold; if so, remove the gold."""
        more = tr(
            "Removing the gold also removes your edits in {n:,} {n:segment|segments}. You can undo this.", "", edited
        )
        box = WarningBox(tr("You edited the gold derived from the post-edit."), more, self._window)
        remove = box.addButton(tr("Remove gold"), QMessageBox.ButtonRole.DestructiveRole)
        keep = box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole)
        box.setDefaultButton(keep)
        box.setEscapeButton(keep)

        def answered() -> None:
            if box.clickedButton() is remove and session is self.workspace.session:
                self._remove_layers(session)

        show_question(box, answered)
