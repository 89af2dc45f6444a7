"""What raters wrote, what they skipped and why, and what a reader of the figures must know."""

from __future__ import annotations

import math

from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import Comment
from qe_desktop.ratings.protocols import reason_said
from qe_desktop.report.amounts import moment
from qe_desktop.ui.campaigns.results.results_keeper import Computed
from qe_desktop.ui.parts.cells import Cell, Column
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, Stretch, column_of
from qe_desktop.ui.parts.rows_view import RowsView
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import sentence_case, tr

COLUMNS = (
    Column(tr("rater")),
    Column(tr("segment"), right=True),
    Column(tr("system")),
    Column(tr("kind")),
    Column(tr("text"), wide=True),
    Column(tr("when")),
)


class CommentPane(QWidget):
    """The notes above, the comments below."""

    def __init__(self, workspace: Workspace, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes = Label(wraps=True, selectable=True)
        self._none = Label(tr("Nobody wrote a comment or skipped an item."), token="muted")
        self.table = RowsView(workspace.settings, tr("Comments"), COLUMNS)
        column_of(self.notes, self._none, Placed(self.table, 1), Stretch(0), on=self, gap=12, margins=(0, 12, 0, 0))
        self.setFocusProxy(self.table)

    def show_computed(self, computed: Computed | None) -> None:
        """Show other results."""
        comments = () if computed is None else computed.ratings.comments
        notes = [] if computed is None else [f"• {sentence_case(note)}" for note in computed.results.notes]
        self.notes.setText("\n".join(notes))
        self.notes.setVisible(bool(notes))
        self._none.setVisible(not comments)
        self.table.setVisible(bool(comments))
        self.table.show_rows([_cells(comment) for comment in comments])


def _cells(comment: Comment) -> tuple[Cell, ...]:
    said = reason_said(comment.text) if comment.skipped else comment.text
    at = "" if math.isnan(comment.started) else moment(comment.started)
    return (
        Cell(comment.rater),
        Cell(comment.segment),
        Cell(", ".join(comment.systems)),
        Cell(
            tr("skipped", "an item") if comment.skipped else tr("comment"), token="warning" if comment.skipped else ""
        ),
        Cell(said or tr("no reason given"), token="" if said else "muted"),
        Cell(at),
    )
