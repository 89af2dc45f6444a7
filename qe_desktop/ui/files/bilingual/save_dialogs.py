"""Dialogs shown before bilingual files are saved or closed: differing inline codes, changed files, unsaved edits.

Each `ask_…` function calls `answered` with the answer, in a later event-loop iteration if a dialog is shown.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDialog,
    QDialogButtonBox,
    QListWidget,
    QListWidgetItem,
    QMessageBox,
    QPushButton,
    QWidget,
)

from qe_desktop.corpus import Kind, LayerKey, Provenance, View
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.formats.messages import list_names
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.ui.widgets.dialogs import FileDialog, WarningBox, show_question
from qe_desktop.ui.widgets.labels import Label
from qe_desktop.ui.widgets.layouts import Stretched, hbox, vbox


class SaveAnswer(enum.Enum):
    """Answer to a question about saving."""

    SAVE_AS = "elsewhere"
    OVERWRITE = "overwrite"
    RELOAD = "reload"
    ADD_MISSING = "add"
    SAVE_WITHOUT_ADDING = "without"
    CONFIRMED_ONLY = "confirmed"
    ALL_SEGMENTS = "all"
    DISCARD = "discard"
    CANCEL = "back"


class InvalidSegmentsDialog(QDialog):
    """Dialog that lists segments with errors found before saving; Enter goes to the selected segment.

    `selected_segment` is the 0-based index of the segment to go to, or None if the user clicks another button. If
    `only_codes` is true, the errors are differing inline codes, and all segments can be saved anyway. Otherwise, only
    segments that are not listed can be saved, if there are any (`has_others`).
    """

    def __init__(
        self, file: str, errors: Mapping[int, str], *, only_codes: bool, parent: QWidget | None, has_others: bool = True
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Save"))
        self.selected_segment: int | None = None
        several = len(errors)
        if only_codes:
            text = tr(
                "In {n:,} {n:segment|segments} of {file}, the inline codes differ from those in the source. Programs "
                "that read the file may lose formatting or reject the file.", "", several, file=escape_label(file),
            )  # fmt: skip
        else:
            text = tr(
                "{n:,} {n:segment|segments} of {file} cannot be written. Nothing was saved.", "", several,
                file=escape_label(file),
            )  # fmt: skip
        self.list = QListWidget()
        self.list.setAccessibleName(tr("Segments"))
        for segment, error in errors.items():
            item = QListWidgetItem(escape_label(tr("segment {number:,}: {fault}", number=segment + 1, fault=error)))
            item.setData(Qt.ItemDataRole.UserRole, segment)
            self.list.addItem(item)
        self.list.setCurrentRow(0)
        self.list.itemActivated.connect(self._go_to_segment)
        self.go = QPushButton(tr("Go to segment"))
        self.go.clicked.connect(self._go_to_segment)
        self.go.setDefault(True)
        buttons = QDialogButtonBox()
        buttons.addButton(self.go, QDialogButtonBox.ButtonRole.ActionRole)
        self.save = QPushButton(tr("Save anyway") if only_codes else tr("Save the other segments"), self)
        self.save.setAutoDefault(False)
        if only_codes or has_others:
            buttons.addButton(self.save, QDialogButtonBox.ButtonRole.AcceptRole)
        else:
            self.save.hide()
        cancel = buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole)
        cancel.setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        vbox(Label(text, wraps=True), Stretched(self.list, 1), buttons, on=self, gap=16, margins=16)
        metrics = self.fontMetrics()
        self.resize(metrics.horizontalAdvance("0") * 80, metrics.height() * 18)
        self.list.setFocus()

    def _go_to_segment(self) -> None:
        item = self.list.currentItem()
        if item is not None:
            self.selected_segment = int(item.data(Qt.ItemDataRole.UserRole))
            self.reject()


def ask_file_changed(
    file: str, *, is_missing: bool, obstacle: str = "", parent: QWidget, answered: Callable[[SaveAnswer], object]
) -> None:
    """Ask what to do about a file on disk that was changed or, if `is_missing`, deleted or moved after it was read.

    For a changed file, reloading is offered first, unless `obstacle`, a sentence, states why reloading is impossible.
    """
    if is_missing:
        text = tr("{file} is no longer in its folder.", file=escape_label(file))
        more = tr("It was moved, renamed or deleted after it was read.")
        overwrite_text = tr("Recreate file")
    else:
        text = tr("Another program changed {file} after it was read.", file=escape_label(file))
        overwriting = tr("Overwriting discards the changes made by the other program.")
        more = join_localized(" ", [*filter(None, [obstacle]), overwriting])
        overwrite_text = tr("Overwrite")
    buttons: dict[SaveAnswer, tuple[str, QMessageBox.ButtonRole]] = {}
    if not is_missing and not obstacle:
        more = tr(
            "Reloading keeps your edits and the changes in the file. If you and the other program changed the same "
            "segment, the version in the file is shown, and undo restores yours. Overwriting discards the changes made "
            "by the other program."
        )
        buttons[SaveAnswer.RELOAD] = tr("Reload and keep my edits"), QMessageBox.ButtonRole.AcceptRole
    buttons |= {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.OVERWRITE: (overwrite_text, QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    _ask_message(text, more, buttons, parent, answered)


def ask_untrusted_path(
    path: str, *, is_missing: bool, changed: bool, parent: QWidget, answered: Callable[[SaveAnswer], object]
) -> None:
    """Ask whether to write a file to `path`, which is named only by the open project.

    `changed` means that a file with different contents exists at the path, `is_missing` that no file exists at the
    path.
    """
    text = tr("Save to {path}?", path=escape_label(path, len(path)))
    more = [
        tr("This path comes from the project. No file of the project has been opened or saved there on this computer.")
    ]
    if is_missing:
        more.append(tr("The file does not exist."))
    elif changed:
        more.append(tr("A file with different contents exists there and would be overwritten."))
    # the path comes from the project's author, so Enter must not write there
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.ActionRole),
        SaveAnswer.OVERWRITE: (tr("Save"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    if changed:
        buttons[SaveAnswer.OVERWRITE] = tr("Overwrite"), QMessageBox.ButtonRole.DestructiveRole
    _ask_message(text, join_localized(" ", more), buttons, parent, answered)


def ask_file_locked(file: str, *, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """Ask what to do about a file that another program has open."""
    text = tr("Another program has {file} open.", file=escape_label(file))
    more = tr("If that program saves the file later, your changes may be lost. Close the file in that program first.")
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.OVERWRITE: (tr("Save anyway"), QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    _ask_message(text, more, buttons, parent, answered)


def ask_file_not_writable(file: str, reason: str, *, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """Ask what to do about a file that is not writable; `reason` states why, and begins with a lower-case letter."""
    text = tr("{file} cannot be saved: {why}.", file=escape_label(file), why=reason)
    more = tr(
        "Nothing was written. Save the file under another name or in another folder. Later saves will use that name "
        "and folder, too."
    )
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    _ask_message(text, more, buttons, parent, answered)


def ask_overwrite(names: list[str], *, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """Ask whether copies may overwrite the existing files `names` in the selected folder."""
    text = tr("{n:,} {n:file already exists|files already exist} in this folder.", "", len(names))
    buttons = {
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
        SaveAnswer.OVERWRITE: (tr("Overwrite"), QMessageBox.ButtonRole.DestructiveRole),
    }
    _ask_message(text, escape_label(list_names(names)), buttons, parent, answered)


def ask_reviewed_path(
    original_path: Path, last_folder: str, *, parent: QWidget, answered: Callable[[Path | None], object]
) -> None:
    """Ask for the path to which a reviewed file is written instead of `original_path`; the answer is None on cancel.

    The dialog starts in the folder of `original_path`. If that folder does not exist, the dialog starts in
    `last_folder` or, if `last_folder` is empty, in the home folder.
    """
    folder = original_path.parent if original_path.parent.is_dir() else Path(last_folder or Path.home())
    proposed = folder / f"{original_path.stem}.reviewed{original_path.suffix}"
    FileDialog.open_save_dialog(
        parent, tr("Save as"), str(proposed),
        chosen=lambda path, _: answered(Path(path)), cancelled=lambda: answered(None),
    )  # fmt: skip


def ask_add_missing(file: str, segments: int, *, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """Ask whether to add missing attributes or cells for the statuses of segments; `segments` is their number."""
    text = tr(
        "{file} has no place yet for the {n:status|statuses} of {n:,} {n:segment|segments}.", "", segments,
        file=escape_label(file),
    )  # fmt: skip
    more = tr(
        "Adding a place (in XLIFF, the attribute state or approved; in a table, a cell) lets other programs see which "
        "segments are confirmed or rejected. Without a place, the translations are saved, but not these statuses. "
        "The answer applies to this file until it is closed."
    )
    buttons = {
        SaveAnswer.ADD_MISSING: (tr("Add and save"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.SAVE_WITHOUT_ADDING: (tr("Save without adding it"), QMessageBox.ButtonRole.ActionRole),
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    _ask_message(text, more, buttons, parent, answered)


def ask_unconfirmed(
    confirmed: int, total: int, *, parent: QWidget, answered: Callable[[SaveAnswer], object]
) -> None:  # fmt: skip
    """Ask whether to export all segments to a translation memory or only the confirmed segments, if there are any.

    `confirmed` is the number of confirmed segments, and `total` is the number of all segments.
    """
    text = tr("Confirmed: {n:,} of {total:,} {total:segment|segments}.", "", confirmed, total=total)
    more = tr("A translation memory suggests every translation that it contains, final or not.")
    buttons = {
        SaveAnswer.CONFIRMED_ONLY: (tr("Export confirmed segments"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.ALL_SEGMENTS: (tr("Export all segments"), QMessageBox.ButtonRole.ActionRole),
        SaveAnswer.CANCEL: (tr("Cancel"), QMessageBox.ButtonRole.RejectRole),
    }
    if not confirmed:
        del buttons[SaveAnswer.CONFIRMED_ONLY]
    _ask_message(text, more, buttons, parent, answered)


def ask_discard_unsupported(segments: int, *, parent: QWidget, answered: Callable[[SaveAnswer], object]) -> None:
    """Ask whether to discard edits that files cannot store; `segments` is the number of segments with such edits."""
    text = tr("The bilingual file cannot store the notes or statuses of {n:,} {n:segment|segments}.", "", segments)
    more = tr(
        "The translations are saved. To keep the notes and statuses, export them as CSV or Excel, or go back and use "
        "File ▸ Save as project. Otherwise, they will be lost."
    )
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Export as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.DISCARD: (tr("Close anyway"), QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.CANCEL: (tr("Go back"), QMessageBox.ButtonRole.RejectRole),
    }
    _ask_message(text, more, buttons, parent, answered)


def ask_save_reviewed(
    segments: int, *, files: Sequence[str], parent: QWidget, answered: Callable[[SaveAnswer], object]
) -> None:
    """Ask before closing whether to save or discard unsaved edits; without `files`, offer an export instead of saving.

    `files` are the names of the bilingual files with unsaved edits; `segments` is the number of edited segments.
    """
    if not files:
        text = tr("Export the changes to {n:,} {n:segment|segments} before closing?", "", segments)
    elif len(files) == 1:
        name = isolate_bidi(files[0])
        text = tr("Save the changes to {n:,} {n:segment|segments} of {file} before closing?", "", segments, file=name)
    else:
        text = tr("Save the changes to {n:,} {n:segment|segments} in several files before closing?", "", segments)
    buttons = {
        SaveAnswer.SAVE_AS: (tr("Save") if files else tr("Export as…"), QMessageBox.ButtonRole.AcceptRole),
        SaveAnswer.DISCARD: (tr("Discard edits"), QMessageBox.ButtonRole.DestructiveRole),
        SaveAnswer.CANCEL: (tr("Go back"), QMessageBox.ButtonRole.RejectRole),
    }
    _ask_message(text, tr("Otherwise, they will be lost."), buttons, parent, answered)


_Buttons = Mapping[SaveAnswer, tuple[str, QMessageBox.ButtonRole]]


def _ask_message(
    text: str, more: str, buttons: _Buttons, parent: QWidget, answered: Callable[[SaveAnswer], object]
) -> None:
    """Ask in a message box; Enter selects the first button, Escape selects `SaveAnswer.CANCEL`."""
    box = WarningBox(text, more, parent)
    answers = {answer: box.addButton(words, role) for answer, (words, role) in buttons.items()}
    box.setDefaultButton(next(iter(answers.values())))
    box.setEscapeButton(answers[SaveAnswer.CANCEL])

    def end() -> None:
        clicked = box.clickedButton()
        answered(next((answer for answer, button in answers.items() if button is clicked), SaveAnswer.CANCEL))

    show_question(box, end)


@dataclass(frozen=True, slots=True)
class IssueMarksChoice:
    """Answer of `IssueMarksDialog`: the layer whose BAD words are to be marked, or None to mark no words."""

    layer: LayerKey | None = None


class IssueMarksDialog(QDialog):
    """Dialog to select the layer, one of `layers`, whose BAD words are to be marked in files.

    `unsupported` are the names of files that cannot store marks. `ok_text` is the text of the confirming button.
    """

    def __init__(
        self, layers: Sequence[LayerKey], unsupported: Sequence[str], ok_text: str, *, parent: QWidget | None
    ) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Issue marks"))
        self.marks = QCheckBox(tr("&Mark BAD words of"))
        self.layer_choice = QComboBox()
        self.layer_choice.setAccessibleName(tr("Layer whose BAD words are marked"))
        for key in layers:
            self.layer_choice.addItem(escape_label(key.display_name), key)
        self.layer_choice.setEnabled(False)
        self.marks.toggled.connect(self.layer_choice.setEnabled)
        buttons = QDialogButtonBox()
        buttons.addButton(ok_text, QDialogButtonBox.ButtonRole.AcceptRole).setDefault(True)
        buttons.addButton(tr("Cancel"), QDialogButtonBox.ButtonRole.RejectRole).setAutoDefault(False)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        texts = [
            tr(
                "Each marked word becomes an ITS 2.0 issue, which other programs may show or ignore. Edited words and "
                "locked segments are not marked. Copies keep existing issues; exports do not."
            )
        ]
        if unsupported:
            names = join_localized(", ", [escape_label(name) for name in unsupported])
            texts.append(tr("The format of {files} cannot store marks.", files=names))
        vbox(
            hbox(self.marks, Stretched(self.layer_choice, 1)), Label(join_localized(" ", texts), wraps=True), buttons,
            on=self, gap=16, margins=16,
        )  # fmt: skip
        self.resize(self.fontMetrics().horizontalAdvance("0") * 72, self.sizeHint().height())

    def answer(self) -> IssueMarksChoice:
        """Return the user's choice: the selected layer, or None if the check box is not selected."""
        return IssueMarksChoice(self.layer_choice.currentData() if self.marks.isChecked() else None)


