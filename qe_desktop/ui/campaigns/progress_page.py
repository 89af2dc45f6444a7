"""Progress page: progress of each rater and the campaign log."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.report.format_values import format_age, format_duration, format_moment, format_percent
from qe_desktop.ui.campaigns.campaign_log import LOG_COLUMNS, LogEntryDialog, concerns_campaign
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import FittedSplitter, Stretched, vbox, wrap_layout
from qe_desktop.ui.widgets.tables.table_model import TableCell, count_cell, number_column, text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow

RATER_COLUMNS = (
    text_column(tr("Rater"), "", lambda row: row.rater, "rater"),
    number_column(
        tr("Done"),
        tr("Items rated or skipped, without training items"),
        lambda row: tr("{done:,} of {n:,}", "", row.total, done=row.done),
        "done",
    ),
    text_column(
        tr("Progress"),
        "",
        lambda row: TableCell(
            format_percent(row.share), tr("{share} done", share=format_percent(row.share)), bar_fraction=row.share
        ),
        "progress",
    ),
    number_column(
        tr("Median/item"),
        tr("Median active time per item"),
        lambda row: "–" if row.median_seconds is None else format_duration(row.median_seconds),
        "median/item",
    ),
    number_column(
        tr("Time spent"),
        tr("Active time only, including training"),
        lambda row: format_duration(row.spent_seconds) if row.spent_seconds else "–",
        "time spent",
    ),
    number_column(
        tr("Time left"),
        tr("Estimated from the rater's own pace or, before the first rating, from the protocol's typical pace"),
        lambda row: (
            format_duration(row.remaining_seconds)
            if row.total > row.done
            else TableCell(tr("done", "all items of a rater"), token="ok")
        ),
        "time left",
    ),
    number_column(tr("Skipped"), "", lambda row: count_cell(row.skipped, "warning"), "skipped"),
    number_column(tr("Comments"), "", lambda row: count_cell(row.comments), "comments"),
    text_column(
        tr("Last active"),
        "",
        lambda row: (
            tr("not started")
            if row.last_event_time is None
            else TableCell(format_age(row.last_event_time, time.time()), format_moment(row.last_event_time))
        ),
        "last active",
        is_wide=True,
    ),
)
MINUTE_MS = 60_000
NEXT_STEP = tr(
    "Next step: rate on the page “Rate”, or select “Save a copy for raters…” and send the copy to the raters. Import "
    "the files that they return."
)
"""Text that is shown until a rater has started."""


class ProgressView(QWidget):
    """View of the progress and the log of the selected campaign; relative times are updated every minute."""

    def __init__(self, service: CampaignService, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._service = service
        self.summary = Label(scale=1.15, bold=True, narrow=True)
        self.next_step = Label(NEXT_STEP, token="muted", wraps=True)
        self.left_out = Label(token="warning", narrow=True)
        self.raters = AutoWidthTable(settings, tr("Raters of the campaign"), RATER_COLUMNS)
        self.log = AutoWidthTable(settings, tr("Log of the campaign"), LOG_COLUMNS)
        lower = wrap_layout(vbox(Label(tr("Log"), bold=True), Stretched(self.log, 1), gap=4, margins=(0, 8, 0, 0)))
        self._split = FittedSplitter(self.raters, lower, self._table_height)
        parts = (self.summary, self.next_step, self.left_out, Stretched(self._split, 1))
        vbox(*parts, on=self, gap=8, margins=(16, 4, 16, 8))
        self.setFocusProxy(self.raters)
        self._entries: list[AuditRow] = []
        self.entry: LogEntryDialog | None = None
        self.log.cell_activated.connect(self._show_entry)
        self._clock = QTimer(self)
        self._clock.setInterval(MINUTE_MS)
        self._clock.timeout.connect(self.refresh)
        self._clock.start()
        service.changed.connect(self.refresh)
        service.refreshed.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Update the summary, the raters and the log."""
        view = self._service.view
        if view is None:
            return
        self.summary.setText(progress_summary(view))
        self.next_step.setVisible(view.campaign is not None and not view.is_begun)
        self.left_out.setText("\n".join(f"{sentence_case(note)}." for note in view.omitted_event_notes))
        self.left_out.setVisible(bool(view.omitted_event_notes))
        self.raters.setVisible(view.campaign is not None)
        self.raters.show_items(view.raters)
        created = 0.0 if view.campaign is None else view.campaign.created
        self._entries = [row for row in reversed(self._service.audit) if concerns_campaign(row, view.uid, created)]
        self.log.show_items(self._entries)
        self._split.fit()

    def _show_entry(self, index: QModelIndex) -> None:
        if 0 <= index.row() < len(self._entries):
            if self.entry is not None:
                self.entry.close()
            self.entry = LogEntryDialog(self._entries[index.row()], self)
            self.entry.finished.connect(self._forget_entry)
            self.entry.show()

    def _forget_entry(self) -> None:
        self.entry = None

    def _table_height(self, height: int) -> int:
        """Return the height of the rater table: enough for its rows, but at most two thirds of `height`."""
        return min(self.raters.natural_height() + 12, height * 2 // 3)


def progress_summary(view: CampaignView) -> str:
    """Return the progress of a campaign in one sentence; without a campaign, return why no progress is shown."""
    rated, total = view.progress
    if view.campaign is None:
        return tr("Progress is shown only for a single campaign that was set up in this project.")
    if not total:
        return tr("This campaign has no items to rate.")
    if rated == total:
        return tr("No items left: {n:,} {n:item|items} rated or skipped.", "", total)
    share, left = format_percent(rated / total), format_duration(sum(row.remaining_seconds for row in view.raters))
    started, raters = sum(row.last_event_time is not None for row in view.raters), len(view.raters)
    if started == raters:
        return tr(
            "{done:,} of {n:,} {n:item|items} done ({share}), about {left} of rating time remaining.",
            "", total, done=rated, share=share, left=left,
        )  # fmt: skip
    if not started:
        return tr(
            "{done:,} of {n:,} {n:item|items} done ({share}), about {left} of rating time remaining; no rater "
            "has started yet.",
            "", total, done=rated, share=share, left=left,
        )  # fmt: skip
    return tr(
        "{done:,} of {n:,} {n:item|items} done ({share}), about {left} of rating time remaining; {begun} of {raters:,} "
        "{raters:rater|raters} started.",
        "", total, done=rated, share=share, left=left, begun=started, raters=raters,
    )  # fmt: skip
