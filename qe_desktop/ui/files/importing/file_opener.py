"""Opening of files, folders and samples: detection of formats, confirmation of unclear formats, and reading."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget
from shiboken6 import isValid

from qe_desktop.corpus import Corpus, QeError
from qe_desktop.formats import CorpusPlan, PlannedFile, Role, build_corpus
from qe_desktop.formats.importing.bilingual_detection import FilePreview, preview_file
from qe_desktop.formats.importing.planned_file import ScoreDirection
from qe_desktop.i18n.messages import tr
from qe_desktop.project import Session
from qe_desktop.ui import icons
from qe_desktop.ui.files.importing.file_reading import (
    ReadFiles,
    discard_read,
    make_plans,
    prepare_corpus,
    progress_reporter,
    read_with_journal,
)
from qe_desktop.ui.files.importing.import_dialog import ImportDetailsDialog, ImportDialog, notes_by_file
from qe_desktop.ui.files.importing.plan_widgets import FilePreviewPanel
from qe_desktop.ui.files.importing.sample_copy import SAMPLE_ID, copy_sample, documents_folder, sample_copy_message
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.store import Project


def apply_known_directions(plan: CorpusPlan, lower: Mapping[str, bool]) -> CorpusPlan:
    """Return a plan with earlier answers of the user: `lower` maps names of metrics to whether lower is better.

    Files that already have an answer are not changed.
    """
    for file in plan.files_with_role(Role.METRIC):
        if file.name in lower and file.has_question(ScoreDirection) and file.answers.score_direction is None:
            plan = plan.with_answer(ScoreDirection.LESS if lower[file.name] else ScoreDirection.MORE, file.path)
    return plan


def known_directions(plan: CorpusPlan) -> dict[str, bool]:
    """Return whether lower is better, by name of the metric; metrics of the plan that have no answer are left out."""
    answers = {file.name: file.answers.score_direction for file in plan.files_with_role(Role.METRIC)}
    return {name: better is ScoreDirection.LESS for name, better in answers.items() if better is not None}


def _with_faults(plan: CorpusPlan, read: ReadFiles) -> CorpusPlan:
    """Return `plan` with notes on the errors that were found when its bilingual files were read."""
    files = tuple(replace(file, notes=read.faults.get(file.path, file.notes)) for file in plan.files)
    return replace(plan, files=files) if read.faults else plan


FileReplaceGuard = Callable[[Callable[[], object]], bool]
"""Function that returns whether the open session may be closed now; its argument retries the operation.

