"""Progress page: progress of each rater, and the campaign log. The log itself is in English."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QModelIndex, QTimer
from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import escape_paragraphs
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.project.campaign_views import CampaignView
from qe_desktop.project.events import (
    CAMPAIGN_SET_UP,
    CAMPAIGN_UNBLINDED,
    COPIED_FOR_RATERS,
    IMPORT_RESTORED,
    IMPORT_WITHDRAWN,
    RATINGS_EXPORTED,
    RATINGS_IMPORTED,
)
from qe_desktop.report.format_values import format_age, format_duration, format_moment, format_percent
from qe_desktop.ui.campaigns.campaign_dialogs import CampaignDialog
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.form_controls import make_text_box
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
        tr("Items rated or skipped, excluding training items"),
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
        tr("Median active time per item: half of the items took less time, half took more"),
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
        """Return the height of the rater table in pixels: enough for its rows, but at most two thirds of `height`."""
        return min(self.raters.natural_height() + 12, height * 2 // 3)


def progress_summary(view: CampaignView) -> str:
    """Return the progress of a campaign in one sentence or, without a campaign, the reason why none is shown."""
    rated, total = view.progress
    if view.campaign is None:
        return tr(
            "Progress is shown only for a single campaign that was set up in this project. Select or set up a campaign."
        )
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


LOG_COLUMNS = (
    text_column(tr("Time"), "", lambda row: format_moment(row.at), "time"),
    text_column(tr("User"), "", lambda row: row.who, "user"),
    text_column(tr("Action"), "", lambda row: event_text(row), "action"),
    text_column(
        tr("Details"),
        tr("Press Enter or double-click to show the full entry"),
        lambda row: TableCell(text := details_text(row.details), text, "muted"),
        "details",
        is_wide=True,
    ),
)
MAX_ENTRY_CHARS = 1_000_000
"""Maximum number of characters of an entry that the dialog shows."""
_OMITTED_DETAILS = ("campaign", "name", "systems", "sha256", "design", "listed", "window", "import")
"""Details that the table omits because they are redundant there or too long; the full-entry dialog shows them."""
_EVENT_TEXTS = {
    CAMPAIGN_SET_UP: tr("campaign set up"),
    CAMPAIGN_UNBLINDED: tr("unblinded"),
    RATINGS_IMPORTED: tr("ratings imported"),
    IMPORT_WITHDRAWN: tr("import undone"),
    IMPORT_RESTORED: tr("import restored"),
    RATINGS_EXPORTED: tr("ratings exported"),
    "journal exported": tr("journal exported"),
    "systems named": tr("system names shown"),
    COPIED_FOR_RATERS: tr("copy for raters saved"),
    "project copied": tr("project copied"),
    "texts hidden from raters": tr("texts hidden from raters"),
}
_DETAIL_NAMES = {
    "campaign": tr("campaign", "in the log"),
    "name": tr("name", "in the log"),
    "protocol": tr("protocol", "in the log"),
    "raters": tr("raters", "in the log"),
    "systems": tr("systems", "in the log"),
    "seed": tr("seed", "in the log"),
    "screens": tr("items, including training", "in the log"),
    "design": tr("design", "in the log"),
    "reason": tr("reason", "in the log"),
    "done": tr("done", "in the log"),
    "file": tr("file", "in the log"),
    "added": tr("added", "in the log"),
    "known": tr("already present", "in the log"),
    "left out": tr("left out", "in the log"),
    "left out because": tr("notes", "in the log"),
    "conflicts": tr("conflicts", "in the log"),
    "comments": tr("comments", "in the log"),
    "listed": tr("listed conflicts", "in the log"),
    "campaigns": tr("campaigns", "in the log"),
    "rows": tr("ratings or events", "in the log"),
    "window": tr("internal ID", "in the log"),
    "import": tr("import ID", "in the log"),
    "form": tr("format", "in the log"),
    "blind": tr("blind", "in the log"),
    "where": tr("source", "in the log"),
    "events": tr("events", "in the log"),
    "texts": tr("hidden texts", "in the log"),
    "segments": tr("segments", "in the log"),
    "from": tr("copied from", "in the log"),
}


def event_text(row: AuditRow) -> str:
    """Return the localized name of the action in a log entry; an unknown name is returned unchanged."""
    return _EVENT_TEXTS.get(row.what, row.what)


def detail_name(detail: str) -> str:
    """Return the localized name of a detail in the log; an unknown name is returned unchanged."""
    return _DETAIL_NAMES.get(detail, detail)


def concerns_campaign(row: AuditRow, uid: str, created: float = 0.0) -> bool:
    """Return whether a log entry concerns all campaigns or the campaign `uid`, created at the Unix time `created`.

    An empty `uid` matches every entry. A copy for raters does not concern campaigns that were created later.
    """
    if not uid:
        return True
    if row.what == COPIED_FOR_RATERS and row.at < created:
        return False
    return str(row.details.get("campaign") or uid) == uid


def details_text(details: dict[str, Any]) -> str:
    """Return the details of a log entry that the table shows, in one line; empty if there are none.

    >>> details_text({"protocol": "rank", "raters": ["anna", "ben"], "seed": 1})
    'protocol: rank; raters: anna, ben; seed: 1'
    """
    return "; ".join(_detail(name, value) for name, value in details.items() if name not in _OMITTED_DETAILS and value)


def _detail(name: str, value: object) -> str:
    if phrase := _phrase(name, value):
        return phrase
    if name == "file":
        return Path(str(value)).name
    name = detail_name(name)
    if isinstance(value, Sequence) and not isinstance(value, str):
        text = ", ".join(map(str, value)) if len(value) <= 6 else f"{len(value):,}"
        return f"{name}: {text}"
    return f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}"


def _phrase(name: str, value: object) -> str:
    """Return the text of a detail whose name and value are not shown separately; empty for other details."""
    if name == "done" and isinstance(value, Sequence) and len(value) == 2:
        return tr("{done:,} of {n:,} {n:item|items} done", "", value[1], done=value[0])
    if name == "blind":
        return tr("systems as letters") if value else tr("systems by name")
    if name == "where" and value == "command line":
        return tr("source: command line")
    return ""


class LogEntryDialog(CampaignDialog):
    """Dialog with one log entry in full; conflicts are listed one per line."""

    def __init__(self, row: AuditRow, parent: QWidget | None = None) -> None:
        super().__init__(tr("Log"), parent)
        event = event_text(row)
        heading = tr("{what} by {who}, {when}", what=sentence_case(event), who=row.who, when=format_moment(row.at))
        text = escape_paragraphs(entry_text(row.details), MAX_ENTRY_CHARS)
        self.text = make_text_box(text, name=tr("Details"), read_only=True)
        self.lay_out(heading, Stretched(self.text, 1), accept=tr("Close"))
        self.resize_to_text(90, 22)


def entry_text(details: dict[str, Any]) -> str:
    """Return all details of a log entry, one per line; the items of a list follow on indented lines."""
    lines = []
    for key, value in details.items():
        name = detail_name(key)
        if phrase := _phrase(key, value):
            lines.append(phrase)
        elif isinstance(value, Sequence) and not isinstance(value, str):
            lines.append(tr("{detail}: {n:,} {n:entry|entries}", "", len(value), detail=name))
            lines += [f"    {item}" for item in value]
        else:
            lines.append(f"{name}: {value}")
    return "\n".join(lines)
