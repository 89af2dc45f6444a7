"""Box of one translation: letter, text, and a button per rank."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPen
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QSpacerItem, QWidget

from qe_desktop.answers.ranking import LETTERS
from qe_desktop.corpus.languages import language_direction
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.rate.cards.rank_slots import RankBadge, badge_side
from qe_desktop.ui.rate.cards.reading_pane import ReadingPane, TextStyle
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.shell.appearance import scaled_pixels
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButton
from qe_desktop.ui.widgets.labels import scaled_font
from qe_desktop.ui.widgets.layouts import ResponsiveBoxLayout, Stretched, hbox
from qe_desktop.ui.widgets.themed_widget import ThemedWidget

MIN_SIDE_CHARS = 62
"""Minimum width of a box, in characters, for rank buttons beside the text; otherwise, they are below the text."""
RANK_BUTTON_PX = 40
"""Width of a rank button in pixels, at a text size of 100 %."""
PADDING_PX, GAP_PX = 8, 12


class RankButton(ThemedButton):
    """Button for ranking a translation; filled if checked, outlined if the translation is selected."""

    def __init__(self, rank: int, index: int, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.rank = rank
        self.outlined = False
        self.setCheckable(True)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Expanding)
        self.setAccessibleName(_rank_name(rank, LETTERS[index], count))

    def sizeHint(self) -> QSize:
        """Return a size that makes the button easy to click."""
        side = scaled_pixels(RANK_BUTTON_PX)
        return QSize(side, side)

    def minimumSizeHint(self) -> QSize:
        """Return the size hint."""
        return self.sizeHint()

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the number in a circle."""
        chosen, hovered = self.isChecked(), self.underMouse()
        side = scaled_pixels(RANK_BUTTON_PX) * 0.7
        circle = self.rect().toRectF()
        circle.adjust((self.width() - side) / 2, (self.height() - side) / 2, 0, 0)
        circle.setSize(QSize(round(side), round(side)).toSizeF())
        outlined = chosen or hovered or self.outlined
        painter.setPen(QPen(colours.accent if chosen else colours.muted, 1) if outlined else Qt.PenStyle.NoPen)
        painter.setBrush(colours.accent if chosen else colours.raised if hovered else Qt.BrushStyle.NoBrush)
        painter.drawEllipse(circle)
        if self.hasFocus():
            painter.setPen(QPen(colours.accent, 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawEllipse(circle.adjusted(-3, -3, 3, 3))
        painter.setFont(scaled_font(1.0, bold=chosen))
        painter.setPen(colours.on_accent if chosen else colours.text if self.outlined else colours.muted)
        painter.drawText(circle, Qt.AlignmentFlag.AlignCenter, str(self.rank))


def _rank_name(rank: int, letter: str, count: int) -> str:
    """Return the accessible name of a rank button, such as "Translation A: rank 1, best"."""
    if rank == 1:
        return tr("Translation {letter}: rank {rank}, best", letter=letter, rank=rank)
    if rank == count:
        return tr("Translation {letter}: rank {rank}, worst", letter=letter, rank=rank)
    return tr("Translation {letter}: rank {rank}", letter=letter, rank=rank)


class TranslationBox(ThemedWidget):
    """Row with a translation and `ranks` rank buttons; if `ranks` is 0, a framed box.

    The row has space for `columns` buttons.
    """

    picked = Signal(int)
    rank_chosen = Signal(int, int)
    """Emitted with the index of the translation and the clicked rank, or 0 if the translation already has that rank."""

    def __init__(
        self, session: RatingSession, index: int, ranks: int, columns: int = 0, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.index = index
        self._is_highlighted = False
        self._is_framed = not ranks
        self.is_last = False
        self.badge = RankBadge(index)
        self.badge.picked.connect(self.picked)
        language = session.work.campaign.target_language
        self.pane = ReadingPane(TextStyle(session.settings, "mt", language=language))
        self.pane.setAccessibleName(tr("Translation {letter}", letter=LETTERS[index]))
        self.buttons = [RankButton(rank, index, ranks) for rank in range(1, ranks + 1)]
        row = hbox(gap=0)
        for button in self.buttons:
            button.clicked.connect(self._on_pressed)
            row.addWidget(button)
        row.addSpacing(scaled_pixels(RANK_BUTTON_PX) * max(0, columns - ranks))
        side = Qt.AlignmentFlag.AlignVCenter if ranks else Qt.AlignmentFlag.AlignTop
        top = self._top = hbox(Stretched(self.badge, 0, side), Stretched(self.pane, 1, side), gap=GAP_PX)
        if str(language_direction(language)) == "rtl" and not self.isRightToLeft():
            # place the letter where the text begins
            top.setDirection(QHBoxLayout.Direction.RightToLeft)
        self._strut = QSpacerItem(0, 0, QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        top.addItem(self._strut)
        layout = ResponsiveBoxLayout(self, MIN_SIDE_CHARS, on=self, gap=GAP_PX)
        layout.setContentsMargins(*(4 * (PADDING_PX,)))
        layout.addLayout(top, 1)
        layout.addLayout(row)

    def show_controls(self, visible: bool) -> None:
        """Show or hide the letter, the rank buttons and the frame; hidden controls keep their space."""
        for control in (self.badge, *self.buttons):
            policy = control.sizePolicy()
            policy.setRetainSizeWhenHidden(True)
            control.setSizePolicy(policy)
            control.setVisible(visible)
        self._is_framed = visible and not self.buttons
        self.update()

    def set_min_height(self, height: int) -> None:
        """Set the minimum height of the box, in pixels."""
        self._strut.changeSize(0, max(0, height - 2 * PADDING_PX), QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Minimum)
        self._top.invalidate()

    def show_rank(self, rank: int, *, is_highlighted: bool) -> None:
        """Show the rank (0: unranked), and whether the translation is selected."""
        self._is_highlighted = is_highlighted
        self.badge.set_highlighted(is_highlighted)
        for button in self.buttons:
            button.setChecked(button.rank == rank)
            button.outlined = is_highlighted
            button.update()
        text = tr("rank {rank}", rank=rank) if rank else tr("unranked")
        self.badge.setAccessibleDescription(text)
        self.update()

    def _on_pressed(self) -> None:
        sender = self.sender()
        if isinstance(sender, RankButton):
            # the card sets the check mark
            was_checked = not sender.isChecked()
            sender.setChecked(was_checked)
            self.rank_chosen.emit(self.index, 0 if was_checked else sender.rank)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Select the translation."""
        self.picked.emit(self.index)

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the selection, and the frame of a box or the line below a row."""
        box = self.rect().toRectF().adjusted(1, 1, -1, -1)
        if self._is_framed or self._is_highlighted:
            painter.setPen(
                QPen(colours.accent if self._is_highlighted else colours.border, 2 if self._is_highlighted else 1)
            )
            painter.setBrush(colours.selection if self.buttons else colours.surface)
            painter.drawRoundedRect(box, 5, 5)
        elif self.buttons and not self.is_last:
            painter.fillRect(0, self.height() - 1, self.width(), 1, colours.border)


def text_width(width: int, columns: int) -> int:
    """Return the text width in pixels of a box `width` pixels wide with space for `columns` rank buttons."""
    digits = columns * scaled_pixels(RANK_BUTTON_PX) + GAP_PX if columns else 0
    return width - 2 * PADDING_PX - badge_side() - GAP_PX - digits
