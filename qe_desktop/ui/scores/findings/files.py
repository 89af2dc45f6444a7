"""Findings on the clipboard and in files, in the forms of the command line; written beside the window."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QWidget

from qe_desktop.outgoing import within
from qe_desktop.report.findings_files import Form, findings_text
from qe_desktop.ui.parts.written_files import Write, WrittenFiles
from qe_desktop.ui.scores.findings.values import Found
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr


class FindingsFiles(WrittenFiles):
    """Writes what it is given; `metric` is the one that systems are ordered by."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(workspace.jobs, workspace.settings, tr("Writing the findings"), "findings", parent)
        self.failed.connect(workspace.failed)

    def copy(self, found: Found, metric: str, form: Form) -> None:
        """Put findings on the clipboard."""
        self.copy_form(_writing(found, metric), form)

    def ask(self, found: Found, metric: str, window: QWidget) -> None:
        """Ask for a file, whose suffix says in what form, and write it."""
        title = tr("Save the findings of {name}", name=within(found.title))
        self.ask_where(_writing(found, metric), found.title, title, window)

    def save(self, found: Found, metric: str, path: Path, form: Form = "tsv") -> None:
        """Write findings into a file, in the form of its suffix; one without such a suffix gets that of `form`."""
        self.save_form(_writing(found, metric), path, form)


def _writing(found: Found, metric: str) -> Write:
    return partial(_text, found, metric)


def _text(found: Found, metric: str, form: Form) -> str:
    return findings_text(found.findings.led_by(metric), form, found.title, found.remarks)
