"""Rank rows from best to worst, onto which letters can be dragged."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QDrag,
    QDragEnterEvent,
    QDragLeaveEvent,
    QDragMoveEvent,
    QDropEvent,
    QFontMetrics,
    QMouseEvent,
    QPainter,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from qe_desktop.answers.ranking import LETTERS, RankOrder, describe_ranks, unranked_positions
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import scaled_font
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

MIME = "application/x-qe-desktop-output"


def dragged_index(data: QMimeData) -> int | None:
    """Return the index of the dragged output; None if the data is not an output."""
    if not data.hasFormat(MIME):
        return None
    text = bytes(data.data(MIME).data()).decode("ascii", "replace")
    return int(text) if text.isdigit() and int(text) < len(LETTERS) else None


def make_drag_data(index: int) -> QMimeData:
    """Return the drag data of an output."""
    data = QMimeData()
    data.setData(MIME, QByteArray(str(index).encode("ascii")))
    return data


def badge_side() -> int:
    """Return the side length of a letter box."""
    return round(QFontMetrics(scaled_font(1.1, bold=True)).height() * 1.2)


class RankBadge(ThemedWidget):
    """Letter of a translation in a box, filled if selected; a click selects it, dragging moves it."""

    picked = Signal(int)

    def __init__(self, place: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = place
        self._lit = False
        self._pressed: QPoint | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setAccessibleName(tr("Translation {letter}", letter=LETTERS[place]))

    def set_lit(self, lit: bool) -> None:
        """Set whether this output is selected."""
        self._lit = lit
        self.update()

    def sizeHint(self) -> QSize:
        """Return a square around one large letter."""
        return QSize(badge_side(), badge_side())

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the letter."""
        box = self.rect().toRectF().adjusted(1, 1, -1, -1)
        painter.setPen(QPen(colours.accent if self._lit else colours.muted, 1.5))
        painter.setBrush(colours.accent if self._lit else colours.raised)
        painter.drawRoundedRect(box, 5, 5)
        painter.setFont(scaled_font(1.1, bold=True))
        painter.setPen(colours.on_accent if self._lit else colours.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, LETTERS[self.place])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the translation."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
            self.picked.emit(self.place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Start a drag."""
        threshold = QApplication.startDragDistance()
        if self._pressed is None or (event.position().toPoint() - self._pressed).manhattanLength() < threshold:
            return
        self._pressed = None
        drag = QDrag(self)
        drag.setMimeData(make_drag_data(self.place))
        drag.setPixmap(self.grab())
        drag.setHotSpot(QPoint(self.width() // 2, self.height() // 2))
        drag.exec(Qt.DropAction.MoveAction)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End the press without a drag."""
        self._pressed = None


GAP = 4


class RankDropList(ThemedWidget):
    """List of ranks: row 0 contains the unranked outputs, row r those of rank r; ties share a row."""

    dropped = Signal(int, int)
    """Emitted with the index of an output and the rank it was dropped on (0: none)."""
    picked = Signal(int)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._ranks: RankOrder = ()
        self.badges: list[RankBadge] = []
        """Letter boxes by output index."""
        self._over = -1
        self.setAcceptDrops(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Ranking"))

    def _make_badges(self, count: int) -> None:
        for badge in self.badges:
            badge.hide()
            badge.deleteLater()
        self.badges = []
        for index in range(count):
            badge = RankBadge(index, self)
            badge.picked.connect(self.picked)
            badge.show()
            self.badges.append(badge)
        self.updateGeometry()

    def show_ranks(self, ranks: RankOrder, picked: int) -> None:
        """Show the ranks and the selected output."""
        self._ranks = ranks
        if len(self.badges) != len(ranks):
            self._make_badges(len(ranks))
        for badge in self.badges:
            badge.set_lit(badge.place == picked)
        ranking, missing = describe_ranks(ranks), ", ".join(LETTERS[index] for index in unranked_positions(ranks))
        with_unranked = tr("{ranking}; unranked: {letters}", ranking=ranking, letters=missing)
        self.setAccessibleDescription(with_unranked if missing else ranking)
        self._arrange()
        self.update()

    # --- geometry

    def row_rect(self, rank: int) -> QRect:
        """Return the rectangle of a rank's row; 0 is the row of unranked outputs."""
        height = self._row_height()
        return QRect(0, rank * (height + 2), self.width(), height)

    def rank_at(self, y: float) -> int:
        """Return the rank at a vertical position, clamped to the rows."""
        return min(max(0, int(y // (self._row_height() + 2))), len(self.badges))

    def _row_height(self) -> int:
        return badge_side() + 8

    def _lead(self) -> int:
        """Return the width of the row labels."""
        names = (_row_name(0, 9), _row_name(1, 9), _row_name(9, 9))
        return max(self.fontMetrics().horizontalAdvance(name) for name in names) + 16

    def sizeHint(self) -> QSize:
        """Return a size wide enough for a tie of all outputs."""
        count = max(2, len(self.badges))
        width = self._lead() + count * (badge_side() + GAP) + 8
        return QSize(width, (count + 1) * (self._row_height() + 2))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the letters into their rows."""
        self._arrange()

    def _arrange(self) -> None:
        taken, lead, size = [0] * (len(self.badges) + 1), self._lead(), badge_side()
        for badge, rank in zip(self.badges, self._ranks, strict=True):
            rank = min(rank, len(self.badges))
            badge.setGeometry(lead + taken[rank] * (size + GAP), self.row_rect(rank).top() + 4, size, size)
            taken[rank] += 1

    # --- dropping

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept an output of this screen."""
        index = dragged_index(event.mimeData())
        if index is not None and index < len(self.badges):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Highlight the row under the pointer."""
        self._hover(self.rank_at(event.position().y()))
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Clear the highlight."""
        self._hover(-1)

    def dropEvent(self, event: QDropEvent) -> None:
        """Set the rank of the dropped output."""
        index = dragged_index(event.mimeData())
        self._hover(-1)
        if index is not None and index < len(self.badges):
            event.acceptProposedAction()
            self.dropped.emit(index, self.rank_at(event.position().y()))

    def _hover(self, rank: int) -> None:
        if rank != self._over:
            self._over = rank
            self.update()

    # --- painting

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the rows."""
        last = len(self.badges)
        for rank in range(last + 1):
            row = self.row_rect(rank).toRectF().adjusted(0.5, 0.5, -0.5, -0.5)
            over = rank == self._over
            painter.setPen(QPen(colours.accent, 2) if over else QPen(colours.border, 1, self._line(rank)))
            painter.setBrush(colours.selection if over else colours.surface if rank else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(row, 5, 5)
            painter.setPen(colours.muted)
            painter.drawText(row.adjusted(8, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), _row_name(rank, last))

    def _line(self, rank: int) -> Qt.PenStyle:
        return Qt.PenStyle.SolidLine if rank else Qt.PenStyle.DashLine


def _row_name(rank: int, last: int) -> str:
    if rank == 0:
        return tr("no rank")
    if rank == 1:
        return tr("{rank}  best", rank=rank)
    return tr("{rank}  worst", rank=rank) if rank == last else str(rank)
