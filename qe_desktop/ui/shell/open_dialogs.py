"""File dialogs for opening files and creating projects, and drag-and-drop of files."""

from __future__ import annotations

import os

from PySide6.QtCore import QMimeData
from PySide6.QtWidgets import QWidget

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.project_paths import PROJECT_FILTER, PROJECT_SUFFIX
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.dialogs import FileDialog, require_suffix


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
