"""The foot of the form: what the choices come to, what is still missing, and the button."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from qe_desktop.ui import theme
from qe_desktop.ui.campaigns.fields import Sign
from qe_desktop.ui.campaigns.setup_sums import Sum
from qe_desktop.ui.shell.buttons import FlatButton
from qe_desktop.ui.shell.labels import Label, tip
from qe_desktop.ui.shell.progress_bar import ProgressBar


class SetUpFooter(QWidget):
    """Shows sums, the state of the form in words, and the buttons; it decides nothing."""

    create_asked = Signal()
    cancel_asked = Signal()
    stop_asked = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._sums: list[tuple[Label, Label]] = []
        self._row = QHBoxLayout()
        self._row.setSpacing(28)
        self._sign = Sign("info")
        self._words = Label()
        self._words.setWordWrap(True)
        self._words.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self._bar = ProgressBar()
        self._bar.setRange(0, 100)
        self._bar.setTextVisible(False)
        self._bar.setFixedSize(120, 8)
        self._bar.setAccessibleName("Progress of creating the campaign")
        self.cancel = FlatButton("Cancel")
        self.stop = FlatButton("Stop")
        self.make = FlatButton("Create campaign", "next", primary=True)
        said = QHBoxLayout()
        said.setSpacing(8)
        said.addWidget(self._sign, 0, Qt.AlignmentFlag.AlignTop)
        said.addWidget(self._words, 1)
        row = QHBoxLayout()
        row.setSpacing(10)
        row.addLayout(self._row)
        row.addStretch(1)
        row.addWidget(self._bar)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 8, 16, 10)
        column.setSpacing(6)
        column.addLayout(said)
        column.addLayout(row)
        for button, signal in (
            (self.stop, self.stop_asked),
            (self.cancel, self.cancel_asked),
            (self.make, self.create_asked),
        ):
            row.addWidget(button)
            button.clicked.connect(signal)
        theme.themes.theme_changed.connect(self.update)
        self.show_working(None)

    @property
    def words(self) -> str:
        """What is said beside the button."""
        return self._words.text()

    def sums(self) -> list[str]:
        """The figures as shown."""
        return [f"{number.text()} {text.text()}" for number, text in self._sums if number.isVisibleTo(self)]

    def show_sums(self, sums: Sequence[Sum]) -> None:
        """Show these figures."""
        while len(self._sums) < len(sums):
            self._sums.append(self._new_sum())
        for place, (number, text) in enumerate(self._sums):
            used = place < len(sums)
            number.setVisible(used)
            text.setVisible(used)
            if used:
                number.setText(sums[place].number)
                text.setText(sums[place].text)
                text.setToolTip(tip(sums[place].about))
                number.setToolTip(tip(sums[place].about))

    def _new_sum(self) -> tuple[Label, Label]:
        number, text = Label(scale=1.5, bold=True), Label(token="muted")
        column = QVBoxLayout()
        column.setSpacing(0)
        column.addWidget(number)
        column.addWidget(text)
        self._row.addLayout(column)
        return number, text

    def show_words(self, text: str, sign: str) -> None:
        """Say what is missing, or that nothing is; `sign` is "ok", "info" or "error"."""
        self._words.setText(text)
        self._sign.setVisible(bool(text))
        self._sign.show_icon(sign)

    def show_working(self, fraction: float | None) -> None:
        """How far the work is, 0..1, or None while nothing is being made."""
        working = fraction is not None
        self._bar.setVisible(working)
        self.stop.setVisible(working)
        self.cancel.setVisible(not working)
        self.make.setVisible(not working)
        if fraction is not None:
            self._bar.setValue(round(100 * fraction))

    def paintEvent(self, event: QPaintEvent) -> None:
        """A surface of its own below a fine line."""
        colours = theme.current()
        painter = QPainter(self)
        painter.fillRect(self.rect(), colours.surface)
        painter.fillRect(0, 0, self.width(), 1, colours.border)
        painter.end()
