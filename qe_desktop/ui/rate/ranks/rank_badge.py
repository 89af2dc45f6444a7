"""An output's letter: on its card and in the ladder, and what is dragged."""

from __future__ import annotations

from PySide6.QtCore import QByteArray, QMimeData, QPoint, QSize, Qt, Signal
from PySide6.QtGui import QDrag, QFontMetrics, QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QSizePolicy, QWidget

from qe_desktop.answers.orders import LETTERS
from qe_desktop.ui.parts.labels import scaled
from qe_desktop.ui.theme import current, themes
from qe_desktop.wording import tr

MIME = "application/x-qe-desktop-output"


def place_of(data: QMimeData) -> int | None:
    """Which output is dragged; None where it is something else."""
    if not data.hasFormat(MIME):
        return None
    text = bytes(data.data(MIME).data()).decode("ascii", "replace")
    return int(text) if text.isdigit() and int(text) < len(LETTERS) else None


def dragged(place: int) -> QMimeData:
    """What a drag of this output carries."""
    data = QMimeData()
    data.setData(MIME, QByteArray(str(place).encode("ascii")))
    return data


def side() -> int:
    """How wide and high a letter's box is."""
    return round(QFontMetrics(scaled(1.1, bold=True)).height() * 1.2)


class RankBadge(QWidget):
    """A letter in a box. Filled, it is the one that the keys go to; a click picks it, a drag takes it along."""

    picked = Signal(int)

    def __init__(self, place: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = place
        self._lit = False
        self._pressed: QPoint | None = None
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.setAccessibleName(tr("Translation {letter}", letter=LETTERS[place]))
        themes.theme_changed.connect(self.update)

    def set_lit(self, lit: bool) -> None:
        """Say whether the keys go to this output."""
        self._lit = lit
        self.update()

    def sizeHint(self) -> QSize:
        """Square, around one large letter."""
        return QSize(side(), side())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the letter."""
        colours = current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        box = self.rect().toRectF().adjusted(1, 1, -1, -1)
        painter.setPen(QPen(colours.accent if self._lit else colours.muted, 1.5))
        painter.setBrush(colours.accent if self._lit else colours.raised)
        painter.drawRoundedRect(box, 5, 5)
        painter.setFont(scaled(1.1, bold=True))
        painter.setPen(colours.on_accent if self._lit else colours.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, LETTERS[self.place])
        painter.end()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Pick it."""
        if event.button() == Qt.MouseButton.LeftButton:
            self._pressed = event.position().toPoint()
            self.picked.emit(self.place)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Drag it."""
        far = QApplication.startDragDistance()
        if self._pressed is None or (event.position().toPoint() - self._pressed).manhattanLength() < far:
            return
        self._pressed = None
        drag = QDrag(self)
        drag.setMimeData(dragged(self.place))
        drag.setPixmap(self.grab())
        drag.setHotSpot(QPoint(self.width() // 2, self.height() // 2))
        drag.exec(Qt.DropAction.MoveAction)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """The press was only a click."""
        self._pressed = None