If the user must first answer a question, or if a save is running, the guard returns False. Afterwards, the guard calls
its argument, unless the session stays open.
"""
MAX_ERRORS_SHOWN = 3
"""Maximum number of errors that are shown if no file can be opened."""


class FileOpener(QObject):
    """Opener of files and folders; replaces the open session only after everything was read and checked.

    If the selected files are open with a journal, the session is closed first, because it locks the journal.
    """

    planning_started = Signal()
    """Emitted after the job that detects the formats of files was submitted."""
    reading_started = Signal()
    """Emitted when reading of the selected files starts."""
    opened = Signal(object)
    """Emitted with a `CorpusPlan` after its files were opened or were added to the open files."""
    comparison_requested = Signal(str)
    """Emitted with the path of a folder of several corpora when the user asks to compare the systems of the corpora."""
    message_posted = Signal(object)
    """Emitted with a `Message` for the user."""
    restored = Signal(object)
    """Emitted with a `JournalReport` after bilingual files were opened with a journal or were read again."""
    failed = Signal(object)
    """Emitted with a `QeError` if files cannot be opened and no dialog shows the error."""

    def __init__(self, workspace: Workspace, may_replace: FileReplaceGuard, window: QWidget) -> None:
        super().__init__(window)
        self.workspace = workspace
        self.sheet: ImportDialog | None = None
        self.details: ImportDetailsDialog | None = None
        self._may_replace = may_replace
        self._window = window
        self._plan_being_read: CorpusPlan | None = None
        self._paths: tuple[Path, ...] = ()
        """Files and folders whose formats were detected most recently."""
        self._open_source: tuple[str, tuple[Path, ...]] = ("", ())
        """Folder of the open session, and the files and folders from which it was opened."""
        self._opened: CorpusPlan | None = None
        """Import plan of all open files, including added files; None unless this object opened the files."""
        self._requested_paths: set[Path] = set()
        self._sample_plan: CorpusPlan | None = None
        """Plan of the writable copy of the sample job; None until the sample job is opened."""

    def open_paths(self, paths: list[str]) -> None:
        """Detect the formats of files and folders, and open the files, after questions to the user where necessary.

        The user is asked if files are open or anything is unclear: several corpora, unreadable files, files with
        questions, or unusable files that `paths` names individually. `failed` is emitted if no file can be used.
        """
        self._requested_paths = {Path(path) for path in paths}
        self._detect(tr("Detecting file formats"), paths, self._on_planned)

    def open_sample(self, key: str, *, new: bool = False) -> None:
        """Open a bundled sample; the sample job is opened as a writable copy, without earlier edits if `new`."""
        samples, folder, name = icons.resource_folder() / "samples", documents_folder(), tr("Opening the sample")
        if key == SAMPLE_ID:
            self._plan_in_background(name, lambda: [copy_sample(samples, folder, unchanged=new)], self._on_sample_job)
        else:
            self._detect(name, [samples / key], lambda plans: self._open_planned(plans[0]))

    def _on_sample_job(self, plans: list[CorpusPlan]) -> None:
        self._sample_plan, self._paths = plans[0], ()
        self._open_planned(plans[0])

    def show_import_details(self) -> None:
        """Show how the open files were read; if this object did not open them, detect their formats again first."""
        corpus = self.workspace.corpus
        if corpus is None or not corpus.folder:
            return
        if self._opened is not None and self._open_source[0] == corpus.folder:
            self._show_details(self._opened)
        else:
            self._detect_again(lambda plans: self._show_details(plans[self._index_of_open(plans)]))

    def _show_details(self, plan: CorpusPlan) -> None:
        corpus = self.workspace.corpus
        texts = () if corpus is None else tuple(corpus.texts)
        details = ImportDetailsDialog(plan, texts, notes_by_file(plan, corpus), self._window)
        details.preview_requested.connect(partial(self._preview, details.panel))
        details.change_requested.connect(self._change_import)
        details.finished.connect(self._forget_details)
        self.details = details
        details.show()
        details.show_first()

    def _change_import(self) -> None:
        """Detect the formats of the open files again, and let the user change how the files are opened."""
        if self.details is not None:
            self.details.reject()
        self._detect_again(self._show_import_dialog)

    def _detect_again(self, then: Callable[[list[CorpusPlan]], None]) -> None:
        corpus = self.workspace.corpus
        if corpus is not None:
            folder, opened_paths = self._open_source
            paths_to_read = opened_paths if opened_paths and folder == corpus.folder else [corpus.folder]
            self._detect(tr("Detecting file formats"), paths_to_read, then)

    def _index_of_open(self, plans: list[CorpusPlan]) -> int:
        """Return the index of the plan of the open corpus; 0 if no plan belongs to the open corpus."""
        corpus = self.workspace.corpus
        is_open = [plan.folder == corpus.folder and plan.name == corpus.name for plan in plans] if corpus else []
        return is_open.index(True) if True in is_open else 0

    @property
    def reopen_paths(self) -> tuple[str, ...]:
        """Paths for opening the session again: the opened paths if any is a file, otherwise the session's folder."""
        folder, opened_paths = self._open_source
        return tuple(map(str, opened_paths)) if any(not path.is_dir() for path in opened_paths) else (folder,)

    def _detect(self, name: str, paths: Sequence[str | Path], then: Callable[[list[CorpusPlan]], None]) -> None:
        path_list = [Path(path) for path in paths]

        def found(plans: list[CorpusPlan]) -> None:
            self._paths = tuple(path_list)
            then(plans)

        self._plan_in_background(name, lambda: path_list, found)

    def _plan_in_background(
        self, name: str, find_paths: Callable[[], list[Path]], then: Callable[[list[CorpusPlan]], None]
    ) -> None:
        lower = self.workspace.settings.lower

        def work(progress: Progress) -> list[CorpusPlan]:
            plans = make_plans(find_paths(), progress)
            return [apply_known_directions(plan, lower) for plan in plans]

        self.workspace.jobs.submit(name, work, then, self.failed.emit, latest="open", owner=self)
        self.planning_started.emit()

    def _on_planned(self, plans: list[CorpusPlan]) -> None:
        files = [file for plan in plans for file in plan.files]
        problems = [file.problem for file in files if file.problem is not None]
        if problems and all(file.role is Role.IGNORED for file in files if file.problem is None):
            for problem in problems[:MAX_ERRORS_SHOWN]:
                self.failed.emit(problem)
            return
        unused = [file for file in files if file.role is Role.IGNORED and file.path in self._requested_paths]
        if len(unused) == len(files) and not any(plan.unused_texts() for plan in plans):
            self.failed.emit(plans[0].no_data_error())
            return
        all_ignored = all(file.role is Role.IGNORED for file in files)
        needs_confirmation = (
            all_ignored or len(plans) > 1 or self.workspace.session is not None or bool(problems) or bool(unused)
        )
        if not needs_confirmation and not plans[0].files_with_questions():
            self._read(plans[0], None)
            return
        self._show_import_dialog(plans)

    def _show_import_dialog(self, plans: list[CorpusPlan]) -> None:
        open_now = self.workspace.session is not None
        corpus = self.workspace.corpus
        replaces = tr("“Open” closes the currently open files.") if open_now else ""
        sheet = ImportDialog(
            plans,
            first=self._index_of_open(plans),
            may_add=open_now,
            replaces=replaces,
            texts=tuple(corpus.texts) if corpus is not None else (),
            segments=None if corpus is None else corpus.size,
            parent=self._window,
        )
        sheet.open_requested.connect(self._open_planned)
        sheet.add_requested.connect(self._add_planned)
        sheet.preview_requested.connect(partial(self._preview, sheet.panel))
        if len(self._paths) == 1 and self._paths[0].is_dir():
            sheet.comparison_requested.connect(partial(self.comparison_requested.emit, str(self._paths[0])))
        else:
            sheet.compare_button.hide()
        sheet.rejected.connect(self._stop_reading)
        sheet.finished.connect(self._forget_sheet)
        self.sheet = sheet
        sheet.show_first()
        sheet.show()

    def _preview(self, panel: FilePreviewPanel, file: PlannedFile) -> None:
        """Load the first segments of a file in the background; show them in `panel` if the panel still exists."""

        def work(progress: Progress) -> FilePreview:
            return preview_file(file, progress.check)

        def done(preview: FilePreview) -> None:
            if isValid(panel):
                panel.show_rows(preview.names, preview.rows)

        def failed(error: QeError) -> None:
            if isValid(panel):
                panel.show_reason(error.message)

        self.workspace.jobs.submit(tr("Reading the first segments"), work, done, failed, latest="preview", owner=self)

    def _forget_sheet(self) -> None:
        self.sheet = None

    def _forget_details(self) -> None:
        self.details = None

    def _stop_reading(self) -> None:
        # a cancelled import must not be opened later
        self.workspace.jobs.cancel("open")

    def _open_planned(self, chosen: CorpusPlan) -> None:
        if self._may_replace(partial(self._open_planned, chosen)):
            self._read(chosen, None)

    def _add_planned(self, chosen: CorpusPlan) -> None:
        session = self.workspace.session
        if session is not None:
            self._read(chosen, session)

    def _read(
        self,
        chosen: CorpusPlan,
        target_session: Session | None,
        opened: Callable[[ReadFiles], object] = lambda read: None,
    ) -> None:
        """Read the files of `chosen`, open them as a session or add them to `target_session`, and call `opened`."""
        directions = known_directions(chosen)
        if directions:
            # the user is asked once per metric, even if its scores are in several files
            self.workspace.settings.lower = {**self.workspace.settings.lower, **directions}
        if self.sheet is not None:
            self.sheet.set_busy(True)

        base_corpus = None if target_session is None else target_session.corpus
        project = self.workspace.store if base_corpus is not None else None

        journals = (
            target_session is None and self.workspace.settings.journals and bool(chosen.files_with_role(Role.JOB))
        )
        person = self.workspace.settings.person.strip() or "me"
        if journals and self._is_open(chosen):
            # the journal can be opened again once it is closed
            self.workspace.close()

        def work(progress: Progress) -> ReadFiles:
            if journals:
                return read_with_journal(chosen, person, progress)
            corpus = build_corpus(
                chosen, base_corpus=base_corpus, progress=progress_reporter(progress), check_cancelled=progress.check
            )
            read = prepare_corpus(corpus)
            progress.check()
            # last step: the project must not contain files that cannot be added to the session
            if project is not None and self.workspace.session is target_session:
                project.extend(corpus, base_corpus)
            return read

        def done(read: ReadFiles) -> None:
            if target_session is None or base_corpus is None:
                self.workspace.open_files(read.session or Session(read.corpus, person=person), read.journal)
            elif not self._add(target_session, read.corpus, base_corpus, project):
                return
            self._on_read(_with_faults(chosen, read), read.corpus, added=target_session is not None)
            if read.report is not None:
                self.restored.emit(read.report)
            opened(read)

        self._plan_being_read = chosen
        self.workspace.jobs.submit(
            tr("Opening"), work, done, self._on_rejected,
            on_cancelled=self._on_cancelled, latest="open", owner=self, discard=discard_read,
        )  # fmt: skip
        self.reading_started.emit()

    @property
    def opened_plan(self) -> CorpusPlan | None:
        """Import plan of all open files, including added files; None unless this object opened the files."""
        return self._opened

    def read_again(self, plan: CorpusPlan, opened: Callable[[ReadFiles], object]) -> None:
        """Read the open bilingual files again, as `plan` states, and reopen their journal; then call `opened`."""
        self._read(plan, None, opened)

    def take_reloaded(self, plan: CorpusPlan, read: ReadFiles) -> None:
        """Replace the open session with `read.session`, whose files were read again without a journal."""
        assert read.session is not None
        self.workspace.open_files(read.session, None)
        self._on_read(_with_faults(plan, read), read.corpus, added=False)
        self.restored.emit(read.report)

    def _is_open(self, chosen: CorpusPlan) -> bool:
        """Return whether the open journal belongs to the plan's bilingual files."""
        journal = self.workspace.journal
        paths = [os.path.realpath(file.path) for file in chosen.files_with_role(Role.JOB)]
        return journal is not None and [file.path for file in journal.entry.files] == paths

    def _add(self, session: Session, corpus: Corpus, base_corpus: Corpus, project: Project | None) -> bool:
        """Extend the open session from `base_corpus` to `corpus`; return whether this succeeded.

        If the session was saved as a project while the files were read, that project is extended, too.
        """
        try:
            if session is not self.workspace.session:
                message = tr("The files were not added: the open files were closed or replaced in the meantime")
                raise QeError(message, hint=tr("Add them again."))
            session.extend(corpus, base_corpus)
        except QeError as error:
            self._on_rejected(error)
            return False
        now = self.workspace.store
        if now is not None and now is not project:
            # the session was saved as a project while the files were read
            extended = session.corpus
            self.workspace.jobs.submit(tr("Saving"), lambda _: now.extend(extended, base_corpus))
        return True

    def _on_read(self, chosen: CorpusPlan, corpus: Corpus, *, added: bool) -> None:
        if self.sheet is not None:
            self.sheet.accept()
        before = self._open_source[1] if added else ()
        self._open_source = (corpus.folder if added else chosen.folder, tuple(dict.fromkeys((*before, *self._paths))))
        self._opened = (None if self._opened is None else self._opened.merge(chosen)) if added else chosen
        self.opened.emit(chosen)
        if chosen is self._sample_plan:
            self.message_posted.emit(sample_copy_message(Path(chosen.folder), partial(self.open_sample, new=True)))

    def _on_rejected(self, error: QeError) -> None:
        if self.sheet is None and self._plan_being_read is not None and len(self._plan_being_read.files) > 1:
            # files that cannot be used may be left out
            self._show_import_dialog([self._plan_being_read])
        if self.sheet is not None:
            self.sheet.show_error(error)
        else:
            self.failed.emit(error)

    def _on_cancelled(self) -> None:
        if self.sheet is not None:
            self.sheet.set_busy(False)
