"""The bar above the list: find, filters, and the order of the segments."""

from __future__ import annotations

from dataclasses import replace
from math import ceil

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLabel, QLineEdit, QToolButton, QWidget

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder
from qe_desktop.ui.inspect.segment_list.score_columns import score_layers
from qe_desktop.ui.inspect.segment_list.sort_orders import (
    SegmentSort,
    available_sorts,
    has_disputable_tags,
    is_error_order,
    sort_title,
)
from qe_desktop.ui.widgets.layouts import Stretched, hbox

SEARCH_DELAY_MS = 150
"""Milliseconds after the last letter before the list is filtered."""
NARROW_SYSTEM_CHARS, WIDE_SYSTEM_CHARS = 6, 26
"""Characters that the choice of a system is wide at the least."""
ALL_DOCUMENTS = tr("all documents")


class SearchField(QLineEdit):
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
        self.query = SegmentQuery()
        self._view: View | None = None
        self._kind = Kind.WORDS
        self._gold: LayerKey | None = None
        self._tagged = True
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._numbers = True
        self._timer.setInterval(SEARCH_DELAY_MS)
        self._timer.timeout.connect(self._gather)
        self.search = SearchField()
        self._say_where(None)
        self.search.setAccessibleName(tr("Find"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._timer.start)
        self.search.left.connect(self._leave)
        self.bad = _toggle("BAD", tr("Only segments with a BAD tag"))
        self.disputed = _toggle(
            tr("Disagreement"), tr("Only segments on which gold and systems are not all of one opinion")
        )
        self.edited = _toggle(tr("Tags edited"), tr("Only segments whose tags were edited"))
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
        self.system.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.system.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * NARROW_SYSTEM_CHARS)
        self.system.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * WIDE_SYSTEM_CHARS)
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
        hbox(Stretched(find, 1), *narrow, self._between, self.count, on=self, gap=6, margins=(8, 6, 8, 6))
        for button in (self.bad, self.disputed, self.edited):
            button.toggled.connect(self._gather)
        self.document.activated.connect(self._leave)
        self.system.activated.connect(self._look_at_system)
        self.order.activated.connect(self._leave)
        self._between.clicked.connect(self.reset)

    def set_corpus(self, view: View | None, kind: Kind, gold: LayerKey | None) -> None:
        """Offer the corpus's documents and scores, and start with no filter; errors are measured against the gold."""
        self._view, self._kind, self._gold = view, kind, gold
        self._offer(None if view is None else view.corpus)
        self.reset()

    def extend_corpus(self, view: View, kind: Kind, gold: LayerKey | None) -> None:
        """Offer what the corpus has more by now; the filters stay, and the order where there still is one like it."""
        self._view, self._kind, self._gold = view, kind, gold
        self._offer(view.corpus)
        self.query = self._still(self.query)
        self._show(self.query)
        self._show_choices()

    def _offer(self, corpus: Corpus | None) -> None:
        self.document.clear()
        documents = corpus.documents if corpus is not None else None
        if documents is not None:
            self.document.addItem(ALL_DOCUMENTS, "")
            for name in documents.names[:2000]:
                self.document.addItem(escape_label(name), name)
        self.document.setVisible(documents is not None)
        chosen = self.scored
        self.system.clear()
        for key in score_layers(corpus, gold=False):
            self.system.addItem(escape_label(key.name), key)
        self.system.setCurrentIndex(max(0, self.system.findData(chosen)))
        self._offer_tags(corpus)
        self.search.setEnabled(corpus is None or bool(corpus.texts or corpus.translations or corpus.references))
        self._say_where(corpus)
        self._fill_orders()

    def _offer_tags(self, corpus: Corpus | None) -> None:
        keys = [] if corpus is None else list(corpus.layers)
        # translations of several systems alone have nothing that could be tagged, and translators' files little cause
        bare = corpus is not None and bool(corpus.translations) and TextRole.MT not in corpus.texts
        job = corpus is not None and corpus.job is not None
        scores = any(key.kind is Kind.SCORES for key in keys)
        self._tagged = any(key.kind is not Kind.SCORES for key in keys) or not (scores or bare or job)
        self.bad.setVisible(self._tagged)
        if not self._tagged and self.query.only_bad:
            self._show(replace(self.query, only_bad=False))
        self._offer_disputed()

    def _offer_disputed(self) -> None:
        """Tags of one alone are never disputed, and a filter that leaves nothing is none to choose."""
        self.disputed.setVisible(self._can_differ())
        self.disputed.setEnabled(self._can_differ())

    def offer_edited(self, offered: bool) -> None:
        """Whether edited tags are a filter to choose; one that is chosen stays."""
        self.edited.setVisible(self._tagged and (offered or self.edited.isChecked()))

    def _can_differ(self) -> bool:
        return self._tagged and has_disputable_tags(self._view, self._kind)

    def _still(self, query: SegmentQuery) -> SegmentQuery:
        """A query without what is no longer offered."""
        if not self.disputed.isEnabled():
            query = replace(query, only_disagreement=False)
        offered = query.is_set or (query.order, query.score, False) in self._sortings()
        return query if offered else replace(query, order=SortOrder.CORPUS, score=None, reference=None, backwards=False)

    def _say_where(self, corpus: Corpus | None) -> None:
        """Say which texts are looked into."""
        several = corpus is not None and bool(corpus.translations or corpus.references)
        found = tr("Find in source, translations and references…") if several else tr("Find in source and MT…")
        self.search.setPlaceholderText(found)
        # in a narrow window the placeholder is cut
        self.search.setToolTip(found)

    def follow(self, view: View | None, kind: Kind, gold: LayerKey | None) -> None:
        """Offer what there is of other tags, or with errors measured against other scores."""
        self._view, self._kind, self._gold = view, kind, gold
        self._offer_tags(None if view is None else view.corpus)
        listed = [self.order.itemData(place)[:2] for place in range(self.order.count())]
        if listed != [one[:2] for one in self._sortings()] or self.disputed.isEnabled() != self._can_differ():
            self._offer_disputed()
            self._fill_orders()
            self._show(self._still(self.query))
        self._gather()

    @property
    def scored(self) -> LayerKey | None:
        """The scores that are looked at, where systems have given any."""
        key: LayerKey | None = self.system.currentData()
        return key

    def _sortings(self) -> list[SegmentSort]:
        return available_sorts(self._view, self._kind, self._gold, self.scored)

    def _fill_orders(self, shown: SegmentSort | None = None) -> None:
        """List the orders; one that runs backwards stands in the place of the same forwards."""
        self.order.clear()
        for sorting in self._sortings():
            one = shown if shown is not None and shown[:2] == sorting[:2] else sorting
            self.order.addItem(sort_title(one), one)

    def _look_at_system(self) -> None:
        """Look at the scores of another system, in the order that those before had."""
        order, score, backwards = self.order.currentData()
        self._fill_orders()
        of_gold = score is None or score.provenance is Provenance.GOLD
        self._choose((order, score if of_gold else self.scored, backwards))
        self.system_changed.emit()
        self._leave()

    def sort_by(self, *wanted: SegmentSort) -> None:
        """Sort by the first of these orders that there is; where it is chosen already, by the next."""
        there = [(order, score) for order, score, _ in self._sortings()]
        offered = [one for one in wanted if one[:2] in there]
        if offered and not self.query.is_set:
            now = self.order.currentData()
            self._choose(offered[(offered.index(now) + 1) % len(offered) if now in offered else 0])
            self._gather()

    def _choose(self, sorting: SegmentSort) -> None:
        """Show an order as the one chosen; the corpus's where it is not offered."""
        self._fill_orders(sorting)
        places = range(self.order.count())
        self.order.setCurrentIndex(next((place for place in places if self.order.itemData(place) == sorting), 0))

    def reset(self) -> None:
        """Show all segments in the corpus's order."""
        self.show_query(SegmentQuery())

    def set_count(self, shown: int, total: int) -> None:
        """Say how many segments are shown."""
        if shown == total:
            self.count.setText(tr("{n:,} {n:segment|segments}", "", total))
        else:
            self.count.setText(tr("{n:,} of {total:,}", "segments", shown, total=total))

    def show_query(self, query: SegmentQuery, between: str = "") -> None:
        """Show what another view asks for; `between` names what it sets side by side."""
        self._show(query)
        self._timer.stop()
        self._between.setVisible(bool(between))
        self._between.setText(f"{between}  ✕")
        self.query = query
        self._show_choices()
        self.changed.emit(query)

    def narrow(self, query: SegmentQuery) -> None:
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

    def _show(self, query: SegmentQuery) -> None:
        for widget in self._controls:
            widget.blockSignals(True)
        self.search.setText(query.text)
        self.bad.setChecked(query.only_bad)
        self.disputed.setChecked(query.only_disagreement)
        self.edited.setChecked(query.only_edited)
        self.document.setCurrentIndex(max(0, self.document.findData(query.document)))
        self._choose((query.order, query.score, query.backwards))
        for widget in self._controls:
            widget.blockSignals(False)

    def _gather(self) -> None:
        self._timer.stop()
        asked = self.query.is_set
        order, score, backwards = (self.query.order, None, False) if asked else self.order.currentData()
        query = replace(
            self.query,
            text=self.search.text(),
            only_bad=self.bad.isChecked(),
            only_disagreement=self.disputed.isChecked(),
            only_edited=self.edited.isChecked(),
            document=self.document.currentData() or "",
            order=order,
            score=score,
            backwards=backwards,
            reference=self.query.reference if asked else self._gold if is_error_order(order) else None,
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
