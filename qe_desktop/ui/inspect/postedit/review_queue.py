"""Queue of the segments still to be reviewed, and a filter bar with the number of segments per filter."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QSignalBlocker, Signal
from PySide6.QtWidgets import QToolButton, QWidget

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.tag_voting import MarkingColumns, VotingRule, flagging_columns
from qe_desktop.i18n.messages import tr
from qe_desktop.project.segment_filter import SegmentQuery, segments_with_notes, unfinished_segments
from qe_desktop.ui.action_registry import shortcut_text
from qe_desktop.ui.inspect.postedit.status_symbols import NOTE_SYMBOL, STATUS_SYMBOLS
from qe_desktop.ui.widgets.form_controls import make_tool_button
from qe_desktop.ui.widgets.layouts import FlowLayout, Stretched, hbox

SegmentMask = NDArray[np.bool_]


class ReviewQueue:
    """Queue of segments still to be reviewed; masks of flagged segments are cached by voting rule and tag columns."""

    def __init__(self, agreement: Callable[[], VotingRule]) -> None:
        self._agreement = agreement
        self._cached_masks: list[tuple[VotingRule, MarkingColumns, SegmentMask]] = []
        self._order_was_explained = False
        self._direction = 1
        self._left: set[int] = set()
        """Unfinished segments that steps in the current direction have left; they no longer come first."""

    def flagged_unfinished(self, view: View) -> SegmentMask:
        """Return a mask of the flagged segments that are still unfinished, shape (segments,)."""
        rule = self._agreement()
        cached = {_mask_key(known_rule, columns): flagged for known_rule, columns, flagged in self._cached_masks}
        self._cached_masks = []
        any_flagged = np.zeros(view.corpus.size, bool)
        for columns in flagging_columns(view):
            flagged = cached.get(_mask_key(rule, columns))
            if flagged is None:
                flagged = columns.marked_segments(rule)
            self._cached_masks.append((rule, columns, flagged))
            any_flagged |= flagged
        return any_flagged & unfinished_segments(view)

    def leave(self, view: View, segment: int, step: int = 1) -> None:
        """Record a step away from `segment`, so that it no longer comes first if it is unfinished.

        The record is cleared when the direction of the steps changes.
        """
        if step != self._direction:
            self._direction = step
            self._left.clear()
        if unfinished_segments(view)[segment]:
            self._left.add(segment)

    def next(self, view: View, rows: Ints, segment: int, step: int = 1) -> int | None:
        """Return the next (`step` 1) or previous (−1) unfinished segment in `rows`; None if there is none.

        The search starts at `segment`, which is never returned itself, and wraps around only if the rest of the list
        has no unfinished segment. Flagged segments come first, except those that earlier steps have left unfinished. If
        the user has sorted the list, only its order decides.
        """
        unfinished, preferred = unfinished_segments(view), self.flagged_unfinished(view)
        preferred[list(self._left)] = False
        is_sorted_by_user = bool((np.diff(rows) < 0).any())
        for part in _rows_after(rows, segment, step):
            for mask in (unfinished,) if is_sorted_by_user else (preferred, unfinished):
                matches = part[mask[part]]
                if len(matches):
                    return int(matches[0])
        return None

    def step_texts(self, view: View, rows: Ints, segment: int, next_segment: int, step: int = 1) -> list[str]:
        """Return messages on a step to `next_segment`: it continued at the other end, or it skipped segments.

        Skipped segments without edits are reported only once, because the message explains the order of the steps.
        """
        ahead, wrapped = _rows_after(rows, segment, step)
        texts = []
        if next_segment in wrapped:
            end, start = tr("End of the list: continued at the start"), tr("Start of the list: continued at the end")
            texts.append(end if step == 1 else start)
        skipped_rows = np.concatenate([ahead, wrapped])
        skipped_rows = skipped_rows[: int(np.argmax(skipped_rows == next_segment))]
        skipped = int(unfinished_segments(view)[skipped_rows].sum())
        edited = int((view.statuses()[skipped_rows] == ReviewStatus.EDITED).sum())
        if edited:
            texts.append(
                tr(
                    "{n:,} unfinished {n:segment|segments} skipped ({edited:,} edited): flagged segments come first",
                    "", skipped, edited=edited,
                )
            )  # fmt: skip
        elif skipped and not self._order_was_explained:
            texts.append(_explain_order(skipped, step))
        self._order_was_explained |= bool(skipped)
        return texts


def _explain_order(skipped: int, step: int) -> str:
    """Return a message that a step skipped segments, and how to reach them while a target is open."""
    # letters are also shortcuts of these commands, but not while a target is open
    key = shortcut_text("inspect.previous-segment" if step == 1 else "inspect.next-segment", ("Alt+", "Ctrl+"))
    if not key:
        return tr("{n:,} unfinished {n:segment|segments} skipped: flagged segments come first", "", skipped)
    return tr(
        "{n:,} unfinished {n:segment|segments} skipped: flagged segments come first. Press {key} to go back", "",
        skipped, key=key,
    )  # fmt: skip


def _mask_key(rule: VotingRule, columns: MarkingColumns) -> tuple[object, ...]:
    return rule, tuple(map(id, columns.voting)), tuple(map(id, columns.decisive))


def next_row(rows: Ints, segment: int, mask: SegmentMask, step: int = 1) -> int | None:
    """Return the next (`step` 1) or previous (−1) segment in `rows` that is set in `mask`; None if there is none.

    The search starts at `segment`, which is never returned itself, and wraps around. If `segment` is not in `rows`, the
    search starts at the first row or, if `step` is −1, at the last row.
    """
    order = np.concatenate(_rows_after(rows, segment, step))
    matches = order[mask[order]]
    return int(matches[0]) if len(matches) else None


def _rows_after(rows: Ints, segment: int, step: int) -> tuple[Ints, Ints]:
    """Return the segments that a search visits before it wraps around, and those it visits then (see `next_row`)."""
    position = np.flatnonzero(rows == segment)
    if not len(position):
        return rows[::step], rows[:0]
    index = int(position[0])
    before, after = rows[:index], rows[index + 1 :]
    return (after, before) if step == 1 else (before[::-1], after[::-1])


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
            button.setText(_button_text(name, counts[name]))
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


def _button_text(name: ReviewFilter, count: int) -> str:
    match name:
        case ReviewStatus():
            return tr("{sign} {status} {count:,}", sign=STATUS_SYMBOLS[name], status=name.display_name, count=count)
        case "doubtful":
            return tr("flagged, unfinished {count:,}", count=count)
        case "found":
            return tr("checks {count:,}", count=count)
        case _:
            return tr("{sign} notes {count:,}", sign=NOTE_SYMBOL, count=count)
