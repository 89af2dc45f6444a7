"""Dialogs: a base class, a warning, input and file dialogs, and questions that are answered in the event loop."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QFileInfo, QMimeData, QObject, QSize, Qt, QTimer, SignalInstance
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QFileIconProvider, QInputDialog, QMessageBox, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.project_paths import PROJECT_FILTER, PROJECT_SUFFIX
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.keyboard_focus import TabFocusMixin

FRAME_PX = 48
"""Minimum number of pixels by which a dialog is narrower and lower than its parent's window."""
OpenDialog = TypeVar("OpenDialog", bound=QDialog)
CompletePath = Callable[[str, str], str]
"""Function that maps a selected path and name filter to the path to write, for example by appending a suffix."""


class Dialog(TabFocusMixin, QDialog):
    """Dialog that is deleted with all its widgets when it is closed.

    If the answer to a dialog is read after the dialog is closed, do not use this class: show the dialog with
    `show_question`, which deletes it afterwards.
    """

    def __init__(self, parent: QWidget | None = None, flags: Qt.WindowType = Qt.WindowType.Dialog) -> None:
        super().__init__(parent, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


class WarningBox(QMessageBox):
    """Warning with `details`. `text` and `details` are shown as plain text, because file names may look like markup."""

    def __init__(self, text: str, details: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(details)


def raise_open_dialog(window: QWidget, kind: type[OpenDialog]) -> OpenDialog | None:
    """Raise and return the open dialog of class `kind` that belongs to a window; return None if none is open."""
    for dialog in window.findChildren(kind):
        if dialog.isVisible():
            dialog.raise_()
            dialog.activateWindow()
            return dialog
    return None


def fit_dialog(dialog: QDialog, characters: int, lines: int) -> None:
    """Resize a dialog to `characters` digits by `lines` lines.

    The width and the height are at most those of the parent's window minus `FRAME_PX`.
    """
    metrics = dialog.fontMetrics()
    size = QSize(metrics.horizontalAdvance("0") * characters, metrics.height() * lines)
    parent = dialog.parentWidget()
    if parent is not None:
        size = size.boundedTo(parent.window().size() - QSize(FRAME_PX, FRAME_PX))
    dialog.resize(size)


def ask_number(parent: QWidget, title: str, label: str, current: int, last: int) -> int | None:
    """Ask for a number from 1 to `last`, initially `current`; return None if the dialog is cancelled or destroyed."""
    dialog = QInputDialog(parent)
    dialog.setInputMode(QInputDialog.InputMode.IntInput)
    dialog.setIntRange(1, last)
    dialog.setIntValue(current)
    return dialog.intValue() if _is_confirmed(dialog, title, label, tr("Go to")) else None


def ask_item(parent: QWidget, title: str, label: str, names: Sequence[str], ok_text: str) -> int | None:
    """Ask for one of several items; return its 0-based index, or None if the user cancels or the dialog is destroyed.

    `names` may contain duplicates; `ok_text` is the text of the button that confirms the choice.
    """
    dialog = QInputDialog(parent)
    dialog.setInputMode(QInputDialog.InputMode.TextInput)
    dialog.setComboBoxItems(list(names))
    dialog.setComboBoxEditable(False)
    if not _is_confirmed(dialog, title, label, ok_text):
        return None
    # by index, because names may repeat
    (items,) = dialog.findChildren(QComboBox)
    return items.currentIndex()


def _is_confirmed(dialog: QInputDialog, title: str, label: str, ok_text: str) -> bool:
    """Show a dialog and schedule its deletion; return whether the user confirmed it with the button `ok_text`."""
    dialog.setWindowTitle(title)
    dialog.setLabelText(label)
    dialog.setOkButtonText(ok_text)
    dialog.setCancelButtonText(tr("Cancel"))
    accepted = dialog.exec() == QDialog.DialogCode.Accepted
    # the parent may be destroyed while the dialog is open, and the dialog with it
    if not shiboken6.isValid(dialog):
        return False
    dialog.deleteLater()
    return accepted


_Icon = QAbstractFileIconProvider.IconType


class NameIconProvider(QFileIconProvider):
    """Provider of file icons and types that, unlike Qt's provider, opens no files.

    Opening and closing the file of an open project would release the locks on the file (see `formats/files_in_use`).
    """

    def __init__(self) -> None:
        super().__init__()
        self._icons = {kind: super(NameIconProvider, self).icon(kind) for kind in _Icon}

    def icon(self, source: QFileInfo | _Icon) -> QIcon:
        """Return the icon for an icon type, or for a file or folder."""
        if isinstance(source, QFileInfo):
            source = _Icon.Folder if source.isDir() else _Icon.File
        return self._icons[source]

    def type(self, info: QFileInfo) -> str:
        """Return the file type that the dialog displays."""
        if info.isDir():
            return tr("Folder")
        ending = info.suffix()
        return tr("{ending} file", ending=ending.upper()) if ending else tr("File", "a kind of thing")


class FileDialog:
    """Replacements for the static functions of `QFileDialog`, with the same names and return values.

    The replacements run a nested event loop, so they must not be called while a window is closing. The additional
    function `open_save_dialog` does not run one.
    """

    @staticmethod
    def getOpenFileName(parent: QWidget | None, title: str, directory: str = "", filters: str = "") -> tuple[str, str]:
        """Ask for an existing file; return its path and the selected filter, both empty if the user cancels."""
        dialog = NameDialog(parent, title, directory, filters)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        paths, chosen = _dialog_result(dialog)
        return next(iter(paths), ""), chosen

    @staticmethod
    def getOpenFileNames(
        parent: QWidget | None, title: str, directory: str = "", filters: str = ""
    ) -> tuple[list[str], str]:
        """Ask for existing files; return their paths and the selected filter, both empty if the user cancels."""
        dialog = NameDialog(parent, title, directory, filters)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        return _dialog_result(dialog)

    @staticmethod
    def getSaveFileName(
        parent: QWidget | None, title: str, directory: str = "", filters: str = "", complete: CompletePath | None = None
    ) -> tuple[str, str]:
        """Ask for a file to write, and whether to overwrite it if it exists; return the path and the selected filter.

        If `complete` is given, the path is the one that `complete` returns. The path and the filter are empty if the
        user cancels.
        """
        paths, chosen = _dialog_result(_save_dialog(parent, title, directory, filters, complete))
        return next(iter(paths), ""), chosen

    @staticmethod
    def open_save_dialog(
        parent: QWidget, title: str, directory: str = "", filters: str = "", complete: CompletePath | None = None, *,
        chosen: Callable[[str, str], object], cancelled: Callable[[], object],
    ) -> None:  # fmt: skip
        """Ask for a file to write, and whether to overwrite it if it exists, without waiting for the answer.

        In a later event-loop iteration, `chosen` is called with the path and the selected filter or, if the user
        cancels, `cancelled` without arguments. If `complete` is given, the path is the one that `complete` returns.
        Neither function is called if the parent is destroyed first.
        """
        dialog = _save_dialog(parent, title, directory, filters, complete)

        def end() -> None:
            paths, name_filter = _answer_of(dialog)
            # the parent and the dialog may be deleted by the callback
            dialog.deleteLater()
            if paths:
                chosen(paths[0], name_filter)
            else:
                cancelled()

        dialog.finished.connect(lambda: QTimer.singleShot(0, dialog, end))
        dialog.open()

    @staticmethod
    def getExistingDirectory(parent: QWidget | None, title: str, directory: str = "") -> str:
        """Ask for a folder; return its path, or an empty string if the user cancels."""
        dialog = NameDialog(parent, title, directory)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return next(iter(_dialog_result(dialog)[0]), "")


def append_suffix(suffix: str) -> CompletePath:
    """Return a function that appends `suffix` to paths that have no suffix; `suffix` does not include the dot."""
    return lambda path, _: path if os.path.splitext(path)[1] else f"{path}.{suffix}"


def require_suffix(suffix: str) -> CompletePath:
    """Return a function that appends `suffix` to paths that do not end with it; `suffix` does not include the dot."""
    return lambda path, _: path if path.lower().endswith(f".{suffix}") else f"{path}.{suffix}"


class NameDialog(QFileDialog):
    """File dialog that shows icons without opening the files (`NameIconProvider`); `proposed` is the initial path."""

    def __init__(self, parent: QWidget | None, title: str, proposed: str = "", filters: str = "") -> None:
        # the dialog lists its first folder before the icon provider is set, so this folder must not contain projects
        super().__init__(parent, title, str(resource_folder()))
        self.complete: CompletePath | None = None
        """Function that returns the path to write; if None, the selected path is used."""
        # Qt does not own the provider
        self._icons = NameIconProvider()
        self.setIconProvider(self._icons)
        if filters:
            self.setNameFilters(filters.split(";;"))
        if not proposed or os.path.isdir(proposed):
            self.setDirectory(proposed or os.getcwd())
            return
        folder, name = os.path.split(proposed)
        self.setDirectory(folder or os.getcwd())
        self.selectFile(name)

    def accept(self) -> None:
        """Accept the selected paths; ask before a file is overwritten. Unlike in Qt, no nested event loop runs."""
        selected, path = next(iter(self.selectedFiles()), ""), next(iter(self.paths()), "")
        saves = self.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        if saves and os.path.exists(path) and not os.path.isdir(selected):
            self._ask_overwrite(os.path.basename(path))
        else:
            # Qt would ask about the selected path instead of the completed one
            self.setOption(QFileDialog.Option.DontConfirmOverwrite, saves and path != selected)
            super().accept()

    def paths(self) -> list[str]:
        """Return the selected paths; paths of files are those that `complete` returns, if it is set."""
        selected = self.selectedFiles()
        if self.complete is None:
            return selected
        return [path if os.path.isdir(path) else self.complete(path, self.selectedNameFilter()) for path in selected]

    def _ask_overwrite(self, name: str) -> None:
        box = WarningBox(tr("{file} already exists.", file=escape_label(name)), "", self)
        box.setDefaultButton(box.addButton(tr("Cancel"), QMessageBox.ButtonRole.RejectRole))
        overwrite = box.addButton(tr("Overwrite"), QMessageBox.ButtonRole.DestructiveRole)

        def answered() -> None:
            box.deleteLater()
            if box.clickedButton() is overwrite:
                self.setOption(QFileDialog.Option.DontConfirmOverwrite)
                super(NameDialog, self).accept()

        box.finished.connect(answered)
        box.open()


def _save_dialog(
    parent: QWidget | None, title: str, directory: str, filters: str, complete: CompletePath | None
) -> NameDialog:
    dialog = NameDialog(parent, title, directory, filters)
    dialog.complete = complete
    dialog.setFileMode(QFileDialog.FileMode.AnyFile)
    dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
    return dialog


def _dialog_result(dialog: NameDialog) -> tuple[list[str], str]:
    try:
        dialog.exec()
        return _answer_of(dialog)
    finally:
        dialog.deleteLater()


def _answer_of(dialog: NameDialog) -> tuple[list[str], str]:
    """Return the paths and the selected filter of a closed dialog, both empty if the user cancelled."""
    if dialog.result() != QDialog.DialogCode.Accepted:
        return [], ""
    return dialog.paths(), dialog.selectedNameFilter()


def ask_folder(parent: QWidget, settings: Settings) -> list[str]:
    """Ask for a folder; return a list with its path, or an empty list if the user cancels."""
    folder = FileDialog.getExistingDirectory(parent, tr("Open folder"), settings.last_folder)
    if folder:
        settings.last_folder = folder
    return [folder] if folder else []


def ask_files(parent: QWidget, settings: Settings) -> list[str]:
    """Ask for files; return their paths, or an empty list if the user cancels."""
    files, _ = FileDialog.getOpenFileNames(parent, tr("Open files"), settings.last_folder)
    if files:
        settings.last_folder = os.path.dirname(files[0])
    return list(files)


def ask_project(parent: QWidget, settings: Settings) -> str:
    """Ask for a project file to open; return its path, or an empty string if the user cancels."""
    filters = ";;".join((PROJECT_FILTER, tr("All files (*)")))
    path, _ = FileDialog.getOpenFileName(parent, tr("Open project"), settings.last_folder, filters)
    if path:
        settings.last_folder = os.path.dirname(path)
    return path


def ask_project_name(parent: QWidget, settings: Settings, title: str, proposed: str) -> str:
    """Ask for the file of a new project; return its path, or an empty string if the user cancels.

    `PROJECT_SUFFIX` is appended to a path without it.
    """
    complete = require_suffix(PROJECT_SUFFIX.removeprefix("."))
    path, _ = FileDialog.getSaveFileName(parent, title, proposed, PROJECT_FILTER, complete)
    if path:
        settings.last_folder = os.path.dirname(path)
    return path


def dropped_paths(data: QMimeData) -> list[str]:
    """Return the paths of the local files and folders in drag data; other content is ignored."""
    if not data.hasUrls():
        return []
    return [url.toLocalFile() for url in data.urls() if url.isLocalFile()]


class CloseAttempt:
    """Attempt to close the open files, which pauses while the user answers a question or a save is running.

    `resume` continues the attempt: all guards, the objects that check for unsaved changes, are called again. Changes
    that the user discarded in this attempt are recorded, so that a question is repeated only after further edits.
    """

    def __init__(self, resume: Callable[[CloseAttempt, bool], object]) -> None:
        self._resume = resume
        self._discarded_rows: dict[object, int] = {}

    def resume(self, is_saved: bool) -> None:
        """Continue the attempt if `is_saved` (the changes were saved or discarded); otherwise, end the attempt."""
        self._resume(self, is_saved)

    def record_discard(self, guard: object, rows: int) -> None:
        """Record that the user discards the unsaved changes of a guard; `rows` is the number of recorded changes."""
        self._discarded_rows[guard] = rows

    def was_discarded(self, guard: object, rows: int) -> bool:
        """Return whether the user discarded the changes of a guard when the number of recorded changes was `rows`."""
        return self._discarded_rows.get(guard) == rows


def resume_when_ended(ended: SignalInstance, closing: CloseAttempt, context: QObject) -> None:
    """Resume `closing` with the success flag of the next `ended` signal, in a later event-loop iteration.

    If `context` is deleted first, `closing` is not resumed.
    """

    def end(is_saved: bool) -> None:
        ended.disconnect(end)
        QTimer.singleShot(0, context, partial(closing.resume, is_saved))

    ended.connect(end)


def show_question(dialog: QDialog, answered: Callable[[], object]) -> None:
    """Show a modal dialog; after it is closed, call `answered` in a later event-loop iteration."""

    def end() -> None:
        # the window and the dialog may be deleted by `answered`
        dialog.deleteLater()
        answered()

    dialog.finished.connect(lambda: QTimer.singleShot(0, dialog, end))
    dialog.open()
