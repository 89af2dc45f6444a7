"""Inspect area: segment list at the top, reader with the current segment below, scores on the right."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import numpy as np
from PySide6.QtCore import QModelIndex, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, View
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import Level
from qe_desktop.project import SessionChange
from qe_desktop.project.segment_filter import FilteredSegments, SegmentQuery, SortOrder, filter_segments, take_snapshot
from qe_desktop.studies.meta_eval.segment_rank_gap import RankGap
from qe_desktop.ui.action_registry import ActionRegistry, follow_shortcuts
from qe_desktop.ui.inspect.clipboard_controller import ClipboardController
from qe_desktop.ui.inspect.commands import VIEW_COMMANDS, connect_part_actions
from qe_desktop.ui.inspect.content_visibility import EmptyInspectPage, ScorePanelVisibility
from qe_desktop.ui.inspect.inspect_view_controller import InspectViewController
from qe_desktop.ui.inspect.legend_popup import LegendPopup, TagLegendController
from qe_desktop.ui.inspect.postedit.review_feature import ReviewFeature
from qe_desktop.ui.inspect.reader.segment_pane import SourceSideBySideAction
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_list import list_queries, score_columns
from qe_desktop.ui.inspect.segment_list.filter_bar import FilterBar
from qe_desktop.ui.inspect.segment_list.filter_bar_row import ViewButton
from qe_desktop.ui.inspect.segment_list.list_height import ListHeightManager
from qe_desktop.ui.inspect.segment_list.segment_delegate import SegmentDelegate
from qe_desktop.ui.inspect.segment_list.segment_model import SegmentColumn, SegmentListState, SegmentModel
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentColumnMenu, SegmentView
from qe_desktop.ui.inspect.segment_list.tag_finder import BAD_FINDER, DISPUTED_FINDER, TagFinder, find_next_tag
from qe_desktop.ui.inspect.segment_text_panel import SegmentTextPanel
from qe_desktop.ui.inspect.tag_threshold_toolbar import TagThresholdToolbar
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.inspect.translations.comparison_service import ComparisonHighlightService
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.settings import HIGHLIGHTS_KEY
from qe_desktop.ui.widgets.dialogs import ask_number
from qe_desktop.ui.widgets.layouts import Stretched, make_splitter, vbox
from qe_desktop.ui.workspace import Workspace


class InspectArea(QWidget):
    """Segment list, reader and score panel of one workspace."""

    def __init__(self, workspace: Workspace, panel: QWidget) -> None:
        super().__init__()
        self.workspace, self.inspect_view, self.panel = workspace, InspectViewController.of(workspace), panel
        self.model = SegmentModel(self)
        self.reader = SegmentTagEditor(workspace)
        self.view = SegmentView(self.model, self.reader.handle_list_key)
        self.view.setItemDelegate(SegmentDelegate(workspace.settings, self.model))
        self.filters = FilterBar()
        self.tag_toolbar = TagThresholdToolbar(workspace)
        self.comparison = TranslationComparisonPanel(ComparisonHighlightService(workspace, self))
        self.difference_updater = list_queries.DifferenceUpdater(workspace, self.model)
        self.difference_updater.query_invalidated.connect(self.filters.reset)
        self.review = ReviewFeature(workspace, self.reader, self.model, self.filters)
        self._view: View | None = None
        self._selects_first_row = False
        self._order = SortOrder.CORPUS
        self.clipboard_controller = ClipboardController(self.view, self.reader, self.comparison, self)
        self._lay_out()
        self.score_panel_visibility = ScorePanelVisibility(workspace, panel, self.panel_splitter)
        self._connect()
        self._on_opened()

    def _lay_out(self) -> None:
        review, workspace = self.review, self.workspace
        self.filters.add_filters(review.filter_bar)
        self.view_button = ViewButton(self.tag_toolbar, workspace.settings)
        self.filters.row.add_button(self.view_button)
        self.column_menu = SegmentColumnMenu(self.view, workspace.settings, self.view_button.popup)
        texts = SegmentTextPanel(self.reader, self.comparison, review, self.tag_toolbar)
        self.segment_pane, self.fold_bar, self.header = texts.pane, texts.fold_bar, texts.header
        rows = vbox(self.filters, review.replace_controller.bar, Stretched(self.view, 1), gap=0)
        list_stack = review.qa_results.stack_with(rows, self.view)
        self.list_splitter = make_splitter(Qt.Orientation.Vertical, list_stack, texts)
        self.legend_popup = LegendPopup(self.comparison.legend, self.header, self)
        self.legend_controller = TagLegendController(
            self.legend_popup, self.reader, self.filters, self.fold_bar, review, self.comparison.service
        )
        self.list_height = ListHeightManager(
            self.list_splitter, self.view, self.filters, self.segment_pane, self.fold_bar, workspace.settings
        )
        self.panel_splitter = make_splitter(Qt.Orientation.Horizontal, self.list_splitter, self.panel, shares=(1,))
        self.empty = EmptyInspectPage(self.workspace, self.panel_splitter)
        vbox(Stretched(self.panel_splitter, 1), Stretched(self.empty, 1), on=self)
        self.setFocusProxy(self.view)

    def _connect(self) -> None:
        workspace = self.workspace
        workspace.opened.connect(self._on_opened)
        workspace.changed.connect(self._on_change)
        workspace.level_changed.connect(self._on_level_changed)
        workspace.segment_changed.connect(self._on_segment)
        workspace.segments_requested.connect(self.show_difference)
        workspace.segment_requested.connect(self.show_segment)
        workspace.ranks_requested.connect(self.show_ranks)
        self.inspect_view.switched.connect(self._on_switched)
        self.filters.changed.connect(self._select)
        workspace.reference_changed.connect(self._show_scores)
        workspace.settings.changed.connect(self._on_setting)
        self.filters.system_changed.connect(self._show_scores)
        self.view.all_requested.connect(self.filters.reset)
        self.view.column_chosen.connect(self._sort_by)
        self.filters.list_requested.connect(self.view.setFocus)
        self.view.edit_requested.connect(self.review.edit_word)
        self.reader.step_requested.connect(self.step)
        self.comparison.service.changed.connect(self._show_tags)
        self.comparison.exited.connect(self.view.setFocus)
        self.review.controller.list_focus_requested.connect(self.view.setFocus)
        self.review.reviewing_changed.connect(self._update_view)
        self.review.refresh()
        self.comparison.refresh()
        self.fold_bar.refresh()
        self._show_tags()
        self.view.selectionModel().currentRowChanged.connect(self._on_row)
        self.fold_bar.list_requested.connect(self.view.setFocus)

    def connect_actions(self, commands: ActionRegistry) -> None:
        """Connect the commands of the Inspect area."""
        keep_typing = self.review.controller.steps.keep_typing
        handlers: dict[str, Callable[[], object]] = {
            "next-bad": partial(self.go_to_tag, BAD_FINDER, 1),
            "previous-bad": partial(self.go_to_tag, BAD_FINDER, -1),
            "next-disputed": partial(self.go_to_tag, DISPUTED_FINDER, 1),
            "previous-disputed": partial(self.go_to_tag, DISPUTED_FINDER, -1),
            "next-segment": partial(keep_typing, partial(self.step, 1)),
            "previous-segment": partial(keep_typing, partial(self.step, -1)),
            "go-to": self.ask_segment,
            "toggle": self.reader.toggle,
            "lock": self.reader.toggle_lock,
            "kind": self.tag_toolbar.next_kind,
            "only-bad": self.review.toggle_flagged,
            "only-disputed": self.filters.disputed.toggle,
            "all": self.filters.reset,
            "panel": self.score_panel_visibility.toggle,
            "explain": self.explain,
            "legend": self.header.legend.click,
        }
        for name, handler in handlers.items():
            commands.connect_to(f"inspect.{name}", handler)
        follow_shortcuts(self.header.show_shortcuts)
        commands.connect_to("edit.find", self.start_search)
        commands.connect_to("edit.replace", self.review.show_replace_bar)
        connect_part_actions(self.view, self.comparison, self.fold_bar, self.review, commands)
        self.tag_toolbar.connect_actions(commands)
        self.view_button.popup.addActions([commands[name] for name in VIEW_COMMANDS])
        self.clipboard_controller.connect_actions(commands)
        settings, controller = self.workspace.settings, self.review.controller
        self.source_action = SourceSideBySideAction(self.segment_pane, controller, settings, commands)

    # --- segment list

    def _on_opened(self) -> None:
        self._update_view()
        self.filters.set_corpus(self._view, self.inspect_view.kind, self._gold())
        self.empty.update_visibility()

    def _gold(self) -> LayerKey | None:
        view = self.inspect_view.view
        return score_columns.gold_for_errors(None if view is None else view.corpus, self.workspace.reference)

    def _scores(self, view: View) -> score_columns.ListScores:
        decimals = self.workspace.settings.decimals
        return score_columns.ListScores.of(view, self._gold(), self.filters.selected_scores, decimals)

    def _show_scores(self) -> None:
        self.filters.update_tags(self._view, self.inspect_view.kind, self._gold())
        if self._view is not None:
            self.model.show_scores(self._scores(self._view))
            self.view.measure()

    @property
    def _agreement(self) -> VotingRule:
        return VotingRule(self.workspace.settings.agreement)

    def _on_setting(self, key: str) -> None:
        if key == "view/decimals":
            self._show_scores()
        elif key == "inspect/agreement":
            self._update_view()
            self._select(self.filters.query)
        elif key == HIGHLIGHTS_KEY:
            self.view.viewport().update()

    def _sort_by(self, column: SegmentColumn) -> None:
        """Sort by a column; if the list is already sorted by this column, use the next sort order of the column."""
        self._selects_first_row = column is SegmentColumn.DIFFERENCE
        self.filters.sort_by(column)

    def _update_view(self) -> None:
        self._view, self.filters.view_mode = self.inspect_view.view, self.inspect_view.view_mode
        self._show_columns(self.filters.query)
        self._update_edited_filter()
        self._show_tags()

    def _show_tags(self) -> None:
        """Show the tag controls if the segments have words that can be tagged; otherwise hide them."""
        service, has_words = self.comparison.service, self._view is None or bool(self._view.corpus.texts)
        self.reader.is_taggable = has_words and service.is_taggable
        self.tag_toolbar.set_taggable(self.reader.is_taggable)

    def _update_edited_filter(self) -> None:
        """Show the filter for edited tags if tags were edited or there are no review filters; otherwise hide it."""
        session = self.workspace.session
        edited = session is not None and session.edited_tags() > 0 and self.inspect_view.view_mode.tag_editing
        self.filters.show_edited_filter(edited or not self.review.is_reviewing)

    def _on_change(self, change: SessionChange) -> None:
        before, view, query, kind = self._view, self.inspect_view.view, self.filters.query, self.inspect_view.kind
        if before is None or view is None:
            return
        if list_queries.corpus_facets(before.corpus) != list_queries.corpus_facets(view.corpus):
            # texts, documents or scores were added
            self._update_view()
            self.filters.extend_corpus(view, kind, self._gold())
            if list_queries.is_query_valid(self.filters.query, view):
                self._select(self.filters.query)
            else:
                self.filters.reset()
        elif change.affects_all_views:
            self._update_view()
            self.filters.update_tags(view, kind, self._gold())
            if before.tag_layers(kind) != view.tag_layers(kind) and query.depends_on_tags:
                self._select(self.filters.query)
            self.model.update_all_tags(view, kind)
            self.difference_updater.start_update(view, self.filters.query)
        else:
            self._view = view
            self._update_edited_filter()
            self.model.update_view(view, change.segments)
            self.difference_updater.start_update(view, self.filters.query)

    def _on_level_changed(self) -> None:
        self._update_view()
        self.filters.update_tags(self._view, self.inspect_view.kind, self._gold())
        self._select(self.filters.query)

    def _on_switched(self) -> None:
        """Show the view to which the user switched (evaluation or translator); the current segment does not change."""
        view, inspect_view = self.inspect_view.view, self.inspect_view
        if view is not None:
            self.filters.switch(inspect_view.view_mode, view, inspect_view.kind, self._gold(), self.workspace.segment)
            # a restored order must not select its first segment
            self._order, self._selects_first_row = self.filters.query.order, False
            self._update_view()
            self._select(self.filters.query)

    def _show_columns(self, query: SegmentQuery) -> None:
        """Show the columns with content.

        By default, score columns are shown only if there are no MT tags, the list is sorted by score or error, or the
        level has no tags and the view allows tag editing. In the translator's view, QA results do not count as tags.
        """
        view, level = self._view, self.workspace.level
        kind, inspected = self.inspect_view.kind, self.inspect_view.view_mode
        has_tags = list_queries.has_qe_tags if inspected.flag_wording else list_queries.has_mt_tags
        tags = view is not None and has_tags(view, kind)
        numbers = not tags or (level.tags is None and inspected.tag_editing) or query.score is not None
        status = self.review.can_review
        columns = () if view is None else tuple(list_queries.visible_columns(view, kind, numbers, status, inspected))
        is_optional = inspected.flag_wording and SegmentColumn.BAD in columns
        self.view.set_columns(columns, is_score_optional=is_optional, is_score_shown=numbers)
        self.filters.set_scores_shown(numbers or is_optional)

    def _select(self, query: SegmentQuery) -> None:
        view = self._view = self.inspect_view.compare(query.compared_layers or ())
        order = query.order
        if order is not self._order:
            self._show_columns(query)
        # after a change of order, show its first segments
        self._selects_first_row |= order is not self._order and order is not SortOrder.CORPUS
        self._order = order
        self.reader.show_search_matches(query.text)
        self.comparison.view.show_search_matches(query.text)
        self._update_edited_filter()
        self._show_tags()
        self.workspace.jobs.cancel("ahead")
        self.comparison.service.set_query(query)
        if view is None:
            self.model.show(None)
            self.filters.set_count(0, 0)
        elif query.shows_all_segments:
            self.workspace.jobs.cancel("segments")
            self._show(FilteredSegments(np.arange(view.corpus.size)))
        else:
            kind, agreement = self.inspect_view.kind, self._agreement
            check_mask = self.review.live_checks.segments() if query.only_with_findings else None

            def work(progress: Progress) -> FilteredSegments:
                # tags derived from post-edits may not be computed yet, which must not block the GUI thread
                return filter_segments(take_snapshot(view, kind, query, agreement, check_mask), query, progress.report)

            self.workspace.jobs.submit(tr("Filtering"), work, self._show, latest="segments", owner=self)

    def _show(self, result: FilteredSegments) -> None:
        if self._view is None:
            return
        segments, query, scores = result.segments, self.filters.query, self._scores(self._view)
        column = score_columns.difference_column(query.rank_gap, result.influence)
        kind, inspected = self.inspect_view.kind, self.inspect_view.view_mode
        state = (kind, segments, column, scores, list_queries.sorted_column(query, scores), self._agreement, query.text)
        self.model.show(SegmentListState(self._view, *state, inspected))
        self.view.set_differences_shown(column is not None)
        self.filters.set_count(len(segments), self._view.corpus.size)
        if self._selects_first_row and isinstance(column, score_columns.DifferenceColumn):
            self.reader.message_posted.emit(column.counts)
        row = self.model.row_of(self.workspace.segment)
        if len(segments) and (row is None or self._selects_first_row):
            row = 0
        self._selects_first_row = False
        self.view.show_row(row)

    def _on_row(self, current: QModelIndex, previous: QModelIndex) -> None:
        if current.isValid():
            self.workspace.go_to(self.model.segment_at(current.row()))

    def _on_segment(self, segment: int) -> None:
        self.view.show_row(self.model.row_of(segment))

    def show_difference(
        self, left: LayerKey, right: LayerKey, metric: str, level: Level, reference: LayerKey | None = None
    ) -> None:
        """Show the segments that cause the difference between two systems in a metric, most influential first."""
        self._compare(*list_queries.difference_query(left, right, metric, level, reference))

    def show_ranks(self, gap: RankGap) -> None:
        """Show the segments in which a system has both metric and human scores, largest rank difference first."""
        self._compare(*list_queries.rank_query(gap))

    def _compare(self, query: SegmentQuery, title: str) -> None:
        self.inspect_view.show_evaluation()
        self._selects_first_row = True
        self.filters.show_query(query, title)
        self.view.setFocus()

    def show_segment(self, segment: int) -> None:
        """Go to a segment; if the segment is not listed, first clear all filters and the sort order."""
        if self.model.row_of(segment) is None:
            self.filters.reset()
        self.workspace.go_to(segment)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Type letters into an open target; on Escape, close the legend if it is open, otherwise focus the list."""
        if event.key() != Qt.Key.Key_Escape or event.modifiers():
            if not self.review.controller.type_key(event):
                super().keyPressEvent(event)
        elif not self.legend_popup.close_if_open():
            self.view.setFocus()

    # --- commands

    def start_search(self) -> None:
        """Show the segment list and focus the search field."""
        self.review.qa_results.close()
        self.filters.search.setFocus()
        self.filters.search.selectAll()

    def step(self, by: int) -> None:
        """Go down by `by` rows (up if negative), if possible; an unlisted segment counts as above the first row."""
        target = by + (-1 if (row := self.model.row_of(self.workspace.segment)) is None else row)
        if 0 <= target < self.model.rowCount():
            self.view.show_row(target)

    def go_to_tag(self, finder: TagFinder, step: int) -> None:
        """Go to the next (`step` 1) or previous (`step` −1) match of `finder`, such as a BAD word, if there is one."""
        view = self.inspect_view.view
        if view is None:
            return
        kind, segment = self.inspect_view.kind, self.workspace.segment
        match = find_next_tag(view, kind, self.model, segment, self.reader.word_cursor.index, finder, step)
        if match is not None:
            self.workspace.go_to(match[0])
            self.reader.go_to_index(match[1])

    def ask_segment(self) -> None:
        """Ask for a segment number, and go to the segment."""
        corpus = self.workspace.corpus
        if corpus is None or not corpus.size:
            return
        label = tr("Segment (1 to {last:,})", last=corpus.size)
        number = ask_number(self, tr("Go to segment"), label, self.workspace.segment + 1, corpus.size)
        if number is not None:
            self.show_segment(number - 1)

    def explain(self) -> None:
        """Explain the current word: in `comparison` if it has focus or is the main content, otherwise in the reader."""
        if self.comparison.view.hasFocus() or self.comparison.service.are_main_content:
            self.comparison.view.explain()
        else:
            self.reader.explain_cursor()
