"""Exports what was reviewed to other kinds of files, beside the window."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, QeError, View
from qe_desktop.outgoing import file_name, label
from qe_desktop.project.job_files import names_text, other_names
from qe_desktop.project.target_marks import TargetMarks, target_marks
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.file_dialog import FileDialog
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.translating.marks import ask_marks
from qe_desktop.ui.translating.preparing import unmarked
from qe_desktop.ui.workspace import Workspace
from qe_desktop.wording import side_by_side, tr

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual.exporting import Export


@dataclass(frozen=True, slots=True, eq=False)
class Exporting:
    """What an export writes: how many segments, and how many issues of the words that were to be marked, if any."""

    data: bytes
    segments: int
    marks: TargetMarks | None = None
    issues: int = 0


def exporting(view: View, export: Export, layer: LayerKey | None, name: str, progress: Progress) -> Exporting:
    """What is open as a file of a kind, with marks on the BAD words of a layer. QeError where it cannot be written."""
    from qe_desktop.formats.bilingual import document_of
    from qe_desktop.formats.bilingual.exporting import exported_of, layers_of
    from qe_desktop.formats.bilingual.issue_writing import with_issues
    from qe_desktop.formats.bilingual.tagged_words import issues_of_spans

    exported = exported_of(view, layers_of(view))
    progress.report(0.5, name)
    made = Exporting(export.write(exported), len(exported.pairs))
    progress.check()
    if layer is None:
        return made
    marks = target_marks(view, layer, progress.check)
    document = document_of(made.data, name)
    issues = issues_of_spans(document, marks.spans)
    data = with_issues(document, issues, marks.system).data
    return Exporting(data, made.segments, marks, sum(map(len, issues.values())))


def _as_named(path: Path, kind: str) -> tuple[Path, Export]:
    """Where a file is written and as what: as its name ends, or as the kind, whose ending the name gets then."""
    from qe_desktop.formats.bilingual.exporting import export_named, fitting

    named = export_named(kind)
    found = named if path.suffix.lower() == named.suffix else fitting(path)
    return (path.with_name(f"{path.name}{named.suffix}"), named) if found is None else (path, found)


def _stem(view: View) -> str:
    """How an export is called, without its ending: after the one file that it was, and never the same."""
    job = view.corpus.job
    if job is None or len(job.files) != 1:
        return view.corpus.name
    return f"{Path(job.files[0].name).stem}.reviewed"


class Exporter(QObject):
    """One command: it asks where and as what, and writes what is open as it is then."""

    told = Signal(object)
    """A `Message`."""
    written = Signal(object, object, object)
    """A file was written: the session, its review as it is there, and the fields of reviews that such a file holds."""
    ended = Signal(bool)
    """An export came to its end; whether the file was written."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._window = window

    def ask(self) -> None:
        """Ask where and as what, and write it."""
        asked = self.asked()
        if asked is not None:
            self.export(*asked)

    def asked(self) -> tuple[Path, str, LayerKey | None] | None:
        """Where a person wants it written, the name of a kind, and whose BAD words are marked there, if anybody's; None
        where they change their mind.
        """
        # here, so that nobody waits for these formats who exports nothing
        from qe_desktop.formats.bilingual.exporting import EXPORTS

        view, settings = self.workspace.view, self.workspace.settings
        if view is None:
            return None
        filters = {f"{export.shown} (*{export.suffix})": export.name for export in EXPORTS}
        name = f"{file_name(_stem(view), 'job')}{EXPORTS[0].suffix}"
        proposed = Path(settings.last_folder or view.corpus.folder or Path.home()) / name
        path, chosen = FileDialog.getSaveFileName(self._window, tr("Export as"), str(proposed), ";;".join(filters))
        if not path:
            return None
        settings.last_folder = str(Path(path).parent)
        place, export = _as_named(Path(path), filters.get(chosen, EXPORTS[0].name))
        marks = ask_marks(view, [(place.name, export.name)], tr("Export"), copied=False, parent=self._window)
        return None if marks is None else (place, export.name, marks.layer)

    def export(self, path: Path, kind: str, layer: LayerKey | None = None) -> None:
        """Write what is open as the kind that the file's name ends as; a name that tells none gets that of `kind`.

        BAD words of a `layer` are marked in it.
        """
        from qe_desktop.formats.writing import write_bytes

        session, view = self.workspace.session, self.workspace.view
        if session is None or view is None:
            self.ended.emit(False)
            return
        path, export = _as_named(path, kind)
        review, names = view.review, 0

        def work(progress: Progress) -> Exporting:
            nonlocal names
            made = exporting(view, export, layer, path.name, progress)
            names = other_names(path)
            write_bytes(path, made.data)
            return made

        def done(made: Exporting) -> None:
            self.written.emit(session, review, export.holds)
            title = tr(
                "{file} written: {n:,} {n:segment|segments} as {kind}", "", made.segments,
                file=label(path.name), kind=export.shown,
            )  # fmt: skip
            if made.marks is not None:
                title = tr(
                    "{file} written: {n:,} {n:segment|segments} as {kind}, {words:,} {words:word|words} of {layer} "
                    "marked", "", made.segments, file=label(path.name), kind=export.shown, words=made.issues,
                    layer=label(made.marks.layer.shown),
                )  # fmt: skip
            advice = [] if made.marks is None else unmarked(made.marks)
            advice += [names_text(names, label(path.name))] if names else []
            self.told.emit(Message(title, "info", label(str(path)), side_by_side(" ", advice)))
            self.ended.emit(True)

        def fail(error: QeError) -> None:
            self.told.emit(Message.from_error(error))
            self.ended.emit(False)

        self.workspace.jobs.submit(
            tr("Export"), work, done, fail, on_cancelled=lambda: self.ended.emit(False), owner=self
        )
