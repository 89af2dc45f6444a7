"""Tracker of the table view whose current cell a page describes; the selections of its other views are muted."""

from __future__ import annotations

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication, QWidget

from qe_desktop.ui.widgets.tables.table_view import CopyableTableView


class DescribedViewTracker(QObject):
    """Tracker of the table or matrix of `page` that has the focus or had it last.

    A view that receives the focus emits the description of its current cell. Until one is used, no selection is muted.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._described: QWidget | None = page
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def set_described(self, described: QWidget | None) -> None:
        """Paint the selection of the view `described` as usual, and those of all other views of the page muted."""
        if described is not self._described:
            self._described = described
            # pages add views later
            for view in self._page.findChildren(CopyableTableView):
                view.set_described(view is described)

    def focused_view(self) -> CopyableTableView | None:
        """Return the table or matrix of the page that has the focus; None if none has it."""
        focused = QApplication.focusWidget()
        return focused if isinstance(focused, CopyableTableView) and self._page.isAncestorOf(focused) else None

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, CopyableTableView) and self._page.isAncestorOf(now):
            self.set_described(now)
            now.emit_description()
