"""Import and export of rating files: dialogs and background jobs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError
from qe_desktop.escaping import safe_file_name
from qe_desktop.formats.ratings.rating_format import AmbiguousTableError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.protocols import PROTOCOLS
from qe_desktop.ui.campaigns.campaign_dialogs import CampaignDialog, ColumnMappingDialog, ExportDialog, ask_export_path
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.campaigns.import_report_dialog import ImportReportDialog, ask_rating_files
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService, add_trueskill, compute_results
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.project_paths import PROJECT_SUFFIX, display_project_name
from qe_desktop.ui.widgets.background_export import join_notes, shown_path, submit_export
from qe_desktop.ui.widgets.dialogs import ask_project_name

if TYPE_CHECKING:
    from qe_desktop.project.store.rating_imports import ImportResult
    from qe_desktop.ratings.results.result_types import RatingResults


class CampaignFiles(QObject):
    """Controller of import and export; its dialogs are shown one at a time, over the widget that `window` returns."""

    message_posted = Signal(str)
    """Emitted with a message after an export, or after an import has been undone.

    The message about an export lists the data that the format cannot store.
    """

    def __init__(
        self,
        service: CampaignService,
        results: CampaignResultsService,
        window: Callable[[], QWidget],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._service = service
        self._results = results
        self._window = window
        self._settings = service.workspace.settings
        self.dialog: CampaignDialog | None = None
        self._questions: list[AmbiguousTableError] = []
        self._import_results: list[ImportResult] = []
        self._failed: list[QeError] = []
        service.imported.connect(self._on_imported)
        service.imports_undone.connect(self._on_import_undone)

    # --- import

    def ask_import(self) -> None:
        """Ask for rating files and import them."""
        if not self._service.is_writable:
            return
        paths = ask_rating_files(self._window(), self._settings.last_folder)
        if paths:
            self._settings.last_folder = str(Path(paths[0]).parent)
            self._service.import_files(paths)

    def _on_imported(self, results: Sequence[ImportResult], failed: Sequence[QeError]) -> None:
        self._import_results += results
        self._questions += [error for error in failed if isinstance(error, AmbiguousTableError)]
        self._failed += [error for error in failed if not isinstance(error, AmbiguousTableError)]
        # an open dialog stays open; when it is closed, these results are shown
        if self.dialog is None:
            self._ask_or_report()

    def _ask_or_report(self) -> None:
        """Ask about the next ambiguous table; after the last table, show the import report."""
        if self._questions:
            question = ColumnMappingDialog(self._questions.pop(0), self._window())
            question.finished.connect(self._on_answered)
            self._show(question)
            return
        report = ImportReportDialog(self._import_results, self._failed, self._settings, self._window())
        self._import_results, self._failed = [], []
        report.undo_requested.connect(self._service.undo_imports)
        self._show(report)

    def _on_answered(self, answer: int) -> None:
        question = self.dialog
        if not isinstance(question, ColumnMappingDialog):
            return
        error = question.error
        if answer == ColumnMappingDialog.DialogCode.Accepted:
            self._service.import_files([str(error.path)], error.form, question.raters)
        else:
            self._failed.append(QeError(tr("skipped at your request"), place=error.place))
            self._ask_or_report()

    def _on_closed(self, dialog: CampaignDialog) -> None:
        if self.dialog is not dialog:
            return
        self.dialog = None
        # after a question, `_on_answered` decides how the import continues
        if not isinstance(dialog, ColumnMappingDialog) and (self._questions or self._import_results or self._failed):
            self._ask_or_report()

    def _on_import_undone(self, rows: int) -> None:
        self.message_posted.emit(
            tr("Import undone: {n:,} {n:rating or event no longer counts|ratings and events no longer count}", "", rows)
        )

    # --- export

    def ask_copy_for_raters(self) -> None:
        """Ask for a path and save a copy of the project, for use by raters, to that path."""
        project = self._service.project
        if project is None or not self._service.is_owner:
            return
        project_name = safe_file_name(display_project_name(project.place), "project")
        name = tr("{name} for raters", name=project_name)
        raters = {rater for campaign in self._service.campaigns for rater in campaign.raters}
        if len(raters) == 1:
            name = tr("{name} for {rater}", name=project_name, rater=safe_file_name(raters.pop(), "rater"))
        folder = self._settings.last_folder or str(Path.home())
        title = tr("Save a copy for raters")
        path = ask_project_name(self._window(), self._settings, title, str(Path(folder) / f"{name}{PROJECT_SUFFIX}"))
        if path:
            self.copy_for_raters(path)

    def copy_for_raters(self, path: str) -> None:
        """Save a copy of the project, for use by raters, to `path` in the background; an existing file is replaced."""
        project = self._service.project
        if project is None:
            return

        def work(progress: Progress) -> None:
            project.save_for_raters(path, replace=True)

        def done(_: None, notes: Sequence[str]) -> None:
            written = tr(
                "{file} saved: send it to each rater, then import the files that they return", file=Path(path).name
            )
            self._service.workspace.file_written.emit(join_notes(written, notes), shown_path(Path(path)))

        submit_export(self._service.workspace.jobs, tr("Saving a copy for raters"), work, done, owner=self)

    def ask_export(self) -> None:
        """Ask for a format, then for a file, and export the selected ratings to that file."""
        view = self._service.view
        if view is None:
            return
        # all ratings together may contain both scores and rankings
        from qe_desktop.report.rating_exports import available_exports

        pairs = {True, False}
        if view.campaign is not None:
            pairs = {answer.judges_pairs for answer in PROTOCOLS[view.campaign.protocol].answers}
        dialog = ExportDialog(
            available_exports(view, scored=False in pairs, ranked=True in pairs), view, self._window()
        )
        dialog.accepted.connect(self._on_format_selected)
        self._show(dialog)

    def _on_format_selected(self) -> None:
        view = self._service.view
        if not isinstance(self.dialog, ExportDialog) or view is None:
            return
        form = self.dialog.selected_export()
        path = ask_export_path(self._window(), form, view, self._settings.last_folder)
        if path:
            self._settings.last_folder = str(Path(path).parent)
            self.export(form.name, path)

    def export(self, name: str, path: str) -> None:
        """Export the selected ratings to `path` in the background; `name` is the name of a format in `EXPORTS`."""
        from qe_desktop.report.rating_exports import EXPORTS, write_rating_export

        service, options = self._service, self._results.options
        view, project, source = service.view, service.project, service.source()
        if view is None or source is None:
            return
        form = next(item for item in EXPORTS if item.name == name)

        def work(progress: Progress) -> tuple[str, ...]:
            def results() -> RatingResults | None:
                computed = compute_results(source(), view.names, options, progress)
                if computed is None:
                    return None
                return (add_trueskill(computed, progress) if computed.results.has_rankings else computed).results

            return write_rating_export(form, Path(path), view, project, source, results)

        def done(unsupported_notes: Sequence[str], notes: Sequence[str]) -> None:
            written = tr("{file} saved: {form}", file=Path(path).name, form=form.title)
            written = join_notes("; ".join([written, *unsupported_notes]), notes)
            service.workspace.file_written.emit(written, shown_path(Path(path)))

        submit_export(service.workspace.jobs, tr("Exporting"), work, done, owner=self)

    def _show(self, dialog: CampaignDialog) -> None:
        def forget() -> None:
            # a later dialog may be open by now
            if self.dialog is dialog:
                self.dialog = None

        if self.dialog is not None:
            self.dialog.close()
        self.dialog = dialog
        dialog.finished.connect(lambda: self._on_closed(dialog))
        # a dialog that is deleted, for example while its file dialog is open, does not emit `finished`
        dialog.destroyed.connect(forget)
        dialog.show()
