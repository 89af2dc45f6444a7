"""The dialogs for files: their answers, and that they leave the locks of open projects alone."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QApplication, QFileDialog, QFileSystemModel

import qe_desktop
from qe_desktop.ui.widgets.dialogs import FileDialog, NameDialog
from tests.patience import PATIENCE
from tests.project.store.made import an_edit, tags_project
from tests.project.store.test_locks import locks


def listing(dialog: QFileDialog, qtbot) -> QFileSystemModel:
    """The dialog's model once its files are listed, with their types."""
    model = dialog.findChild(QFileSystemModel)

    def whole() -> bool:
        root = model.index(dialog.directory().absolutePath())
        rows = [model.index(row, 0, root) for row in range(model.rowCount(root))]
        for row in rows:
            # as the view asks
            model.fileIcon(row), model.type(row)
        return bool(rows) and all(model.type(row) for row in rows)

    qtbot.waitUntil(whole)
    return model


def test_listing_files_drops_no_locks(qtbot, tmp_path):
    pytest.importorskip("fcntl")
    place = tmp_path / "folder" / "a.qedesk"
    place.parent.mkdir()
    project = tags_project(place)
    project.append([an_edit(project)])
    assert project.flush(PATIENCE)
    dialog = NameDialog(None, "Open", str(place.parent))
    qtbot.addWidget(dialog)
    dialog.show()
    model = listing(dialog, qtbot)
    assert model.type(model.index(str(place))) == "QEDESK file"
    assert model.type(model.index(str(tmp_path))) == "Folder"
    assert locks(place) == ["locked", "locked"]
    project.close()


def answer(path: str, accept: bool) -> None:
    def act() -> None:
        dialog = next(one for one in QApplication.topLevelWidgets() if isinstance(one, NameDialog) and one.isVisible())
        if path:
            dialog.selectFile(path)
        dialog.accept() if accept else dialog.reject()

    QTimer.singleShot(0, act)


def test_answers_are_those_of_qts_dialog(qtbot, tmp_path):
    there = tmp_path / "a.txt"
    there.write_text("x")
    filters = "Texts (*.txt);;All files (*)"
    answer(str(there), accept=True)
    assert FileDialog.getOpenFileName(None, "t", str(tmp_path), filters) == (str(there), "Texts (*.txt)")
    answer(str(there), accept=True)
    assert FileDialog.getOpenFileNames(None, "t", str(tmp_path))[0] == [str(there)]
    answer("", accept=True)
    assert FileDialog.getSaveFileName(None, "t", str(tmp_path / "new.txt"), filters)[0] == str(tmp_path / "new.txt")
    answer(str(tmp_path), accept=True)
    assert FileDialog.getExistingDirectory(None, "t", str(tmp_path)) == str(tmp_path)
    for ask, nothing in (
        (FileDialog.getOpenFileName, ("", "")), (FileDialog.getOpenFileNames, ([], "")),
        (FileDialog.getSaveFileName, ("", "")), (FileDialog.getExistingDirectory, ""),
    ):  # fmt: skip
        answer("", accept=False)
        assert ask(None, "t", str(tmp_path)) == nothing


def test_no_other_module_asks_with_qts_dialog():
    package = Path(qe_desktop.__file__).parent
    named = [path.name for path in package.rglob("*.py") if "QFileDialog" in path.read_text()]
    assert named == ["file_dialog.py"]
