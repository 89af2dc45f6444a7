"""The ranks as rows from best to worst: who stands where, and where a dragged letter can be dropped."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QWidget

from qe_desktop.answers.orders import LETTERS, Order, spoken, unranked
from qe_desktop.ui.rate.ranks.rank_badge import RankBadge, place_of, side
from qe_desktop.ui.theme import current, themes
from qe_desktop.wording import tr

GAP = 4


class RankLadder(QWidget):
    """Row 0 holds what has no rank yet, row r the outputs of rank r; equal ranks share a row."""

    dropped = Signal(int, int)
    """An output's place, and the rank it was dropped on (0: none)."""
    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ranks: Order = ()
        self.badges: list[RankBadge] = []
        """The letters, by the places of their outputs."""
        self._over = -1
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Ranking"))
        themes.theme_changed.connect(self.update)

    def _make_badges(self, count: int) -> None:
        for badge in self.badges:
            badge.hide()
            badge.deleteLater()
        self.badges = []
        for place in range(count):
            badge = RankBadge(place, self)
            badge.picked.connect(self.picked)
            badge.show()
            self.badges.append(badge)
        self.updateGeometry()

    def show_ranks(self, ranks: Order, picked: int) -> None:
        """Show who stands where, and to whom the keys go."""
        self._ranks = ranks
        if len(self.badges) != len(ranks):
            self._make_badges(len(ranks))
        for badge in self.badges:
            badge.set_lit(badge.place == picked)
        ranking, missing = spoken(ranks), ", ".join(LETTERS[place] for place in unranked(ranks))
        left = tr("{ranking}; without a rank: {letters}", ranking=ranking, letters=missing)
        self.setAccessibleDescription(left if missing else ranking)
        self._arrange()
        self.update()

    # --- where what stands

    def row_rect(self, rank: int) -> QRect:
        """The row of a rank; 0 is the one above, of what has none."""
        height = self._row_height()
        return QRect(0, rank * (height + 2), self.width(), height)

    def rank_at(self, y: float) -> int:
        """The rank of the row at a height; outside, the nearest."""
        return min(max(0, int(y // (self._row_height() + 2))), len(self.badges))

    def _row_height(self) -> int:
        return side() + 8

    def _lead(self) -> int:
        """Room for a row's name."""
        names = (_row_name(0, 9), _row_name(1, 9), _row_name(9, 9))
        return max(self.fontMetrics().horizontalAdvance(name) for name in names) + 16

    def sizeHint(self) -> QSize:
        """Wide enough for a tie of all."""
        count = max(2, len(self.badges))
        width = self._lead() + count * (side() + GAP) + 8
        return QSize(width, (count + 1) * (self._row_height() + 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the letters into the rows."""
        self._arrange()

    def _arrange(self) -> None:
        taken, lead, size = [0] * (len(self.badges) + 1), self._lead(), side()
        for badge, rank in zip(self.badges, self._ranks, strict=True):
            rank = min(rank, len(self.badges))
            badge.setGeometry(lead + taken[rank] * (size + GAP), self.row_rect(rank).top() + 4, size, size)
            taken[rank] += 1

    # --- dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Take an output of this screen."""
        place = place_of(event.mimeData())
        if place is not None and place < len(self.badges):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Show the row that it would come into."""
        self._hover(self.rank_at(event.position().y()))
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """It went elsewhere."""
        self._hover(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        """It has this rank now."""
        place = place_of(event.mimeData())
        self._hover(-1)
        if place is not None and place < len(self.badges):
            event.acceptProposedAction()
            self.dropped.emit(place, self.rank_at(event.position().y()))

    def _hover(self, rank: int) -> None:
        if rank != self._over:
            self._over = rank
            self.update()

    # --- looks

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the rows."""
        colours, last = current(), len(self.badges)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        for rank in range(last + 1):
            row = self.row_rect(rank).toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
            over = rank == self._over
            painter.setPen(QPen(colours.accent, 2) if over else QPen(colours.border, 1, self._line(rank)))
            painter.setBrush(colours.selection if over else colours.surface if rank else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(row, 5, 5)
            painter.setPen(colours.muted)
            painter.drawText(row.adjusted(8, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), _row_name(rank, last))
        painter.end()

    def _line(self, rank: int) -> Qt.PenStyle:
        return Qt.PenStyle.SolidLine if rank else Qt.PenStyle.DashLine


def _row_name(rank: int, last: int) -> str:
    if rank == 0:
        return tr("no rank")
    if rank == 1:
        return tr("{rank}  best", rank=rank)
    return tr("{rank}  worst", rank=rank) if rank == last else str(rank)
