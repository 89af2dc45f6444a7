"""Below the files of the sheet: the first segments of the one that is chosen, and which of its texts are which."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QSignalBlocker, Qt, Signal
from PySide6.QtWidgets import QComboBox, QHeaderView, QLabel, QTableWidget, QTableWidgetItem, QWidget

from qe_desktop.formats import PlannedFile
from qe_desktop.formats.bilingual.choices import Choice
from qe_desktop.formats.jobs import PREVIEWED
from qe_desktop.outgoing import label
from qe_desktop.ui.parts.labels import ElidedLabel, tip
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, row_of
from qe_desktop.wording import tr

UNSAID = tr("choose…")


class ChoicePanel(QWidget):
    """Shows one file at a time. `chosen` carries the `Choice` that a person made of it."""

    chosen = Signal(object)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.source, self.target = QComboBox(), QComboBox()
        self.title = ElidedLabel()
        self.rows = QTableWidget(0, 0)
        self.rows.setAccessibleName(tr("First segments"))
        self.rows.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
        self.rows.setShowGrid(False)
        self.rows.setWordWrap(False)
        self.rows.setTabKeyNavigation(False)
        self.rows.verticalHeader().hide()
        self.rows.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        height = self.fontMetrics().height()
        self.rows.setFixedHeight((PREVIEWED + 1) * (height + 8) + 8)
        self.rows.verticalHeader().setDefaultSectionSize(height + 8)
        fields = []
        for text, box in ((tr("&Source is"), self.source), (tr("&Target is"), self.target)):
            name = QLabel(text)
            name.setBuddy(box)
            box.setMinimumContentsLength(18)
            fields += [name, box]
            box.activated.connect(self._choose)
        self._choices = holding(row_of(*fields, gap=8))
        top = row_of(Placed(self.title, 1), self._choices)
        column_of(top, self.rows, on=self, gap=6)
        self.hide()

    def show_file(self, file: PlannedFile) -> None:
        """Show what may be chosen of a file; its rows come later."""
        self.title.setText(tr("{file} begins with:", file=label(file.path.name)))
        offer = file.offer
        self._choices.setVisible(offer is not None)
        said = file.chosen
        for box, held in ((self.source, said.source), (self.target, said.target)):
            with QSignalBlocker(box):
                box.clear()
                box.addItem(UNSAID, "")
                for name in offer.names if offer is not None else ():
                    box.addItem(label(name), name)
                box.setCurrentIndex(max(0, box.findData(held)))
        self.show_rows((), ())
        self.show()

    def show_rows(self, names: Sequence[str], rows: Sequence[tuple[str, ...]]) -> None:
        """Show the first rows; `names` are those of their columns, none for the lines of one text."""
        columns = max((len(row) for row in (names, *rows)), default=0)
        self.rows.clear()
        self.rows.setRowCount(len(rows))
        self.rows.setColumnCount(columns)
        self.rows.setHorizontalHeaderLabels([label(name) for name in names])
        self.rows.horizontalHeader().setVisible(bool(names))
        for place, row in enumerate(rows):
            for column, text in enumerate(row):
                item = QTableWidgetItem(label(text))
                item.setToolTip(tip(text))
                item.setFlags(Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable)
                self.rows.setItem(place, column, item)

    def say(self, text: str) -> None:
        """Say why nothing can be shown yet."""
        self.show_rows((), [(text,)])

    def _choose(self) -> None:
        self.chosen.emit(Choice(self.source.currentData() or "", self.target.currentData() or ""))
