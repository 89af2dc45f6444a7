"""Sentence about the current cell of a table, matrix or chart, and the tracker of the view that it describes."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QApplication, QPushButton, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import SignificanceLevel
from qe_desktop.ui.widgets.labels import Label, plain_tooltip
from qe_desktop.ui.widgets.layouts import Stretched, hbox
from qe_desktop.ui.widgets.tables.table_view import CopyableTableView

HINT = tr("Select a value to see what it means.")
SCALE = 1.08
"""Size of the sentence relative to the text of the window."""
LINES = 2
"""Number of lines reserved for the sentence, so that the widgets below it do not move."""


_SIGN_MEANINGS = {
    SignificanceLevel.STRONG.sign: tr("Significant with p < .01 (if there are several tests, in all of them)"),
    SignificanceLevel.WEAK.sign: tr("Significant (if there are several tests, in all of them)"),
    SignificanceLevel.NOT_SIGNIFICANT.sign: tr("Not significant (if there are several tests, in at least one of them)"),
}
"""Tooltips of the symbols of significance tests."""


class DescriptionLine(QWidget):
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

        The tooltip contains the whole sentence if it does not fit.
        """
        has_room = self.text_label.heightForWidth(self.text_label.width()) <= self.height()
        vertical = Qt.AlignmentFlag.AlignVCenter if has_room else Qt.AlignmentFlag.AlignTop
        self.text_label.setAlignment(Qt.AlignmentFlag.AlignLeading | vertical)
        text = self.text_label.text()
        self.text_label.setToolTip("" if has_room or text == self._hint else plain_tooltip(text))

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


class DescribedViewTracker(QObject):
    """Tracker of the table or matrix of `page` that has the focus or had it last.

    A view that receives the focus emits the description of its current cell. Until a view receives the focus or
    `set_described` is called, all selections are painted as usual.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__(page)
        self._page = page
        self._described: QWidget | None = page
        app = QApplication.instance()
        if isinstance(app, QApplication):
            app.focusChanged.connect(self._on_focus_changed)

    def set_described(self, described: QWidget | None) -> None:
        """Paint the selection of the view `described` as usual, and all other selections in a muted colour."""
        if described is not self._described:
            self._described = described
            # pages add views later
            for view in self._page.findChildren(CopyableTableView):
                view.set_described(view is described)

    def focused_view(self) -> CopyableTableView | None:
        """Return the table or matrix of the page that has the focus; None if none has it."""
        focused = QApplication.focusWidget()
        return focused if isinstance(focused, CopyableTableView) and self._page.isAncestorOf(focused) else None

    def _on_focus_changed(self, _old: QWidget | None, now: QWidget | None) -> None:
        if isinstance(now, CopyableTableView) and self._page.isAncestorOf(now):
            self.set_described(now)
            now.emit_description()
