"""Comments, skipped items with reasons, and notes on the results."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.protocols import skip_reason_text
from qe_desktop.report.format_values import format_moment
from qe_desktop.ui.campaigns.results.results_service import ComputedResults
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, StretchSpace, vbox
from qe_desktop.ui.widgets.tables.table_model import TableCell, number_column, text_column
from qe_desktop.ui.widgets.tables.table_view import AutoWidthTable
from qe_desktop.ui.workspace import Workspace

COLUMNS = (
    text_column(tr("rater"), "", lambda comment: comment.rater),
    number_column(tr("segment"), "", lambda comment: comment.segment),
    text_column(tr("system"), "", lambda comment: ", ".join(comment.systems)),
    text_column(
        tr("kind"),
        "",
        lambda comment: TableCell(tr("skipped", "an item"), token="warning") if comment.skipped else tr("comment"),
    ),
    text_column(
        tr("text"),
        "",
        lambda comment: (
            (skip_reason_text(comment.text) if comment.skipped else comment.text)
            or TableCell(tr("no reason given"), token="muted")
        ),
        wide=True,
    ),
    text_column(tr("when"), "", lambda comment: "" if math.isnan(comment.started) else format_moment(comment.started)),
)


class CommentPane(QWidget):
    """Pane with notes above and comments below."""

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
        self.table.show_items(comments)
