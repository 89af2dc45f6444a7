"""The page of findings: of what is open or of a folder, with what each number says and which segments decide it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from PySide6.QtCore import QModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from qe_desktop.outgoing import within
from qe_desktop.ui import icons
from qe_desktop.ui.parts.choices import choose, offer
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, holding, row_of, scrolling
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.scores.findings.bar import FindingsBar
from qe_desktop.ui.scores.findings.folder_keeper import FolderFindings
from qe_desktop.ui.scores.findings.keeper import FindingsKeeper, OpenFindings
from qe_desktop.ui.scores.findings.remarks import described, remarks_of, warning_of
from qe_desktop.ui.scores.findings.rows import AVERAGE, sheet_of
from qe_desktop.ui.scores.findings.situations import AGAIN, FOLDER, RUN, situation, working
from qe_desktop.ui.scores.found_page import FoundPage, Named
from qe_desktop.ui.scores.sheet import Sheet
from qe_desktop.wording import tr

HINT = tr("Choose a number to read it in words; Enter shows the segments that decide it.")
REMARK_LINES = 5
"""Lines of remarks that are seen at once, however many systems there are; more where there is room."""


class FindingsPage(FoundPage):
    """Shows one of two keepers' findings.

    What it cannot do itself it asks for: reading a folder of a shared task, too.
    """

    task_wanted = Signal()
    """A folder is to be chosen whose findings are computed."""
    entered = Signal(QModelIndex)
    """Enter on a cell: the segments that decide its number are wanted."""
    left = Signal()
    """Another cell is looked at, or Escape was pressed."""

    def __init__(self, opened: OpenFindings, folder: FolderFindings, parent: QWidget | None = None) -> None:
        more = tr("&Show the segments that decide it")
        super().__init__(opened.workspace, Named(tr("Findings"), more, tr("Progress of the findings"), HINT), parent)
        self.opened, self.folder = opened, folder
        # a folder may have been read before anybody looked
        self.keeper: FindingsKeeper = opened if folder.found is None else folder
        self.pair_order = AVERAGE
        self.bar = FindingsBar(opened.comparison, opened, self)
        self._lay_out()
        self._connect(self.of, self._working, self.again, self._task, self._copy, self.view, self.accept, self._below)
        for keeper in (opened, folder):
            keeper.changed.connect(self.refresh)
        opened.comparison.scores.reset.connect(self.refresh)
        folder.arrived.connect(lambda: self.show_findings(of_folder=True))
        self.of.activated.connect(lambda: self.show_findings(of_folder=bool(self.of.currentData())))
        self.bar.pair_order_chosen.connect(self.set_pair_order)
        self.view.sorted_by.connect(self._sort)
        self.view.entered_cell.connect(self.entered)
        self.refresh()

    # --- building

    def _lay_out(self) -> None:
        self._remarks = Label(token="muted", wraps=True, selectable=True, ours=True)
        self._remarks.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        self._below = scrolling(self._remarks, focus=True)
        self._below.setAccessibleName(tr("Remarks"))
        self.of = QComboBox()
        self.of.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self._of_label = QLabel(tr("F&indings of"))
        self._of_label.setBuddy(self.of)
        self._task = QPushButton(icons.icon("folder"), FOLDER.text)
        self._task.setFlat(True)
        self._task.clicked.connect(self.task_wanted)
        self.accept = QPushButton()
        self.accept.hide()
        head = self.head(self._of_label, self.of, after=(self._task,))
        said = row_of(Placed(self.words, 1), self.accept, gap=8)
        # what is said about a number stands close to it: room that is left comes last
        below = (Placed(self.view, 1_000), said, Placed(self._below, 10), Stretch())
        full = holding(column_of(self.bar, head, self.error, *below, gap=8, margins=(16, 8, 16, 8)))
        column_of(self.stand(full), on=self)

    # --- what is shown

    @property
    def shown(self) -> FindingsKeeper:
        """Whose findings are shown."""
        return self.keeper

    def situation(self) -> Situation:
        """Why there are no findings."""
        return situation(self.opened, self.folder)

    def warning(self) -> str:
        """What a reader must know before any number."""
        return "" if self.shown.found is None else warning_of(self.shown.found)

    def _failure(self) -> str:
        errors = [keeper.error for keeper in (self.folder, self.shown) if keeper.state == "failed" and keeper.error]
        return errors[0].line() if errors else ""

    def _at_work(self) -> FindingsKeeper | None:
        return working(self.opened, self.folder, self.shown)

    def show_findings(self, *, of_folder: bool) -> None:
        """Show those of the folder, or of what is open."""
        self.folder.dismiss()
        self.keeper = self.folder if of_folder else self.opened
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
            self.keeper = self.opened
        self.bar.show_keeper(self.shown, self.pair_order)
        self._offer_both()
        super().refresh()

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
        self._title.setText(described(found, keeper.metric, of_folder=keeper is self.folder, stale=keeper.stale))
        self._remarks.setText("\n".join(remarks_of(found, keeper.metric, self.pair_order)))
        self._size()

    def _offer_both(self) -> None:
        corpus, found = self.opened.workspace.corpus, self.folder.found
        places = [] if corpus is None else [(within(corpus.name), False)]
        if found is not None:
            places.append((tr("the folder {folder}", folder=within(found.title)), True))
        offer(self.of, places)
        choose(self.of, self.shown is self.folder)
        for part in (self._of_label, self.of):
            part.setVisible(len(places) > 1)

    def _size(self) -> None:
        """As high as its rows, and as what is remarked, up to some lines."""
        self.view.setMaximumHeight(self.view.whole_height())
        lines = self.fontMetrics().lineSpacing()
        bar = self._below.verticalScrollBar().sizeHint().width()
        wanted = self._remarks.heightForWidth(max(200, self.width() - 32 - bar))
        self._below.setMinimumHeight(min(wanted, lines * REMARK_LINES) + 4)
        self._below.setMaximumHeight(wanted + 4)
        self.words.setFixedHeight(lines * 2 + 4)

    # --- what happens

    def say(self, sentence: str, accept: str = "") -> None:
        """Say something below the table, with a button that Enter presses as well."""
        super()._say(sentence)
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

    def asked(self) -> Mapping[str, Callable[[], object]]:
        """What the buttons do."""
        return {
            FOLDER.name: self.task_wanted.emit,
            RUN.name: self.opened.run,
            AGAIN.name: (self.folder if self.folder.state == "failed" else self.opened).run,
        }

    # --- who looks

    def _watch(self) -> None:
        self.opened.set_watched(self.isVisible() and self.shown is self.opened)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape takes back what was offered, and what could not be read."""
        if event.key() == Qt.Key.Key_Escape:
            self.folder.dismiss()
            self.view.say()
        else:
            super().keyPressEvent(event)
