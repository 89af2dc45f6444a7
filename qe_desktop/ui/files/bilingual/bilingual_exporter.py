"""Export of post-edited text to other file formats, in the background."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, QeError, View
from qe_desktop.escaping import escape_label, safe_file_name
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project.bilingual_files import count_hard_links, hard_links_text
from qe_desktop.project.review.target_marks import TargetMarks, target_marks
from qe_desktop.ui.files.bilingual.issue_marks_dialog import ask_issue_marks
from qe_desktop.ui.files.bilingual.prepared_file import unmarked_warnings
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.widgets.file_dialog import FileDialog
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual.exports.registry import ExportFormat


@dataclass(frozen=True, slots=True, eq=False)
class ExportContent:
    """What an export writes: how many segments, and how many issues of the words that were to be marked, if any."""

    data: bytes
    segments: int
    marks: TargetMarks | None = None
    issues: int = 0


def make_export(
    view: View, export: ExportFormat, layer: LayerKey | None, name: str, progress: Progress
) -> ExportContent:
    """What is open as a file of a kind, with marks on the BAD words of a layer. QeError where it cannot be written."""
    from qe_desktop.formats.bilingual import parse_document
    from qe_desktop.formats.bilingual.exports.registry import export_view, exported_layers
    from qe_desktop.formats.bilingual.xml.its_writer import issues_from_spans, with_issues

    exported = export_view(view, exported_layers(view))
    progress.report(0.5, name)
    made = ExportContent(export.write(exported), len(exported.pairs))
    progress.check()
    if layer is None:
        return made
    marks = target_marks(view, layer, progress.check)
    document = parse_document(made.data, name)
    issues = issues_from_spans(document, marks.spans)
    data = with_issues(document, issues, marks.system).data
    return ExportContent(data, made.segments, marks, sum(map(len, issues.values())))


def _resolve_path(path: Path, kind: str) -> tuple[Path, ExportFormat]:
    """Where a file is written and as what: as its name ends, or as the kind, whose ending the name gets then."""
    from qe_desktop.formats.bilingual.exports.registry import export_for_suffix, get_export

    named = get_export(kind)
    export = named if path.suffix.lower() == named.suffix else export_for_suffix(path)
    return (path.with_name(f"{path.name}{named.suffix}"), named) if export is None else (path, export)


def _stem(view: View) -> str:
    """How an export is called, without its ending: after the one file that it was, and never the same."""
    job = view.corpus.job
    if job is None or len(job.files) != 1:
        return view.corpus.name
    return f"{Path(job.files[0].name).stem}.reviewed"


class BilingualExporter(QObject):
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
        # imported here, because only exports need these formats
        from qe_desktop.formats.bilingual.exports.registry import EXPORTS

        view, settings = self.workspace.view, self.workspace.settings
        if view is None:
            return None
        filters = {f"{export.shown} (*{export.suffix})": export.name for export in EXPORTS}
        name = f"{safe_file_name(_stem(view), 'job')}{EXPORTS[0].suffix}"
        proposed = Path(settings.last_folder or view.corpus.folder or Path.home()) / name
        path, chosen = FileDialog.getSaveFileName(self._window, tr("Export as"), str(proposed), ";;".join(filters))
        if not path:
            return None
        settings.last_folder = str(Path(path).parent)
        place, export = _resolve_path(Path(path), filters.get(chosen, EXPORTS[0].name))
        marks = ask_issue_marks(view, [(place.name, export.name)], tr("Export"), copied=False, parent=self._window)
        return None if marks is None else (place, export.name, marks.layer)

    def export(self, path: Path, kind: str, layer: LayerKey | None = None) -> None:
        """Write what is open as the kind that the file's name ends as; a name that tells none gets that of `kind`.

        BAD words of a `layer` are marked in it.
        """
        from qe_desktop.formats.io.atomic_write import write_bytes

        session, view = self.workspace.session, self.workspace.view
        if session is None or view is None:
            self.ended.emit(False)
            return
        path, export = _resolve_path(path, kind)
        review, names = view.review, 0

        def work(progress: Progress) -> ExportContent:
            nonlocal names
            made = make_export(view, export, layer, path.name, progress)
            names = count_hard_links(path)
            write_bytes(path, made.data)
            return made

        def done(made: ExportContent) -> None:
            self.written.emit(session, review, export.holds)
            title = tr(
                "{file} written: {n:,} {n:segment|segments} as {kind}", "", made.segments,
                file=escape_label(path.name), kind=export.shown,
            )  # fmt: skip
            if made.marks is not None:
                title = tr(
                    "{file} written: {n:,} {n:segment|segments} as {kind}, {words:,} {words:word|words} of {layer} "
                    "marked", "", made.segments, file=escape_label(path.name), kind=export.shown, words=made.issues,
                    layer=escape_label(made.marks.layer.shown),
                )  # fmt: skip
            advice = [] if made.marks is None else unmarked_warnings(made.marks)
            advice += [hard_links_text(names, escape_label(path.name))] if names else []
            self.told.emit(Message(title, "info", escape_label(str(path)), join_localized(" ", advice)))
            self.ended.emit(True)

        def fail(error: QeError) -> None:
            self.told.emit(Message.from_error(error))
            self.ended.emit(False)

        self.workspace.jobs.submit(
            tr("Export"), work, done, fail, on_cancelled=lambda: self.ended.emit(False), owner=self
        )
