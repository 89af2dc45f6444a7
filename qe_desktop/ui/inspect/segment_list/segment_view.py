"""View of the segment list, and the menu of its columns."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping

from PySide6.QtCore import QEvent, QModelIndex, QObject, QPoint, QRect, Qt, Signal
from PySide6.QtGui import (
    QFontMetrics,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPalette,
    QResizeEvent,
)
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QMenu, QStyleOptionViewItem, QTableView

from qe_desktop.corpus import ReviewStatus
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.action_registry import with_shortcut
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL, STATUS_SYMBOLS
from qe_desktop.ui.inspect.reader.layout_metrics import text_left
from qe_desktop.ui.inspect.segment_list.segment_delegate import SegmentDelegate
from qe_desktop.ui.inspect.segment_list.segment_model import COLUMNS, SegmentColumn, SegmentModel
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current, themes
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.keyboard_focus import paint_focus_frame
from qe_desktop.ui.widgets.tables.table_delegate import PADDING
from qe_desktop.ui.widgets.tables.table_header import HEADER_ORDER_ROLE, TableHeader

SCORE_COLUMNS = frozenset((SegmentColumn.GOLD, SegmentColumn.SCORE, SegmentColumn.ERROR))
MIN_SCORE_CHARS, MAX_SCORE_CHARS = 10, 18
"""Minimum and maximum width of a score column in characters."""
FOLDED_COLUMNS = (SegmentColumn.DOCUMENT, SegmentColumn.DISPUTED)
"""Columns that are hidden, in this order, if the list is too narrow."""
MIN_TEXT_CHARS = 46
"""Width of a text column in characters below which `FOLDED_COLUMNS` are hidden."""
NOTHING_OPEN = tr("No files open. Drop files here, or open a folder or files from the File menu.")


class SegmentView(QTableView):
    """Table with one line per row; source and MT share the width that the other columns leave free."""

    all_requested = Signal()
    """Emitted to clear the filters."""
    column_chosen = Signal(SegmentColumn)
    """Emitted when a column title is clicked."""
    copy_requested = Signal()
    """Emitted to copy the current segment."""
    edit_requested = Signal(SegmentColumn, object)
    """Emitted on a double click to edit a segment, with the column and the word index (None if no word was clicked)."""

    def __init__(self, model: SegmentModel, keys: Callable[[QKeyEvent], bool]) -> None:
        super().__init__()
        self._handle_key_first = keys
        self.setModel(model)
        self.clear_button = FlatButton(tr("Clear filters"), parent=self.viewport())
        self.clear_button.clicked.connect(self.setFocus)
        self.clear_button.clicked.connect(self.all_requested)
        self.clear_button.hide()
        model.modelReset.connect(self._place_clear_button)
        self.setAccessibleName(tr("Segments"))
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerItem)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setFrameShape(QTableView.Shape.NoFrame)
        self.verticalHeader().hide()
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._header = TableHeader(self)
        self.setHorizontalHeader(self._header)
        # the review status is next to the segment number
        self._header.moveSection(SegmentColumn.STATUS, SegmentColumn.NUMBER + 1)
        self._header.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self._header.sectionClicked.connect(lambda section: self.column_chosen.emit(SegmentColumn(section)))
        self._filled_columns = frozenset(
            (SegmentColumn.SOURCE, SegmentColumn.MT, SegmentColumn.BAD, SegmentColumn.DISPUTED)
        )
        self._optional_columns: tuple[SegmentColumn, ...] = FOLDED_COLUMNS
        self._unselected_columns: frozenset[SegmentColumn] = frozenset()
        """Optional columns that are shown only if the user selects them."""
        self._column_choices: Mapping[SegmentColumn, bool] = {}
        self._shows_differences = False
        themes.theme_changed.connect(self._update_colours)
        self._update_colours()
        self.measure()

    def _update_colours(self) -> None:
        """Set the colours of the selected row, in which marks must be as legible as in other rows."""
        palette = self.palette()
        for group in (QPalette.ColorGroup.Active, QPalette.ColorGroup.Inactive):
            palette.setColor(group, QPalette.ColorRole.Highlight, current().selection)
            palette.setColor(group, QPalette.ColorRole.HighlightedText, current().text)
        self.setPalette(palette)

    def set_columns(self, filled: Iterable[SegmentColumn], *, is_score_optional: bool, is_score_shown: bool) -> None:
        """Show the columns `filled` in addition to the segment number.

        If `is_score_optional` is true, the user can show or hide the score column, and a narrow list hides the column.
        `is_score_shown` states whether the column is shown until the user makes a choice.
        """
        self._filled_columns = frozenset(filled)
        self._optional_columns = (*FOLDED_COLUMNS, SegmentColumn.SCORE) if is_score_optional else FOLDED_COLUMNS
        self._unselected_columns = frozenset() if is_score_shown else frozenset((SegmentColumn.SCORE,))
        self.measure()

    def set_column_choices(self, choices: Mapping[SegmentColumn, bool]) -> None:
        """Show or hide columns at any width; other `foldable_columns` are hidden in a narrow list."""
        self._column_choices = choices
        self.measure()

    @property
    def foldable_columns(self) -> list[SegmentColumn]:
        """Non-empty columns that the user can hide, or that are hidden in a narrow list."""
        return [column for column in self._optional_columns if column in self._filled_columns]

    def set_differences_shown(self, visible: bool) -> None:
        """Show or hide the difference column, which replaces the score columns."""
        self._shows_differences = visible
        self.measure()

    def measure(self) -> None:
        """Compute row height and column widths from the font."""
        metrics = QFontMetrics(self.font())
        row = round(metrics.height() * 1.75)
        self.verticalHeader().setDefaultSectionSize(row)
        # otherwise a bar above a list of few rows would move the texts down
        self.setMinimumHeight(self._header.sizeHint().height() + row)
        # even a short list may contain the segment with the highest number
        number = metrics.horizontalAdvance(f"{max(self._segment_count(), 1000):,}") + 2 * PADDING
        symbols = metrics.horizontalAdvance(f"{STATUS_SYMBOLS[ReviewStatus.EDITED]} {NOTE_SYMBOL}") + PADDING
        count = metrics.horizontalAdvance("BAD") + 26
        bad_title = str(self.model().headerData(SegmentColumn.BAD, Qt.Orientation.Horizontal) or "")
        title = metrics.horizontalAdvance(COLUMNS[SegmentColumn.DOCUMENT].header) + 2 * PADDING
        widths = {
            SegmentColumn.NUMBER: number,
            SegmentColumn.DOCUMENT: max(metrics.horizontalAdvance("0") * 16, title),
            SegmentColumn.BAD: max(count, metrics.horizontalAdvance(bad_title) + 26),
            SegmentColumn.DISPUTED: count,
            **{column: self._score_width(column) for column in SCORE_COLUMNS},
            SegmentColumn.DIFFERENCE: metrics.horizontalAdvance("0") * 26,
            # texts begin where the texts in the reader begin
            SegmentColumn.STATUS: max(
                symbols, self._header.required_width(SegmentColumn.STATUS), text_left(self.font()) - number - PADDING
            ),
        }
        visible = {SegmentColumn.NUMBER, *self._filled_columns}
        if self._shows_differences:
            visible = (visible - SCORE_COLUMNS) | {SegmentColumn.DIFFERENCE}
        texts = [column for column in (SegmentColumn.SOURCE, SegmentColumn.MT) if column in visible]
        visible = self._drop_folded(visible, widths, metrics.horizontalAdvance("0") * MIN_TEXT_CHARS * len(texts))
        text_width = max(200, self._text_width(visible, widths))
        for index, column in enumerate(texts):
            widths[column] = (
                text_width // 2 if index + 1 < len(texts) else text_width - text_width // 2 * (len(texts) - 1)
            )
        for table_column in SegmentColumn:
            self.setColumnHidden(table_column, table_column not in visible)
            self.setColumnWidth(table_column, widths.get(table_column, 0))

    def _segment_count(self) -> int:
        """Return the number of all segments in the corpus, including those that are not listed."""
        model = self.model()
        return (
            model.list_state.view.corpus.size if isinstance(model, SegmentModel) and model.list_state is not None else 0
        )

    def _text_width(self, visible: Collection[SegmentColumn], widths: Mapping[SegmentColumn, int]) -> int:
        """Return the width in pixels that is left for the texts."""
        return self.viewport().width() - sum(width for column, width in widths.items() if column in visible)

    def _drop_folded(
        self, visible: set[SegmentColumn], widths: Mapping[SegmentColumn, int], min_width: int
    ) -> set[SegmentColumn]:
        """Return `visible` without columns that the user hid, or that are hidden to leave `min_width` for texts."""
        optional, choices = self.foldable_columns, self._column_choices
        hidden = {column for column in optional if not choices.get(column, column not in self._unselected_columns)}
        visible = visible - hidden
        for column in optional:
            order = self.model().headerData(column, Qt.Orientation.Horizontal, HEADER_ORDER_ROLE)
            # the sort column is not hidden, because it explains the order
            if self._text_width(visible, widths) < min_width and column not in choices and order is None:
                visible = visible - {column}
        return visible

    def _score_width(self, column: SegmentColumn) -> int:
        """Return the width of a score column in pixels, for its numbers and, up to `MAX_SCORE_CHARS`, for its title."""
        letter = self.fontMetrics().horizontalAdvance("0")
        return min(max(self._header.required_width(column), letter * MIN_SCORE_CHARS), letter * MAX_SCORE_CHARS)

    def shown_titles(self) -> dict[SegmentColumn, str]:
        """Return the titles of the columns on screen, from left to right."""
        columns = [SegmentColumn(self._header.logicalIndex(index)) for index in range(self._header.count())]
        model, horizontal = self.model(), Qt.Orientation.Horizontal
        return {
            column: model.headerData(column, horizontal) or "" for column in columns if not self.isColumnHidden(column)
        }

    def show_row(self, row: int | None) -> None:
        """Select a row and scroll to it; None clears the selection."""
        if row is None:
            self.clearSelection()
            self.setCurrentIndex(QModelIndex())
            return
        # scrolling to a hidden column would fail
        texts = not self.isColumnHidden(SegmentColumn.MT)
        index = self.model().index(row, SegmentColumn.MT if texts else SegmentColumn.NUMBER)
        if index != self.currentIndex():
            self.setCurrentIndex(index)
        self.scrollTo(index)

    def show_first_row(self) -> None:
        """Select the first row, if there is one."""
        self._show_edge(0)

    def show_last_row(self) -> None:
        """Select the last row, if there is one."""
        self._show_edge(self.model().rowCount() - 1)

    def _show_edge(self, row: int) -> None:
        if self.model().rowCount():
            self.show_row(row)

    def keyboardSearch(self, search: str) -> None:
        """Do nothing, because letters are shortcuts, even if the current view hides their commands."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Handle row navigation and copying; let `SegmentTagEditor` handle other keys first."""
        if event.matches(QKeySequence.StandardKey.Copy):
            self.copy_requested.emit()
            return
        is_row_navigation = event.key() in (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)
        is_edge_key = event.key() in (Qt.Key.Key_Home, Qt.Key.Key_End)
        if is_edge_key and not event.modifiers():
            (self.show_first_row if event.key() == Qt.Key.Key_Home else self.show_last_row)()
        elif is_row_navigation or not self._handle_key_first(event):
            super().keyPressEvent(event)
            if event.key() == Qt.Key.Key_Escape or (event.text() and event.text().isprintable()):
                # Qt searches for letters and treats Escape as one
                event.ignore()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Request editing of the segment at the word under the mouse pointer."""
        index, delegate = self.indexAt(event.position().toPoint()), self.itemDelegate()
        if event.button() == Qt.MouseButton.LeftButton and index.isValid() and isinstance(delegate, SegmentDelegate):
            cell = QStyleOptionViewItem()
            self.initViewItemOption(cell)
            cell.rect = self.visualRect(index)
            self.edit_requested.emit(SegmentColumn(index.column()), delegate.word_at(cell, index, event.position().x()))

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw a frame around the current row if the list has the focus, and a message if the list is empty."""
        super().paintEvent(event)
        row = self.currentIndex().row()
        if self.hasFocus() and row >= 0:
            painter = QPainter(self.viewport())
            row_rect = QRect(0, self.rowViewportPosition(row), self.viewport().width(), self.rowHeight(row))
            paint_focus_frame(painter, row_rect)
            painter.end()
        if self.model().rowCount() == 0:
            painter = QPainter(self.viewport())
            painter.setPen(current().muted)
            alignment = int(Qt.AlignmentFlag.AlignCenter | Qt.TextFlag.TextWordWrap)
            if not self._is_button_alone():
                painter.drawText(self._message_rect(), alignment, self.empty_text())
            painter.end()

    def _place_clear_button(self) -> None:
        """Show the clear-filters button below the message of an empty list, or alone if they do not both fit."""
        model, button = self.model(), self.clear_button
        state = model.list_state if isinstance(model, SegmentModel) else None
        button.setVisible(state is not None and state.view.corpus.size > 0 and model.rowCount() == 0)
        button.setToolTip(with_shortcut(tr("Show all segments"), "inspect.all"))
        button.adjustSize()
        size, area = button.size(), self.viewport().rect()
        top = (area.height() - size.height()) // 2 if self._is_button_alone() else self._message_rect().bottom() + 1
        button.move((area.width() - size.width()) // 2, top)

    def _is_button_alone(self) -> bool:
        """Return whether there is room for the button that clears the filters, but not for the message above it."""
        needed = self.fontMetrics().lineSpacing() + 2 * PADDING + self.clear_button.sizeHint().height()
        return not self.clear_button.isHidden() and self.viewport().height() < needed

    def _message_rect(self) -> QRect:
        """Return the rectangle in which the message of an empty list is centred: above the button if it is shown."""
        area = self.viewport().rect().adjusted(16, 0, -16, 0)
        if self.clear_button.isHidden():
            return area
        line = self.fontMetrics().lineSpacing() + PADDING
        top = max(0, (area.height() - line - self.clear_button.height()) // 2)
        return QRect(area.left(), top, area.width(), line)

    def empty_text(self) -> str:
        """Return the message that is shown in an empty list."""
        model = self.model()
        if not isinstance(model, SegmentModel) or model.list_state is None:
            return NOTHING_OPEN
        return tr("No matching segments.")

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Distribute the new width among the columns; keep the current row visible if it was visible before."""
        rect = self.visualRect(self.currentIndex())
        was_visible = rect.isValid() and rect.top() >= 0 and rect.bottom() < event.oldSize().height()
        super().resizeEvent(event)
        self.measure()
        self._place_clear_button()
        if was_visible and rect.bottom() >= self.viewport().height():
            self.scrollTo(self.currentIndex())

    def changeEvent(self, event: QEvent) -> None:
        """Recompute row height and column widths after a font change."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self.measure()


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
            title = self._view.model().headerData(column, Qt.Orientation.Horizontal)
            action = menu.addAction(COLUMN_NAMES.get(column) or title.replace("&", "&&"))
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
        names = {column: column.name.lower() for column in (*FOLDED_COLUMNS, SegmentColumn.SCORE)}
        self._view.set_column_choices({column: chosen[name] for column, name in names.items() if name in chosen})
