"""Base class of dialogs that are deleted when closed, and input and file dialogs."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QFileInfo, QSize, Qt, QTimer
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QComboBox, QDialog, QFileDialog, QFileIconProvider, QInputDialog, QMessageBox, QWidget

from qe_desktop.escaping import escape_label
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.icons import resource_folder
from qe_desktop.ui.widgets.keyboard_focus import TabFocusMixin

FRAME_PX = 48
"""Minimum number of pixels by which a dialog is narrower and shorter than its parent's window."""
OpenDialog = TypeVar("OpenDialog", bound=QDialog)
CompletePath = Callable[[str, str], str]
"""Function that returns the path to write for a selected path and name filter, such as with a suffix appended."""


class Dialog(TabFocusMixin, QDialog):
    """Dialog that is deleted when it is closed, with all its widgets.

    Dialogs whose answer is read after they were closed are shown with `show_question`, which deletes them afterwards.
    """

    def __init__(self, parent: QWidget | None = None, flags: Qt.WindowType = Qt.WindowType.Dialog) -> None:
        super().__init__(parent, flags)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)


class WarningBox(QMessageBox):
    """Warning with `details`, in plain text, because file names may contain markup."""

    def __init__(self, text: str, details: str, parent: QWidget) -> None:
        super().__init__(parent)
        self.setIcon(QMessageBox.Icon.Warning)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setText(text)
        self.setInformativeText(details)


def raise_open_dialog(window: QWidget, kind: type[OpenDialog]) -> OpenDialog | None:
    """Return the open dialog of a class that belongs to a window, after raising it; None if there is none."""
    for dialog in window.findChildren(kind):
        if dialog.isVisible():
            dialog.raise_()
            dialog.activateWindow()
            return dialog
    return None


def fit_dialog(dialog: QDialog, characters: int, lines: int) -> None:
    """Resize a dialog to `characters` digits by `lines` lines, at most its parent's window minus `FRAME_PX`."""
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

    `names` may repeat; `ok_text` is the text of the button that confirms.
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
    """Show a dialog, which is deleted later; return whether it was confirmed by its button `ok_text`."""
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

    Opening the file of an open project would release its locks (see `formats/io/file_locks`).
    """

    def __init__(self) -> None:
        super().__init__()
        self._icons = {kind: super(NameIconProvider, self).icon(kind) for kind in _Icon}

    def icon(self, source: QFileInfo | _Icon) -> QIcon:
        """Return the icon of a kind of item, or of a file or folder."""
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

    They run a nested event loop, so they must not be called while a window closes; `open_save_dialog` runs none.
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
        """Ask for a file to write, and whether to overwrite it; return its path and the selected filter.

        The path is the one that `complete` returns, if given. Both are empty if the user cancels.
        """
        paths, chosen = _dialog_result(_save_dialog(parent, title, directory, filters, complete))
        return next(iter(paths), ""), chosen

    @staticmethod
    def open_save_dialog(
        parent: QWidget, title: str, directory: str = "", filters: str = "", complete: CompletePath | None = None, *,
        chosen: Callable[[str, str], object], cancelled: Callable[[], object],
    ) -> None:  # fmt: skip
        """Ask for a file to write, and whether to overwrite it, without waiting for the answer.

        In a later event-loop iteration, `chosen` is called with the path, as in `getSaveFileName`, and the selected
        filter, or `cancelled` without arguments. Neither is called if the parent is destroyed first.
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
        """Ask for a folder; return its path, which is empty if the user cancels."""
        dialog = NameDialog(parent, title, directory)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return next(iter(_dialog_result(dialog)[0]), "")


def append_suffix(suffix: str) -> CompletePath:
    """Return a function that appends a suffix, given without its dot, to paths without any suffix."""
    return lambda path, _: path if os.path.splitext(path)[1] else f"{path}.{suffix}"


def require_suffix(suffix: str) -> CompletePath:
    """Return a function that appends a suffix, given without its dot, to paths that do not end in it."""
    return lambda path, _: path if path.lower().endswith(f".{suffix}") else f"{path}.{suffix}"


class NameDialog(QFileDialog):
    """File dialog that never reads a file to choose its icon (`NameIconProvider`); `proposed` is the initial path."""

    def __init__(self, parent: QWidget | None, title: str, proposed: str = "", filters: str = "") -> None:
        # the dialog lists its first folder before the icon provider is set, so this folder must not contain projects
        super().__init__(parent, title, str(resource_folder()))
        self.complete: CompletePath | None = None
        """Function that returns the path to write; None to write the selected path."""
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
        """Accept the selected paths; ask before a file is overwritten, but without the nested event loop of Qt."""
        selected, path = next(iter(self.selectedFiles()), ""), next(iter(self.paths()), "")
        saves = self.acceptMode() == QFileDialog.AcceptMode.AcceptSave
        if saves and os.path.exists(path) and not os.path.isdir(selected):
            self._ask_overwrite(os.path.basename(path))
        else:
            # Qt would ask about the selected path instead of the completed one
            self.setOption(QFileDialog.Option.DontConfirmOverwrite, saves and path != selected)
            super().accept()

    def paths(self) -> list[str]:
        """Return the selected paths, completed by `complete` unless they are folders."""
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
