"""What is asked before translators' files are written: codes that differ, files that changed, edits not saved."""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping

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

from qe_desktop.escaping import escape_label
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.close_attempt import show_question
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, vbox


class SaveAnswer(enum.Enum):
    """What a person wants."""

    SAVE_AS = "elsewhere"
    OVERWRITE = "overwrite"
    DISCARD = "discard"
    BACK = "back"


class InvalidSegmentsDialog(QDialog):
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
                "the file may lose formatting, or refuse it.", "", several, file=escape_label(file),
            )  # fmt: skip
        else:
            said = tr(
                "{n:,} {n:segment|segments} of {file} cannot be written. Nothing was saved yet.", "", several,
                file=escape_label(file),
            )  # fmt: skip
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Segments"))
        for segment, fault in wrong.items():
            item = QListWidgetItem(escape_label(tr("segment {number:,}: {fault}", number=segment + 1, fault=fault)))
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
        vbox(Label(said, wraps=True), Stretched(self.list, 1), buttons, on=self, gap=10, margins=None)
        metrics = self.fontMetrics()
        self.resize(metrics.horizontalAdvance("0") * 80, metrics.height() * 18)
        self.list.setFocus()

    def _lead(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.wanted = int(item.data(Qt.ItemDataRole.UserRole))
            self.reject()


def ask_file_changed(file: str, *, gone: bool, parent: QWidget) -> SaveAnswer:
    """What to do where the file on the disk is another one by now, or is gone."""
    if gone:
        text = tr("{file} is no longer where it was opened.", file=escape_label(file))
        more = tr("It was moved, renamed or deleted since it was read.")
        again = tr("Write it there again")
    else:
        text = tr("Another program changed {file} since it was read.", file=escape_label(file))
        more = tr("Overwriting it loses what that program wrote.")
        again = tr("Overwrite it")
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.OVERWRITE: (again, QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    return _ask_message(text, more, buttons, parent)


def ask_untrusted_path(path: str, *, gone: bool, changed: bool, parent: QWidget) -> SaveAnswer:
    """Whether a file is written where a project that is open says that it lies."""
    text = tr("Save to {path}?", path=escape_label(path, len(path)))
    more = [tr("Only the project names this place. Nothing was written there for it on this computer yet.")]
    if gone:
        more.append(tr("There is no such file now."))
    elif changed:
        more.append(tr("Another file lies there than the project knows; it would be overwritten."))
    # whoever made the project chose the place, so that Enter writes nothing there
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.ActionRole),
        SaveAnswer.OVERWRITE: (tr("Save there"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    if changed:
        buttons[SaveAnswer.OVERWRITE] = tr("Overwrite it"), QMessageBox.ButtonRole.DestructiveRole
    return _ask_message(text, join_localized(" ", more), buttons, parent)


def ask_file_locked(file: str, *, parent: QWidget) -> SaveAnswer:
    """What to do where another program has a file open."""
    text = tr("Another program has {file} open.", file=escape_label(file))
    more = tr(
        "What it saves later may take the place of what is saved now, or be lost itself. Close the file there first."
    )
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.OVERWRITE: (tr("Save all the same"), QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    return _ask_message(text, more, buttons, parent)


def ask_file_not_writable(file: str, why: str, *, parent: QWidget) -> SaveAnswer:
    """What to do where a file may not be written, which `why` says without a capital letter."""
    text = tr("{file} cannot be saved: {why}.", file=escape_label(file), why=why)
    more = tr("Nothing was written. Save it elsewhere, and later saves go there too.")
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    return _ask_message(text, more, buttons, parent)


def ask_overwrite(names: list[str], *, parent: QWidget) -> bool:
    """Whether copies take the place of files that are in the folder already."""
    text = tr("{n:,} {n:file is|files are} in this folder already.", "", len(names))
    buttons = {
        SaveAnswer.BACK: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
        SaveAnswer.OVERWRITE: (tr("Overwrite them"), QMessageBox.ButtonRole.DestructiveRole),
    }
    return _ask_message(text, escape_label(list_names(names)), buttons, parent) is SaveAnswer.OVERWRITE


def ask_discard_unsupported(segments: int, *, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """What becomes of what translators' files have no place for, before it is closed; `answered` is called with it."""
    text = tr("Notes or statuses of {n:,} {n:segment|segments} have no place in the translator’s file.", "", segments)
    more = tr(
        "The translations are saved. A project keeps the rest (Go back, then File ▸ Save as project), and so does an "
        "export as CSV or as an Excel workbook; else it is lost."
    )
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Export as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.DISCARD: (tr("Close without them"), QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.BACK: (tr("Go back"), QMessageBox.ButtonRole.RejectRole),
    }
    question = _Question(text, more, buttons, parent)
    show_question(question, lambda: answered(question.answer()))


def ask_save_reviewed(segments: int, *, job: bool, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """Whether what was reviewed is saved before it is closed; `answered` is called with that."""
    text = tr("What was reviewed in {n:,} {n:segment|segments} is in no file yet.", "", segments)
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save") if job else tr("Export as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.DISCARD: (tr("Discard the edits"), QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.BACK: (tr("Go back"), QMessageBox.ButtonRole.RejectRole),
    }
    question = _Question(text, tr("Save it, or it is lost."), buttons, parent)
    show_question(question, lambda: answered(question.answer()))


_Buttons = Mapping[SaveAnswer, tuple[str, QMessageBox.ButtonRole]]


class _Question(QMessageBox):
    """A question with the answers that its buttons give; the first is given by Enter, `BACK` by Escape."""

    def __init__(self, text: str, more: str, buttons: _Buttons, parent: QWidget) -> None:
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(more)
        self._answers = {self.addButton(words, role): answer for answer, (words, role) in buttons.items()}
        self.setDefaultButton(next(iter(self._answers)))
        self.setEscapeButton(next(button for button, answer in self._answers.items() if answer is SaveAnswer.BACK))

    def answer(self) -> SaveAnswer:
        """What a person answered."""
        clicked = self.clickedButton()
        return next((answer for button, answer in self._answers.items() if button is clicked), SaveAnswer.BACK)


def _ask_message(text: str, more: str, buttons: _Buttons, parent: QWidget) -> SaveAnswer:
    question = _Question(text, more, buttons, parent)
    question.exec()
    answer = question.answer()
    question.deleteLater()
    return answer
