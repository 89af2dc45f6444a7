"""Review filter bar above the list: buttons for statuses, flags, notes and check results, with segment counts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import numpy as np
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.review.flagged_segments import segments_with_notes
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.postedit.review_queue import ReviewQueue
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL, STATUS_SYMBOLS
from qe_desktop.ui.widgets.form_controls import make_tool_button
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, hbox

FLAGGED, WITH_NOTE, WITH_ISSUE = "doubtful", "noted", "found"
_TOOLTIPS: Mapping[str | ReviewStatus, str] = {
    FLAGGED: tr("Only flagged segments that are not confirmed, rejected or locked"),
    ReviewStatus.OPEN: tr("Only segments that are not edited, confirmed, rejected or locked"),
    ReviewStatus.EDITED: tr("Only segments with an edited target that is not yet confirmed or rejected"),
    ReviewStatus.CONFIRMED: tr("Only confirmed segments"),
    ReviewStatus.REJECTED: tr("Only rejected segments"),
    ReviewStatus.LOCKED: tr("Only segments locked in their file"),
    WITH_NOTE: tr("Only segments with a note"),
    WITH_ISSUE: tr(
        "Only segments with QA check results. To include the MT of unedited segments, use Edit ▸ QA checks ▸ "
        "Run checks."
    ),
}
_OPTIONAL_FILTERS = (ReviewStatus.REJECTED, ReviewStatus.LOCKED, WITH_NOTE, WITH_ISSUE)
"""Filters that are shown only if they match a segment or are active."""
ReviewFilter = str | ReviewStatus


def count_reviews(view: View, review_queue: ReviewQueue, issue_count: int) -> dict[ReviewFilter, int]:
    """Count the segments per filter; `issue_count` is the number of segments with check results."""
    status_counts = np.bincount(view.statuses(), minlength=len(ReviewStatus))
    return {
        FLAGGED: int(review_queue.flagged_unfinished(view).sum()),
        **{status: int(status_counts[status]) for status in ReviewStatus},
        WITH_NOTE: int(segments_with_notes(view).sum()),
        WITH_ISSUE: issue_count,
    }


class ReviewFilterBar(QWidget):
    """Bar of filter buttons; several filters can be active at once."""

    changed = Signal()
    """Emitted when the user changes a filter."""

    def __init__(self) -> None:
        super().__init__()
        self.setAccessibleName(tr("Review"))
        row = QWidget()
        flow = FlowLayout(row, gap=8, line_gap=4)
        hbox(Stretched(row, 1), on=self, margins=(8, 0, 8, 4))
        self.buttons: dict[ReviewFilter, QToolButton] = {}
        names: tuple[ReviewFilter, ...] = (FLAGGED, *ReviewStatus, WITH_NOTE, WITH_ISSUE)
        for name in names:
            button = self.buttons[name] = make_tool_button("", _TOOLTIPS[name], checkable=True)
            button.toggled.connect(self.changed)
            flow.addWidget(button)

    def show_counts(self, counts: Mapping[ReviewFilter, int]) -> None:
        """Show the number of segments per filter."""
        for name, button in self.buttons.items():
            button.setText(_text(name, counts[name]))
            button.setVisible(bool(counts[name]) or name not in _OPTIONAL_FILTERS or button.isChecked())

    def filtered_query(self, query: SegmentQuery) -> SegmentQuery:
        """Return a copy of `query` with the filters that are selected in this bar."""
        statuses = frozenset(
            name for name, button in self.buttons.items() if isinstance(name, ReviewStatus) and button.isChecked()
        )
        return replace(
            query,
            statuses=statuses,
            only_flagged=self.buttons[FLAGGED].isChecked(),
            only_with_notes=self.buttons[WITH_NOTE].isChecked(),
            only_with_findings=self.buttons[WITH_ISSUE].isChecked(),
        )

    def show_query(self, query: SegmentQuery) -> None:
        """Select the filters of a query in this bar, without emitting `changed`."""
        checked = {FLAGGED: query.only_flagged, WITH_NOTE: query.only_with_notes, WITH_ISSUE: query.only_with_findings}
        for name, button in self.buttons.items():
            with QSignalBlocker(button):
                button.setChecked(checked[name] if isinstance(name, str) else name in query.statuses)


def _text(name: ReviewFilter, count: int) -> str:
    match name:
        case ReviewStatus():
            return tr("{sign} {status} {count:,}", sign=STATUS_SYMBOLS[name], status=name.display_name, count=count)
        case "doubtful":
            return tr("flagged {count:,}", count=count)
        case "found":
            return tr("checks {count:,}", count=count)
        case _:
            return tr("{sign} notes {count:,}", sign=NOTE_SYMBOL, count=count)
