"""Copying to the clipboard, and background export of results to the clipboard or to a file, in any output format."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QGuiApplication, QPixmap
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.escaping import MAX_TOOLTIP_CHARS, escape_label, safe_file_name
from qe_desktop.formats.atomic_write import write_text
from qe_desktop.formats.files_in_use import collect_hard_link_notes
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.render.output_formats import FILE_FORMATS, Suffix
from qe_desktop.ui.jobs import Job, JobRunner, Progress
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.widgets.dialogs import FileDialog


def copy_text(text: str) -> None:
    """Copy text to the clipboard."""
    QGuiApplication.clipboard().setText(text)


def copy_pixmap(picture: QPixmap) -> None:
    """Copy an image to the clipboard."""
    QGuiApplication.clipboard().setPixmap(picture)


R = TypeVar("R")
ResultWriter = Callable[[Suffix], str]
"""Function that returns results in the format of a file suffix, such as "tsv"; it may be called on any thread."""
CopyCommands = dict[Suffix, tuple[str, str]]
"""Commands that copy results: a mapping from the file suffix of a format to the command id and the menu text."""
FORMAT_NAMES: dict[Suffix, str] = {form.suffix: form.title for form in FILE_FORMATS}


def submit_export(
    jobs: JobRunner,
    name: str,
    write: Callable[[Progress], R],
    on_done: Callable[[R, Sequence[str]], object],
    on_failed: Callable[[QeError], object] | None = None,
    *,
    owner: QObject,
    on_cancelled: Callable[[], object] | None = None,
) -> Job:
    """Start a job that runs `write` on a thread for long computations, and return the job.

    `on_done` receives the result of `write` and a note for each replaced file that had other hard links.
    """

    def work(progress: Progress) -> tuple[R, Sequence[str]]:
        with collect_hard_link_notes() as notes:
            result = write(progress)
        return result, notes

    def done(written: tuple[R, Sequence[str]]) -> None:
        on_done(*written)

    return jobs.submit(name, work, done, on_failed, on_cancelled=on_cancelled, owner=owner, computing=True)


def join_notes(written: str, notes: Sequence[str]) -> str:
    """Return `written`, a message without a final full stop, followed by the notes, which are complete sentences."""
    return join_localized(". ", [written, join_localized(" ", notes)]) if notes else written


def shown_path(path: Path) -> str:
    """Return a path as shown in messages: escaped, on one line, and shortened if it is long."""
    return escape_label(str(path), MAX_TOOLTIP_CHARS)


class BackgroundExporter(QObject):
    """Background exporter of results to the clipboard or to a file.

    `name` is the name of the export jobs; in proposed file names, `ending` precedes the suffix.
    """

    message_posted = Signal(str)
    """Message that states what was copied."""
    file_written = Signal(str, str)
    """Message that states what was written, and the path of the file."""
    failed = Signal(object)
    """`QeError` that states what could not be copied or written."""

    def __init__(self, jobs: JobRunner, settings: Settings, name: str, ending: str, parent: QObject) -> None:
        super().__init__(parent)
        self._jobs, self._settings, self._name, self._ending = jobs, settings, name, ending

    def copy_form(self, write: ResultWriter, suffix: Suffix) -> None:
        """Copy results to the clipboard in the format `suffix`."""

        def done(text: str, notes: Sequence[str]) -> None:
            copy_text(text)
            self.message_posted.emit(tr("Copied as {form}", form=FORMAT_NAMES[suffix]))

        self._run_export(write, suffix, done)

    def ask_and_save(self, write: ResultWriter, source_name: str, title: str, window: QWidget) -> None:
        """Ask for a file and write results in the format of its suffix; the proposed name begins with `source_name`."""
        settings = self._settings
        filters = {f"{form.description} (*.{form.suffix})": form.suffix for form in FILE_FORMATS}
        proposed = (
            Path(settings.last_folder or Path.home())
            / f"{safe_file_name(source_name, self._ending)}.{self._ending}.tsv"
        )

        def complete(path: str, name_filter: str) -> str:
            return str(_path_and_suffix(Path(path), filters.get(name_filter, "tsv"))[0])

        path, chosen = FileDialog.getSaveFileName(window, title, str(proposed), ";;".join(filters), complete)
        if path:
            settings.last_folder = str(Path(path).parent)
            self.save_form(write, Path(path), filters.get(chosen, "tsv"))

    def save_form(self, write: ResultWriter, path: Path, default_suffix: Suffix = "tsv") -> None:
        """Write results in the format of the suffix of `path`; if the suffix is unknown, append `default_suffix`."""
        path, known_form = _path_and_suffix(path, default_suffix)

        def done(_: str, notes: Sequence[str]) -> None:
            written = tr("{file} written as {form}", file=escape_label(path.name), form=FORMAT_NAMES[known_form])
            self.file_written.emit(join_notes(written, notes), shown_path(path))

        self._run_export(write, known_form, done, lambda text: write_text(path, text))

    def _run_export(
        self,
        write: ResultWriter,
        suffix: Suffix,
        done: Callable[[str, Sequence[str]], None],
        save: Callable[[str], object] | None = None,
    ) -> None:
        def work(progress: Progress) -> str:
            text = write(suffix)
            progress.check()
            if save is not None:
                save(text)
            return text

        submit_export(self._jobs, self._name, work, done, self.failed.emit, owner=self)


def _path_and_suffix(path: Path, default_suffix: Suffix) -> tuple[Path, Suffix]:
    """Return a path and the format of its suffix; `default_suffix` is appended to a path without a known suffix."""
    suffix = path.suffix.removeprefix(".").lower()
    known_form = next((name for name in FORMAT_NAMES if name == suffix), None)
    return (
        (path.with_name(f"{path.name}.{default_suffix}"), default_suffix) if known_form is None else (path, known_form)
    )
