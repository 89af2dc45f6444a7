"""Parts of a form: a heading, a label beside its control, and below it in words what is missing or wrong there."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QGridLayout, QLabel, QWidget

from qe_desktop.ratings.campaign_draft import Note
from qe_desktop.ui.parts.labels import Label, tip
from qe_desktop.ui.parts.layouts import Placed, column_of, row_of
from qe_desktop.ui.parts.sign import Sign


class NoteLine(QWidget):
    """A note with its sign; takes no room while there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.note: Note | None = None
        self._sign = Sign("error")
        self._text = Label(token="muted", wraps=True, selectable=True)
        row_of(
            Placed(self._sign, 0, Qt.AlignmentFlag.AlignTop),
            Placed(self._text, 1),
            on=self,
            gap=6,
            margins=(0, 2, 0, 2),
        )
        self.hide()

    def show_note(self, note: Note | None) -> None:
        """Show a note, or nothing."""
        if note == self.note:
            return
        self.note = note
        self.setVisible(note is not None)
        if note is not None:
            self._sign.show_icon("error" if note.grave else "info")
            self._text.setText(note.text)
            self.setAccessibleName(note.text)


class Fields(QWidget):
    """One column of the form: a heading, then labels at the left and controls at the right, each with its note."""

    def __init__(self, heading: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.notes: dict[str, NoteLine] = {}
        self.controls: dict[str, QWidget] = {}
        self._rows: dict[str, list[QWidget]] = {}
        self._grid = QGridLayout()
        self._grid.setHorizontalSpacing(12)
        self._grid.setVerticalSpacing(6)
        self._grid.setColumnStretch(1, 1)
        column = column_of(Label(heading, scale=1.15, bold=True), self._grid, on=self, gap=8)
        self._rest = column

    def add(
        self,
        name: str,
        text: str,
        control: QWidget,
        about: str = "",
        *,
        focus: QWidget | None = None,
        wide: bool = False,
    ) -> None:
        """A control under a name, by which its note is found; `text` has the letter of its key behind an `&`.

        A `wide` one takes the whole width, with its label above it where it has one.
        """
        parts, first = [control], 0 if wide else 1
        row = self._grid.rowCount()
        if text:
            label = QLabel(text)
            label.setBuddy(focus or control)
            parts.insert(0, label)
            self._grid.addWidget(label, row, 0, 1, 2 - first)
            if wide:
                row += 1
            else:
                label.setAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
                label.setContentsMargins(0, 5, 0, 0)
        # a button of a group has a name of its own
        self._name(control if focus is None or isinstance(focus, QAbstractButton) else focus, text, about)
        self._grid.addWidget(control, row, first, 1, 2 - first)
        line = NoteLine()
        self._grid.addWidget(line, self._grid.rowCount(), first, 1, 2 - first)
        self.notes[name] = line
        self.controls[name] = focus or control
        self._rows[name] = parts

    def align_labels(self, width: int) -> None:
        """Make the labels at the left at least so wide, to stand in line with those of a wide control."""
        self._grid.setColumnMinimumWidth(0, width)

    def end(self) -> None:
        """Leave the rest of the column empty."""
        self._rest.addStretch(1)

    def set_row_visible(self, name: str, visible: bool) -> None:
        """Show or hide a control with its label and note."""
        for widget in self._rows[name]:
            widget.setVisible(visible)
        if not visible:
            self.notes[name].show_note(None)

    def _name(self, control: QWidget, text: str, about: str) -> None:
        if text and not control.accessibleName():
            control.setAccessibleName(text.replace("&", ""))
        if about:
            control.setToolTip(tip(about))
            control.setAccessibleDescription(about)
