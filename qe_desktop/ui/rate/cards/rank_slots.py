"""Slots for the ranks, from best to worst; the letters of translations can be dragged to the slots."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QEvent, QMimeData, QPoint, QRect, QSize, Qt, Signal
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

from qe_desktop.answers.ranking import LETTERS, RankOrder, describe_ranks, rank_rows, unranked_positions
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.labels import scaled_font
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

MIME = "application/x-qe-desktop-output"


def dragged_index(data: QMimeData) -> int | None:
    """Return the index of a dragged output; None if `data` was not made by `make_drag_data`."""
    if not data.hasFormat(MIME):
        return None
    text = bytes(data.data(MIME).data()).decode("ascii", "replace")
    return int(text) if text.isdigit() and int(text) < len(LETTERS) else None


def make_drag_data(index: int) -> QMimeData:
    """Return the MIME data for dragging an output."""
    data = QMimeData()
    data.setData(MIME, QByteArray(str(index).encode("ascii")))
    return data


def badge_side() -> int:
    """Return the side length of a letter box, in pixels."""
    return round(QFontMetrics(scaled_font(1.1, bold=True)).height() * 1.2)


class RankBadge(ThemedWidget):
    """Box with the letter of a translation, filled if selected; a press selects the translation, a drag ranks it."""

    picked = Signal(int)

    def __init__(self, index: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.index = index
        self._is_highlighted = False
        self._pressed: QPoint | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setAccessibleName(tr("Translation {letter}", letter=LETTERS[index]))

    def set_highlighted(self, is_highlighted: bool) -> None:
        """Set whether the translation is shown as selected."""
        self._is_highlighted = is_highlighted
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size of a square that fits a large letter."""
        return QSize(badge_side(), badge_side())

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the letter."""
        box = self.rect().toRectF().adjusted(1, 1, -1, -1)
        painter.setPen(QPen(colours.accent if self._is_highlighted else colours.muted, 1.5))
        painter.setBrush(colours.accent if self._is_highlighted else colours.raised)
        painter.drawRoundedRect(box, 5, 5)
        painter.setFont(scaled_font(1.1, bold=True))
        painter.setPen(colours.on_accent if self._is_highlighted else colours.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, LETTERS[self.index])

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the translation."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
            self.picked.emit(self.index)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Start a drag."""
        threshold = QApplication.startDragDistance()
        if self._pressed is None or (event.position().toPoint() - self._pressed).manhattanLength() < threshold:
            return
        self._pressed = None
        drag = QDrag(self)
        drag.setMimeData(make_drag_data(self.index))
        drag.setPixmap(self.grab())
        drag.setHotSpot(QPoint(self.width() // 2, self.height() // 2))
        drag.exec(Qt.DropAction.MoveAction)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """End a press that did not start a drag."""
        self._pressed = None


GAP, PADDING = 8, 12
SLOTS_PX = 80
"""Minimum height of the slots with the letters below the ranks, in pixels at a text size of 100 %."""


class RankSlots(ThemedWidget):
    """Row of slots, one per rank; translations with equal ranks share a slot.

    A click on a slot ranks the selected translation. A letter that is dropped on a slot ranks its translation.
    """

    dropped = Signal(int, int)
    """Emitted with the index of a dropped output and the rank of the slot that it was dropped on."""
    picked = Signal(int)
    ranked = Signal(int)
    """Emitted with the rank of a slot that was clicked."""

    def __init__(self, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._slots = count
        self._ranks: RankOrder = ()
        self.badges: list[RankBadge] = []
        """Letter boxes by output index; the boxes of unranked outputs are hidden."""
        self._hovered_rank = 0
        self._is_folded = False
        self.setAcceptDrops(True)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleName(tr("Ranking"))

    def _make_badges(self, count: int) -> None:
        for badge in self.badges:
            badge.hide()
            badge.deleteLater()
        self.badges = []
        for index in range(count):
            badge = RankBadge(index, self)
            badge.picked.connect(self.picked)
            self.badges.append(badge)

    def show_ranks(self, ranks: RankOrder, selected_index: int) -> None:
        """Show the ranks and the selected output."""
        self._ranks = ranks
        if len(self.badges) != len(ranks):
            self._make_badges(len(ranks))
        for badge, rank in zip(self.badges, ranks, strict=True):
            badge.set_highlighted(badge.index == selected_index)
            badge.setVisible(rank > 0)
        ranking, missing = describe_ranks(ranks), ", ".join(LETTERS[index] for index in unranked_positions(ranks))
        with_unranked = tr("{ranking}; unranked: {letters}", ranking=ranking, letters=missing)
        self.setAccessibleDescription(with_unranked if missing else ranking)
        self._arrange()
        self.update()

    # --- geometry

    def sizeHint(self) -> QSize:
        """Return the size of the slots; the letters are below the ranks or, if the slots are folded, next to them."""
        lines = badge_side() if self._is_folded else max(scaled_pixels(SLOTS_PX) - 2 * PADDING, badge_side() * 2)
        return QSize(badge_side() * 2 * self._slots, lines + 2 * PADDING)

    def fold(self, folded: bool) -> None:
        """Show the letters next to the ranks if `folded`, otherwise below the ranks."""
        if folded is not self._is_folded:
            self._is_folded = folded
            self.updateGeometry()
            self._arrange()
            self.update()

    def slot_rect(self, rank: int) -> QRect:
        """Return the rectangle of the slot of a rank; 1 is the best rank."""
        width = (self.width() - GAP * (self._slots - 1)) // max(1, self._slots)
        lead = (rank - 1) * (width + GAP)
        return QRect(self.width() - lead - width if self.isRightToLeft() else lead, 0, width, self.height())

    def rank_at(self, x: float) -> int:
        """Return the rank of the slot at a horizontal position; 0 if the current item does not have that rank."""
        rank = next((rank for rank in range(1, self._slots + 1) if x < self.slot_rect(rank).right() + GAP), self._slots)
        if self.isRightToLeft():
            rank = next((rank for rank in range(1, self._slots + 1) if x >= self.slot_rect(rank).left()), self._slots)
        return rank if rank <= len(self.badges) else 0

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Move the letters to the new positions of their slots."""
        self._arrange()

    def _arrange(self) -> None:
        size = badge_side()
        for rank, indices in rank_rows(self._ranks).items():
            slot = self.slot_rect(rank)
            start = PADDING + (self._text_width(rank) if self._is_folded else 0)
            available = slot.width() - start - PADDING - size
            step = min(size + 6, available // max(1, len(indices) - 1))
            top = slot.bottom() - PADDING - size
            for number, index in enumerate(indices):
                lead = start + number * step
                left = slot.right() - lead - size if self.isRightToLeft() else slot.left() + lead
                self.badges[index].setGeometry(left, top, size, size)

    def _text_width(self, rank: int) -> int:
        """Return the width in pixels of the number and the name of a rank, with the space after them."""
        bold, metrics = (QFontMetrics(scaled_font(1.1, bold=is_bold)) for is_bold in (True, False))
        name = rank_name(rank, len(self.badges))
        return bold.horizontalAdvance(f"{rank}00") + (metrics.horizontalAdvance(f"{name}00") if name else 0)

    # --- mouse

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Emit `ranked` with the rank of the clicked slot."""
        rank = self.rank_at(event.position().x())
        if event.button() == Qt.MouseButton.LeftButton and rank:
            self.ranked.emit(rank)

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Accept a dragged output of the current item."""
        index = dragged_index(event.mimeData())
        if index is not None and index < len(self.badges):
            event.acceptProposedAction()

    def dragMoveEvent(self, event: QDragMoveEvent) -> None:
        """Highlight the slot under the pointer."""
        self._hover(self.rank_at(event.position().x()))
        event.acceptProposedAction()

    def dragLeaveEvent(self, event: QDragLeaveEvent) -> None:
        """Clear the highlight."""
        self._hover(0)

    def dropEvent(self, event: QDropEvent) -> None:
        """Emit `dropped` with the output and the rank of the slot."""
        index, rank = dragged_index(event.mimeData()), self.rank_at(event.position().x())
        self._hover(0)
        if index is not None and index < len(self.badges) and rank:
            event.acceptProposedAction()
            self.dropped.emit(index, rank)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Highlight the slot under the pointer."""
        self._hover(self.rank_at(event.position().x()))

    def leaveEvent(self, event: QEvent) -> None:
        """Clear the highlight."""
        super().leaveEvent(event)
        self._hover(0)

    def _hover(self, rank: int) -> None:
        if rank != self._hovered_rank:
            self._hovered_rank = rank
            self.update()

    # --- painting

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the slots; the slots of ranks that the current item does not have are empty frames."""
        for rank in range(1, self._slots + 1):
            slot, used = self.slot_rect(rank), rank <= len(self.badges)
            over = used and rank == self._hovered_rank
            painter.setPen(QPen(colours.accent, 2) if over else QPen(colours.border, 1))
            painter.setBrush(colours.selection if over else colours.surface if used else Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(slot.toRectF().adjusted(1, 1, -1, -1), 5, 5)
            if used:
                self._draw_rank(painter, rank, slot.adjusted(PADDING, PADDING - 2, -PADDING, 0), colours)

    def _draw_rank(self, painter: QPainter, rank: int, inner: QRect, colours: Theme) -> None:
        """Draw the number of a rank and, if it is the best or worst, its name."""
        flags = int(Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignTop)
        painter.setFont(scaled_font(1.1, bold=True))
        painter.setPen(colours.accent)
        painter.drawText(inner, flags, str(rank))
        lead = painter.fontMetrics().horizontalAdvance(f"{rank}00")
        painter.setFont(scaled_font(1.1))
        painter.setPen(colours.muted)
        text_rect = inner.adjusted(0, 0, -lead, 0) if self.isRightToLeft() else inner.adjusted(lead, 0, 0, 0)
        painter.drawText(text_rect, flags, rank_name(rank, len(self.badges)))


def rank_name(rank: int, last: int) -> str:
    """Return the name of the best rank (1) or of the worst rank (`last`); empty for other ranks."""
    best, worst = rank_end_names()
    return best if rank == 1 else worst if rank == last else ""


def rank_end_names() -> tuple[str, str]:
    """Return the names of the best and of the worst rank."""
    return tr("best", "rank"), tr("worst", "rank")
