"""Filter bar above the segment list: search, filters, and sort order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import ceil

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QComboBox, QLineEdit, QWidget

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextRole, View
from qe_desktop.corpus.file_scores import file_score_title
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.project.segment_filter import SegmentQuery, SortOrder
from qe_desktop.ui.inspect.inspect_view import EVALUATION_VIEW, InspectView
from qe_desktop.ui.inspect.segment_list.filter_bar_row import FilterBarRow, FilterButton
from qe_desktop.ui.inspect.segment_list.list_queries import (
    SegmentSort,
    active_filters,
    available_sorts,
    column_sorts,
    has_disputable_tags,
    is_error_order,
    sort_title,
)
from qe_desktop.ui.inspect.segment_list.score_columns import score_layers
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn
from qe_desktop.ui.widgets.form_controls import make_combo_box, make_tool_button, set_needs
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox, wrap_layout

SEARCH_DELAY_MS = 150
"""Milliseconds from the last key press until the list is filtered."""
MAX_SEARCH_CHARS = 36
"""Maximum width of the search field in characters."""
NARROW_SYSTEM_CHARS, WIDE_SYSTEM_CHARS = 6, 26
"""Minimum and maximum width of the system combo box in characters."""
ALL_DOCUMENTS = tr("all documents")
SCORE_TOOLTIP = tr(
    "Segment scores by which you can sort the list. The list shows them in a column if it is sorted by them, or if "
    "there are no flagged or BAD words to count."
)
DOCUMENT_TOOLTIP = tr("Only segments of the selected document")
MAX_DOCUMENT_CHOICES = 2000
"""Maximum number of documents listed in the document filter."""


class SearchField(QLineEdit):
    """Search field; Enter, ↓ and Escape move the focus to the list, and Escape also clears the field."""

    exited = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Emit `exited` on Enter, ↓ or Escape; on Escape, clear the field first."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
        elif event.key() not in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Down):
            super().keyPressEvent(event)
            return
        self.exited.emit()


@dataclass(frozen=True, slots=True)
class PreviousQuery:
    """Query and segment before a switch of the view; `remaining` is the part of `query` that the new view supports."""

    query: SegmentQuery
    remaining: SegmentQuery
    segment: int


class FilterBar(QWidget):
    """Bar that edits the `SegmentQuery` of the segment list."""

    changed = Signal(object)
    """Emitted with the new `SegmentQuery` after a filter, the search text or the order has changed."""
    system_changed = Signal()
    """Emitted when the scores of another system are selected."""
    list_requested = Signal()
    """Emitted to move the focus to the list."""

    def __init__(self) -> None:
        super().__init__()
        self.query = SegmentQuery()
        self.view_mode = EVALUATION_VIEW
        """View of the Inspect area; it must be set before the filters and orders are updated."""
        self._previous: PreviousQuery | None = None
        self._view: View | None = None
        self._kind = Kind.WORDS
        self._gold: LayerKey | None = None
        self._can_have_tags = True
        self._timer = QTimer(self, singleShot=True, interval=SEARCH_DELAY_MS)
        self._scores_shown = True
        self._timer.timeout.connect(self._build_query)
        self.search = SearchField()
        self._show_search_scope(None)
        self.search.setAccessibleName(tr("Find"))
        self.search.setClearButtonEnabled(True)
        self.search.textChanged.connect(self._timer.start)
        self.search.exited.connect(self._focus_list)
        self.bad = make_tool_button(
            "BAD", tr("Only segments with BAD words or gaps, as counted in the BAD column"), checkable=True
        )
        self.disputed = make_tool_button(
            tr("Disagreement"),
            tr("Only segments in which tags differ between layers (gold, systems or users)"),
            checkable=True,
        )
        self.edited = make_tool_button(tr("Tags edited"), tr("Only segments whose tags were edited"), checkable=True)
        self.document = make_combo_box(tr("Document"), DOCUMENT_TOOLTIP)
        self.system = make_combo_box(tr("Score"), SCORE_TOOLTIP)
        self.order = make_combo_box(tr("Order"), tr("Sort order of the segments"))
        for box in (self.document, self.order):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        document_chars = self.fontMetrics().horizontalAdvance(ALL_DOCUMENTS) / self.fontMetrics().horizontalAdvance("X")
        self.document.setMinimumContentsLength(max(11, ceil(document_chars)))
        # the system's name is also the title of its scores
        self.system.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.system.setMinimumContentsLength(11)
        self.system.setMinimumWidth(self.fontMetrics().horizontalAdvance("0") * NARROW_SYSTEM_CHARS)
        self.system.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * WIDE_SYSTEM_CHARS)
        self.search.setMaximumWidth(self.fontMetrics().horizontalAdvance("0") * MAX_SEARCH_CHARS)
        self._controls: list[QWidget] = [
            self.search, self.bad, self.disputed, self.edited, self.document, self.system, self.order,
        ]  # fmt: skip
        self._filters = vbox(self.bad, self.disputed, self.edited, self.document, gap=8, margins=8)
        self.filter = FilterButton(wrap_layout(self._filters))
        self.row = FilterBarRow(self.search, self.filter, self.order, self.system)
        self.count, self._title_button = self.row.count, self.row.title
        hbox(Stretched(self.row, 1), on=self)
        for button in (self.bad, self.disputed, self.edited):
            button.toggled.connect(self._build_query)
        self.document.activated.connect(self._focus_list)
        self.system.activated.connect(self._on_system_selected)
        self.order.activated.connect(self._focus_list)
        self._title_button.clicked.connect(self.reset)

    def add_filters(self, filters: QWidget) -> None:
        """Add filter controls to the panel of the filter button."""
        self._filters.addWidget(filters)

    def set_corpus(self, view: View | None, kind: Kind, gold: LayerKey | None) -> None:
        """Offer the documents and system scores of a corpus, and reset the query.

        `gold` is the reference for prediction errors, by which the list can be sorted.
        """
        self._view, self._kind, self._gold, self._previous = view, kind, gold, None
        self._fill_choices(None if view is None else view.corpus)
        self.reset()

    def extend_corpus(self, view: View, kind: Kind, gold: LayerKey | None) -> None:
        """Update filters and orders for an extended corpus; remove unavailable filters and orders from the query."""
        self._view, self._kind, self._gold = view, kind, gold
        self._fill_choices(view.corpus)
        self.query = self._drop_unavailable(self.query)
        self._show(self.query)
        self._show_choices()

    def switch(self, view_mode: InspectView, view: View, kind: Kind, gold: LayerKey | None, segment: int) -> None:
        """Switch to another view of the corpus; remove from the query what the view does not support.

        The removed parts are restored on switching back if neither the query nor the segment has changed in between.
        """
        before, previous = self.query, self._previous
        self.view_mode, self._previous = view_mode, None
        if previous is not None and (previous.remaining, previous.segment) == (before, segment):
            self.query = previous.query
        self.extend_corpus(view, kind, gold)
        self._title_button.setVisible(self.query.has_external_order)
        if previous is None and self.query != before:
            self._previous = PreviousQuery(before, self.query, segment)

    def _fill_choices(self, corpus: Corpus | None) -> None:
        self.document.clear()
        documents = corpus.documents if corpus is not None else None
        if documents is not None:
            self.document.addItem(ALL_DOCUMENTS, "")
            for name in documents.names[:MAX_DOCUMENT_CHOICES]:
                self.document.addItem(escape_label(name), name)
            left_out = len(documents.names) - MAX_DOCUMENT_CHOICES
            more = tr("{n:,} more {n:document is|documents are} not listed.", "", left_out)
            self.document.setToolTip(more if left_out > 0 else DOCUMENT_TOOLTIP)
        self.document.setVisible(documents is not None)
        selected = self.selected_scores
        self.system.clear()
        for key in score_layers(corpus, gold=False):
            flagged = self.view_mode.flag_wording
            self.system.addItem(file_score_title(key.name) if flagged else escape_label(key.name), key)
        self.system.setCurrentIndex(max(0, self.system.findData(selected)))
        self._update_tag_filters(corpus)
        has_texts = corpus is None or bool(corpus.texts or corpus.translations or corpus.references)
        set_needs(self.search, "" if has_texts else tr("The open files contain no texts to search."))
        self._show_search_scope(corpus)
        self._fill_orders()

    def _update_tag_filters(self, corpus: Corpus | None) -> None:
        keys = [] if corpus is None else list(corpus.layers)
        # without an MT, no text can be tagged, and bilingual files are rarely tagged
        is_without_mt = corpus is not None and bool(corpus.translations) and TextRole.MT not in corpus.texts
        job = corpus is not None and corpus.job is not None
        scores = any(key.kind is Kind.SCORES for key in keys)
        self._can_have_tags = any(key.kind is not Kind.SCORES for key in keys) or not (scores or is_without_mt or job)
        # the review filters include flagged segments
        self.bad.setVisible(self._can_have_tags and not self.view_mode.flag_wording)
        if not self._can_have_tags and self.query.only_bad:
            self._show(replace(self.query, only_bad=False))
        self._update_disagreement_filter()

    def _update_disagreement_filter(self) -> None:
        """Show the disagreement filter if tags can differ between layers; otherwise hide it."""
        self.disputed.setVisible(self._can_differ())
        set_needs(self.disputed, "" if self._can_differ() else tr("At least two layers with tags are needed."))

    def show_edited_filter(self, is_offered: bool) -> None:
        """Show the edited-tags filter if tags can be edited and it is active or `is_offered`; otherwise hide it."""
        is_offered = self.view_mode.tag_editing and (is_offered or self.edited.isChecked())
        self.edited.setVisible(self._can_have_tags and is_offered)

    def _can_differ(self) -> bool:
        return self._can_have_tags and has_disputable_tags(self._view, self._kind, self.view_mode)

    def _drop_unavailable(self, query: SegmentQuery) -> SegmentQuery:
        """Return the query without unavailable filters and, if its order is unavailable, in corpus order."""
        if not self.disputed.isEnabled():
            query = replace(query, only_disagreement=False)
        if not self.view_mode.tag_editing:
            query = replace(query, only_edited=False)
        if self.view_mode.flag_wording:
            query = replace(query, only_bad=False)
        if query.has_external_order and not self.view_mode.disagreement:
            return replace(
                query,
                order=SortOrder.CORPUS,
                compared_layers=None,
                metric="",
                level=None,
                reference=None,
                rank_gap=None,
                favoured_side=0,
            )
        if query.has_external_order or (query.order, query.score, False) in self._available_sorts():
            return query
        return replace(query, order=SortOrder.CORPUS, score=None, reference=None, is_reversed=False)

    def _show_search_scope(self, corpus: Corpus | None) -> None:
        """Show which texts are searched."""
        if corpus is not None and bool(corpus.translations or corpus.references):
            placeholder, scope = tr("Find in all texts…"), tr("Find in source, translations and references")
        elif self.view_mode.flag_wording:
            placeholder = scope = tr("Find in source and target…")
        else:
            placeholder, scope = tr("Find in all texts…"), tr("Find in source, MT, post-edit and reference")
        self.search.setPlaceholderText(placeholder)
        self.search.setToolTip(scope)

    def update_tags(self, view: View | None, kind: Kind, gold: LayerKey | None) -> None:
        """Update the available filters and orders after tags or gold scores have changed."""
        self._view, self._kind, self._gold = view, kind, gold
        self._update_tag_filters(None if view is None else view.corpus)
        listed = [self.order.itemData(index)[:2] for index in range(self.order.count())]
        if (
            listed != [sorting[:2] for sorting in self._available_sorts()]
            or self.disputed.isEnabled() != self._can_differ()
        ):
            self._update_disagreement_filter()
            self._fill_orders()
            self._show(self._drop_unavailable(self.query))
        self._build_query()

    @property
    def selected_scores(self) -> LayerKey | None:
        """Layer of the selected system scores; None if there are no system scores."""
        key: LayerKey | None = self.system.currentData()
        return key

    def _available_sorts(self) -> list[SegmentSort]:
        return available_sorts(self._view, self._kind, self._gold, self.selected_scores, self.view_mode)

    def _fill_orders(self, selected: SegmentSort | None = None) -> None:
        """List the sort orders; if `selected` is a reversed order, it replaces the entry of the unreversed order."""
        self.order.clear()
        for sorting in self._available_sorts():
            item = selected if selected is not None and selected[:2] == sorting[:2] else sorting
            self.order.addItem(sort_title(item, self.view_mode), item)

    def _on_system_selected(self) -> None:
        """Show the scores of the selected system; a list sorted by the scores of a system is then sorted by these."""
        order, score, backwards = self.order.currentData()
        self._fill_orders()
        of_gold = score is None or score.provenance is Provenance.GOLD
        self._select_sort((order, score if of_gold else self.selected_scores, backwards))
        self.system_changed.emit()
        self._focus_list()

    def sort_by(self, column: SegmentColumn) -> None:
        """Sort by the first available order of a column or, if an order of the column is active, by the next one.

        If another area listed the segments in its own order, they can be sorted only by the difference column.
        """
        query = self.query
        if query.has_external_order:
            if column is SegmentColumn.DIFFERENCE and (query.metric or query.rank_gap is not None):
                self.apply_query(replace(query, favoured_side={0: 1, 1: -1}.get(query.favoured_side, 0)))
            return
        available = [(order, score) for order, score, _ in self._available_sorts()]
        offered = [
            sorting for sorting in column_sorts(column, self._gold, self.selected_scores) if sorting[:2] in available
        ]
        if offered:
            current_sort = self.order.currentData()
            self._select_sort(
                offered[(offered.index(current_sort) + 1) % len(offered) if current_sort in offered else 0]
            )
            self._build_query()

    def _select_sort(self, sorting: SegmentSort) -> None:
        """Select an order or, if it is not available, the corpus order."""
        self._fill_orders(sorting)
        indices = range(self.order.count())
        self.order.setCurrentIndex(next((index for index in indices if self.order.itemData(index) == sorting), 0))

    def reset(self) -> None:
        """Clear filters and sorting."""
        self.show_query(SegmentQuery())

    def set_count(self, count: int, total: int) -> None:
        """Show the number of listed segments and, if not all are listed, the total."""
        words = sentence = tr("{n:,} {n:segment|segments}", "", total)
        number = f"{total:,}"
        if count != total:
            words = number = tr("{n:,} of {total:,}", "segments", count, total=total)
            sentence = tr("{n:,} of {total:,} {total:segment|segments} {n:is|are} listed", "", count, total=total)
        self.row.show_count(words, number)
        self.count.setToolTip(sentence)
        self.count.setAccessibleName(sentence)

    def show_query(self, query: SegmentQuery, title: str = "") -> None:
        """Show and apply a query; `title` names a comparison or segment list, and is empty for other queries."""
        self._show(query)
        self._timer.stop()
        self.row.show_title(title, query.compared_layers)
        self.query = query
        self._show_choices()
        self.changed.emit(query)

    def apply_query(self, query: SegmentQuery) -> None:
        """Apply a query and emit `changed`, unless the query is already applied."""
        if query != self.query:
            self.query = query
            self.filter.show_filters(active_filters(query))
            self.changed.emit(query)

    def _show_choices(self) -> None:
        # the query of another area has its own order and no system scores
        is_standard = not self.query.has_external_order
        self.filter.show_filters(active_filters(self.query))
        self.row.show_choices(order=is_standard, system=is_standard and self._scores_shown and self.system.count() > 1)

    def set_scores_shown(self, visible: bool) -> None:
        """Set whether score columns are shown; without them, the system combo box is hidden."""
        self._scores_shown = visible
        self._show_choices()

    def _show(self, query: SegmentQuery) -> None:
        for widget in self._controls:
            widget.blockSignals(True)
        self.search.setText(query.text)
        self.bad.setChecked(query.only_bad)
        self.disputed.setChecked(query.only_disagreement)
        self.edited.setChecked(query.only_edited)
        self.document.setCurrentIndex(max(0, self.document.findData(query.document)))
        self._select_sort((query.order, query.score, query.is_reversed))
        for widget in self._controls:
            widget.blockSignals(False)

    def _build_query(self) -> None:
        self._timer.stop()
        compares = self.query.has_external_order
        order, score, backwards = (self.query.order, None, False) if compares else self.order.currentData()
        query = replace(
            self.query,
            text=self.search.text(),
            only_bad=self.bad.isChecked(),
            only_disagreement=self.disputed.isChecked(),
            only_edited=self.edited.isChecked(),
            document=self.document.currentData() or "",
            order=order,
            score=score,
            is_reversed=backwards,
            reference=self.query.reference if compares else self._gold if is_error_order(order) else None,
        )
        self.apply_query(query)

    def _focus_list(self) -> None:
        self._build_query()
        self.list_requested.emit()
