"""File dialogs that open no file.

Qt's own dialog looks into files to tell their types. Of a project that is open, that would drop the locks (see
`formats/io/file_locks`), so files have the icon and the type here that their names tell.
"""

from __future__ import annotations

import os

from PySide6.QtCore import QFileInfo
from PySide6.QtGui import QAbstractFileIconProvider, QIcon
from PySide6.QtWidgets import QDialog, QFileDialog, QFileIconProvider, QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.icons import resource_folder

_Icon = QAbstractFileIconProvider.IconType


class NameIconProvider(QFileIconProvider):
    """Icons and types of files by their names alone."""

    def __init__(self) -> None:
        super().__init__()
        self._icons = {kind: super(NameIconProvider, self).icon(kind) for kind in _Icon}

    def icon(self, what: QFileInfo | _Icon) -> QIcon:
        """The icon of a kind, or of a file or folder."""
        if isinstance(what, QFileInfo):
            what = _Icon.Folder if what.isDir() else _Icon.File
        return self._icons[what]

    def type(self, info: QFileInfo) -> str:
        """What the dialog calls a file."""
        if info.isDir():
            return tr("Folder")
        ending = info.suffix()
        return tr("{ending} file", ending=ending.upper()) if ending else tr("File", "a kind of thing")


class FileDialog:
    """The questions of `QFileDialog` under their names, with the same answers."""

    @staticmethod
    def getOpenFileName(parent: QWidget | None, title: str, directory: str = "", filters: str = "") -> tuple[str, str]:
        """One file that is there, and the filter that was chosen."""
        dialog = NameDialog(parent, title, directory, filters)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        paths, chosen = _dialog_result(dialog)
        return next(iter(paths), ""), chosen

    @staticmethod
    def getOpenFileNames(
        parent: QWidget | None, title: str, directory: str = "", filters: str = ""
    ) -> tuple[list[str], str]:
        """Files that are there, and the filter that was chosen."""
        dialog = NameDialog(parent, title, directory, filters)
        dialog.setFileMode(QFileDialog.FileMode.ExistingFiles)
        return _dialog_result(dialog)

    @staticmethod
    def getSaveFileName(parent: QWidget | None, title: str, directory: str = "", filters: str = "") -> tuple[str, str]:
        """The name of a file to be written, and the filter that was chosen; the dialog asks before one is replaced."""
        dialog = NameDialog(parent, title, directory, filters)
        dialog.setFileMode(QFileDialog.FileMode.AnyFile)
        dialog.setAcceptMode(QFileDialog.AcceptMode.AcceptSave)
        paths, chosen = _dialog_result(dialog)
        return next(iter(paths), ""), chosen

    @staticmethod
    def getExistingDirectory(parent: QWidget | None, title: str, directory: str = "") -> str:
        """A folder."""
        dialog = NameDialog(parent, title, directory)
        dialog.setFileMode(QFileDialog.FileMode.Directory)
        dialog.setOption(QFileDialog.Option.ShowDirsOnly)
        return next(iter(_dialog_result(dialog)[0]), "")


class NameDialog(QFileDialog):
    """A dialog in a folder, or with the name of a file proposed, whose icons come from names."""

    def __init__(self, parent: QWidget | None, title: str, proposed: str = "", filters: str = "") -> None:
        # the dialog lists its first folder before options are set, so it starts with an empty one
        super().__init__(parent, title, str(resource_folder()))
        # Qt does not own it
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


def _dialog_result(dialog: QFileDialog) -> tuple[list[str], str]:
    try:
        if dialog.exec() != QDialog.DialogCode.Accepted:
            return [], ""
        return dialog.selectedFiles(), dialog.selectedNameFilter()
    finally:
        dialog.deleteLater()
