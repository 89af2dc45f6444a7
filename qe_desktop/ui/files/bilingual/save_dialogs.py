"""What is asked before translators' files are written: codes that differ, files that changed, edits not saved."""

from __future__ import annotations

import enum
from collections.abc import Mapping

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QWidget,
)

from qe_desktop.formats.sentences import few
from qe_desktop.outgoing import label
from qe_desktop.ui.parts.labels import Label
from qe_desktop.ui.parts.layouts import Placed, column_of
from qe_desktop.wording import side_by_side, tr


class Answer(enum.Enum):
    """What a person wants."""

    SAVE_AS = "elsewhere"
    OVERWRITE = "overwrite"
    DISCARD = "discard"
    BACK = "back"


class SegmentsQuestion(QDialog):
    """Segments that cannot be written as they are, each with what is wrong; Enter on one leads there.

    `wanted` is the segment, from 0, that a person wants to see. Where only codes differ, all can be saved all the same;
    else the other segments can.
    """

    def __init__(self, file: str, wrong: Mapping[int, str], *, only_codes: bool, parent: QWidget | None) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save"))
        self.wanted: int | None = None
        several = len(wrong)
        if only_codes:
            said = tr(
                "In {n:,} {n:segment|segments} of {file} the codes are others than in the source. Programs that read "
                "the file may lose formatting, or refuse it.", "", several, file=label(file),
            )  # fmt: skip
        else:
            said = tr(
                "{n:,} {n:segment|segments} of {file} cannot be written. Nothing was saved yet.", "", several,
                file=label(file),
            )  # fmt: skip
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Segments"))
        for segment, fault in wrong.items():
            item = QListWidgetItem(label(tr("segment {number:,}: {fault}", number=segment + 1, fault=fault)))
            item.setData(Qt.ItemDataRole.UserRole, segment)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self._lead)
        self.go = QPushButton(tr("Go to the segment"))
        self.go.clicked.connect(self._lead)
        self.go.setDefault(True)
        buttons = QDialogButtonBox()
        buttons.addButton(self.go, QDialogButtonBox.ButtonRole.ActionRole)
        self.save = QPushButton(tr("Save all the same") if only_codes else tr("Save the other segments"))
        self.save.setAutoDefault(False)
        buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        cancel = buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        cancel.setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        column_of(Label(said, wraps=True), Placed(self.list, 1), buttons, on=self, gap=10, margins=None)
        metrics = self.fontMetrics()
        self.resize(metrics.horizontalAdvance("0") * 80, metrics.height() * 18)
        self.list.setFocus()

    def _lead(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.wanted = int(item.data(Qt.ItemDataRole.UserRole))
            self.reject()


def ask_changed(file: str, *, gone: bool, parent: QWidget) -> Answer:
    """What to do where the file on the disk is another one by now, or is gone."""
    if gone:
        text = tr("{file} is no longer where it was opened.", file=label(file))
        more = tr("It was moved, renamed or deleted since it was read.")
        again = tr("Write it there again")
    else:
        text = tr("Another program changed {file} since it was read.", file=label(file))
        more = tr("Overwriting it loses what that program wrote.")
        again = tr("Overwrite it")
    buttons = {
        Answer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        Answer.OVERWRITE: (again, QMessageBox.ButtonRole.DestructiveRole),
        Answer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    return _asked(text, more, buttons, parent)


def ask_place(path: str, *, gone: bool, changed: bool, parent: QWidget) -> Answer:
    """Whether a file is written where a project that is open says that it lies."""
    text = tr("Save to {path}?", path=label(path, len(path)))
    more = [tr("Only the project names this place. Nothing was written there for it on this computer yet.")]
    if gone:
        more.append(tr("There is no such file now."))
    elif changed:
        more.append(tr("Another file lies there than the project knows; it would be overwritten."))
    # whoever made the project chose the place, so that Enter writes nothing there
    buttons = {
        Answer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.ActionRole),
        Answer.OVERWRITE: (tr("Save there"), QMessageBox.ButtonRole.AcceptRole),
        Answer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    if changed:
        buttons[Answer.OVERWRITE] = tr("Overwrite it"), QMessageBox.ButtonRole.DestructiveRole
    return _asked(text, side_by_side(" ", more), buttons, parent)


def ask_held(file: str, *, parent: QWidget) -> Answer:
    """What to do where another program has a file open."""
    text = tr("Another program has {file} open.", file=label(file))
    more = tr(
        "What it saves later may take the place of what is saved now, or be lost itself. Close the file there first."
    )
    buttons = {
        Answer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        Answer.OVERWRITE: (tr("Save all the same"), QMessageBox.ButtonRole.DestructiveRole),
        Answer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    return _asked(text, more, buttons, parent)


def ask_barred(file: str, why: str, *, parent: QWidget) -> Answer:
    """What to do where a file may not be written, which `why` says without a capital letter."""
    text = tr("{file} cannot be saved: {why}.", file=label(file), why=why)
    more = tr("Nothing was written. Save it elsewhere, and later saves go there too.")
    buttons = {
        Answer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        Answer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    return _asked(text, more, buttons, parent)


def ask_over(names: list[str], *, parent: QWidget) -> bool:
    """Whether copies take the place of files that are in the folder already."""
    text = tr("{n:,} {n:file is|files are} in this folder already.", "", len(names))
    buttons = {
        Answer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
        Answer.OVERWRITE: (tr("Overwrite them"), QMessageBox.ButtonRole.DestructiveRole),
    }
    return _asked(text, label(few(names)), buttons, parent) is Answer.OVERWRITE


def ask_left(segments: int, *, parent: QWidget) -> Answer:
    """What becomes of what translators' files have no place for, before it is closed."""
    text = tr("Notes or statuses of {n:,} {n:segment|segments} have no place in the translator’s file.", "", segments)
    more = tr(
        "The translations are saved. A project keeps the rest (Go back, then File ▸ Save as project), and so does an "
        "export as CSV or as an Excel workbook; else it is lost."
    )
    buttons = {
        Answer.SAVE_AS: (tr("Export as…"), QMessageBox.ButtonRole.AcceptRole),
        Answer.DISCARD: (tr("Close without them"), QMessageBox.ButtonRole.DestructiveRole),
        Answer.BACK: (tr("Go back"), QMessageBox.ButtonRole.RejectRole),
    }
    return _asked(text, more, buttons, parent)


def ask_leaving(segments: int, *, job: bool, parent: QWidget) -> Answer:
    """Whether what was reviewed is saved before it is closed."""
    text = tr("What was reviewed in {n:,} {n:segment|segments} is in no file yet.", "", segments)
    buttons = {
        Answer.SAVE_AS: (tr("Save") if job else tr("Export as…"), QMessageBox.ButtonRole.AcceptRole),
        Answer.DISCARD: (tr("Discard the edits"), QMessageBox.ButtonRole.DestructiveRole),
        Answer.BACK: (tr("Go back"), QMessageBox.ButtonRole.RejectRole),
    }
    return _asked(text, tr("Save it, or it is lost."), buttons, parent)


def _asked(
    text: str, more: str, buttons: Mapping[Answer, tuple[str, QMessageBox.ButtonRole]], parent: QWidget
) -> Answer:
    box = QMessageBox(parent)
    box.setIcon(QMessageBox.Icon.Warning)
    box.setTextFormat(Qt.TextFormat.PlainText)
    box.setText(text)
    box.setInformativeText(more)
    made = {box.addButton(words, role): answer for answer, (words, role) in buttons.items()}
    first = next(iter(made))
    box.setDefaultButton(first)
    box.setEscapeButton(next(button for button, answer in made.items() if answer is Answer.BACK))
    box.exec()
    clicked = box.clickedButton()
    answer = next((answer for button, answer in made.items() if button is clicked), Answer.BACK)
    box.deleteLater()
    return answer
