"""Localized text of log entries, and a dialog that shows a full entry. The log itself is in English."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QWidget

from qe_desktop.escaping import escape_paragraphs
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.project.events import (
    CAMPAIGN_SET_UP,
    CAMPAIGN_UNBLINDED,
    COPIED_FOR_RATERS,
    IMPORT_RESTORED,
    IMPORT_WITHDRAWN,
    RATINGS_EXPORTED,
    RATINGS_IMPORTED,
)
from qe_desktop.report.format_values import format_moment
from qe_desktop.ui.campaigns.campaign_dialogs import CampaignDialog
from qe_desktop.ui.widgets.form_controls import make_text_box
from qe_desktop.ui.widgets.layouts import Stretched
from qe_desktop.ui.widgets.tables.table_model import TableCell, text_column

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow

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
    IMPORT_WITHDRAWN: tr("import withdrawn"),
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
    """Return whether a log entry concerns the campaign `uid`, created at the Unix time `created`, or all campaigns.

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
