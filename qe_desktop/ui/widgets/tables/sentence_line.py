"""Widget of constant height with a sentence about the current cell or item of a table, matrix or chart."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QPushButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox

HINT = tr("Select a value to see what it means.")
SCALE = 1.08
"""Size of the sentence relative to the text of the window."""
LINES = 2
"""Number of lines reserved for the sentence, so that the widgets below it do not move."""


_SIGN_MEANINGS = {
    SignificanceLevel.STRONG.sign: tr("Significant with p < .01; for several tests, all of them"),
    SignificanceLevel.WEAK.sign: tr("Significant; for several tests, all of them"),
    SignificanceLevel.NOT_SIGNIFICANT.sign: tr("Not significant; for several tests, at least one of them"),
}
"""Tooltips of the symbols of significance tests."""


class SentenceLine(QWidget):
    """Symbol of a significance test, a sentence, and a button that requests the segments behind a difference.

    `hint` is shown while nothing is selected.
    """

    requested = Signal()
    """Emitted when the segments behind the difference are requested."""

    def __init__(self, hint: str = HINT, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._hint = hint
        self.sign_label = Label(scale=SCALE)
        self.text_label = Label(hint, scale=SCALE, token="muted", narrow=True, selectable=True, is_program_text=True)
        self.text_label.installEventFilter(self)
        self.segments_button = QPushButton(tr("Show the segments"))
        self.segments_button.setFlat(True)
        self.segments_button.setToolTip(plain_tooltip(tr("You can also press Enter in the matrix")))
        self.segments_button.clicked.connect(self.requested)
        self.segments_button.hide()
        self.sign_label.hide()
        hbox(self.sign_label, Stretched(self.text_label, 1), self.segments_button, on=self, gap=8)
        self._fit()

    def show_sentence(self, sentence: str, sign: str = "", *, has_segments: bool = False) -> None:
        """Show a sentence, or the hint if the sentence is empty.

        `sign` is a symbol before the sentence (empty for none). `has_segments` states whether the button is shown.
        """
        self.sign_label.setText(sign)
        self.sign_label.setToolTip(plain_tooltip(_SIGN_MEANINGS[sign]) if sign in _SIGN_MEANINGS else "")
        self.sign_label.setVisible(bool(sign))
        self.text_label.setText(sentence or self._hint)
        self.text_label.set_token("text" if sentence else "muted")
        self.text_label.setToolTip(plain_tooltip(sentence) if sentence else "")
        self.segments_button.setVisible(has_segments)
        self._align()

    def set_hint(self, hint: str) -> None:
        """Set the text that is shown while nothing is selected."""
        is_shown = self.text_label.text() == self._hint
        self._hint = hint
        if is_shown:
            self.text_label.setText(hint)
            self._align()

    def _fit(self) -> None:
        self.setFixedHeight(self.text_label.fontMetrics().lineSpacing() * LINES + 4)
        self._align()

    def _align(self) -> None:
        """Centre the sentence vertically or, if it does not fit, show its beginning.

        The tooltip contains the whole sentence.
        """
        has_room = self.text_label.heightForWidth(self.text_label.width()) <= self.height()
        vertical = Qt.AlignmentFlag.AlignVCenter if has_room else Qt.AlignmentFlag.AlignTop
        self.text_label.setAlignment(Qt.AlignmentFlag.AlignLeading | vertical)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Align the sentence again when its size changes."""
        if event.type() == QEvent.Type.Resize:
            self._align()
        return super().eventFilter(watched, event)

    def changeEvent(self, event: QEvent) -> None:
        """Adapt the height when the text size changes."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.ApplicationFontChange):
            self._fit()
