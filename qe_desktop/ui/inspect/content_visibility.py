"""Empty page that the Inspect area shows while nothing is open, and visibility of the score panel."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QPushButton, QSplitter, QWidget

from qe_desktop.corpus import TextRole
from qe_desktop.i18n.messages import tr
from qe_desktop.project import SessionChange
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.widgets.layouts import hbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import OPEN_FILES, OPEN_SAMPLE, EmptyState, PlaceholderPage, StateAction
from qe_desktop.ui.workspace import Workspace

NOTHING_OPEN = EmptyState(
    tr("Read segments word by word"),
    tr(
        "Open a bilingual file to review its MT, or a folder with source, MT and tags. You can also drop files "
        "anywhere on this window."
    ),
    (StateAction("file.open-folder", tr("Open folder…")), OPEN_FILES, OPEN_SAMPLE),
)


class EmptyInspectPage(PlaceholderPage):
    """Page that replaces the content of the Inspect area while nothing is open."""

    def __init__(self, workspace: Workspace, content: QSplitter) -> None:
        super().__init__(icon="inspect", centred=True, takes_focus=True)
        self._workspace, self._content = workspace, content
        self.show_state(NOTHING_OPEN)
        # a widget that is shown before it has a parent would be a window
        (self if workspace.session is not None else content).hide()

    def update_visibility(self) -> None:
        """Show the content if a session is open, otherwise this page.

        Call this after the content was updated, because visible content is laid out at each step of an update.
        """
        is_open = self._workspace.session is not None
        self.setVisible(not is_open)
        # a hidden splitter keeps the handle of a part that was hidden meanwhile, and would be laid out twice
        self._content.refresh()
        self._content.setVisible(is_open)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the focus, because the hidden segment list cannot have it."""
        super().showEvent(event)
        self.setFocus()


STATE_KEY = "inspect-columns"
"""Settings key of the splitter state."""
DEFAULT_WIDTH = 340
"""Default width of the panel in pixels."""
MIN_WINDOW_WIDTH = 1600
"""Minimum width in pixels of a window in which the panel is shown by default."""


class ScorePanelVisibility(QObject):
    """Controller that shows or hides the score panel in the views that have one.

    By default, the panel is shown if it has content and the window is wide enough. The user's choice is saved
    separately for corpora with and without content for the panel. The widths set with the splitter are also saved.
    """

    def __init__(self, workspace: Workspace, panel: QWidget, splitter: QSplitter) -> None:
        super().__init__(panel)
        self._workspace = workspace
        self._panel, self._splitter = panel, splitter
        self._inspect_view = InspectViewController.of(workspace)
        self._summary: QWidget | None = None
        signals = (workspace.opened, workspace.level_changed, workspace.reference_changed, self._inspect_view.switched)
        for signal in signals:
            signal.connect(self._update_visibility)
        workspace.changed.connect(self._on_change)
        splitter.setSizes([900, DEFAULT_WIDTH])
        if state := workspace.settings.state(STATE_KEY):
            splitter.restoreState(state)
        splitter.splitterMoved.connect(self._save_widths)
        splitter.installEventFilter(self)
        self._update_visibility()

    def _save_widths(self) -> None:
        self._workspace.settings.save_state(STATE_KEY, bytes(self._splitter.saveState().data()))

    def add_summary(self, button: QPushButton) -> QWidget:
        """Make a button toggle the panel; return a container for it, which is hidden in views without the panel."""
        self._summary = wrap_layout(hbox(button))
        button.clicked.connect(self.toggle)
        self._update_visibility()
        return self._summary

    @property
    def has_content(self) -> bool:
        """Whether the panel has content: scores against a reference, or a post-edit from which gold can be created."""
        view, reference = self._workspace.view, self._workspace.reference
        if view is None:
            return False
        # post-edits become a reference while the user types, but must not make the text narrower
        default_reference = self._workspace.level.reference(view)
        is_independent = default_reference is not None and not view.is_derived(default_reference)
        has_scores = is_independent and reference is not None and bool(self._workspace.level.subjects(view, reference))
        return has_scores or {TextRole.MT, TextRole.POST_EDIT} <= set(view.corpus.texts)

    def toggle(self) -> None:
        """Show or hide the panel and save the choice."""
        settings, show = self._workspace.settings, self._panel.isHidden()
        if self.has_content:
            settings.panel = "shown" if show else "hidden"
        else:
            settings.shows_panel_without_scores = show
        self._update_visibility()

    def _is_enabled_by_settings(self) -> bool:
        """Return whether a panel with content is shown: the setting decides or, if it is "auto", the window width."""
        chosen = self._workspace.settings.panel
        return chosen == "shown" or (chosen == "auto" and self._splitter.window().width() >= MIN_WINDOW_WIDTH)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Update the visibility of the panel when the window is resized."""
        if event.type() == QEvent.Type.Resize:
            self._update_visibility()
        return False

    def _on_change(self, change: SessionChange) -> None:
        if change.affects_all_views:
            self._update_visibility()

    def _update_visibility(self) -> None:
        settings = self._workspace.settings
        is_wanted = self._is_enabled_by_settings() if self.has_content else settings.shows_panel_without_scores
        self._panel.setVisible(is_wanted and self._inspect_view.view_mode.score_panel)
        if self._summary is not None:
            self._summary.setVisible(self._inspect_view.view_mode.score_panel)
        sizes = self._splitter.sizes()
        if not self._panel.isHidden() and sizes and not sizes[-1]:
            self._splitter.setSizes([max(1, sum(sizes) - DEFAULT_WIDTH), DEFAULT_WIDTH])
