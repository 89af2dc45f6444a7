"""Export of post-edited text to other file formats, in the background."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import LayerKey, QeError, ReviewStatus, View
from qe_desktop.escaping import escape_label, safe_file_name
from qe_desktop.formats.files_in_use import count_hard_links, hard_links_text
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project import Session
from qe_desktop.project.review.target_marks import TargetMarks, target_marks
from qe_desktop.ui.files.bilingual.prepared_file import unmarked_warnings
from qe_desktop.ui.files.bilingual.save_dialogs import IssueMarksChoice, SaveAnswer, ask_issue_marks, ask_unconfirmed
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.widgets.background_export import submit_export
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.formats.bilingual.exports.registry import ExportFormat
    from qe_desktop.report.review_reports import ReviewExport


@dataclass(frozen=True, slots=True, eq=False)
class ExportContent:
    """Bytes and number of segments of an export; if issues are marked, also the marks and the number of issues."""

    data: bytes
    segments: int
    marks: TargetMarks | None = None
    issues: int = 0


def make_export(
    view: View,
    export: ExportFormat,
    layer: LayerKey | None,
    name: str,
    progress: Progress,
    *,
    unconfirmed: bool = False,
) -> ExportContent:
    """Return the contents of an export; BAD words of `layer` are marked as issues, unless `layer` is None.

    `name` is the file name. If `unconfirmed` is true, all segments are exported, even to formats that otherwise contain
    only confirmed segments. Raises QeError on failure, and JobCancelled if the job was cancelled.
    """
    from qe_desktop.formats.bilingual import parse_document
    from qe_desktop.formats.bilingual.exports.registry import export_view, exported_layers
    from qe_desktop.formats.bilingual.xml.its_writer import issues_from_spans, with_issues

    exported = export.select_segments(export_view(view, exported_layers(view)), unconfirmed=unconfirmed)
    progress.report(0.5, name)
    content = ExportContent(export.write(exported), len(exported.segments))
    progress.check()
    if layer is None:
        return content
    marks = target_marks(view, layer, progress.check)
    document = parse_document(content.data, name)
    issues = issues_from_spans(document, marks.spans)
    data = with_issues(document, issues, marks.system).data
    return ExportContent(data, content.segments, marks, sum(map(len, issues.values())))


def _all_exports() -> tuple[ExportFormat | ReviewExport, ...]:
    """Return all export formats: file formats and reports on a review."""
    # imported here, because only exports need them
    from qe_desktop.formats.bilingual.exports.registry import EXPORTS
    from qe_desktop.report.review_reports import REVIEW_EXPORTS

    return (*EXPORTS, *REVIEW_EXPORTS)


def _resolve_path(path: Path, kind: str) -> tuple[Path, ExportFormat | ReviewExport]:
    """Return the path and the format of an export.

    If the suffix of `path` is unknown, the format is `kind`, and the suffix of that format is appended to the path.
    """
    from qe_desktop.formats.bilingual.exports.registry import export_for_suffix
    from qe_desktop.report.review_reports import review_export_for

    named = {export.name: export for export in _all_exports()}[kind]
    if path.name.lower().endswith(named.suffix):
        return path, named
    export = review_export_for(path) or export_for_suffix(path)
    return (path.with_name(f"{path.name}{named.suffix}"), named) if export is None else (path, export)


def _stem(view: View) -> str:
    """Return the proposed file name without its suffix.

    The name is `<name>.reviewed` if there is exactly one bilingual file, otherwise the name of the corpus.
    """
    job = view.corpus.job
    if job is None or len(job.files) != 1:
        return view.corpus.name
    return f"{Path(job.files[0].name).stem}.reviewed"


def _written_title(export: ExportFormat | ReviewExport, path: Path, segments: int) -> str:
    return tr(
        "{file} written: {n:,} {n:segment|segments} as {kind}", "", segments,
        file=escape_label(path.name), kind=export.display_name,
    )  # fmt: skip


class BilingualExporter(QObject):
    """Exporter of the open texts in their current state; asks for a path and a format, and runs in the background."""

    message_posted = Signal(object)
    """Emitted with a `Message` for the user."""
    written = Signal(object, object, object)
    """Emitted with the session, the exported review and the exported fields, after an export other than a report."""
    ended = Signal(bool)
    """Emitted when an export ends or is cancelled, with True if the file was written."""

    def __init__(self, workspace: Workspace, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._window = window

    def ask_and_export(self) -> None:
        """Ask for a path, a format and a layer to mark, and export; `ended` is emitted afterwards."""
        session, view, settings = self.workspace.session, self.workspace.view, self.workspace.settings
        if session is None or view is None:
            self.ended.emit(False)
            return
        exports = _all_exports()
        filters = {f"{export.display_name} (*{export.suffix})": export.name for export in exports}
        name = f"{safe_file_name(_stem(view), 'job')}{exports[0].suffix}"
        proposed = Path(settings.last_folder or view.corpus.folder or Path.home()) / name

        def resolve(path: str, name_filter: str) -> tuple[Path, ExportFormat | ReviewExport]:
            return _resolve_path(Path(path), filters.get(name_filter, exports[0].name))

        def chosen(path: str, name_filter: str) -> None:
            settings.last_folder = str(Path(path).parent)
            self._on_chosen(session, *resolve(path, name_filter))

        FileDialog.open_save_dialog(
            self._window, tr("Export as"), str(proposed), ";;".join(filters), lambda *answer: str(resolve(*answer)[0]),
            chosen=chosen, cancelled=lambda: self.ended.emit(False),
        )  # fmt: skip

    def _on_chosen(self, session: Session, path: Path, export: ExportFormat | ReviewExport) -> None:
        """Export to the selected path, after any questions about unconfirmed segments and marks."""
        from qe_desktop.formats.bilingual.exports.registry import ExportFormat

        view = self.workspace.view
        if view is None or session is not self.workspace.session:
            self.ended.emit(False)
            return
        if not isinstance(export, ExportFormat):
            self.export(path, export.name)
            return
        confirmed, total = int((view.statuses() == ReviewStatus.CONFIRMED).sum()), view.corpus.size
        if not export.only_confirmed or confirmed == total:
            self._ask_marks(view, path, export.name, SaveAnswer.ALL_SEGMENTS)
        else:
            on_answer = partial(self._ask_marks, view, path, export.name)
            ask_unconfirmed(confirmed, total, parent=self._window, answered=on_answer)

    def _ask_marks(self, view: View, path: Path, kind: str, segments: SaveAnswer) -> None:
        """Ask for the layer whose BAD words are to be marked, then export.

        `segments` states whether to export all segments, to export only confirmed segments, or to cancel.
        """

        def answered(marks: IssueMarksChoice | None) -> None:
            if marks is None:
                self.ended.emit(False)
            else:
                self.export(path, kind, marks.layer, unconfirmed=segments is SaveAnswer.ALL_SEGMENTS)

        if segments is SaveAnswer.CANCEL:
            self.ended.emit(False)
            return
        forms = [(path.name, kind)]
        ask_issue_marks(view, forms, tr("Export"), copied=False, parent=self._window, answered=answered)

    def export(self, path: Path, kind: str, layer: LayerKey | None = None, *, unconfirmed: bool = False) -> None:
        """Export in the format that the suffix of `path` indicates.

        If the suffix is unknown, the format is `kind`, and the suffix of that format is appended to the path. BAD words
        of `layer`, if given, are marked as issues, except in reports on the review. Translation memories contain only
        confirmed segments, unless `unconfirmed` is true.
        """
        from qe_desktop.formats.atomic_write import write_bytes
        from qe_desktop.formats.bilingual.exports.registry import ExportFormat

        session, view = self.workspace.session, self.workspace.view
        if session is None or view is None:
            self.ended.emit(False)
            return
        path, export = _resolve_path(path, kind)
        if not isinstance(export, ExportFormat):
            self._report(view, export, path)
            return
        review, names = view.review, 0

        def work(progress: Progress) -> ExportContent:
            nonlocal names
            content = make_export(view, export, layer, path.name, progress, unconfirmed=unconfirmed)
            names = count_hard_links(path)
            write_bytes(path, content.data)
            return content

        def done(content: ExportContent) -> None:
            self.written.emit(session, review, export.stored_fields)
            title = _written_title(export, path, content.segments)
            if content.marks is not None:
                title = tr(
                    "{file} written: {n:,} {n:segment|segments} as {kind}, with {marks:,} issue {marks:mark|marks} "
                    "from {layer}", "", content.segments, file=escape_label(path.name), kind=export.display_name,
                    marks=content.issues, layer=escape_label(content.marks.layer.display_name),
                )  # fmt: skip
            advice = [] if content.marks is None else unmarked_warnings(content.marks)
            advice += [hard_links_text(names, escape_label(path.name))] if names else []
            self.message_posted.emit(Message(title, "info", escape_label(str(path)), join_localized(" ", advice)))
            self.ended.emit(True)

        self.workspace.jobs.submit(
            tr("Exporting"), work, done, self._fail, on_cancelled=lambda: self.ended.emit(False), owner=self
        )

    def _report(self, view: View, export: ReviewExport, path: Path) -> None:
        """Write a report on the review; edits still count as unsaved, because a report cannot be imported."""
        from qe_desktop.report.review_reports import write_review

        def work(progress: Progress) -> int:
            return write_review(view, export, path, lambda share: progress.report(share, path.name))

        def done(segments: int, notes: Sequence[str]) -> None:
            title = _written_title(export, path, segments)
            self.message_posted.emit(Message(title, "info", escape_label(str(path)), join_localized(" ", notes)))
            self.ended.emit(True)

        submit_export(
            self.workspace.jobs, tr("Exporting"), work, done, self._fail, owner=self,
            on_cancelled=lambda: self.ended.emit(False),
        )  # fmt: skip

    def _fail(self, error: QeError) -> None:
        self.message_posted.emit(Message.from_error(error))
        self.ended.emit(False)
