"""Controller of the tag legend, which, while open, explains the marks of the current segment."""

from __future__ import annotations

from collections.abc import Iterable

from PySide6.QtCore import QObject

from qe_desktop.corpus import Kind, LayerKey, Provenance
from qe_desktop.corpus.tag_voting import VotingRule
from qe_desktop.project import Session
from qe_desktop.project.review.target_changes import ChangeKind
from qe_desktop.ui.inspect.fold_bar import POST_EDIT, FoldBar
from qe_desktop.ui.inspect.legend.legend_entries import LegendState, LegendSymbol, legend_entries
from qe_desktop.ui.inspect.legend.legend_popup import LegendPopup
from qe_desktop.ui.inspect.postedit.review_feature import ReviewFeature
from qe_desktop.ui.inspect.postedit.target_diff import DiffRun
from qe_desktop.ui.inspect.reader.segment_tag_editor import SegmentTagEditor
from qe_desktop.ui.inspect.segment_list.filter_bar import FilterBar
from qe_desktop.ui.inspect.translations.comparison_service import ComparisonHighlightService

_CHANGE_SYMBOLS = {ChangeKind.REMOVED: LegendSymbol.TAKEN_OUT, ChangeKind.ADDED: LegendSymbol.PUT_IN}


class TagLegendController(QObject):
    """Controller that updates the legend, while it is open, after each change of the reader's content."""

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
        self._folds, self._review, self._comparison = folds, review, comparison
        workspace = reader.workspace
        for signal in (
            popup.opened, reader.laid_out, folds.refreshed, filters.changed, workspace.changed,
            workspace.target_changed, review.controller.opened, review.controller.drafted,
            review.checking.marks_changed, comparison.changed,
        ):  # fmt: skip
            signal.connect(self.refresh)

    def refresh(self) -> None:
        """Show the marks of the current segment."""
        if self._popup.isHidden():
            return
        shown, segment = self._reader.shown, self._reader.workspace.segment
        has_texts = self._reader.page is not None and not self._comparison.first
        self._popup.show_entries(legend_entries(shown.view, shown.kind, segment, self._state()) if has_texts else ())

    def _state(self) -> LegendState:
        workspace, shown, review = self._reader.workspace, self._reader.shown, self._review.controller
        runs = () if review.panel.isHidden() else review.panel.changes.runs
        return LegendState(
            VotingRule(workspace.settings.agreement),
            _thresholds(workspace.session),
            shown.target,
            found=self._filters.query.text,
            changes=change_symbols((*runs, *self._folds.previewed_runs)),
            editing=review.segment is not None,
            checked=self._review.checking.marks,
            post_edit=self._folds.is_open(POST_EDIT),
            marked=workspace.settings.highlights,
            inspected=shown.inspected,
        )


def _thresholds(session: Session | None) -> dict[str, float]:
    """Return the thresholds of the systems whose tags are computed from probabilities."""
    if session is None:
        return {}
    names = [layer.key.name for layer in session.corpus.find(Provenance.SYSTEM, Kind.PROBABILITIES)]
    return {
        name: session.threshold(name)
        for name in names
        if session.from_probabilities(LayerKey(Provenance.SYSTEM, name, Kind.WORDS))
    }


def change_symbols(runs: Iterable[DiffRun]) -> frozenset[LegendSymbol]:
    """Return the symbols of changed runs."""
    changed = [run for run in runs if run.change is not ChangeKind.KEPT]
    return frozenset(LegendSymbol.MOVED if run.move else _CHANGE_SYMBOLS[run.change] for run in changed)
