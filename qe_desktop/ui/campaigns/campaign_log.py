"""Entries of the log in words, whatever language they are read in, and one of them in full: the log is in English."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from PySide6.QtWidgets import QDialog, QPlainTextEdit, QWidget

from qe_desktop.outgoing import paragraphs
from qe_desktop.project.events import COPIED_FOR_RATERS, EXPORTED, IMPORTED, RESTORED, SET_UP, TAKEN_BACK, UNBLINDED
from qe_desktop.report.amounts import moment
from qe_desktop.ui.parts.buttons import FlatButton
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of, row_of
from qe_desktop.wording import sentence_case, tr

if TYPE_CHECKING:
    from qe_desktop.project.events import AuditRow

LOG = (
    Column(tr("when")),
    Column(tr("who")),
    Column(tr("what")),
    Column(tr("details"), tr("Enter or a double click shows an entry in full"), wide=True),
)
LONGEST = 1_000_000
"""Characters of an entry that are shown at the most."""
_LEFT_OUT = ("campaign", "name", "systems", "sha256", "listed")
"""Details that a line of the table leaves out: they are known here, or too long."""
_HAPPENED = {
    SET_UP: tr("campaign set up"),
    UNBLINDED: tr("unblinded"),
    IMPORTED: tr("ratings imported"),
    TAKEN_BACK: tr("import taken back"),
    RESTORED: tr("import brought again"),
    EXPORTED: tr("ratings exported"),
    "journal exported": tr("journal exported"),
    "systems named": tr("systems named"),
    COPIED_FOR_RATERS: tr("copy for raters saved"),
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


def concerns(row: AuditRow, uid: str) -> bool:
    """Whether an entry of the log is about a campaign, or about the whole project; for all ratings, every entry is."""
    return not uid or str(row.details.get("campaign") or uid) == uid


def log_cells(row: AuditRow) -> tuple[Cell, ...]:
    """An entry as a row."""
    said = details_text(row.details)
    return Cell(moment(row.at)), Cell(row.who), Cell(what_happened(row)), Cell(said, said, "muted")


def details_text(details: dict[str, Any]) -> str:
    """The details of an entry in a line."""
    return ", ".join(_detail(name, value) for name, value in details.items() if name not in _LEFT_OUT and value)


def _detail(name: str, value: object) -> str:
    if name == "done" and isinstance(value, Sequence) and len(value) == 2:
        return tr("{done:,} of {n:,} {n:item|items} done", "", value[1], done=value[0])
    if name == "file":
        return Path(str(value)).name
    if name == "blind":
        return tr("systems as letters")
    if name == "where" and value == "command line":
        return tr("where: command line")
    name = name_of(name)
    if isinstance(value, Sequence) and not isinstance(value, str):
        text = ", ".join(map(str, value)) if len(value) <= 6 else f"{len(value):,}"
        return f"{name}: {text}"
    return f"{name}: {value:,}" if isinstance(value, int) else f"{name}: {value}"


class LogEntry(QDialog):
    """One entry with everything that was kept of it, conflicts one a line."""

    def __init__(self, row: AuditRow, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Log"))
        self.setModal(True)
        what = what_happened(row)
        said = tr("{what} by {who}, {when}", what=sentence_case(what), who=row.who, when=moment(row.at))
        title = Label(said, scale=1.15, bold=True, wraps=True)
        self.text = QPlainTextEdit(paragraphs(entry_text(row.details), LONGEST))
        self.text.setReadOnly(True)
        self.text.setTabChangesFocus(True)
        self.text.setAccessibleName(tr("Details"))
        close = FlatButton(tr("Close"), primary=True)
        close.setDefault(True)
        close.clicked.connect(self.accept)
        buttons = row_of(Stretch(), close)
        column_of(title, Placed(self.text, 1), buttons, on=self, gap=10, margins=(20, 16, 20, 16))
        metrics = self.fontMetrics()
        self.resize(metrics.horizontalAdvance("0") * 90, metrics.height() * 22)


def entry_text(details: dict[str, Any]) -> str:
    """All details, one a line; lists are indented below their name."""
    lines = []
    for key, value in details.items():
        name = name_of(key)
        if isinstance(value, Sequence) and not isinstance(value, str):
            lines.append(tr("{detail}: {n:,} {n:entry|entries}", "", len(value), detail=name))
            lines += [f"    {one}" for one in value]
        else:
            lines.append(f"{name}: {value}")
    return "\n".join(lines)
