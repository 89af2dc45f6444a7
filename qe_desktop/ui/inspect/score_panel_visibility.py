"""Whether the scores stand beside the segments: where there are any, and as the person wants it."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QSplitter, QWidget

from qe_desktop.corpus import TextRole
from qe_desktop.project import SessionChange
from qe_desktop.ui.workspace import Workspace

DEFAULT_WIDTH = 340
"""What the panel takes when it comes and no width is remembered."""


class ScorePanelVisibility(QObject):
    """Shows the panel while something is scored, and not where it could only say that nothing is.

    Who shows or hides it is asked no more: both are remembered, for corpora with scores and for those without.
    """

    def __init__(self, workspace: Workspace, panel: QWidget, splitter: QSplitter) -> None:
        super().__init__(panel)
        self._workspace = workspace
        self._panel, self._splitter = panel, splitter
        for signal in (workspace.opened, workspace.level_changed, workspace.reference_changed):
            signal.connect(self._follow)
        workspace.changed.connect(self._on_change)
        self._follow()

    @property
    def has_something(self) -> bool:
        """Whether anything is scored against anything, or gold could be made of a post-edit, which the panel offers."""
        view, reference = self._workspace.view, self._workspace.reference
        if view is None:
            return False
        # what one corrects comes to be a reference, and the text must not make room for that while one types
        usual = self._workspace.level.reference(view)
        looked = usual is not None and not view.follows_text(usual)
        scored = looked and reference is not None and bool(self._workspace.level.subjects(view, reference))
        return scored or {TextRole.MT, TextRole.POST_EDIT} <= set(view.corpus.texts)

    def toggle(self) -> None:
        """Show or hide the panel, and remember it."""
        settings, shown = self._workspace.settings, self._panel.isHidden()
        if self.has_something:
            settings.panel = shown
        else:
            settings.panel_without = shown
        self._follow()

    def _on_change(self, change: SessionChange) -> None:
        if change.layers:
            self._follow()

    def _follow(self) -> None:
        settings = self._workspace.settings
        self._panel.setVisible(settings.panel if self.has_something else settings.panel_without)
        sizes = self._splitter.sizes()
        if not self._panel.isHidden() and sizes and not sizes[-1]:
            self._splitter.setSizes([max(1, sum(sizes) - DEFAULT_WIDTH), DEFAULT_WIDTH])
