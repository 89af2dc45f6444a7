"""Protocol selection: one card per protocol, selected with the mouse, the arrow keys or Space."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRect, QSize, Qt
from PySide6.QtGui import QPainter, QPen, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QRadioButton, QSizePolicy, QWidget

from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.ratings.protocols import PROTOCOLS, Protocol
from qe_desktop.ui.control_painter import draw_card
from qe_desktop.ui.theme import Theme
from qe_desktop.ui.widgets.buttons import ThemedButtonMixin
from qe_desktop.ui.widgets.form_controls import RadioGroup, set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import vbox

COLUMNS = 2


class ProtocolCard(ThemedButtonMixin, QRadioButton):
    """Card of a protocol: its name and, on a second line, the number of systems per screen and the possible answers."""

    def __init__(self, protocol: Protocol, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(protocol.title)
        self.protocol = protocol
        self._facts = protocol_summary(protocol)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setAccessibleDescription(protocol.summary)

    def set_output_count(self, outputs: int | None) -> None:
        """Disable the card if its protocol needs more than `outputs` translations of a segment; otherwise, enable it.

        None always enables the card.
        """
        least = self.protocol.outputs[0]
        is_possible = outputs is None or outputs >= least
        needs = tr("Needs {n} {n:translation|translations} of each segment", "", least)
        self._facts = protocol_summary(self.protocol) if is_possible else needs
        reason = tr("{needs}. Add a translation by another system first.", needs=needs)
        set_needs(self, "" if is_possible else reason)
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return the size for two lines with padding."""
        metrics = self.fontMetrics()
        width = max(metrics.horizontalAdvance(self.text()) * 1.15, metrics.horizontalAdvance(self._facts))
        return QSize(round(width) + metrics.height() + 36, round(metrics.height() * 2.6))

    def minimumSizeHint(self) -> QSize:
        """Return the minimum size; lines that are too long for it are elided."""
        return QSize(self.fontMetrics().horizontalAdvance("0") * 16, self.sizeHint().height())

    def hitButton(self, pos: object) -> bool:
        """Return True: the whole card is clickable."""
        return True

    def draw(self, painter: QPainter, colours: Theme) -> None:
        """Draw the card with a radio button."""
        chosen = self.isChecked()
        fill = colours.selection if chosen else colours.raised if self.underMouse() else colours.surface
        line = colours.accent if chosen or self.hasFocus() else colours.border
        draw_card(painter, self.rect().adjusted(1, 1, -1, -1), fill, line, 2 if self.hasFocus() or chosen else 1)
        side = self.fontMetrics().height()
        mirrored = self.isRightToLeft()
        middle = QPointF(self.width() - 10 - side / 2 if mirrored else 10 + side / 2, self.height() / 2)
        painter.setPen(QPen(colours.accent if chosen else colours.muted, 1.5))
        painter.setBrush(colours.surface)
        painter.drawEllipse(middle, side * 0.38, side * 0.38)
        if chosen:
            painter.setBrush(colours.accent)
            painter.drawEllipse(middle, side * 0.18, side * 0.18)
        self._write(painter, colours, 10 if mirrored else 18 + side)

    def _write(self, painter: QPainter, colours: Theme, left: int) -> None:
        height = self.fontMetrics().height()
        width = self.width() - 28 - height
        top = (self.height() - 2 * height) // 2
        leading = Qt.AlignmentFlag.AlignLeading | Qt.AlignmentFlag.AlignVCenter
        font = self.font()
        font.setBold(True)
        title = colours.text if self.isEnabled() else colours.muted
        for index, (text, colour) in enumerate(((self.text(), title), (self._facts, colours.muted))):
            painter.setFont(self.font() if index else font)
            painter.setPen(colour)
            elided = painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, width)
            painter.drawText(QRect(left, top + index * height, width, height), leading, elided)


class ProtocolChoice(QWidget):
    """Cards of all registered protocols, with a summary of the selected protocol below."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.cards = {name: ProtocolCard(protocol) for name, protocol in PROTOCOLS.items()}
        self._summary = Label(token="muted", wraps=True)
        self._grid = QGridLayout()
        self._grid.setSpacing(8)
        self._across = 0
        self._arrange(COLUMNS)
        vbox(self._grid, self._summary, on=self, gap=8)
        self.group = RadioGroup(self.cards, self)
        self.group.changed.connect(self._on_changed)
        self._on_changed()

    def set_output_count(self, outputs: int | None) -> None:
        """Disable the protocols that need more than `outputs` translations of a segment; None enables all protocols."""
        for card in self.cards.values():
            card.set_output_count(outputs)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Arrange the cards in `COLUMNS` columns if there is enough space for their texts, otherwise in one column."""
        super().resizeEvent(event)
        widest = max(card.sizeHint().width() for card in self.cards.values())
        self._arrange(COLUMNS if COLUMNS * widest + self._grid.horizontalSpacing() <= self.width() else 1)

    def _arrange(self, across: int) -> None:
        if across == self._across:
            return
        self._across = across
        for index, card in enumerate(self.cards.values()):
            self._grid.removeWidget(card)
            self._grid.addWidget(card, index // across, index % across)
        for column in range(COLUMNS):
            self._grid.setColumnStretch(column, 1 if column < across else 0)

    def _on_changed(self) -> None:
        card = self.cards[self.group.chosen]
        self._summary.setText(f"{card.protocol.summary}.")
        self.setFocusProxy(card)


def protocol_summary(protocol: Protocol) -> str:
    """Return a short description of a protocol's screen.

    >>> protocol_summary(PROTOCOLS["rank"]), protocol_summary(PROTOCOLS["adequacy"])
    ('2 to 5 systems, ties', 'one system, 1–5')
    >>> protocol_summary(PROTOCOLS["adequacy-fluency"])
    'one system, 2 questions, 1–5'
    """
    minimum, maximum = protocol.outputs
    facts = list(dict.fromkeys(answer.summary for answer in protocol.answers))
    answers, count = join_names(facts), len(protocol.answers)
    if maximum == 1 and count > 1:
        return tr("one system, {n} {n:question|questions}, {answers}", "", count, answers=answers)
    if maximum == 1:
        return tr("one system, {answers}", answers=answers)
    if minimum == maximum:
        return tr("{n} systems, {answers}", "", maximum, answers=answers)
    return tr("{least} to {n} systems, {answers}", "", maximum, least=minimum, answers=answers)
