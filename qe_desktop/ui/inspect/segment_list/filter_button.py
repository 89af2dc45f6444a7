"""Button of the segment list that names the active filters and opens their controls."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import ReviewStatus
from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.widgets.panel_button import PanelButton


class FilterButton(PanelButton):
    """Button with the names of the active filters of a query."""

    def __init__(self, panel: QWidget, parent: QWidget | None = None) -> None:
        super().__init__("", panel, parent)
        self.show_query(SegmentQuery())

    def show_query(self, query: SegmentQuery) -> None:
        """Name the filters of a query, except the search text."""
        names = active_filters(query)
        self.setText(
            tr("Filter: {names}", names=join_localized(", ", names[:2])) if len(names) < 3
            else tr("Filter: {n} {n:condition|conditions}", "", len(names))
        )  # fmt: skip
        self.setToolTip(join_localized(", ", names))


def active_filters(query: SegmentQuery) -> list[str]:
    """Return the names of the filters of a query, except the search text; “all” if there are none."""
    names: list[str] = []
    for is_active, name in (
        (query.only_bad, "BAD"), (query.only_disagreement, tr("Disagreement")), (query.only_edited, tr("Tags edited")),
        (query.only_doubtful, tr("flagged")), (query.only_noted, tr("notes")), (query.only_found, tr("checks")),
    ):  # fmt: skip
        if is_active:
            names.append(name)
    names += [status.shown for status in ReviewStatus if status in query.statuses]
    if query.document:
        names.append(escape_label(query.document))
    return names or [tr("all", "segments")]
