"""Closed dialogs leave no objects behind."""

from __future__ import annotations

import gc
import importlib
import pkgutil
import weakref

import pytest
from PySide6.QtWidgets import QApplication, QDialog, QInputDialog, QMessageBox

import qe_desktop.ui
from qe_desktop.ui.garbage_collection import freeze
from qe_desktop.ui.widgets.dialogs import Dialog
from tests.ui.program_driver import run_script

QUESTIONS = {
    "InvalidSegmentsDialog",
    "IssueMarksDialog",
    "SaveTagsDialog",
    "CloseProjectQuestion",
    "TargetLanguageDialog",
    "WarningBox",
}
"""Dialogs that are shown with `show_question`, which deletes them."""
COMMANDS = (
    "edit.preferences",
    "help.commands",
    "help.shortcuts",
    "help.glossary",
    "help.about",
    "file.connect",
    "file.project-server",
    "file.export",
    "file.recognised",
)


def all_subclasses(kind: type) -> set[type]:
    return {kind, *(below for direct in kind.__subclasses__() for below in all_subclasses(direct))}


def test_every_dialog_class_derives_from_dialog_or_is_deleted_otherwise():
    for module in pkgutil.walk_packages(qe_desktop.ui.__path__, "qe_desktop.ui."):
        importlib.import_module(module.name)
    own = {kind for kind in all_subclasses(QDialog) if kind.__module__.startswith("qe_desktop.")}
    others = {kind.__name__ for kind in own if not issubclass(kind, Dialog)}
    # the functions of FileDialog delete it
    assert others == QUESTIONS | {"NameDialog"}


def open_dialog() -> QDialog | None:
    dialogs = [widget for widget in QApplication.topLevelWidgets() if isinstance(widget, QDialog)]
    return next((dialog for dialog in dialogs if dialog.isVisible()), None)


@pytest.mark.parametrize("command", COMMANDS)
def test_closed_dialogs_leave_no_widgets(qtbot, sample, command):
    def script(driver):
        yield driver.is_open
        counts = []
        for _ in range(3):
            driver.shell.commands[command].trigger()
            yield open_dialog
            dialog = open_dialog()
            assert not isinstance(dialog, (QMessageBox, QInputDialog))
            gone = []
            dialog.destroyed.connect(lambda _=None, gone=gone: gone.append(True))
            dialog.reject()
            del dialog
            yield lambda gone=gone: gone and not driver.shell.jobs.running_jobs()
            gc.collect()
            counts.append(len(QApplication.allWidgets()))
        # the first dialog may create objects that are reused, such as a completer
        assert counts[1] == counts[2]

    assert run_script([str(sample)], script) == 0


def test_closed_session_is_freed_although_it_was_frozen(qtbot, sample, monkeypatch):
    monkeypatch.setattr("qe_desktop.ui.garbage_collection.can_collect_frozen", lambda: True)

    def script(driver):
        yield driver.is_open
        session = driver.workspace.session
        session.itself = session
        reference = weakref.ref(session)
        del session
        freeze()
        driver.shell.commands["file.close"].trigger()
        yield lambda: driver.workspace.session is None
        yield lambda: reference() is None

    assert run_script([str(sample)], script) == 0
