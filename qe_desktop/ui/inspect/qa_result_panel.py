"""Panel with the list of QA check results in text order: table, filter by check, progress and placeholders.

A `QaResultList` is immutable and may be created on any thread.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QRect, QRectF, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QComboBox, QMenu, QStackedWidget, QToolButton, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK, parse_line_codes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.local_qe.qa_checks.check import Check
from qe_desktop.local_qe.qa_checks.check_results import QaResult, qa_result_position
from qe_desktop.local_qe.qa_checks.runner import CHECKS
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.inspect.reader.word_decorations import draw_text_with_codes
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.theme import current
from qe_desktop.ui.widgets.form_controls import make_combo_box, make_tool_button, set_combo_items, set_needs
from qe_desktop.ui.widgets.labels import ElidedLabel
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage
from qe_desktop.ui.widgets.progress_bar import ProgressPanel
from qe_desktop.ui.widgets.tables.table_delegate import TableDelegate
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, table_row, text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable

MAX_RESULTS = 100_000
"""Maximum number of results in a list."""
CONTEXT_CHARS, MAX_EXCERPT_CHARS = 30, 160
"""Maximum numbers of characters in an excerpt: before the result, and in total."""
ResultPosition = tuple[int, int, int, str]
"""Sort key of a result, as returned by `qa_result_position`."""
NOT_CHECKABLE = EmptyState(
    tr("Nothing to check"), tr("QA checks compare targets with their sources. Open files that have both."), icon=""
)
RUNNING = EmptyState(tr("Checking all targets…"), "", icon="")
OUTDATED = EmptyState(tr("No up-to-date results"), tr("Select “Check again” to check all targets."), icon="")


def target_excerpt(result: QaResult) -> str:
    """Return the part of the target around a result, on one line."""
    text = result.target.replace(LINE_BREAK, " ")
    start = max(0, min(result.span[0], len(text)) - CONTEXT_CHARS)
    if start:
        # begin with a whole word, unless the text has no spaces there
        start = max(start, text.find(" ", start, start + CONTEXT_CHARS) + 1)
    end = start + MAX_EXCERPT_CHARS
    return "".join(["…" if start else "", text[start:end], "…" if end < len(text) else ""])


def _target_cell(result: QaResult) -> TableCell:
    return TableCell(target_excerpt(result), result.target.replace(LINE_BREAK, "\n"))


def _segment_name(result: QaResult) -> str:
    """Return the name of a segment; if it is just the segment number, format the number."""
    number = result.segment + 1
    return f"{number:,}" if result.id == str(number) else result.id


COLUMNS: tuple[TableColumn, ...] = (
    text_column(tr("Segment"), tr("Number of the segment, with its file if several files are open"), _segment_name),
    text_column(tr("Check"), tr("QA check that reports the problem"), lambda row: row.title),
    text_column(tr("Problem"), tr("Problem with the target"), lambda row: row.message, is_wide=True),
    text_column(tr("Target"), tr("Part of the target that contains the problem"), _target_cell, is_wide=True),
)

ResultRow = tuple[TableCell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class QaResultList:
    """Results in text order and their table rows, at most `MAX_RESULTS`; `total` is the number of all results."""

    items: tuple[QaResult, ...] = ()
    rows: tuple[ResultRow, ...] = ()
    total: int = 0

    @classmethod
    def of(cls, results: Sequence[QaResult]) -> QaResultList:
        """Return the list of `results`, which must be in text order."""
        listed = tuple(results[:MAX_RESULTS])
        return cls(listed, tuple([table_row(COLUMNS, result) for result in listed]), len(results))

    def with_segments(self, segments: Iterable[int], results: Sequence[QaResult]) -> QaResultList:
        """Return a list in which `results` replace all previous results of `segments`."""
        merged, rows = list(self.items), list(self.rows)
        removed = 0
        for segment in segments:
            start, stop = (side(merged, segment, key=lambda row: row.segment) for side in (bisect_left, bisect_right))
            removed += stop - start
            del merged[start:stop], rows[start:stop]
        for result in results:
            index = bisect_right(merged, qa_result_position(result), key=qa_result_position)
            merged.insert(index, result)
            rows.insert(index, table_row(COLUMNS, result))
        return QaResultList(tuple(merged), tuple(rows), self.total - removed + len(results))

    def of_check(self, check: str) -> QaResultList:
        """Return the results of the check with the name `check`, or all results if the name is empty."""
        if not check:
            return self
        indices = [index for index, result in enumerate(self.items) if result.check == check]
        results = tuple([self.items[index] for index in indices])
        return QaResultList(results, tuple([self.rows[index] for index in indices]), len(indices))

    def counts(self) -> dict[tuple[str, str], int]:
        """Return the number of results of each check, by name and title of the check, largest number first."""
        return dict(Counter((result.check, result.title) for result in self.items).most_common())

    def count_segments(self) -> int:
        """Return the number of segments with results."""
        return len({result.segment for result in self.items})

    def first_row_from(self, position: tuple[int | str, ...]) -> int:
        """Return the index of the first row at or after `position`, or `len(items)` if there is none.

        `position` is a `ResultPosition` or the beginning of one, such as (segment,).
        """
        return bisect_left(self.items, position, key=qa_result_position)


def no_problem_state(
    segments: int, checks: Sequence[Check], without_list: Collection[str] = (), inapplicable: Collection[str] = ()
) -> EmptyState:
    """Return the placeholder for a run without results, which states the checks that ran and those that did not.

    `segments` is the number of checked segments. Two collections contain the names of checks that did not run:
    `without_list` because no word list is selected, and `inapplicable` because they are for other file formats.
    """
    names = {check.name for check in checks}
    if not names:
        return EmptyState(
            tr("All QA checks are turned off"), tr("Turn on the checks you need in Preferences ▸ QA checks."), icon=""
        )
    ran = [check.title for check in checks if check.name not in {*without_list, *inapplicable}]
    off = [check.title for check in CHECKS if check.name not in {*names, *inapplicable}]
    texts = []
    if ran:
        names_ran = join_localized(", ", ran)
        texts.append(tr("Checks run on {n:,} {n:segment|segments}: {checks}.", "", segments, checks=names_ran))
    if off:
        texts.append(tr("Turned off: {checks}.", checks=join_localized(", ", off)))
    if not names.isdisjoint(without_list):
        texts.append(tr("To check terms or forbidden words, select your lists in Preferences ▸ QA checks."))
    title = tr("No check found a problem") if ran else tr("Nothing was checked")
    return EmptyState(title, join_localized(" ", texts), icon="")


def failed_state(error: QeError) -> EmptyState:
    """Return the placeholder for a failed run, which states where `error` occurred, the problem and the remedy."""
    return EmptyState(tr("The QA checks could not run"), error.line(), icon="error")


def summary_text(results: QaResultList, *, outdated: bool) -> str:
    """Return the title of the list: the number of results, or a note that the results are outdated.

    Empty if an outdated list has no results.
    """
    if outdated and not results.items:
        # the panel explains that there are no up-to-date results
        return ""
    if outdated:
        key = shortcut_text("inspect.next-found")
        return tr("Outdated: press {key} to check again", key=key) if key else tr("Outdated")
    if results.total > len(results.items):
        return tr("The first {n:,} of {total:,} QA check results", "", len(results.items), total=results.total)
    if not results.items:
        return tr("The QA checks found nothing")
    segments = results.count_segments()
    return tr(
        "{n:,} QA check {n:result|results} in {segments:,} {segments:segment|segments}", "", len(results.items),
        segments=segments,
    )  # fmt: skip


EXPORTS = {"html": tr("As HTML page…"), "tsv": tr("As TSV…")}
"""Menu texts of the exports, by file suffix."""


class QaResultDelegate(TableDelegate):
    """Delegate that draws the inline codes in a text as in the texts of a segment."""

    def draw_label(self, painter: QPainter, rect: QRect, text: str) -> None:
        """Draw a text, with its inline codes as symbols."""
        if not parse_line_codes(text):
            super().draw_label(painter, rect, text)
            return
        painter.setClipRect(rect)
        draw_text_with_codes(painter, QRectF(rect), text, current())
        painter.setClipping(False)


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
        self.table.setItemDelegate(QaResultDelegate(self.table.flash, self.table))
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
