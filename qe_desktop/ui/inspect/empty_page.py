"""Page that is shown in the Inspect area while nothing is open."""

from __future__ import annotations

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
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

    def __init__(self, workspace: Workspace, content: QWidget) -> None:
        super().__init__(icon="inspect", centred=True, takes_focus=True)
        self._workspace, self._content = workspace, content
        self.show_state(NOTHING_OPEN)
        workspace.opened.connect(self._on_opened)
        # a widget that is shown before it has a parent would be a window
        (self if workspace.session is not None else content).hide()

    def _on_opened(self) -> None:
        is_open = self._workspace.session is not None
        self.setVisible(not is_open)
        self._content.setVisible(is_open)

    def showEvent(self, event: QShowEvent) -> None:
        """Take the focus, because the hidden segment list cannot have it."""
        super().showEvent(event)
        self.setFocus()
