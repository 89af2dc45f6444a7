"""The page of findings: of what is open or of a folder, with what each number says and which segments decide it."""

from __future__ import annotations

from itertools import pairwise

from PySide6.QtCore import QEvent, QModelIndex, Qt, Signal
from PySide6.QtGui import QHideEvent, QKeyEvent, QResizeEvent, QShowEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLayout, QMenu, QPushButton, QSizePolicy, QStackedWidget, QWidget

from qe_desktop.outgoing import within
from qe_desktop.ui import icons
from qe_desktop.ui.parts.choices import choose, offer
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of, scrolling
from qe_desktop.ui.parts.progress_bar import WorkingLine
from qe_desktop.ui.parts.state_page import StatePage
from qe_desktop.ui.scores import situations as of_scores
from qe_desktop.ui.scores.findings.bar import FindingsBar
from qe_desktop.ui.scores.findings.folder_keeper import FolderFindings
from qe_desktop.ui.scores.findings.keeper import FindingsKeeper, OpenFindings
from qe_desktop.ui.scores.findings.remarks import described, remarks_of, warning_of
from qe_desktop.ui.scores.findings.rows import AVERAGE, sheet_of
from qe_desktop.ui.scores.findings.situations import AGAIN, FOLDER, RUN, situation, working
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.ui.scores.sheet_view import SheetView
from qe_desktop.wording import tr

HINT = tr("Choose a number to read it in words; Enter shows the segments that decide it.")
REMARK_LINES = 5
"""Lines of remarks that are seen at once, however many systems there are; more where there is room."""


