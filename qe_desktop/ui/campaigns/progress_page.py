"""Watching a campaign: how far each rater is, and what was done with the campaign by whom."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from PySide6.QtCore import QModelIndex, Qt, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QWidget

from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.ratings.rater_progress import RaterProgress
from qe_desktop.report.amounts import ago, duration, moment, percent
from qe_desktop.ui.campaigns.campaign_keeper import CampaignKeeper
from qe_desktop.ui.campaigns.progress.log_rows import LOG, LogEntry, concerns, log_cells
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of, holding, split_of
from qe_desktop.ui.parts.rows_view import RowsView
from qe_desktop.ui.settings import Settings
from qe_desktop.wording import sentence_case, tr

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow

RATERS = (
    Column(tr("rater")),
    Column(tr("done"), tr("Items rated or skipped; those of the training round are left out"), right=True),
    Column(tr("progress")),
    Column(tr("median a screen"), tr("Idle time left out"), right=True),
    Column(tr("time so far"), tr("Idle time left out, with training"), right=True),
    Column(tr("time left"), tr("At the rater’s own pace, or the protocol’s before there is one"), right=True),
    Column(tr("skipped"), right=True),
    Column(tr("comments"), right=True),
    Column(tr("last activity"), wide=True),
)
MINUTE = 60_000


class ProgressView(QWidget):
    """Follows the keeper; once a minute "5 min ago" is said anew."""

    def __init__(self, keeper: CampaignKeeper, settings: Settings, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._keeper = keeper
        self.summary = Label(scale=1.15, bold=True, narrow=True)
        self.left_out = Label(token="warning", narrow=True)
        self.raters = RowsView(settings, tr("Raters of the campaign"), RATERS)
        self.log = RowsView(settings, tr("Log of the campaign"), LOG)
        lower = holding(column_of(Label(tr("Log"), bold=True), Placed(self.log, 1), gap=4, margins=(0, 8, 0, 0)))
        self._split = split_of(Qt.Orientation.Vertical, self.raters, lower, shares=(3, 2))
        column_of(self.summary, self.left_out, Placed(self._split, 1), on=self, gap=8, margins=(16, 4, 16, 8))
        self.setFocusProxy(self.raters)
        self._own_sizes = False
        self._entries: list[AuditRow] = []
        self.entry: LogEntry | None = None
        self.log.entered_cell.connect(self._show_entry)
        self._split.splitterMoved.connect(self._keep_sizes)
        self._clock = QTimer(self)
        self._clock.setInterval(MINUTE)
        self._clock.timeout.connect(self.refresh)
        self._clock.start()
        keeper.changed.connect(self.refresh)
        keeper.moved.connect(self.refresh)
        self.refresh()

    def refresh(self) -> None:
        """Show how far everybody is."""
        view = self._keeper.view
        if view is None:
            return
        now = time.time()
        self.summary.setText(summary(view))
        self.left_out.setText("\n".join(f"{sentence_case(note)}." for note in view.left_out))
        self.left_out.setVisible(bool(view.left_out))
        self.raters.setVisible(view.campaign is not None)
        self.raters.show_rows([_rater_cells(row, now) for row in view.raters])
        self._entries = [row for row in reversed(self._keeper.audit) if concerns(row, view.uid)]
        self.log.show_rows([log_cells(row) for row in self._entries])
        self._share_height()

    def _show_entry(self, index: QModelIndex) -> None:
        if 0 <= index.row() < len(self._entries):
            if self.entry is not None:
                self.entry.deleteLater()
            self.entry = LogEntry(self._entries[index.row()], self)
            self.entry.show()

    def _share_height(self) -> None:
        """Give the raters the height of their rows, two thirds at most, until a person moves the handle."""
        height = self._split.height()
        if not self._own_sizes:
            wanted = min(self.raters.natural_height() + 12, height * 2 // 3)
            self._split.setSizes([wanted, height - wanted])

    def _keep_sizes(self) -> None:
        self._own_sizes = True

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Share the room anew."""
        super().resizeEvent(event)
        self._share_height()


def summary(view: CampaignView) -> str:
    """How far a campaign is."""
    done, total = view.done
    if view.campaign is None:
        return tr("Ratings of all campaigns and files together.")
    if not total:
        return tr("There is nothing to rate in this campaign.")
    if done == total:
        return tr("All {n:,} {n:item is|items are} rated or skipped.", "", total)
    share, left = percent(done / total), duration(sum(row.left for row in view.raters))
    begun, raters = sum(row.done > 0 for row in view.raters), len(view.raters)
    if begun == raters:
        return tr(
            "{done:,} of {n:,} {n:item|items} done ({share}), about {left} of work left.",
            "", total, done=done, share=share, left=left,
        )  # fmt: skip
    if not begun:
        return tr(
            "{done:,} of {n:,} {n:item|items} done ({share}), about {left} of work left; nobody has begun yet.",
            "", total, done=done, share=share, left=left,
        )  # fmt: skip
    return tr(
        "{done:,} of {n:,} {n:item|items} done ({share}), about {left} of work left; "
        "{begun} of {raters:,} {raters:rater|raters} have begun.",
        "", total, done=done, share=share, left=left, begun=begun, raters=raters,
    )  # fmt: skip


def _rater_cells(row: RaterProgress, now: float) -> tuple[Cell, ...]:
    left = row.total - row.done
    return (
        Cell(row.rater),
        Cell(tr("{done:,} of {n:,}", "", row.total, done=row.done)),
        Cell(percent(row.share), tr("{share} done", share=percent(row.share)), share=row.share),
        Cell("–" if row.median_seconds is None else duration(row.median_seconds)),
        Cell(duration(row.spent) if row.spent else "–"),
        Cell(duration(row.left) if left else tr("done", "all items of a rater"), token="" if left else "ok"),
        Cell(f"{row.skipped:,}", token="warning" if row.skipped else "muted"),
        Cell(f"{row.comments:,}", token="" if row.comments else "muted"),
        Cell(tr("not yet")) if row.last is None else Cell(ago(row.last, now), moment(row.last)),
    )
