"""The bar above the list: find, filters, and the order of the segments."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextRole
from qe_desktop.outgoing import label
from qe_desktop.project.segments import Order, Query
from qe_desktop.ui.inspect.score_columns import score_layers
from qe_desktop.ui.parts.layouts import Placed, row_of
from qe_desktop.wording import tr

PAUSE = 150
"""Milliseconds after the last letter before the list is filtered."""
NARROW = 6
"""Characters that the choice of a system is wide at the least."""
ALL_DOCUMENTS = tr("all documents")
_ORDERS = {
    Order.CORPUS: tr("corpus order"),
    Order.DISAGREEMENT: tr("most disagreement first"),
    Order.LOWEST: tr("lowest score first"),
    Order.BAD: tr("most BAD first"),
    Order.LONGEST: tr("longest first"),
}
"""The orders that are there without scores of segments."""
_ERRORS = {
    Order.ERROR: tr("largest error first"),
    Order.TOO_HIGH: tr("most too high first"),
    Order.TOO_LOW: tr("most too low first"),
}
"""Those of the system whose scores are looked at, where there are gold scores as well."""
_OF_TAGS = (Order.DISAGREEMENT, Order.LOWEST, Order.BAD)
"""Those that there are with tags alone."""


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
    system_changed = Signal()
    """The scores of another system are looked at."""
    list_wanted = Signal()
    """The focus goes to the list."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.query = Query()
        self._scores: list[LayerKey] = []
        self._gold: LayerKey | None = None
        self._tagged = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._numbers = True
        self._timer.setInterval(PAUSE)
        self._timer.timeout.connect(self._gather)
        self.search = FindField()
        self._say_where(None)
        self.search.setAccessibleName(tr("Find"))
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
        self.system = QComboBox()
        self.system.setAccessibleName(tr("Scores of"))
        self.system.setToolTip(tr("The system whose scores stand beside those of the gold"))
        self.order = QComboBox()
        self.order.setAccessibleName(tr("Order"))
        self.order.setToolTip(tr("How the segments are sorted"))
        for box in (self.document, self.system, self.order):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(11)
        everywhere = self.fontMetrics().horizontalAdvance(ALL_DOCUMENTS) / self.fontMetrics().horizontalAdvance("X")
        self.document.setMinimumContentsLength(max(11, ceil(everywhere)))
        # a system's name stands over its scores as well, and whoever types sees the end
        self.system.setMinimumWidth(self.fontMetrics().averageCharWidth() * NARROW)
        self.search.setMinimumWidth(60)
        self.count = QLabel()
        self.count.setTextFormat(Qt.TextFormat.PlainText)
        self._between = QToolButton()
        self._between.setToolTip(tr("Back to all segments in corpus order"))
        self._between.setVisible(False)
        self._controls: list[QWidget] = [
            self.search, self.bad, self.disputed, self.edited, self.document, self.system, self.order,
        ]  # fmt: skip
        find, *narrow = self._controls
        row_of(Placed(find, 1), *narrow, self._between, self.count, on=self, gap=6, margins=(8, 6, 8, 6))
        for button in (self.bad, self.disputed, self.edited):
            button.toggled.connect(self._gather)
        self.document.activated.connect(self._leave)
        self.system.activated.connect(self._look_at_system)
        self.order.activated.connect(self._leave)
        self._between.clicked.connect(self.reset)

    def set_corpus(self, corpus: Corpus | None, gold: LayerKey | None) -> None:
        """Offer the corpus's documents and scores, and start with no filter; errors are measured against the gold."""
        self._gold = gold
        self._offer(corpus)
        self.reset()

    def extend_corpus(self, corpus: Corpus, gold: LayerKey | None) -> None:
        """Offer what the corpus has more by now; the filters stay."""
        self._gold = gold
        self._offer(corpus)
        self._show(self.query)
        self._show_choices()

    def _offer(self, corpus: Corpus | None) -> None:
        self.document.clear()
        documents = corpus.documents if corpus is not None else None
        if documents is not None:
            self.document.addItem(ALL_DOCUMENTS, "")
            for name in documents.names[:2000]:
                self.document.addItem(label(name), name)
        self.document.setVisible(documents is not None)
        keys = [] if corpus is None else list(corpus.layers)
        chosen, self._scores = self.scored, [key for key in keys if key.kind is Kind.SCORES]
        self.system.clear()
        for key in score_layers(corpus, gold=False):
            self.system.addItem(label(key.name), key)
        self.system.setCurrentIndex(max(0, self.system.findData(chosen)))
        # translations of several systems alone have nothing that could be tagged
        bare = corpus is not None and bool(corpus.translations) and TextRole.MT not in corpus.texts
        self._tagged = any(key.kind is not Kind.SCORES for key in keys) or not (self._scores or bare)
        for toggle in (self.bad, self.disputed, self.edited):
            toggle.setVisible(self._tagged)
        self.search.setEnabled(corpus is None or bool(corpus.texts or corpus.translations or corpus.references))
        self._say_where(corpus)
        self._fill_orders()

    def _say_where(self, corpus: Corpus | None) -> None:
        """Say which texts are looked into."""
        several = corpus is not None and bool(corpus.translations or corpus.references)
        found = tr("Find in source, translations and references…") if several else tr("Find in source and MT…")
        self.search.setPlaceholderText(found)
        # in a narrow window the placeholder is cut
        self.search.setToolTip(found)

    def set_gold(self, gold: LayerKey | None) -> None:
        """Measure errors against other scores."""
        if gold != self._gold:
            self._gold = gold
            self._fill_orders()
            self._show(self.query)
            self._gather()

    @property
    def scored(self) -> LayerKey | None:
        """The scores that are looked at, where systems have given any."""
        key: LayerKey | None = self.system.currentData()
        return key

    def _fill_orders(self) -> None:
        self.order.clear()
        for order, text in _ORDERS.items():
            if self._tagged or order not in _OF_TAGS:
                self.order.addItem(text, (order, None))
        system, gold = self.scored, self._gold
        if system is not None and gold is not None:
            for order, text in _ERRORS.items():
                self.order.addItem(text, (order, system))
        for key in [key for key in self._scores if key.provenance is Provenance.GOLD or key == system]:
            self.order.addItem(tr("highest {score} first", score=label(key.name)), (Order.SCORE_HIGH, key))
            self.order.addItem(tr("lowest {score} first", score=label(key.name)), (Order.SCORE_LOW, key))

    def _look_at_system(self) -> None:
        """Look at the scores of another system, in the order that those before had."""
        order, score = self.order.currentData()
        self._fill_orders()
        of_gold = score is None or score.provenance is Provenance.GOLD
        self.order.setCurrentIndex(self._place_of(order, score if of_gold else self.scored))
        self.system_changed.emit()
        self._leave()

    def sort_by(self, *wanted: tuple[Order, LayerKey | None]) -> None:
        """Sort by the first of these orders that there is; where it is chosen already, by the next."""
        orders = [self.order.itemData(place) for place in range(self.order.count())]
        offered = [one for one in wanted if one in orders]
        if offered and not self.query.is_set:
            now = self.order.currentData()
            place = (offered.index(now) + 1) % len(offered) if now in offered else 0
            self.order.setCurrentIndex(orders.index(offered[place]))
            self._gather()

    def _place_of(self, order: Order, score: LayerKey | None) -> int:
        orders = [self.order.itemData(place) for place in range(self.order.count())]
        return orders.index((order, score)) if (order, score) in orders else 0

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
        """Show what another view asks for; `between` names what it sets side by side."""
        self._show(query)
        self._timer.stop()
        self._between.setVisible(bool(between))
        self._between.setText(f"{between}  ✕")
        self.query = query
        self._show_choices()
        self.changed.emit(query)

    def narrow(self, query: Query) -> None:
        """Show what a bar of other filters makes of this one's query."""
        if query != self.query:
            self.query = query
            self.changed.emit(query)

    def _show_choices(self) -> None:
        # what another view asked for has an order of its own, and no room for the scores of a system
        alone = not self.query.is_set
        self.order.setVisible(alone)
        self.system.setVisible(alone and self._numbers and self.system.count() > 1)

    def show_numbers(self, shown: bool) -> None:
        """Whether scores have columns, so that it can be chosen whose."""
        self._numbers = shown
        self._show_choices()

    def _show(self, query: Query) -> None:
        for widget in self._controls:
            widget.blockSignals(True)
        self.search.setText(query.text)
        self.bad.setChecked(query.only_bad)
        self.disputed.setChecked(query.only_disagreement)
        self.edited.setChecked(query.only_edited)
        self.document.setCurrentIndex(max(0, self.document.findData(query.document)))
        self.order.setCurrentIndex(self._place_of(query.order, query.score))
        for widget in self._controls:
            widget.blockSignals(False)

    def _gather(self) -> None:
        self._timer.stop()
        order, score = (self.query.order, None) if self.query.is_set else self.order.currentData()
        query = replace(
            self.query,
            text=self.search.text(),
            only_bad=self.bad.isChecked(),
            only_disagreement=self.disputed.isChecked(),
            only_edited=self.edited.isChecked(),
            document=self.document.currentData() or "",
            order=order,
            score=score,
            reference=self.query.reference if self.query.is_set else self._gold if order in _ERRORS else None,
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
