"""The line over the list that says how far the review is: how many segments are doubtful, open…; each a filter."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import Signal
from PySide6.QtWidgets import QToolButton, QWidget

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.i18n.messages import tr
from qe_desktop.project.review.flagged_segments import segments_with_notes
from qe_desktop.project.segment_filter import SegmentQuery
from qe_desktop.ui.inspect.postedit.review_queue import ReviewQueue
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL, STATUS_SYMBOLS
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, hbox

FLAGGED, WITH_NOTE, WITH_FINDING = "doubtful", "noted", "found"
_TOOLTIPS: Mapping[str | ReviewStatus, str] = {
    FLAGGED: tr("Only segments with a word that a system calls BAD, and that nobody has confirmed or rejected"),
    ReviewStatus.OPEN: tr("Only segments that nobody has touched"),
    ReviewStatus.EDITED: tr("Only segments whose target was edited and is not confirmed"),
    ReviewStatus.CONFIRMED: tr("Only confirmed segments"),
    ReviewStatus.REJECTED: tr("Only rejected segments"),
    ReviewStatus.LOCKED: tr("Only segments that are locked in their file"),
    WITH_NOTE: tr("Only segments with a note"),
    WITH_FINDING: tr(
        "Only segments whose target is wrong by a check: edited ones as they are now, others where Edit, Plain checks "
        "marks the MT"
    ),
}
_OPTIONAL_FILTERS = (ReviewStatus.REJECTED, ReviewStatus.LOCKED, WITH_NOTE, WITH_FINDING)
"""What is shown only where there is any of it."""
ReviewFilter = str | ReviewStatus


@dataclass(frozen=True, slots=True)
class ReviewCounts:
    """How many segments each filter shows."""

    counts: Mapping[ReviewFilter, int]

    @classmethod
    def of(cls, view: View, to_do: ReviewQueue, found: int = 0) -> ReviewCounts:
        """Counted over whole columns; in so many segments checks `found` something."""
        counts: dict[ReviewFilter, int] = {FLAGGED: int(to_do.doubtful(view).sum())}
        held = np.bincount(view.statuses(), minlength=len(ReviewStatus))
        counts |= {status: int(held[status]) for status in ReviewStatus}
        counts[WITH_NOTE] = int(segments_with_notes(view).sum())
        counts[WITH_FINDING] = found
        return cls(counts)


class ReviewFilterBar(QWidget):
    """Buttons that can be pressed together; what none of them leaves out is shown."""

    changed = Signal()
    """A person wants to see other segments."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(tr("Review"))
        row = QWidget()
        flow = FlowLayout(row, gap=6, line_gap=4)
        hbox(Stretched(row, 1), on=self, margins=(8, 0, 8, 4))
        self.buttons: dict[ReviewFilter, QToolButton] = {}
        names: tuple[ReviewFilter, ...] = (FLAGGED, *ReviewStatus, WITH_NOTE, WITH_FINDING)
        for name in names:
            button = self.buttons[name] = QToolButton()
            button.setCheckable(True)
            button.setToolTip(_TOOLTIPS[name])
            button.toggled.connect(self._on_toggled)
            flow.addWidget(button)

    def show_tally(self, tally: ReviewCounts) -> None:
        """Say how many there are."""
        for name, button in self.buttons.items():
            count = tally.counts[name]
            button.setText(_text(name, count))
            button.setVisible(bool(count) or name not in _OPTIONAL_FILTERS or button.isChecked())

    def narrowed(self, query: SegmentQuery) -> SegmentQuery:
        """A query that shows only what is asked for here."""
        statuses = frozenset(
            name for name, button in self.buttons.items() if isinstance(name, ReviewStatus) and button.isChecked()
        )
        return replace(
            query,
            statuses=statuses,
            only_doubtful=self.buttons[FLAGGED].isChecked(),
            only_noted=self.buttons[WITH_NOTE].isChecked(),
            only_found=self.buttons[WITH_FINDING].isChecked(),
        )

    def show_query(self, query: SegmentQuery) -> None:
        """Show what a query asks for."""
        asked = {FLAGGED: query.only_doubtful, WITH_NOTE: query.only_noted, WITH_FINDING: query.only_found}
        for name, button in self.buttons.items():
            button.blockSignals(True)
            button.setChecked(asked[name] if isinstance(name, str) else name in query.statuses)
            button.blockSignals(False)

    def _on_toggled(self) -> None:
        self.changed.emit()


def _text(name: ReviewFilter, count: int) -> str:
    match name:
        case ReviewStatus():
            return tr("{sign} {status} {count:,}", sign=STATUS_SYMBOLS[name], status=name.shown, count=count)
        case "doubtful":
            return tr("doubtful {count:,}", count=count)
        case "found":
            return tr("checks {count:,}", count=count)
        case _:
            return tr("{sign} noted {count:,}", sign=NOTE_SYMBOL, count=count)
