"""Undo steps created by typing, kept in sync with undo and redo in the target editor."""

from __future__ import annotations

from typing import NamedTuple

from qe_desktop.corpus import View
from qe_desktop.project.undo_manager import StepOrder
from qe_desktop.ui.inspect.postedit.target_editor import TargetEditor
from qe_desktop.ui.workspace import Workspace


class _TypedStep(NamedTuple):
    """Undo step of the session that stores the edited target `line`.

    `position` is the number of available undo steps in the editor's own history; `order` is the position of the step
    among all steps of the session.
    """

    position: int
    line: str
    order: StepOrder


class TypingHistory:
    """Undo steps of the session that store the edits made in a target editor.

    The editor has its own undo history. If an undo in the editor were committed as a new edit, the next undo would
    revert that edit. Instead, undo and redo in the editor also undo and redo the steps of the session.
    """

    def __init__(self, workspace: Workspace, editor: TargetEditor) -> None:
        self._workspace = workspace
        self._editor = editor
        self._undoable: list[_TypedStep] = []
        self._undone: list[_TypedStep] = []
        self._lowest_position = 0
        """Lowest position that was reached in the editor's undo history since the last commit."""
        self.is_syncing = False
        """Whether steps are being undone or redone; meanwhile, editor and session may contain different texts."""
        editor.typed.connect(self._on_typed)

    def clear(self) -> None:
        """Forget all steps and clear the editor's own history, so that the next undo reverts a step of the session."""
        self._editor.document().clearUndoRedoStacks()
        self._undoable, self._undone = [], []
        self._lowest_position = 0

    @property
    def _position(self) -> int:
        return self._editor.document().availableUndoSteps()

    def _on_typed(self) -> None:
        self._lowest_position = min(self._lowest_position, self._position)

    def add(self) -> None:
        """Record that the text of the editor was committed as an undo step of the session."""
        session = self._workspace.session
        if session is not None:
            self._lowest_position = self._position
            self._undoable.append(_TypedStep(self._lowest_position, self._editor.line, session.undo_manager.undo_order))
            self._undone.clear()

    def sync_with_editor(self) -> View | None:
        """Undo the steps whose edits were undone in the editor, and redo the steps whose text the editor shows again.

        Return the resulting view of the session; None if no session is open.
        """
        if self._undoable or self._undone:
            self.is_syncing = True
            self._workspace.attempt(self._sync_steps)
            self.is_syncing = False
        return self._workspace.view

    def _sync_steps(self) -> None:
        session, position, line = self._workspace.session, self._position, self._editor.line
        if session is None:
            return
        steps = session.undo_manager
        while (
            self._undoable
            and self._lowest_position < self._undoable[-1].position
            and self._undoable[-1].order == steps.undo_order
        ):
            step = self._undoable.pop()
            session.undo()
            self._undone.append(step._replace(order=steps.redo_order))
        self._lowest_position = position
        while (
            any(step.line == line and step.position <= position for step in self._undone)
            and self._undone[-1].order == steps.redo_order
        ):
            step = self._undone.pop()
            session.redo()
            self._undoable.append(step._replace(order=steps.undo_order))
