"""Box of one translation: letter, text, and a button per rank."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QWidget

from qe_desktop.answers.ranking import LETTERS
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.rate.ranking.rank_drop_list import RankBadge
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.rate.texts.reading_pane import MEDIUM_SCALE, ReadingPane, TextStyle
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import scaled_font
from qe_desktop.ui.widgets.layouts import ResponsiveBoxLayout, Stretched, hbox
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

MIN_SIDE_CHARS = 62
"""Minimum width in characters for buttons at the side; in narrower boxes they are under the text."""


class RankButton(ThemedButton):
    """Button of a rank, filled if checked."""

    def __init__(self, rank: int, place: int, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rank = rank
        self.setCheckable(True)
        self.setAccessibleName(_rank_name(rank, LETTERS[place], count))

    def sizeHint(self) -> QSize:
        """Return the size of a round button, large enough to click."""
        side = round(self.fontMetrics().height() * 1.8)
        return QSize(side, side)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the number."""
        chosen, hovered = self.isChecked(), self.underMouse()
        painter.setPen(QPen(colours.accent if chosen else colours.muted if hovered else colours.border, 1.5))
        painter.setBrush(colours.accent if chosen else colours.raised if hovered else colours.surface)
        box = self.rect().toRectF().adjusted(3, 3, -3, -3)
        painter.drawEllipse(box)
        if self.hasFocus():
            painter.setPen(QPen(colours.text, 1.5, Qt.PenStyle.DotLine))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(box.adjusted(-2, -2, 2, 2))
        painter.setFont(scaled_font(1.0, bold=chosen))
        painter.setPen(colours.on_accent if chosen else colours.text)
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, str(self.rank))


def _rank_name(rank: int, letter: str, count: int) -> str:
    """Return the accessible name of a rank button; the best and worst ranks are named."""
    if rank == 1:
        return tr("Translation {letter}: rank {rank}, best", letter=letter, rank=rank)
    if rank == count:
        return tr("Translation {letter}: rank {rank}, worst", letter=letter, rank=rank)
    return tr("Translation {letter}: rank {rank}", letter=letter, rank=rank)


class TranslationBox(ThemedWidget):
    """Box of a translation with an accent frame while selected; `ranks` is the number of rank buttons, 0 for none."""

    picked = Signal(int)
    given = Signal(int, int)
    """Emitted with the index of the translation and the rank that was clicked."""

    def __init__(self, session: RatingSession, place: int, ranks: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.place = place
        self._lit = False
        self.badge = RankBadge(place)
        self.badge.picked.connect(self.picked)
        language = session.work.campaign.target_language
        self.pane = ReadingPane(TextStyle(session.settings, "mt", MEDIUM_SCALE, language=language))
        self.pane.setAccessibleName(tr("Translation {letter}", letter=LETTERS[place]))
        self.buttons = [RankButton(rank, place, ranks) for rank in range(1, ranks + 1)]
        row = hbox(gap=0)
        for button in self.buttons:
            button.clicked.connect(self._pressed)
            row.addWidget(button)
        top = hbox(Stretched(self.badge, 0, Qt.AlignmentFlag.AlignTop), Stretched(self.pane, 1), gap=12)
        whole = ResponsiveBoxLayout(self, MIN_SIDE_CHARS, on=self, gap=12)
        whole.setContentsMargins(12, 10, 12, 10)
        whole.addLayout(top, 1)
        whole.addLayout(row)
        whole.setAlignment(row, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter)

    def show_rank(self, rank: int, *, lit: bool) -> None:
        """Show the rank, and whether the translation is selected."""
        self._lit = lit
        self.badge.set_lit(lit)
        for button in self.buttons:
            button.setChecked(button.rank == rank)
        text = tr("rank {rank}", rank=rank) if rank else tr("unranked")
        self.badge.setAccessibleDescription(text)
        self.update()

    def _pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, RankButton):
            sender.setChecked(not sender.isChecked())
            self.given.emit(self.place, sender.rank)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the translation."""
        self.picked.emit(self.place)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the frame."""
        painter.setPen(QPen(colours.accent if self._lit else colours.border, 2 if self._lit else 1))
        painter.setBrush(colours.surface)
        painter.drawRoundedRect(self.rect().toRectF().adjusted(1, 1, -1, -1), 6, 6)
