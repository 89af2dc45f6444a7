"""Comments, skipped items with reasons, and notes on the results."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Comment
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.protocols import skip_reason_text
from qe_desktop.report.format_values import format_moment
from qe_desktop.ui.campaigns.results.results_service import ComputedResults
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, vbox
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable
from qe_desktop.ui.workspace import Workspace

COLUMNS = (
    TableColumn(tr("rater")),
    TableColumn(tr("segment"), right=True),
    TableColumn(tr("system")),
    TableColumn(tr("kind")),
    TableColumn(tr("text"), wide=True),
    TableColumn(tr("when")),
)


class CommentPane(QWidget):
    """Notes above, comments below."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes = Label(wraps=True, selectable=True)
        self._none = Label(tr("No comments and no skipped items."), token="muted")
        self.table = AutoWidthTable(workspace.settings, tr("Comments"), COLUMNS)
        vbox(self.notes, self._none, Stretched(self.table, 1), StretchSpace(0), on=self, gap=12, margins=(0, 12, 0, 0))
        self.setFocusProxy(self.table)

    def show_computed(self, computed: ComputedResults | None) -> None:
        """Show the notes and comments of these results."""
        comments = () if computed is None else computed.ratings.comments
        notes = [] if computed is None else [f"• {sentence_case(note)}" for note in computed.results.notes]
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))
        self._none.setVisible(not comments)
        self.table.setVisible(bool(comments))
        self.table.show_rows([_cells(comment) for comment in comments])


def _cells(comment: Comment) -> tuple[TableCell, ...]:
    text = skip_reason_text(comment.text) if comment.skipped else comment.text
    at = "" if math.isnan(comment.started) else format_moment(comment.started)
    return (
        TableCell(comment.rater),
        TableCell(comment.segment),
        TableCell(", ".join(comment.systems)),
        TableCell(
            tr("skipped", "an item") if comment.skipped else tr("comment"), token="warning" if comment.skipped else ""
        ),
        TableCell(text or tr("no reason given"), token="" if text else "muted"),
        TableCell(at),
    )