def layers_to_mark(view: View, *, copied: bool) -> list[LayerKey]:
    """Return the layers whose words can be marked.

    Layers derived from the post-edited text come last, because the words that they tag BAD were edited, and edited
    words are not marked. If `copied` is true, the layer of the issues that the files already contain is left out.
    """
    # imported here, because only exports need these formats
    from qe_desktop.formats.bilingual.document_corpus import ISSUES_LAYER

    imported = LayerKey(Provenance.SYSTEM, ISSUES_LAYER, Kind.WORDS)
    keys = [key for key in view.tag_layers(Kind.WORDS) if not (copied and key == imported)]
    return sorted(keys, key=view.is_derived)


def ask_issue_marks(
    view: View, forms: Sequence[tuple[str, str]], ok_text: str, *, copied: bool, parent: QWidget,
    answered: Callable[[IssueMarksChoice | None], object],
) -> None:  # fmt: skip
    """Ask for the layer whose BAD words are to be marked in files; `forms` are the names and formats of the files.

    The answer is None on cancel. `ok_text` is the text of the confirming button. If `copied` is true, the layer of the
    issues that the files already contain cannot be selected. If no file can store marks, or if there is no layer to
    mark, no dialog is shown, and the answer has no layer.
    """
    from qe_desktop.formats.bilingual.xml.its_writer import supports_issues

    layers = layers_to_mark(view, copied=copied)
    unsupported = [name for name, form in forms if not supports_issues(form)]
    if not layers or len(unsupported) == len(forms):
        answered(IssueMarksChoice())
        return
    question = IssueMarksDialog(layers, unsupported, ok_text, parent=parent)

    def end() -> None:
        answered(question.answer() if question.result() == QDialog.DialogCode.Accepted else None)

    show_question(question, end)
