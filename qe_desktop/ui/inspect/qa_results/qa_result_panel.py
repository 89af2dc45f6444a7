"""Panel with the QA check results: table, filter by check, progress and export; without results, a placeholder."""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QMenu, QStackedWidget, QToolButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.inspect.qa_results.qa_result_list import COLUMNS, QaResultList
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.form_controls import make_combo_box, make_tool_button, set_combo_items, set_needs
from qe_desktop.ui.widgets.labels import ElidedLabel
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage
from qe_desktop.ui.widgets.progress_bar import ProgressPanel
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable

EXPORTS = {"html": tr("As HTML page…"), "tsv": tr("As TSV…")}
"""Menu texts of the exports, by file suffix."""


class QaResultPanel(QWidget):
    """Panel with QA check results; `listed` contains the results of the selected check or, if none is selected, all."""

    run_requested = Signal()
    stop_requested = Signal()
    closed = Signal()
    """Emitted when the user closes the panel to return to the segment list."""
    export_requested = Signal(str)
    """Emitted when the user requests an export, with the suffix of the file."""
    current_row_changed = Signal(int)
    """Emitted with the row that the user selected."""
    row_activated = Signal(int)
    """Emitted with the row that the user opens with Enter or a double click."""

    def __init__(self, settings: Settings) -> None:
        super().__init__()
        self._all_results = self.listed = QaResultList()
        self.table = AutoWidthTable(settings, tr("QA check results"), COLUMNS)
        self.table.setSelectionMode(AutoWidthTable.SelectionMode.SingleSelection)
        self.placeholder = PlaceholderPage(icon="info", centred=True)
        self.title = ElidedLabel(token="muted")
        self.progress = ProgressPanel(tr("QA checks"), tr("Cancel"))
        self.check_again_button = make_tool_button(tr("Check again"), tr("Check all current targets"))
        self.check_combo_box = make_combo_box(tr("Check"), tr("Show the results of one check"))
        self.check_combo_box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.export = make_tool_button(tr("Export"), tr("Export the listed results to a file"))
        self.close_button = make_tool_button("✕", tr("Back to the segment list (Escape)"))
        self.close_button.setAccessibleName(tr("Back to the segment list"))
        for button in (self.check_again_button, self.export, self.close_button):
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self._stack = QStackedWidget()
        for page in (self.placeholder, self.table):
            self._stack.addWidget(page)
        tools = (self.progress, self.check_combo_box, self.check_again_button, self.export, self.close_button)
        head = hbox(Stretched(self.title, 1), *tools, gap=8, margins=(16, 4, 16, 4))
        vbox(head, Stretched(self._stack, 1), on=self, gap=0)
        self._add_export_menu()
        self._connect()

    def _add_export_menu(self) -> None:
        menu = QMenu(self)
        for suffix, text in EXPORTS.items():
            menu.addAction(text, partial(self.export_requested.emit, suffix))
        self.export.setMenu(menu)
        self.export.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)

    def _connect(self) -> None:
        self.check_again_button.clicked.connect(self.run_requested)
        self.close_button.clicked.connect(self.closed)
        self.progress.stopped.connect(self.stop_requested)
        self.check_combo_box.activated.connect(self._on_check_selected)
        self.table.cell_activated.connect(self._on_entered)
        self.table.selectionModel().currentRowChanged.connect(self._on_row)

    # --- state

    @property
    def current_row(self) -> int | None:
        """Current row of the table; None if there is none."""
        index = self.table.currentIndex()
        return index.row() if index.isValid() else None

    def show_title(self, text: str, *, outdated: bool = False) -> None:
        """Show the title of the list; disable the export if the results are outdated or there are none."""
        self.title.set_token("warning" if outdated else "muted")
        self.title.setText(text)
        missing = "" if self.listed.items else tr("There are no results to export.")
        set_needs(self.export, tr("The results are outdated. Check again first.") if outdated else missing)

    def show_progress(self, fraction: float, text: str) -> None:
        """Show the progress of a run."""
        self.progress.show_progress(text, fraction)
        self.check_again_button.hide()

    def show_results(self, results: QaResultList) -> None:
        """Show results and clear the current row; the selected check stays selected if it has results."""
        self._all_results = results
        titles = [(tr("All checks ({n:,})", "", len(results.items)), "")]
        for (name, title), count in results.counts().items():
            titles.append((tr("{check} ({n:,})", "", count, check=title), name))
        chosen = self.check_combo_box.currentData() or ""
        with QSignalBlocker(self.check_combo_box):
            set_combo_items(self.check_combo_box, titles)
            self.check_combo_box.setCurrentIndex(max(0, self.check_combo_box.findData(chosen)))
        self._list_results()

    def show_state(self, state: EmptyState | None) -> None:
        """Show a placeholder or, if `state` is None, the table; hide the progress."""
        self.progress.hide()
        self.check_again_button.show()
        focused = self.table.hasFocus() or self.hasFocus()
        if state is not None:
            self.placeholder.show_state(state)
        self._stack.setCurrentWidget(self.table if state is None else self.placeholder)
        # the placeholder takes no focus
        self.setFocusProxy(self.table if state is None else None)  # type: ignore[arg-type]
        self.check_combo_box.setVisible(state is None)
        if focused:
            self.setFocus()

    def select_row(self, row: int) -> None:
        """Select a row without emitting `current_row_changed`; clear the selection if the row does not exist."""
        index = self.table.table.index(row, 0)
        selection = self.table.selectionModel()
        with QSignalBlocker(self):
            if index.isValid():
                flags = QItemSelectionModel.SelectionFlag.ClearAndSelect | QItemSelectionModel.SelectionFlag.Rows
                selection.setCurrentIndex(index, flags)
                self.table.scrollTo(index)
            else:
                selection.clear()

    # --- reactions

    def _list_results(self) -> None:
        self.listed = self._all_results.of_check(self.check_combo_box.currentData() or "")
        with QSignalBlocker(self):
            self.table.show_rows(self.listed.rows)

    def _on_check_selected(self) -> None:
        self._list_results()
        self.select_row(0)

    def _on_entered(self, index: QModelIndex) -> None:
        if index.isValid():
            self.row_activated.emit(index.row())

    def _on_row(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            self.current_row_changed.emit(current.row())

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return to the segment list on Escape."""
        if event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
