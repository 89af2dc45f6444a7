"""Skip dialog: the rater presses the digit of a predefined reason, or enters free text."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit, QWidget

from qe_desktop.answers.scale import Anchor
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.protocols import skip_reason_text
from qe_desktop.ui.rate.scales.scale_buttons import ScaleButtons
from qe_desktop.ui.widgets.buttons import FlatButton
from qe_desktop.ui.widgets.dialogs import Dialog
from qe_desktop.ui.widgets.form_controls import set_needs
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import StretchSpace, hbox, vbox


class SkipDialog(Dialog):
    """Dialog that asks why an item is skipped and emits `chosen` with the reason; an empty reason clears the skip."""

    chosen = Signal(str)

    def __init__(self, reasons: Sequence[str], previous: str = "", parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Skip this item"))
        self._reasons = tuple(reasons)
        self.row = ScaleButtons()
        keys = [str(number) for number in range(1, len(reasons) + 1)]
        self.row.set_steps([Anchor(index, skip_reason_text(reason)) for index, reason in enumerate(reasons)], keys)
        self.row.set_value(self._reasons.index(previous) if previous in self._reasons else None)
        self.row.chosen.connect(self._choose)
        self.other_reason = QLineEdit("" if previous in self._reasons else previous)
        self.other_reason.setPlaceholderText(tr("Another reason, in your own words"))
        self.other_reason.setAccessibleName(tr("Another reason"))
        self.other_reason.textChanged.connect(self._update_button)
        self.other_reason.returnPressed.connect(self._skip)
        self.skip = FlatButton(tr("Skip"), primary=True)
        self.skip.clicked.connect(self._skip)
        self.clear_button = FlatButton(tr("Undo skip"))
        self.clear_button.setVisible(bool(previous))
        self.clear_button.clicked.connect(self._clear_skip)
        cancel = FlatButton(tr("Cancel"))
        cancel.clicked.connect(self.reject)
        buttons = hbox(self.clear_button, StretchSpace(), cancel, self.skip, gap=8)
        vbox(
            Label(tr("Why can this item not be rated?"), scale=1.1),
            self.row,
            self.other_reason,
            buttons,
            on=self,
            gap=16,
            margins=16,
        )
        width = self.fontMetrics().horizontalAdvance("0") * 58
        self.resize(min(width, parent.window().width()) if parent is not None else width, self.sizeHint().height())
        self._update_button()
        # digits select directly; Tab moves to the field
        self.setFocus()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Select a reason by its digit; insert any other printable character into the field for another reason."""
        index, text = event.key() - int(Qt.Key.Key_1), event.text()
        if 0 <= index < len(self._reasons):
            self._choose(index)
        elif text.isprintable() and text.strip() and not self.other_reason.hasFocus():
            # typing goes to the text field
            self.other_reason.setFocus()
            self.other_reason.insert(text)
        else:
            super().keyPressEvent(event)

    def _update_button(self) -> None:
        set_needs(self.skip, "" if self.other_reason.text().strip() else tr("Select or enter a reason first."))

    def _choose(self, index: float) -> None:
        self._end(self._reasons[round(index)])

    def _skip(self) -> None:
        if self.other_reason.text().strip():
            self._end(self.other_reason.text().strip())

    def _clear_skip(self) -> None:
        self._end("")

    def _end(self, reason: str) -> None:
        self.chosen.emit(reason)
        self.accept()
