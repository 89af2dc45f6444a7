"""What the log of a project calls things, in words for people: it is kept in English, whoever reads it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qe_desktop.project.events import IMPORTED, RESTORED, SET_UP, TAKEN_BACK, UNBLINDED
from qe_desktop.wording import tr

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow

_HAPPENED = {
    SET_UP: tr("campaign set up"),
    UNBLINDED: tr("unblinded"),
    IMPORTED: tr("ratings imported"),
    TAKEN_BACK: tr("import taken back"),
    RESTORED: tr("import brought again"),
    "ratings exported": tr("ratings exported"),
    "journal exported": tr("journal exported"),
    "systems named": tr("systems named"),
    "project copied": tr("project copied"),
    "texts hidden from raters": tr("texts hidden from raters"),
}
_DETAILS = {
    "campaign": tr("campaign", "in the log"),
    "name": tr("name", "in the log"),
    "protocol": tr("protocol", "in the log"),
    "raters": tr("raters", "in the log"),
    "systems": tr("systems", "in the log"),
    "seed": tr("seed", "in the log"),
    "screens": tr("screens", "in the log"),
    "design": tr("design", "in the log"),
    "reason": tr("reason", "in the log"),
    "done": tr("done", "in the log"),
    "file": tr("file", "in the log"),
    "added": tr("added", "in the log"),
    "known": tr("known", "in the log"),
    "left out": tr("left out", "in the log"),
    "left out because": tr("left out because", "in the log"),
    "conflicts": tr("conflicts", "in the log"),
    "listed": tr("listed", "in the log"),
    "campaigns": tr("campaigns", "in the log"),
    "rows": tr("rows", "in the log"),
    "window": tr("window", "in the log"),
    "import": tr("import", "in the log"),
    "form": tr("form", "in the log"),
    "blind": tr("blind", "in the log"),
    "where": tr("where", "in the log"),
    "events": tr("events", "in the log"),
}


def what_happened(row: AuditRow) -> str:
    """What an entry is about; one that this program does not know as it was written."""
    return _HAPPENED.get(row.what, row.what)


def name_of(detail: str) -> str:
    """What a detail of an entry is called; one that this program does not know as it was written."""
    return _DETAILS.get(detail, detail)
