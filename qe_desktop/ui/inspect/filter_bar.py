"""The bar above the list: find, filters, and the order of the segments."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from qe_desktop.corpus import Corpus, Kind
from qe_desktop.outgoing import label
from qe_desktop.project.segments import Order, Query
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.wording import tr

PAUSE = 150
"""Milliseconds after the last letter before the list is filtered."""
ALL_DOCUMENTS = tr("all documents")
_ORDERS = {
    Order.CORPUS: tr("corpus order"),
    Order.DISAGREEMENT: tr("most disagreement first"),
    Order.LOWEST: tr("lowest score first"),
    Order.BAD: tr("most BAD first"),
    Order.LONGEST: tr("longest first"),
}
"""The orders that are there without scores of segments."""


class FindField(QLineEdit):
    """Where the text to be found is typed; Enter and ↓ lead into the list, Escape clears."""

    left = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave for the list, or clear."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            self.left.emit()
        elif event.key() == Qt.Key.Key_Escape:
            self.clear()
            self.left.emit()
        else:
            super().keyPressEvent(event)


class FilterBar(QWidget):
    """What is shown in the list, as a `Query`."""

    changed = Signal(object)
    """A `Query`: a person wants to see other segments."""
    list_wanted = Signal()
    """The focus goes to the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.query = Query()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._gather)
        self.search = FindField()
        self.search.setPlaceholderText(tr("Find in source and MT…"))
        self.search.setAccessibleName(tr("Find"))
        # in a narrow window the placeholder is cut
        self.search.setToolTip(self.search.placeholderText())
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._timer.start)
        self.search.left.connect(self._leave)
        self.bad = _toggle("BAD", tr("Only segments with a BAD tag"))
        self.disputed = _toggle(
            tr("Disagreement"), tr("Only segments on which gold and systems are not all of one opinion")
        )
        self.edited = _toggle(tr("Edited"), tr("Only segments that were edited"))
        self.document = QComboBox()
        self.document.setAccessibleName(tr("Document"))
        self.document.setToolTip(tr("Only segments of this document"))
        self.order = QComboBox()
        self.order.setAccessibleName(tr("Order"))
        self.order.setToolTip(tr("How the segments are sorted"))
        for box in (self.document, self.order):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(11)
        everywhere = self.fontMetrics().horizontalAdvance(ALL_DOCUMENTS) / self.fontMetrics().horizontalAdvance("X")
        self.document.setMinimumContentsLength(max(11, ceil(everywhere)))
        self.search.setMinimumWidth(90)
        self.count = QLabel()
        self.count.setTextFormat(Qt.TextFormat.PlainText)
        self._between = QToolButton()
        self._between.setToolTip(tr("Back to all segments in corpus order"))
        self._between.setVisible(False)
        self._controls: list[QWidget] = [
            self.search, self.bad, self.disputed, self.edited, self.document, self.order,
        ]  # fmt: skip
        find, *narrow = self._controls
        row_of(Placed(find, 1), *narrow, self._between, self.count, on=self, gap=6, margins=(8, 6, 8, 6))
        for button in (self.bad, self.disputed, self.edited):
            button.toggled.connect(self._gather)
        self.document.activated.connect(self._leave)
        self.order.activated.connect(self._leave)
        self._between.clicked.connect(self.reset)

    def set_corpus(self, corpus: Corpus | None) -> None:
        """Offer the corpus's documents, and start with no filter."""
        self._offer(corpus)
        self.reset()

    def extend_corpus(self, corpus: Corpus) -> None:
        """Offer what the corpus has more by now; the filters stay."""
        self._offer(corpus)
        self._show(self.query)

    def _offer(self, corpus: Corpus | None) -> None:
        self.document.clear()
        documents = corpus.documents if corpus is not None else None
        if documents is not None:
            self.document.addItem(ALL_DOCUMENTS, "")
            for name in documents.names[:2000]:
                self.document.addItem(label(name), name)
        self.document.setVisible(documents is not None)
        self._fill_orders(corpus)

    def _fill_orders(self, corpus: Corpus | None) -> None:
        self.order.clear()
        for order, text in _ORDERS.items():
            self.order.addItem(text, (order, None))
        for key in corpus.layers if corpus is not None else ():
            if key.kind is Kind.SCORES:
                self.order.addItem(tr("highest {score} first", score=label(key.name)), (Order.SCORE_HIGH, key))
                self.order.addItem(tr("lowest {score} first", score=label(key.name)), (Order.SCORE_LOW, key))

    def reset(self) -> None:
        """Show all segments in the corpus's order."""
        self.show_query(Query())

    def set_count(self, shown: int, total: int) -> None:
        """Say how many segments are shown."""
        if shown == total:
            self.count.setText(tr("{n:,} segments", "", total))
        else:
            self.count.setText(tr("{n:,} of {total:,}", "segments", shown, total=total))

    def show_query(self, query: Query, between: str = "") -> None:
        """Show what another view asks for; `between` names the two systems it sets side by side."""
        self._show(query)
        self._timer.stop()
        self._between.setVisible(bool(between))
        self._between.setText(f"{between}  ✕")
        # two systems side by side have an order of their own
        self.order.setVisible(not between)
        self.query = query
        self.changed.emit(query)

    def _show(self, query: Query) -> None:
        for widget in self._controls:
            widget.blockSignals(True)
        self.search.setText(query.text)
        self.bad.setChecked(query.only_bad)
        self.disputed.setChecked(query.only_disagreement)
        self.edited.setChecked(query.only_edited)
        self.document.setCurrentIndex(max(0, self.document.findData(query.document)))
        orders = [self.order.itemData(place) for place in range(self.order.count())]
        wanted = (query.order, query.score)
        self.order.setCurrentIndex(orders.index(wanted) if wanted in orders else 0)
        for widget in self._controls:
            widget.blockSignals(False)

    def _gather(self) -> None:
        self._timer.stop()
        order, score = self.order.currentData() if self.query.between is None else (Order.DIFFERENCE, None)
        query = replace(
            self.query,
            text=self.search.text(),
            only_bad=self.bad.isChecked(),
            only_disagreement=self.disputed.isChecked(),
            only_edited=self.edited.isChecked(),
            document=self.document.currentData() or "",
            order=order,
            score=score,
        )
        if query != self.query:
            self.query = query
            self.changed.emit(query)

    def _leave(self) -> None:
        self._gather()
        self.list_wanted.emit()


def _toggle(text: str, tip: str) -> QToolButton:
    button = QToolButton()
    button.setText(text)
    button.setToolTip(tip)
    button.setCheckable(True)
    button.setAutoRaise(False)
    return button
