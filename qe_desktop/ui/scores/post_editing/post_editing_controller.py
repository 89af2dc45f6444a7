"""Controller that connects the post-editing page to commands, exports and segments."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from PySide6.QtWidgets import QMenu

from qe_desktop.corpus import QeError
from qe_desktop.escaping import escape_label, isolate_bidi
from qe_desktop.i18n.messages import tr
from qe_desktop.studies.post_editing.post_edit_export import EXPORTS, export_post_editing
from qe_desktop.studies.post_editing.reviewed_segments import reviewed_rows
from qe_desktop.ui.action_registry import ActionRegistry
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.scores import commands as names
from qe_desktop.ui.scores.empty_states import FILES
from qe_desktop.ui.scores.page_controller import ExportSpec, Handlers, PageContext, PageController
from qe_desktop.ui.scores.post_editing.post_editing_service import PostEditingService
from qe_desktop.ui.scores.result_table import ResultTableView
from qe_desktop.ui.widgets.background_export import join_notes, shown_path, submit_export
from qe_desktop.ui.widgets.dialogs import FileDialog
from qe_desktop.ui.widgets.lazy_stack import BuildSteps
from qe_desktop.ui.widgets.placeholder_page import EmptyState


class PostEditingController(PageController):
    """Controller that builds the post-editing page and exports post-edits."""

    copies, saves = names.POST_EDITING_COPIES, names.POST_EDITING_SAVES

    def __init__(self, context: PageContext) -> None:
        super().__init__(names.POST_EDITING_PAGE, context, tr("Writing post-editing report"), "post-editing")
        self.service: PostEditingService = PostEditingService(context.comparison)
        self.service.setParent(self)

    def parts(self) -> BuildSteps:
        """Import the module of the page, and build the page in steps."""
        from qe_desktop.ui.scores.post_editing.post_editing_page import build_post_editing_page

        page = yield from build_post_editing_page(self.service, self._pages)
        page.segment_requested.connect(self.workspace.segment_requested)
        for view in page.table_views()[1:]:
            view.menu_requested.connect(self.fill_export_menu)
        return page

    def unavailable_state(self) -> EmptyState | None:
        """Return the empty state that explains why MT and post-edits cannot be compared; None if they can be."""
        view = self.workspace.view
        if view is None:
            from qe_desktop.ui.scores.post_editing.post_editing_page import post_editing_empty_state

            return post_editing_empty_state(self.service)
        try:
            reviewed_rows(view)
        except QeError as error:
            return EmptyState(tr("Nothing to compare yet"), error.line(), (FILES,))
        return None

    def handlers(self) -> Handlers:
        """Return the handlers of the export commands, keyed by command id."""
        return {f"{names.EXPORT_POST_EDITS}{export.name}": partial(self.ask_folder, export.name) for export in EXPORTS}

    def update_commands(self, commands: ActionRegistry) -> None:
        """Enable the export commands if there is a result; otherwise, disable them."""
        for name in self.handlers():
            commands[name].setEnabled(self.service.result is not None)

    # --- export

    def fill_export_menu(self, menu: QMenu, view: ResultTableView | None = None) -> None:
        """Add copy, save and export actions to a menu; `view` is ignored."""
        super().fill_export_menu(menu, None)
        for export in EXPORTS:
            menu.addAction(tr("Export as {form}…", form=export.title), partial(self.ask_folder, export.name))

    def export_spec(self) -> ExportSpec | None:
        """Return the export of the report; None if there is no result."""
        result = self.service.result
        if result is None:
            return None
        of = result.study.reviewed.name
        title = tr("Save post-editing report of {name}", name=isolate_bidi(of))
        return ExportSpec(result, of, title)

    def ask_folder(self, form: str) -> None:
        """Ask for a folder, and export the post-edits in the format `form`; do nothing if there is no result."""
        if self.service.result is None:
            return
        settings = self.workspace.settings
        title = tr("Export the post-edits to a folder")
        folder = FileDialog.getExistingDirectory(self._pages.window(), title, settings.last_folder or str(Path.home()))
        if folder:
            settings.last_folder = folder
            self.export(form, Path(folder))

    def export(self, form: str, folder: Path) -> None:
        """Write the post-edits to `folder` in the format `form`, with the highlights shown during editing.

        If the result is outdated, it is computed again for the export, so that the files contain the latest post-edits.
        """
        result = self.service.result
        if result is None:
            return
        recompute = self.service.prepare_study() if self.service.is_outdated else None

        def work(progress: Progress) -> tuple[Path, ...]:
            return export_post_editing((result if recompute is None else recompute(progress)).study, form, folder)

        def done(files: tuple[Path, ...], notes: Sequence[str]) -> None:
            written = tr("{files} written", files=", ".join(escape_label(path.name) for path in files))
            self.workspace.file_written.emit(join_notes(written, notes), shown_path(folder))

        def fail(error: QeError) -> None:
            self.context.failed.emit(error)
            if not folder.is_dir():
                # the folder disappeared after it was selected, for example with a removed drive
                self.ask_folder(form)

        submit_export(self.workspace.jobs, tr("Exporting post-edits"), work, done, fail, owner=self)
