"""Popup with the legends of a segment, and the controller of its tag legend."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeySequence, QShortcut
from PySide6.QtWidgets import QFrame, QWidget

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.i18n.messages import tr
from qe_desktop.project import Session
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.inspect.fold_bar import POST_EDIT, FoldBar
from qe_desktop.ui.inspect.legend_entries import LegendEntry, LegendState, LegendSymbol, legend_entries
from qe_desktop.ui.inspect.postedit.review_feature import ReviewFeature
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_list.filter_bar import FilterBar
from qe_desktop.ui.inspect.segment_text_panel import SegmentHeaderBar
from qe_desktop.ui.inspect.tag_legend import TagLegend
from qe_desktop.ui.inspect.translations.comparison_service import ComparisonHighlightService
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import vbox


class LegendPopup(QFrame):
    """Frame with the legends of a segment; it is above the segment header and covers part of the segment list.

    While the frame is open, Escape closes it, unless the target editor has the focus. `comparison` is the legend of
    compared translations, which this class does not show or hide.
    """

    opened = Signal()
    """Emitted when the frame opens and needs its entries."""

    def __init__(self, comparison: QWidget, header: SegmentHeaderBar, parent: QWidget) -> None:
        super().__init__(parent)
        self.tags = TagLegend()
        self._comparison, self._header, self._area = comparison, header, parent
        self.empty_label = Label(tr("Nothing is marked in this segment."), token="muted")
        self.empty_label.setContentsMargins(12, 4, 12, 4)
        self.setFrameShape(QFrame.Shape.StyledPanel)
        self.setAutoFillBackground(True)
        vbox(self.tags, comparison, self.empty_label, on=self, gap=0, margins=4)
        self.hide()
        # a shortcut, because many widgets of the area use Escape themselves
        self._escape = QShortcut(
            QKeySequence(Qt.Key.Key_Escape), parent, context=Qt.ShortcutContext.WidgetWithChildrenShortcut
        )
        self._escape.activated.connect(self.close_if_open)
        self._escape.setEnabled(False)
        header.legend_requested.connect(self._show)

    def show_entries(self, entries: tuple[LegendEntry, ...]) -> None:
        """Show the tag legend with `entries`, or a message if there are none and no other legend is shown."""
        self.tags.show_entries(entries)
        self.tags.setVisible(bool(entries))
        self.empty_label.setVisible(not entries and self._comparison.isHidden())

    def close_if_open(self) -> bool:
        """Close the frame; return whether it was open."""
        was_open = self._header.legend.isChecked()
        self._header.legend.setChecked(False)
        return was_open

    def _show(self, visible: bool) -> None:
        self.setVisible(visible)
        self._escape.setEnabled(visible)
        if visible:
            self._follow_header()
            self.opened.emit()
            self.place()
            self.raise_()

    def _follow_header(self) -> None:
        """Watch the header and its ancestors within the area, because moving an ancestor moves the header."""
        moving: QWidget | None = self._header
        while moving is not None and moving is not self._area:
            moving.installEventFilter(self)
            moving = moving.parentWidget()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Reposition the frame when the header moves, and show or hide the frame along with the header."""
        if event.type() in (QEvent.Type.Move, QEvent.Type.Resize) and not self.isHidden():
            self.place()
        elif event.type() in (QEvent.Type.HideToParent, QEvent.Type.ShowToParent):
            self._show(self._header.legend.isChecked() and self._header.isVisibleTo(self._area))
        return False

    def event(self, event: QEvent) -> bool:
        """Adjust the height of the frame when its entries change."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest and not self.isHidden():
            self.place()
        return handled

    def place(self) -> None:
        """Place the bottom edge of the frame at the top edge of the header."""
        top_left = self._header.mapTo(self._area, self._header.rect().topLeft())
        width = self._header.width()
        # it covers the list, never the texts
        height = min(self.heightForWidth(width), top_left.y())
        self.setGeometry(top_left.x(), top_left.y() - height, width, height)


_CHANGE_SYMBOLS = {ChangeKind.REMOVED: LegendSymbol.TEXT_REMOVED, ChangeKind.ADDED: LegendSymbol.TEXT_ADDED}


class TagLegendController(QObject):
    """Controller that updates the tag legend, while the popup is open, whenever the marks may have changed."""

    def __init__(
        self,
        popup: LegendPopup,
        reader: SegmentTagEditor,
        filters: FilterBar,
        folds: FoldBar,
        review: ReviewFeature,
        comparison: ComparisonHighlightService,
    ) -> None:
        super().__init__(popup)
        self._popup, self._reader, self._filters = popup, reader, filters
        self._fold_bar, self._review, self._comparison = folds, review, comparison
        workspace = reader.workspace
        for signal in (
            popup.opened, reader.laid_out, folds.refreshed, filters.changed, workspace.changed,
            workspace.target_changed, review.controller.opened, review.controller.draft_changed,
            review.live_checks.marks_changed, comparison.changed,
        ):  # fmt: skip
            signal.connect(self.refresh)

    def refresh(self) -> None:
        """Show the tag legend of the current segment if the popup is open."""
        if self._popup.isHidden():
            return
        inspect_view, segment = self._reader.inspect_view, self._reader.workspace.segment
        has_texts = self._reader.page is not None and not self._comparison.are_main_content
        self._popup.show_entries(
            legend_entries(inspect_view.view, inspect_view.kind, segment, self._state()) if has_texts else ()
        )

    def _state(self) -> LegendState:
        workspace, inspect_view, review = self._reader.workspace, self._reader.inspect_view, self._review.controller
        runs = () if review.panel.isHidden() else review.panel.changes.runs
        return LegendState(
            VotingRule(workspace.settings.agreement),
            _thresholds(workspace.session),
            inspect_view.target,
            search_text=self._filters.query.text,
            changes=change_symbols((*runs, *self._fold_bar.previewed_runs)),
            is_editing=review.segment is not None,
            has_check_highlights=self._review.live_checks.are_highlighted,
            post_edit_shown=self._fold_bar.is_open(POST_EDIT),
            tags_shown=workspace.settings.highlights,
            view_mode=inspect_view.view_mode,
        )


def _thresholds(session: Session | None) -> dict[str, float]:
    """Return the threshold of each system whose word tags are computed from probabilities, by system name."""
    if session is None:
        return {}
    names = [layer.key.name for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)]
    return {
        name: session.threshold(name)
        for name in names
        if session.has_probability_tags(LayerKey(Provenance.SYSTEM, name, Kind.WORDS))
    }


def change_symbols(runs: Iterable[DiffRun]) -> frozenset[LegendSymbol]:
    """Return the legend symbols for the changes in `runs`."""
    changed = [run for run in runs if run.change is not ChangeKind.KEPT]
    return frozenset(LegendSymbol.TEXT_MOVED if run.move else _CHANGE_SYMBOLS[run.change] for run in changed)
