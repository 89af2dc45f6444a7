"""All metrics page, with a description of the current score and a button that shows the segments behind it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLabel, QMenu, QPushButton, QWidget

from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.comparisons import reach_note
from qe_desktop.report.findings import default_findings_by, findings_legend, findings_notes
from qe_desktop.ui import icons
from qe_desktop.ui.scores import empty_states
from qe_desktop.ui.scores.findings.findings_service import (
    FindingsService,
    FolderFindingsService,
    SessionFindingsService,
)
from qe_desktop.ui.scores.findings.findings_table import AVERAGE, FindingsResult, findings_table, has_lines, rank_sign
from qe_desktop.ui.scores.findings.findings_toolbar import FindingsToolbar
from qe_desktop.ui.scores.findings.interval_strips import IntervalStrips
from qe_desktop.ui.scores.result_page import PageTexts, ResultPage
from qe_desktop.ui.scores.score_descriptions import direction_text
from qe_desktop.ui.shell.commands import COMPARE_PAIRS, COMPARE_PAIRS_TIP
from qe_desktop.ui.widgets.buttons import PanelButton
from qe_desktop.ui.widgets.form_controls import set_combo_data, set_combo_items
from qe_desktop.ui.widgets.image_export import ImageSource, add_image_actions
from qe_desktop.ui.widgets.labels import Label, notes_label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, hbox, make_scroll_area, vbox, wrap_layout
from qe_desktop.ui.widgets.placeholder_page import EmptyState, StateAction
from qe_desktop.ui.widgets.tables.table_model import TableData

FOLDER = StateAction("findings-folder", COMPARE_PAIRS)
RUN, RUN_AGAIN = StateAction("run", tr("Run")), StateAction("again-findings", tr("Try again"))
OTHER_FOLDER = StateAction("findings-folder", tr("Select another folder…"))


def findings_empty_state(opened: SessionFindingsService, folder: FolderFindingsService) -> EmptyState:
    """Return the empty state of the page, which is shown while there are no results for the open data or a folder."""
    if folder.state == "working" and folder.requested is not None:
        return EmptyState(tr("Computing all metrics for {folder}…", folder=folder.requested.folder.name), "")
    if folder.state == "failed" and folder.error is not None:
        return EmptyState(tr("No results for the folder"), folder.error.line(), (OTHER_FOLDER, RUN_AGAIN), "error")
    if opened.state == "failed" and opened.error is not None:
        return EmptyState(tr("No results"), opened.error.line(), (RUN_AGAIN, FOLDER), "error")
    return _session_empty_state(opened)


def _session_empty_state(opened: SessionFindingsService) -> EmptyState:
    scores = opened.comparison.scores
    if opened.workspace.view is None:
        return EmptyState(
            tr("All systems, all metrics"),
            tr(
                "See scores by every metric, with intervals, clusters and ranks. Open files, or select a shared-task "
                "folder with one folder per language pair."
            ),
            (FOLDER, *empty_states.NOTHING_OPEN_ACTIONS),
        )
    missing = empty_states.scores_empty_state(scores)
    if missing is not None:
        return EmptyState(missing.title, missing.text, (*missing.buttons, FOLDER), missing.icon)
    if opened.state == "waiting":
        explanation = empty_states.waiting_text(empty_states.LARGE_DATA, is_cancelled=opened.was_cancelled)
        return EmptyState(tr("No results yet"), explanation, (RUN, FOLDER))
    return EmptyState(tr("Computing all metrics…"), "")


def find_running_service(
    opened: SessionFindingsService, folder: FolderFindingsService, visible: FindingsService
) -> FindingsService | None:
    """Return the service whose progress is shown; None if no service is running."""
    return next((service for service in (folder, visible, opened) if service.state == "working"), None)


def describe_findings(result: FindingsResult, metric: str, folder: str = "", *, outdated: bool) -> str:
    """Return a one-line description of the results for `metric`, with the folder name unless `folder` is empty."""
    pairs = result.findings.pairs
    if len(pairs) == 1:
        size = pairs[0].scoring.level.report_summary(pairs[0].scoring)
        parts = [tr("{pair}: {size}", pair=pairs[0].name, size=size)]
    else:
        parts = [tr("{metric} in {n} {n:language pair|language pairs}", "", len(pairs), metric=metric)]
        directions = (direction_text(candidate) for candidate in result.metrics if candidate.name == metric)
        parts += [direction for direction in directions if direction]
        parts.append(tr("{n:,} {n:segment|segments}", "", sum(pair.scoring.segments for pair in pairs)))
    if folder:
        parts.append(tr("files in {folder}", folder=escape_label(folder)))
    if outdated:
        parts.append(tr("outdated"))
    return join_localized(" · ", parts)


def power_warning(result: FindingsResult) -> str:
    """Return a note on the first language pair with an unreachable significance level; empty if there is none."""
    notes = (
        join_localized(": ", (pair.name, note))
        for pair in result.findings.pairs
        for comparison in pair.comparisons
        if (note := reach_note(comparison))
    )
    return next(notes, "")


def findings_remarks(result: FindingsResult, metric: str, order: str) -> list[str]:
    """Return the notes: the meaning of numbers, ranks, lines and bold type, and remarks on the results."""
    findings = result.findings.with_first_metric(metric)
    legend = [join_localized(" ", findings_legend(findings, default_findings_by(findings)))]
    if len(findings.pairs) > 1 and has_lines(findings, order):
        legend.append(tr("Lines separate the clusters of {pair}.", pair=order))
    if any(pair.comparisons for pair in findings.pairs):
        legend.append(tr("Bold, dark bar: no system is significantly better."))
    return [join_localized(" ", legend), *findings_notes(findings), *result.remarks]


HINT = tr(
    "Select a score for details; press Enter to compare the segments of the system with those of its neighbour in the "
    "ranking."
)
MIN_REMARK_LINES = 5
"""Preferred minimum height of the notes, in lines of text; if space is short, as little as one line."""
MAX_EXTRA_CHARS = 20
"""Maximum extra width of a column of the table, and of the plot below it, in characters."""
PANEL_CHARS = 70
"""Minimum width of the panel with notes on files, in characters."""
RESERVED_LINES = 6
"""Height reserved for the options and titles of the page, in lines of text."""


class FindingsPage(ResultPage):
    """Page that shows the results for the open data or for a folder, which are computed by two services.

    The page emits `folder_selection_requested` to request that a shared-task folder be selected and read.
    """

    folder_selection_requested = Signal()
    """Emitted when the user wants to select a folder."""
    cell_activated = Signal(QModelIndex)
    """Emitted with the index of a cell when its segments are requested by Enter or a double click."""
    current_cell_changed = Signal()
    """Emitted when the current cell changed, or when Escape was pressed."""

    def __init__(
        self, opened: SessionFindingsService, folder: FolderFindingsService, parent: QWidget | None = None
    ) -> None:
        more = tr("&Show the segments")
        super().__init__(
            opened.workspace, PageTexts(tr("All metrics"), more, tr("Progress of the metric computation"), HINT), parent
        )
        self.opened, self.folder = opened, folder
        # a folder may have been read before the page was first shown
        self.service: FindingsService = opened if folder.result is None else folder
        self.pair_order = AVERAGE
        self.view.max_extra_chars = MAX_EXTRA_CHARS
        self.bar = FindingsToolbar(opened.comparison, opened, self)
        self._lay_out()
        actions = (self._progress_panel, self.run_again_button, self.file_notes, self._task, self._copy)
        self._connect(self.input_combo, *actions, self.view, self.segments_button, self._below)
        for service in (opened, folder):
            service.changed.connect(self.refresh)
            service.progressed.connect(self._update_progress)
        opened.comparison.scores.reset.connect(self.refresh)
        opened.workspace.opened.connect(self._on_opened)
        folder.results_ready.connect(lambda: self.show_findings(of_folder=True))
        self.input_combo.activated.connect(lambda: self.show_findings(of_folder=bool(self.input_combo.currentData())))
        self.bar.pair_order_chosen.connect(self.set_pair_order)
        self.view.sort_requested.connect(self._sort)
        self.view.cell_activated.connect(self.cell_activated)
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self._remarks = notes_label()
        self._below = make_scroll_area(self._remarks, focus=True, whole_lines=True)
        self._below.setAccessibleName(tr("Notes"))
        self.input_combo = QComboBox()
        self.input_combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._of_label = QLabel(tr("&Input"))
        self._of_label.setBuddy(self.input_combo)
        self._task = QPushButton(icons.icon("folder"), FOLDER.text)
        self._task.setFlat(True)
        self._task.setToolTip(plain_tooltip(COMPARE_PAIRS_TIP))
        self._task.clicked.connect(self.folder_selection_requested)
        self.segments_button = QPushButton()
        self.segments_button.hide()
        self._file_remarks = Label(wraps=True, selectable=True, is_program_text=True)
        self._file_remarks.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * PANEL_CHARS)
        panel = wrap_layout(vbox(self._file_remarks, margins=8))
        self.file_notes = PanelButton(tr("Notes on files"), panel)
        self.file_notes.setAutoRaise(True)
        self.file_notes.hide()
        head = self.head(self._of_label, self.input_combo, after=(self.file_notes, self._task))
        description = hbox(Stretched(self.sentence, 1), self.segments_button, gap=8)
        self.strips = IntervalStrips(self.view)
        self.strips.chosen.connect(self._choose)
        self._scale = Label(token="muted")
        title = hbox(Label(self.strips.accessibleName(), bold=True), Stretched(self._scale, 1), gap=8)
        self._plots = wrap_layout(vbox(title, Stretched(self.strips, 1), gap=8))
        # keep the description close to the table: spare height goes below
        plots, notes = Stretched(self._plots, 10_000), Stretched(self._below, 1_000)
        below = (Stretched(self.view, 100_000), description, plots, notes, StretchSpace())
        self.lay_out_with_options(self.bar, wrap_layout(vbox(head, self.error, *below, gap=8)))

    # --- content

    def empty_state(self) -> EmptyState:
        """Return the empty state of the page."""
        return findings_empty_state(self.opened, self.folder)

    def warning(self) -> str:
        """Return the warning shown above the table; empty if there is none."""
        return "" if self.service.result is None else power_warning(self.service.result)

    def _failure(self) -> str:
        errors = [
            service.error for service in (self.folder, self.service) if service.state == "failed" and service.error
        ]
        return errors[0].line() if errors else ""

    def _running_service(self) -> FindingsService | None:
        return find_running_service(self.opened, self.folder, self.service)

    def show_findings(self, *, of_folder: bool) -> None:
        """Show the results for the folder if `of_folder`, otherwise those for the open data."""
        self.folder.dismiss()
        self.service = self.folder if of_folder else self.opened
        result = self.service.result
        pairs = [] if result is None else [pair.name for pair in result.findings.pairs]
        if self.pair_order not in pairs:
            self.pair_order = AVERAGE
        self._watch()
        self.refresh()
        if self.isVisible():
            self.setFocus()

    def _on_opened(self) -> None:
        """If a folder is shown that does not contain the opened corpus, show the results for that corpus instead."""
        corpus = self.opened.workspace.corpus
        if self.service is self.folder and corpus is not None and not self.folder.has_pair(corpus):
            self.show_findings(of_folder=False)

    def set_pair_order(self, pair: str) -> None:
        """Sort the systems by the scores of a language pair, or by the average if `pair` is `AVERAGE`."""
        self.pair_order = pair
        self.refresh()

    def refresh(self) -> None:
        """Update the page."""
        if self.service is self.folder and self.folder.result is None:
            self.service = self.opened
        self.bar.show_service(self.service, self.pair_order)
        self._update_source_choice()
        super().refresh()
        self._size()

    def _draw(self) -> None:
        """Rebuild the table if its content changed, but not while the page is hidden."""
        service, result, decimals = self.service, self.service.result, self._settings.decimals
        now = (
            result,
            service.metric,
            self.pair_order,
            decimals,
            service.is_data_outdated,
            self.input_combo.isVisibleTo(self),
        )
        if now == self._painted_key:
            return
        self.drawn.emit()
        if result is not None and not self.isVisible():
            return
        self._painted_key = now
        if result is None:
            self.view.show_data(TableData())
            return
        sheet = findings_table(result, service.metric, self.pair_order, decimals, outdated=service.is_data_outdated)
        self.view.show_data(sheet)
        # if data are open too, the list of inputs names the folder
        folder = "" if service is self.opened or self.input_combo.isVisibleTo(self) else result.title
        self._title.setText(describe_findings(result, service.metric, folder, outdated=service.is_data_outdated))
        self._file_remarks.setText("\n".join(result.file_remarks))
        self.file_notes.setVisible(bool(result.file_remarks))
        shared, separate = tr("one scale, so that columns can be compared"), tr("each column has its own scale")
        self._scale.setText(shared if self.strips.is_scale_shared else separate)
        self.strips.updateGeometry()
        self.strips.update()
        self._remarks.setText("\n".join(findings_remarks(result, service.metric, self.pair_order)))
        self._size()

    def _update_source_choice(self) -> None:
        corpus, result = self.opened.workspace.corpus, self.folder.result
        choices = [] if corpus is None else [(isolate_bidi(corpus.name), False)]
        if result is not None:
            choices.append((tr("folder {folder}", folder=isolate_bidi(result.title)), True))
        set_combo_items(self.input_combo, choices)
        set_combo_data(self.input_combo, self.service is self.folder)
        for part in (self._of_label, self.input_combo):
            part.setVisible(len(choices) > 1)

    def _size(self) -> None:
        """Limit the height of the table to its rows; if space is short, shrink the notes before hiding the plots."""
        self.view.setMaximumHeight(self.view.whole_height())
        lines = self.fontMetrics().lineSpacing()
        remaining = self.height() - self.view.whole_height() - self.sentence.height() - lines * RESERVED_LINES
        remaining -= 0 if self.error.isHidden() else self.error.heightForWidth(self.width())
        plots = self.strips.minimumSizeHint().height()
        self._plots.setVisible(remaining >= plots + lines)
        remaining -= 0 if self._plots.isHidden() else plots
        note_lines = max(1, min(MIN_REMARK_LINES, remaining // lines))
        self._plots.setMaximumHeight(self.strips.sizeHint().height() + 2 * lines)
        bar = self._below.verticalScrollBar().sizeHint().width()
        notes_height = self._remarks.heightForWidth(max(200, self.width() - 32 - bar))
        self._below.setMinimumHeight(min(notes_height, lines * note_lines) + 4)
        self._below.setMaximumHeight(notes_height + 4)

    # --- actions

    def add_chart_actions(self, menu: QMenu) -> None:
        """Add to `menu` the actions that copy or save the plots as an image."""
        menu.addSeparator()
        add_image_actions(menu, ImageSource(self.strips.accessibleName(), self._chart), self.workspace, self)

    def _chart(self) -> QWidget:
        # a copy, because the layout may shrink the plots of a low window
        plots = IntervalStrips(self.view)
        plots.setFont(self.strips.font())
        plots.resize(self.view.width(), plots.sizeHint().height())
        return plots

    def _choose(self, row: int, column: int) -> None:
        self.view.setCurrentIndex(self.view.cells.index(row, column))
        self.view.setFocus()

    def show_message(self, sentence: str, accept: str = "", sign: str = "") -> None:
        """Show a message below the table.

        `sign` is the symbol of a significance test, which precedes the message. `accept` is the text of a button after
        the message. Either is omitted if empty.
        """
        super()._show_description(sentence, sign)
        self.segments_button.setText(accept)
        self.segments_button.setVisible(bool(accept))

    def _show_description(self, sentence: str, sign: str = "") -> None:
        self.current_cell_changed.emit()
        has_segments = bool(sentence) and self.view.target(self.view.currentIndex()) is not None
        self.show_message(sentence, tr("Show the segments") if has_segments else "", sign or self._sign())

    def _sign(self) -> str:
        """Return the symbol of the least significant test behind the current cell's rank; empty if there is no test."""
        target, result = self.view.target(self.view.currentIndex()), self.service.result
        return "" if target is None or result is None else rank_sign(result, target)

    def _sort(self, head: str) -> None:
        result = self.service.result
        if result is not None and len(result.findings.pairs) > 1:
            self.set_pair_order(head)
        else:
            self.service.set_metric(head)

    def button_handlers(self) -> Mapping[str, Callable[[], object]]:
        """Return the handlers of the placeholder's buttons."""
        return {
            FOLDER.id: self.folder_selection_requested.emit,
            RUN.id: self.opened.run,
            RUN_AGAIN.id: (self.folder if self.folder.state == "failed" else self.opened).run,
        }

    # --- visibility

    def _watch(self) -> None:
        for service in (self.opened, self.folder):
            service.set_page_visible(self.isVisible() and self.service is service)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """On Escape, withdraw a pending offer to open data, and dismiss an error from reading a folder."""
        if event.key() == Qt.Key.Key_Escape:
            self.folder.dismiss()
            self.view.emit_description()
        else:
            super().keyPressEvent(event)
