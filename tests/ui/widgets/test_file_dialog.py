"""File dialogs: their return values, and the locks of open projects."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest
import shiboken6
from PySide6.QtCore import Qt, QTimer
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QFileSystemModel, QLineEdit, QMessageBox, QWidget

import qe_desktop
from qe_desktop.report.rating_exports import EXPORTS
from qe_desktop.report.render.output_formats import OutputFormat
from qe_desktop.ui.campaigns.campaign_dialogs import ask_export_path
from qe_desktop.ui.widgets.dialogs import FileDialog, NameDialog, append_suffix
from qe_desktop.ui.widgets.report_export import ReportSource, ask_and_save_report
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


@pytest.fixture
def window(qtbot):
    window = QWidget()
    qtbot.addWidget(window)
    window.show()
    return window


@pytest.fixture
def save_dialog(window, tmp_path, monkeypatch):
    """Open save dialog that proposes a file, and the list of calls of its callbacks."""
    monkeypatch.setattr(QDialog, "exec", lambda dialog: pytest.fail("a nested event loop"))
    (tmp_path / "old.txt").write_text("x")
    calls: list[tuple[str, ...]] = []
    FileDialog.open_save_dialog(
        window, "t", str(tmp_path / "new.txt"), "Texts (*.txt)",
        chosen=lambda *answer: calls.append(answer), cancelled=lambda: calls.append(()),
    )  # fmt: skip
    (dialog,) = window.findChildren(NameDialog)
    assert dialog.isVisible()
    return dialog, calls


def test_open_save_dialog_calls_back_once(save_dialog, qtbot, tmp_path):
    dialog, calls = save_dialog
    dialog.accept()
    assert calls == []
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    assert calls == [(str(tmp_path / "new.txt"), "Texts (*.txt)")]


def test_open_save_dialog_can_be_cancelled(save_dialog, qtbot):
    dialog, calls = save_dialog
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    assert calls == [()]


@pytest.mark.parametrize("overwrite", [True, False])
def test_overwriting_a_completed_path_is_confirmed(window, qtbot, tmp_path, overwrite):
    """The name that the user types has no suffix, so Qt would look for another file."""
    (tmp_path / "old.tsv").write_text("x")
    calls: list[tuple[str, ...]] = []
    FileDialog.open_save_dialog(
        window, "t", str(tmp_path / "new.tsv"), "Tables (*.tsv)", lambda path, _: f"{path.removesuffix('.tsv')}.tsv",
        chosen=lambda *answer: calls.append(answer), cancelled=lambda: calls.append(()),
    )  # fmt: skip
    (dialog,) = window.findChildren(NameDialog)
    dialog.selectFile("old")
    dialog.accept()
    (box,) = [box for box in dialog.findChildren(QMessageBox) if box.isVisible()]
    assert box.text() == "old.tsv already exists."
    next(button for button in box.buttons() if button.text() == ("Overwrite" if overwrite else "Cancel")).click()
    if not overwrite:
        assert dialog.isVisible()
        dialog.selectFile("other")
        dialog.accept()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    assert calls == [(str(tmp_path / ("old.tsv" if overwrite else "other.tsv")), "Tables (*.tsv)")]


def test_suffix_is_appended_only_to_names_without_any():
    complete = append_suffix("tsv")
    answers = [complete(path, "") for path in ("/a.b/new", "/a.b/new.tsv", "/a.b/new.txt")]
    assert answers == ["/a.b/new.tsv", "/a.b/new.tsv", "/a.b/new.txt"]


def test_exports_of_tables_and_ratings_have_a_suffix(window, tmp_path, monkeypatch):
    """A name typed without suffix became that of the file, which programs then did not recognize."""

    def answer(*arguments, complete=None):
        complete = complete or next(filter(callable, arguments[4:]), None)
        path = str(tmp_path / "new")
        return (path if complete is None else complete(path, "")), ""

    monkeypatch.setattr(FileDialog, "getSaveFileName", staticmethod(answer))
    form = OutputFormat("csv", "csv", "CSV", "Values", lambda report: "a,b")
    around = SimpleNamespace(attempt=lambda action, *_: action(), settings=SimpleNamespace(last_folder=""), corpus=None)
    ask_and_save_report(ReportSource("Table", lambda: "results"), form, around, window)
    assert [path.name for path in tmp_path.iterdir()] == ["new.csv"]
    view = SimpleNamespace(title="News")
    assert ask_export_path(window, EXPORTS[0], view, "") == str(tmp_path / f"new.{EXPORTS[0].suffix}")


def test_only_the_completed_path_is_confirmed(window, qtbot, tmp_path):
    (tmp_path / "old").write_text("x")
    calls: list[tuple[str, ...]] = []
    FileDialog.open_save_dialog(
        window, "t", str(tmp_path / "new.tsv"), "Tables (*.tsv)", lambda path, _: f"{path}.tsv",
        chosen=lambda *answer: calls.append(answer), cancelled=lambda: calls.append(()),
    )  # fmt: skip
    (dialog,) = window.findChildren(NameDialog)
    dialog.selectFile("old")
    dialog.accept()
    qtbot.waitUntil(lambda: not shiboken6.isValid(dialog))
    assert calls == [(str(tmp_path / "old.tsv"), "Tables (*.tsv)")]


def test_overwriting_is_confirmed_without_a_nested_event_loop(save_dialog, qtbot, tmp_path):
    dialog, calls = save_dialog
    questions = []

    def answer(text: str) -> None:
        (box,) = [box for box in dialog.findChildren(QMessageBox) if box.isVisible()]
        questions.append((box.text(), box.defaultButton().text()))
        next((button for button in box.buttons() if button.text() == text), box.defaultButton()).click()

    (edit,) = dialog.findChildren(QLineEdit)
    edit.setText("old.txt")
    for count, text in enumerate(("Cancel", "Overwrite"), 1):
        assert dialog.isVisible()
        QTimer.singleShot(0, lambda text=text: answer(text))
        QTest.keyClick(edit, Qt.Key.Key_Return)
        # a nested event loop would have run the timer
        assert len(questions) == count - 1
        qtbot.waitUntil(lambda count=count: len(questions) == count)
    assert questions == [("old.txt already exists.", "Cancel")] * 2
    qtbot.waitUntil(lambda: bool(calls))
    assert calls == [(str(tmp_path / "old.txt"), "Texts (*.txt)")]


def test_only_this_module_uses_the_qt_file_dialog():
    package = Path(qe_desktop.__file__).parent
    users = [path.name for path in package.rglob("*.py") if "QFileDialog" in path.read_text()]
    assert users == ["dialogs.py"]
