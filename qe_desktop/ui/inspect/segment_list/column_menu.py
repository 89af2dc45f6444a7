"""Menu that shows or hides those columns of the segment list that are hidden in a narrow window by default."""

from __future__ import annotations

from PySide6.QtCore import QObject, QPoint, Qt
from PySide6.QtWidgets import QMenu

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.inspect.segment_list.segment_view import FOLDED_COLUMNS, SegmentView
from qe_desktop.ui.settings import Settings

COLUMN_NAMES = {SegmentColumn.DOCUMENT: tr("Document"), SegmentColumn.DISPUTED: tr("Disagreement (≠)")}


class SegmentColumnMenu(QObject):
    """Controller of the visible columns, which are selected in a context menu of the list header or in a submenu.

    The selection is saved in the settings.
    """

    def __init__(self, view: SegmentView, settings: Settings, parent_menu: QMenu) -> None:
        super().__init__(view)
        self._view, self._settings = view, settings
        self.submenu = parent_menu.addMenu(tr("Columns"))
        parent_menu.aboutToShow.connect(self._fill_submenu)
        header = view.horizontalHeader()
        header.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        header.customContextMenuRequested.connect(self._show_menu)
        self._apply()

    def fill(self, menu: QMenu) -> None:
        """Fill a menu with the columns that can be hidden and, if the user changed any, a command to reset them."""
        menu.clear()
        for column in self._view.foldable_columns:
            action = menu.addAction(COLUMN_NAMES[column])
            action.setCheckable(True)
            action.setChecked(not self._view.isColumnHidden(column))
            action.toggled.connect(lambda visible, column=column: self._set_column_visible(column, visible))
        if self._settings.list_columns:
            menu.addSeparator()
            menu.addAction(tr("&Default"), self._reset)

    def _fill_submenu(self) -> None:
        self.fill(self.submenu)
        self.submenu.menuAction().setVisible(bool(self._view.foldable_columns))

    def _show_menu(self, position: QPoint) -> None:
        if self._view.foldable_columns:
            menu = QMenu(self._view)
            menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
            self.fill(menu)
            menu.popup(self._view.horizontalHeader().mapToGlobal(position))

    def _set_column_visible(self, column: SegmentColumn, visible: bool) -> None:
        self._settings.list_columns = {**self._settings.list_columns, column.name.lower(): visible}
        self._apply()

    def _reset(self) -> None:
        self._settings.list_columns = {}
        self._apply()

    def _apply(self) -> None:
        chosen = self._settings.list_columns
        names = {column: column.name.lower() for column in FOLDED_COLUMNS}
        self._view.set_column_choices({column: chosen[name] for column, name in names.items() if name in chosen})
