"""Findings on the clipboard and in files, in the forms of the command line; written beside the window."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QWidget

from qe_desktop.formats.writing import write_text
from qe_desktop.outgoing import file_name, label, within
from qe_desktop.report.findings_files import FORMS, Form, findings_text
from qe_desktop.report.forms import FILES
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.copying import copy_text
from qe_desktop.ui.scores.findings.values import Found
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import tr


class FindingsFiles(QObject):
    """Writes what it is given; `metric` is the one that systems are ordered by."""

    told = Signal(str)
    """What was copied or written, for people."""

    def __init__(self, workspace: Workspace, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace = workspace

    def copy(self, found: Found, metric: str, form: Form) -> None:
        """Put findings on the clipboard."""

        def done(text: str) -> None:
            copy_text(text)
            self.told.emit(tr("Copied as {form}", form=NAMES[form]))

        self._make(found, metric, form, done)

    def ask(self, found: Found, metric: str, window: QWidget) -> None:
        """Ask for a file, whose suffix says in what form, and write it."""
        settings = self._workspace.settings
        filters = {f"{text} (*.{form})": form for form, text in FORMS.items()}
        proposed = Path(settings.last_folder or Path.home()) / f"{file_name(found.title, 'findings')}.findings.tsv"
        title = tr("Save the findings of {name}", name=within(found.title))
        path, chosen = QFileDialog.getSaveFileName(window, title, str(proposed), ";;".join(filters))
        if path:
            settings.last_folder = str(Path(path).parent)
            self.save(found, metric, Path(path), filters.get(chosen, "tsv"))

    def save(self, found: Found, metric: str, path: Path, form: Form = "tsv") -> None:
        """Write findings into a file, in the form of its suffix; one without such a suffix gets that of `form`."""
        suffix = path.suffix.removeprefix(".").lower()
        known = next((one for one in FORMS if one == suffix), None)
        if known is None:
            known, path = form, path.with_name(f"{path.name}.{form}")

        def write(text: str) -> None:
            write_text(path, text)

        def done(_: str) -> None:
            self.told.emit(tr("{file} written: {form}", file=label(path.name), form=NAMES[known]))

        self._make(found, metric, known, done, write)

    def _make(
        self,
        found: Found,
        metric: str,
        form: Form,
        done: Callable[[str], None],
        write: Callable[[str], None] | None = None,
    ) -> None:
        def work(progress: Progress) -> str:
            text = findings_text(found.findings.led_by(metric), form, found.title, found.remarks)
            progress.check()
            if write is not None:
                write(text)
            return text

        failed = self._workspace.failed.emit
        self._workspace.jobs.submit(tr("Writing the findings"), work, done, failed, owner=self)


NAMES: dict[Form, str] = {form.suffix: form.title for form in FILES}
