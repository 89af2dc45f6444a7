"""Joins post-editing to the window: commands, copies, files, exports, and the way from a figure to its segment."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog, QMenu

from qe_desktop.outgoing import label, within
from qe_desktop.report.forms import FILES, Suffix, form_named
from qe_desktop.report.post_editing import PostEditingReport
from qe_desktop.studies.post_editing.exporting import EXPORTS, export
from qe_desktop.ui.actions import ActionTable
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.parts.pages import Pages
from qe_desktop.ui.parts.written_files import Write, WrittenFiles
from qe_desktop.ui.scores.comparison_keeper import ComparisonKeeper
from qe_desktop.ui.scores.post_editing import commands as names
from qe_desktop.ui.scores.post_editing.keeper import PostEditingKeeper
from qe_desktop.ui.scores.post_editing.page import PostEditingPage
from qe_desktop.wording import tr


class PostEditingDesk(QObject):
    """Adds the page to the area's pages."""

    told = Signal(str)
    """What was copied or written."""

    def __init__(self, comparison: ComparisonKeeper, pages: Pages) -> None:
        super().__init__(pages)
        self._pages = pages
        self.workspace = workspace = comparison.workspace
        self.keeper = PostEditingKeeper(comparison)
        self.keeper.setParent(self)
        self.page = PostEditingPage(self.keeper, pages)
        # until it is in view
        self.page.hide()
        self.files = WrittenFiles(
            workspace.jobs, workspace.settings, tr("Writing post-editing"), "post-editing", self
        )  # fmt: skip
        self.files.told.connect(self.told)
        self.files.failed.connect(workspace.failed)
        self._commands: ActionTable | None = None
        self.page.drawn.connect(self._enable)
        self.page.segment_wanted.connect(workspace.segment_wanted)
        self._fill(self.page.copying)
        for view in self.page.sheets():
            view.menu_wanted.connect(self._fill)
        pages.add(names.PAGE, tr("Post-editing"), lambda: self.page)

    def connect_actions(self, commands: ActionTable) -> None:
        """Say what the commands do."""
        done: dict[str, Callable[[], object]] = {
            names.SHOW: partial(self._pages.show_page, names.PAGE),
            names.SAVE: self.ask_file,
            **{names.copies(form): partial(self.copy, form.suffix) for form in FILES},
            **{f"{names.EXPORT}{one.name}": partial(self.ask_folder, one.name) for one in EXPORTS},
        }
        for id, handler in done.items():
            commands.connect_to(id, handler)
        self._commands = commands
        self._enable()

    def _enable(self) -> None:
        """There is something to copy while there is a study."""
        commands, there = self._commands, self.keeper.found is not None
        if commands is not None:
            exports = (f"{names.EXPORT}{one.name}" for one in EXPORTS)
            for name in (names.SAVE, *map(names.copies, FILES), *exports):
                commands[name].setEnabled(there)

    # --- out

    def _fill(self, menu: QMenu) -> None:
        for form in FILES:
            menu.addAction(tr("Copy as {form}", form=form.title), partial(self.copy, form.suffix))
        menu.addSeparator()
        menu.addAction(tr("&Save in a file…"), self.ask_file)
        for one in EXPORTS:
            menu.addAction(tr("Export as {form}…", form=one.title), partial(self.ask_folder, one.name))

    def copy(self, form: Suffix) -> None:
        """Copy the study, all of it."""
        if self.keeper.found is not None:
            self.files.copy_form(_writing(self.keeper.found), form)

    def ask_file(self) -> None:
        """Save the study in a file."""
        found = self.keeper.found
        if found is not None:
            of = found.study.reviewed.name
            title = tr("Save what post-editing told of {name}", name=within(of))
            self.files.ask_where(_writing(found), of, title, self.page.window())

    def ask_folder(self, form: str) -> None:
        """Export the post-edits into a folder."""
        if self.keeper.found is None:
            return
        settings = self.workspace.settings
        title = tr("Export the post-edits into a folder")
        folder = QFileDialog.getExistingDirectory(self.page.window(), title, settings.last_folder or str(Path.home()))
        if folder:
            settings.last_folder = folder
            self.export(form, Path(folder))

    def export(self, form: str, folder: Path) -> None:
        """Write the post-edits in a form, with the highlights that were shown while they were made."""
        found = self.keeper.found
        if found is None:
            return
        study = found.study

        def work(progress: Progress) -> tuple[Path, ...]:
            return export(study, form, folder)

        def done(files: tuple[Path, ...]) -> None:
            self.told.emit(tr("{files} written", files=", ".join(label(path.name) for path in files)))

        self.workspace.jobs.submit(tr("Exporting post-edits"), work, done, self.workspace.failed.emit, owner=self)


def _writing(found: PostEditingReport) -> Write:
    return lambda form: form_named(form).text(found)