class FindingsPage(QWidget):
    """Shows one of two keepers' findings; what was shown stays until others are there.

    What it cannot do itself it asks for: opening a folder, adding files, reading a folder of a shared task.
    """

    folder_wanted = Signal()
    files_wanted = Signal()
    task_wanted = Signal()
    """A folder is to be chosen whose findings are computed."""
    entered = Signal(QModelIndex)
    """Enter on a cell: the segments that decide its number are wanted."""
    drawn = Signal()
    """Other findings are shown, or none."""
    left = Signal()
    """Another cell is looked at, or Escape was pressed."""

    def __init__(self, opened: OpenFindings, folder: FolderFindings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.opened, self.folder = opened, folder
        self.shown: FindingsKeeper = opened
        self.pair_order = AVERAGE
        self._settings = opened.workspace.settings
        self._drawn: tuple[object, ...] = ()
        self.bar = FindingsBar(opened.comparison, opened, self)
        self.view = SheetView(self._settings, tr("Findings"), tr("&Show the segments that decide it"), self)
        self.copying = QMenu(self)
        self._lay_out()
        self._connect()
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self.error = Label(token="warning", wraps=True, selectable=True)
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._below = scrolling(self._remarks, focus=True)
        self._below.setAccessibleName(tr("Remarks"))
        head, said = self._head(), self._said()
        # what is said about a number stands close to it: room that is left comes last
        below = (Placed(self.view, 1_000), said, Placed(self._below, 10), Stretch())
        self._full = holding(column_of(self.bar, head, self.error, *below, gap=8, margins=(16, 8, 16, 8)))
        self._full.setFocusProxy(self.view)
        self.quiet = StatePage(icon="scores", centred=True)
        self._counting = WorkingLine(tr("Progress of the findings"), tr("Cancel"))
        self.quiet.insert(self._counting)
        self._stack = QStackedWidget()
        self._stack.addWidget(self.quiet)
        self._stack.addWidget(self._full)
        column_of(self._stack, on=self)
        self.setFocusProxy(self._stack)

    def _head(self) -> QLayout:
        """What the findings are of, what is being computed, and what can be done with them."""
        self.of = QComboBox()
        self.of.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._of_label = QLabel(tr("F&indings of"))
        self._of_label.setBuddy(self.of)
        self._title = Label(token="muted")
        self._title.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._working = WorkingLine(tr("Progress of the findings"), tr("Cancel"))
        self.again = QPushButton()
        self._task = QPushButton(icons.icon("folder"), FOLDER.text)
        self._task.setFlat(True)
        self._task.clicked.connect(self.task_wanted)
        self._copy = QPushButton(icons.icon("export"), tr("Copy"))
        self._copy.setFlat(True)
        self._copy.setMenu(self.copying)
        doing = (self._working, self.again, self._task, self._copy)
        return row_of(self._of_label, self.of, Placed(self._title, 1), *doing, gap=8)

    def _said(self) -> QLayout:
        """The current cell in words, and what is offered for it."""
        self.words = Label(HINT, token="muted", narrow=True, selectable=True, ours=True)
        self.words.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self.accept = QPushButton()
        self.accept.hide()
        return row_of(Placed(self.words, 1), self.accept, gap=8)

    def _connect(self) -> None:
        for keeper in (self.opened, self.folder):
            keeper.changed.connect(self.refresh)
        self.opened.comparison.scores.reset.connect(self.refresh)
        self.folder.arrived.connect(lambda: self.show_findings(of_folder=True))
        self.of.activated.connect(lambda: self.show_findings(of_folder=bool(self.of.currentData())))
        self.bar.pair_order_chosen.connect(self.set_pair_order)
        self.view.sorted_by.connect(self._sort)
        self.view.said.connect(self._say)
        self.view.entered_cell.connect(self.entered)
        self.again.clicked.connect(lambda: self.shown.run())
        for line in (self._working, self._counting):
            line.stopped.connect(self._cancel)
        self.quiet.asked.connect(self._on_asked)
        in_order = (self.of, self._working, self.again, self._task, self._copy, self.view, self.accept, self._below)
        for before, after in pairwise(in_order):
            QWidget.setTabOrder(before, after)
        self._settings.changed.connect(self._on_setting)

    # --- what is shown

    def show_findings(self, *, of_folder: bool) -> None:
        """Show those of the folder, or of what is open."""
        self.folder.dismiss()
        self.shown = self.folder if of_folder else self.opened
        found = self.shown.found
        pairs = [] if found is None else [pair.name for pair in found.findings.pairs]
        if self.pair_order not in pairs:
            self.pair_order = AVERAGE
        self._watch()
        self.refresh()
        if self.isVisible():
            self.setFocus()

    def set_pair_order(self, pair: str) -> None:
        """Sort systems by a pair, or by the average."""
        self.pair_order = pair
        self.refresh()

    def refresh(self) -> None:
        """Show things as they are."""
        if self.shown is self.folder and self.folder.found is None:
            self.shown = self.opened
        found = self.shown.found
        self.bar.show_keeper(self.shown, self.pair_order)
        if found is None:
            self.quiet.show_situation(situation(self.opened, self.folder))
        self._stack.setCurrentIndex(0 if found is None else 1)
        self._stack.setFocusProxy(self.quiet if found is None else self._full)
        self._offer_both()
        self._tell_working()
        self._draw()

    def _draw(self) -> None:
        """Make the table anew where anything in it is another; while nobody sees it, when it is next seen."""
        keeper, found, decimals = self.shown, self.shown.found, self._settings.decimals
        now = (found, keeper.metric, self.pair_order, decimals, keeper.stale)
        if now == self._drawn:
            return
        self.drawn.emit()
        if found is not None and not self.isVisible():
            return
        self._drawn = now
        if found is None:
            self.view.show_sheet(Sheet())
            return
        sheet = sheet_of(found, keeper.metric, self.pair_order, decimals, stale=keeper.stale)
        self.view.show_sheet(sheet)
        self.view.setMaximumHeight(self.view.whole_height())
        self._title.setText(described(found, keeper.metric, of_folder=keeper is self.folder, stale=keeper.stale))
        self._remarks.setText("\n".join(remarks_of(found, keeper.metric, self.pair_order)))
        self._fit_remarks()

    def _offer_both(self) -> None:
        corpus, found = self.opened.workspace.corpus, self.folder.found
        places = [] if corpus is None else [(within(corpus.name), False)]
        if found is not None:
            places.append((tr("the folder {folder}", folder=within(found.title)), True))
        offer(self.of, places)
        choose(self.of, self.shown is self.folder)
        for part in (self._of_label, self.of):
            part.setVisible(len(places) > 1)

    def _tell_working(self) -> None:
        now = working(self.opened, self.folder, self.shown)
        for line in (self._working, self._counting):
            if now is None:
                line.hide()
            else:
                line.show_progress(now.progress_text or tr("starting"), now.progress)
        self.again.setText(AGAIN.text if self.shown.state == "failed" else tr("Compute again"))
        self.again.setVisible(self.shown.state in ("waiting", "failed") and self.shown.found is not None)
        errors = [keeper.error for keeper in (self.folder, self.shown) if keeper.state == "failed" and keeper.error]
        found = self.shown.found
        said = errors[0].line() if errors else "" if found is None else warning_of(found)
        self.error.setText(said)
        self.error.setVisible(bool(said))

    def _fit_remarks(self) -> None:
        lines = self.fontMetrics().lineSpacing()
        bar = self._below.verticalScrollBar().sizeHint().width()
        wanted = self._remarks.heightForWidth(max(200, self.width() - 32 - bar))
        self._below.setMinimumHeight(min(wanted, lines * REMARK_LINES) + 4)
        self._below.setMaximumHeight(wanted + 4)
        self.words.setFixedHeight(lines * 2 + 4)

    # --- what happens

    def say(self, sentence: str, accept: str = "") -> None:
        """Say something below the table, with a button that Enter presses as well."""
        self.words.setText(sentence or HINT)
        self.accept.setText(accept)
        self.accept.setVisible(bool(accept))

    def _say(self, sentence: str) -> None:
        self.left.emit()
        self.say(sentence)

    def _sort(self, head: str) -> None:
        found = self.shown.found
        if found is not None and len(found.findings.pairs) > 1:
            self.set_pair_order(head)
        else:
            self.shown.set_metric(head)

    def _cancel(self) -> None:
        now = working(self.opened, self.folder, self.shown)
        if now is not None:
            now.cancel()

    def _on_asked(self, what: str) -> None:
        if what == FOLDER.name:
            self.task_wanted.emit()
        elif what == RUN.name:
            self.opened.run()
        elif what == AGAIN.name:
            (self.folder if self.folder.state == "failed" else self.opened).run()
        elif what == of_scores.FOLDER.name:
            self.folder_wanted.emit()
        elif what == of_scores.FILES.name:
            self.files_wanted.emit()
        elif what == of_scores.OWN.name:
            self.opened.workspace.own_layer()
        elif what == of_scores.AGAIN.name:
            self.opened.comparison.scores.run()

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self.refresh()

    # --- who looks

    def _watch(self) -> None:
        self.opened.set_watched(self.isVisible() and self.shown is self.opened)

    def showEvent(self, event: QShowEvent) -> None:
        """What is due is computed when somebody looks."""
        super().showEvent(event)
        self._draw()
        self._watch()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Remarks take other lines."""
        super().resizeEvent(event)
        self._fit_remarks()

    def changeEvent(self, event: QEvent) -> None:
        """Follow the text size."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange and self._drawn:
            self.view.setMaximumHeight(self.view.whole_height())
            self._fit_remarks()

    def hideEvent(self, event: QHideEvent) -> None:
        """Nobody looks any longer."""
        super().hideEvent(event)
        self._watch()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes back what was offered, and what could not be read."""
        if event.key() == Qt.Key.Key_Escape:
            self.folder.dismiss()
            self.view.say()
        else:
            super().keyPressEvent(event)
