"""File dialogs: their return values, and the locks of open projects."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel

import qe_desktop
from qe_desktop.ui.widgets.dialogs import FileDialog, NameDialog
from tests.project.store.small_projects import make_edit_row, tags_project
from tests.project.store.test_file_locks import held_locks
from tests.timeouts import PATIENCE


def listing(dialog: QFileDialog, qtbot) -> QFileSystemModel:
    """Return the model of the dialog once its files are listed with their types."""
    model = dialog.findChild(QFileSystemModel)

    def is_listed() -> bool:
        root = model.index(dialog.directory().absolutePath())
        rows = [model.index(row, 0, root) for row in range(model.rowCount(root))]
        for row in rows:
            # the same calls as the view
            model.fileIcon(row), model.type(row)
        return bool(rows) and all(model.type(row) for row in rows)

    qtbot.waitUntil(is_listed)
    return model


def test_listing_files_keeps_the_locks_of_open_projects(qtbot, tmp_path):
    pytest.importorskip("fcntl")
    path = tmp_path / "folder" / "a.qedesk"
    path.parent.mkdir()
    project = tags_project(path)
    project.append([make_edit_row(project)])
    assert project.flush(PATIENCE)
    dialog = NameDialog(None, "Open", str(path.parent))
    qtbot.addWidget(dialog)
    dialog.show()
    model = listing(dialog, qtbot)
    assert model.type(model.index(str(path))) == "QEDESK file"
    assert model.type(model.index(str(tmp_path))) == "Folder"
    assert held_locks(path) == ["locked", "locked"]
    project.close()


def schedule_answer(path: str, accept: bool) -> None:
    def act() -> None:
        dialog = next(
            widget for widget in QApplication.topLevelWidgets() if isinstance(widget, NameDialog) and widget.isVisible()
        )
        if path:
            dialog.selectFile(path)
        dialog.accept() if accept else dialog.reject()

    QTimer.singleShot(0, act)


def test_answers_equal_those_of_the_qt_file_dialog(qtbot, tmp_path):
    existing = tmp_path / "a.txt"
    existing.write_text("x")
    filters = "Texts (*.txt);;All files (*)"
    schedule_answer(str(existing), accept=True)
    assert FileDialog.getOpenFileName(None, "t", str(tmp_path), filters) == (str(existing), "Texts (*.txt)")
    schedule_answer(str(existing), accept=True)
    assert FileDialog.getOpenFileNames(None, "t", str(tmp_path))[0] == [str(existing)]
    schedule_answer("", accept=True)
    assert FileDialog.getSaveFileName(None, "t", str(tmp_path / "new.txt"), filters)[0] == str(tmp_path / "new.txt")
    schedule_answer(str(tmp_path), accept=True)
    assert FileDialog.getExistingDirectory(None, "t", str(tmp_path)) == str(tmp_path)
    for ask, cancelled in (
        (FileDialog.getOpenFileName, ("", "")), (FileDialog.getOpenFileNames, ([], "")),
        (FileDialog.getSaveFileName, ("", "")), (FileDialog.getExistingDirectory, ""),
    ):  # fmt: skip
        schedule_answer("", accept=False)
        assert ask(None, "t", str(tmp_path)) == cancelled


def test_only_this_module_uses_the_qt_file_dialog():
    package = Path(qe_desktop.__file__).parent
    users = [path.name for path in package.rglob("*.py") if "QFileDialog" in path.read_text()]
    assert users == ["dialogs.py"]
