"""Saving of bilingual files, which are prepared and written in the background; unclear cases are left to the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.corpus import QeError, Review
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project import ReviewField, Session
from qe_desktop.project.review.target_marks import target_marks
from qe_desktop.project.reviewed_files import record_written, reviewed_files
from qe_desktop.ui.files.bilingual.bilingual_exporter import BilingualExporter
from qe_desktop.ui.files.bilingual.file_reloader import reload_obstacle
from qe_desktop.ui.files.bilingual.prepared_file import (
    PreparedFile,
    SaveRequest,
    SaveResult,
    TrustedPaths,
    UnsupportedFields,
    can_store_field,
    copy_paths,
    is_saved,
    match_existing_file,
    prepare_file,
    save_message,
    unsaved_message,
    unsupported_fields,
    write_files,
)
from qe_desktop.ui.files.bilingual.save_dialogs import (
    IssueMarksChoice,
    SaveAnswer,
    ask_discard_unsupported,
    ask_file_changed,
    ask_file_locked,
    ask_file_not_writable,
    ask_issue_marks,
    ask_overwrite,
    ask_reviewed_path,
    ask_save_reviewed,
    ask_untrusted_path,
)
from qe_desktop.ui.files.bilingual.save_questions import InvalidSegmentsQuestion, MissingAttributesQuestion
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.widgets.dialogs import CloseAttempt, FileDialog, resume_when_ended
from qe_desktop.ui.workspace import Workspace

JOB = "save-job"


class BilingualFileSaver(QObject):
    """Controller that saves reviews to the original files or to copies, and asks before discarding unsaved edits."""

    saved = Signal(str, str)
    """Emitted after a successful save, with a status bar text and details, both empty if no file was written."""
    message_posted = Signal(object)
    """Emitted with a `Message` for the user."""
    reload_requested = Signal()
    """Emitted when the user chooses to reload the open files and keep the edits."""
    ended = Signal(bool)
    """Emitted when a save ends, with False if an error occurred, the user cancelled, or a file was not saved."""

    def __init__(self, workspace: Workspace, window: QWidget, exporter: BilingualExporter) -> None:
        super().__init__(window)
        self.workspace = workspace
        self._window = window
        self._exporter = exporter
        self._trusted_paths = TrustedPaths(workspace.settings)
        self._file_session: Session | None = None
        self._unsupported = UnsupportedFields()
        self._missing_attributes = MissingAttributesQuestion(window)
        self._invalid_segments = InvalidSegmentsQuestion(workspace, window)
        workspace.opened.connect(self._on_opened)
        workspace.project_changed.connect(self._on_project)
        exporter.written.connect(self._on_exported)

    # --- trusted paths

    def _on_opened(self) -> None:
        self._file_session = self.workspace.session if self.workspace.project is None else None
        self._unsupported = UnsupportedFields()
        self._missing_attributes.forget()

    def _on_project(self) -> None:
        """When the open files are saved as a project, trust their paths, because the user opened these files."""
        session, project = self.workspace.session, self.workspace.project
        if project is not None and session is not None and session is self._file_session:
            job = session.corpus.job
            paths = [file.path for file in job.files] if job is not None else []
            self._trusted_paths.add_paths(
                project.place, [*paths, *(written.path for written in session.written_files.values())]
            )

    def _untrusted_files(self, session: Session) -> frozenset[int]:
        """Return the 0-based indices of files with untrusted paths, that is, paths named only by the project."""
        project, job = self.workspace.project, session.corpus.job
        if project is None or job is None:
            return frozenset()
        saved_paths = {number: written.path for number, written in session.written_files.items()}
        paths = [saved_paths.get(number, file.path) for number, file in enumerate(job.files)]
        return frozenset(
            number for number, path in enumerate(paths) if not self._trusted_paths.is_trusted(project.place, path)
        )

    # --- commands

    def save(self) -> None:
        """Start saving the review to the bilingual files, if any are open; `ended` is emitted when the save ends."""
        session = self.workspace.session
        if session is not None and session.corpus.job is not None:
            self._prepare(SaveRequest(session, session.reviewing.review, {}, self._untrusted_files(session)))

    def save_copy(self) -> None:
        """Ask for the path of the copy or, for several files, the folder of the copies, and start saving the review."""
        session = self.workspace.session
        job = session.corpus.job if session is not None else None
        if session is None or job is None:
            return
        if len(job.files) == 1:
            self._ask_path(Path(job.files[0].path), lambda path: self._ask_marks(session, {0: path} if path else {}))
            return
        start = self.workspace.settings.last_folder
        folder = FileDialog.getExistingDirectory(self._window, tr("Save copies to a folder"), start)
        copies = copy_paths(Path(folder), [Path(file.path).name for file in job.files]) if folder else {}
        existing = [path.name for path in copies.values() if path.exists()]
        if existing:
            ask_overwrite(existing, parent=self._window, answered=partial(self._on_overwrite, session, copies))
            return
        self._ask_marks(session, copies)

    def _on_overwrite(self, session: Session, copies: dict[int, Path], answer: SaveAnswer) -> None:
        if answer is SaveAnswer.OVERWRITE:
            self._ask_marks(session, copies)

    def _ask_marks(self, session: Session, copies: dict[int, Path]) -> None:
        """Ask for the layer whose BAD words are to be marked in the copies, then write the copies."""
        job = session.corpus.job
        if not copies or job is None:
            return

        def answered(marks: IssueMarksChoice | None) -> None:
            if marks is not None:
                self._prepare(SaveRequest(session, session.reviewing.review, copies, layer=marks.layer))

        forms = [(file.name, file.form) for file in job.files]
        ok_text = tr("Save the {n:copy|copies}", "", len(copies))
        ask_issue_marks(session.view, forms, ok_text, copied=True, parent=self._window, answered=answered)

    def may_close(self, closing: CloseAttempt) -> bool | None:
        """Return True if no edit is unsaved or the user discarded the edits; otherwise, ask the user and return None.

        Edits that the files cannot store do not count as unsaved if the journal stores them. After the answer, or after
        the save or export that the user chooses, `closing` is resumed.
        """
        session, journal = self.workspace.session, self.workspace.journal
        unsaved = [] if session is None else session.reviewing.unsaved_segments()
        was_discarded = session is not None and closing.was_discarded(self, len(session.reviewing.rows()))
        if journal is not None:
            journal.row_count_at_discard = (
                len(session.reviewing.rows()) if session is not None and was_discarded else None
            )
        if session is None or not unsaved or was_discarded:
            return True
        job = session.corpus.job
        left = job is not None and not self.has_storable_edits(session)
        if left and journal is not None and journal.is_storing:
            # the journal stores what the files cannot
            return True

        def answered(answer: SaveAnswer) -> None:
            if answer is SaveAnswer.SAVE_AS:
                saves = job is not None and not left
                resume_when_ended((self if saves else self._exporter).ended, closing, self)
                (self.save if saves else self._exporter.ask_and_export)()
                return
            if answer is SaveAnswer.DISCARD:
                closing.record_discard(self, len(session.reviewing.rows()))
            closing.resume(answer is SaveAnswer.DISCARD)

        files = [] if job is None else [file.name for file in job.files if set(file.segments).intersection(unsaved)]
        ask = ask_discard_unsupported if left else partial(ask_save_reviewed, files=files)
        ask(len(unsaved), parent=self._window, answered=answered)
        return None

    def has_storable_edits(self, session: Session) -> bool:
        """Return whether the original files can store any unsaved part of the review; False without bilingual files.

        Which statuses and notes a file cannot store is known only after the file was written; before that, all statuses
        and notes count as storable.
        """
        return session.corpus.job is not None and session.reviewing.has_storable_changes(
            partial(can_store_field, self._unsupported)
        )

    def _ask_path(self, original_path: Path, answered: Callable[[Path | None], object]) -> None:
        ask_reviewed_path(original_path, self.workspace.settings.last_folder, parent=self._window, answered=answered)

    # --- in the background

    def _prepare(self, request: SaveRequest) -> None:
        session, request = request.session, self._missing_attributes.apply(request)
        view, job, written_files, bases = (
            session.view,
            session.corpus.job,
            dict(session.written_files),
            dict(session.reloaded_data),
        )
        assert job is not None

        def work(progress: Progress) -> tuple[SaveRequest, list[PreparedFile], SaveResult]:
            files = reviewed_files(view, job, written_files, bases)
            layer = request.layer
            now = request if layer is None else replace(request, marks=target_marks(view, layer, progress.check))
            prepared, result = [], SaveResult()
            for index, reviewed in enumerate(files):
                progress.report(index / len(files), reviewed.file.name)
                try:
                    prepared.append(prepare_file(reviewed, now, progress))
                except QeError as error:
                    result.unsaved.append(
                        (now.copies.get(reviewed.number) or Path(reviewed.known_version().path), error)
                    )
            return now, prepared, result

        self.workspace.jobs.submit(
            tr("Saving"), work, lambda result: self._on_prepared(*result), self._fail,
            on_cancelled=lambda: self.ended.emit(False), latest=JOB, owner=self,
        )  # fmt: skip

    def _on_prepared(self, request: SaveRequest, files: list[PreparedFile], result: SaveResult) -> None:
        refused = [file for file in files if file.rejection is not None]
        if refused:

            def settled(new_request: SaveRequest | None) -> None:
                if new_request is None:
                    self.ended.emit(False)
                else:
                    self._prepare(new_request)

            self._invalid_segments.ask(request, refused, settled)
            return

        def answered(retry: bool | None) -> None:
            if retry is None:
                self.ended.emit(False)
            elif retry:
                self._prepare(request)
            else:
                self._ask_files(request, files, [], result)

        self._missing_attributes.ask(request, files, answered)

    def _ask_files(
        self, request: SaveRequest, pending: list[PreparedFile], confirmed: list[PreparedFile], result: SaveResult
    ) -> None:
        """Ask about the unclear files in `pending`, then write `confirmed` and `pending`.

        Files that the user chooses not to write are added to `result.unsaved` instead.
        """
        unclear = next((index for index, file in enumerate(pending) if file.is_unclear()), len(pending))
        confirmed = [*confirmed, *pending[:unclear]]
        if unclear == len(pending):
            if confirmed:
                self._write(request, confirmed, result)
            else:
                self._on_written(request, result)
            return
        file = pending[unclear]

        def answered(settled: PreparedFile | None) -> None:
            if settled is None:
                result.unsaved.append((file.path, None))
            self._ask_files(
                request, pending[unclear + 1 :], confirmed if settled is None else [*confirmed, settled], result
            )

        self._ask_file_state(file, partial(self._on_file_state, file, answered))

    def _ask_file_state(self, file: PreparedFile, answered: Callable[[SaveAnswer], object]) -> None:
        """Ask about a file that is changed, missing, not writable, open in another program, or at an untrusted path."""
        name, parent = file.path.name, self._window
        if file.write_obstacle:
            ask_file_not_writable(name, file.write_obstacle, parent=parent, answered=answered)
        elif file.is_untrusted:
            ask_untrusted_path(
                str(file.path), is_missing=file.is_missing, changed=file.changed, parent=parent, answered=answered
            )  # fmt: skip
        elif file.changed or file.is_missing:
            obstacle = reload_obstacle(self.workspace)
            ask_file_changed(name, is_missing=file.is_missing, obstacle=obstacle, parent=parent, answered=answered)
        else:
            ask_file_locked(name, parent=parent, answered=answered)

    def _on_file_state(
        self, file: PreparedFile, settle: Callable[[PreparedFile | None], object], answer: SaveAnswer
    ) -> None:
        """Call `settle` with the file, adapted to the answer, or with None if the file should not be written.

        If the user chooses to reload the files, `settle` is not called: the save ends, and nothing is written.
        """
        if answer is SaveAnswer.RELOAD:
            self.ended.emit(False)
            self.reload_requested.emit()
        elif answer is SaveAnswer.OVERWRITE:
            settle(replace(file, expected=None if file.changed or file.is_missing else file.expected))
        elif answer is SaveAnswer.SAVE_AS:
            self._ask_path(file.path, lambda path: settle(replace(file, path=path, expected=None) if path else None))
        else:
            settle(None)

    def _write(self, request: SaveRequest, files: list[PreparedFile], result: SaveResult) -> None:
        def work(progress: Progress) -> SaveResult:
            return write_files(files, result, progress)

        def cancelled() -> None:
            self._record_written_files(request, result)
            self.ended.emit(False)

        self.workspace.jobs.submit(
            tr("Saving"), work, lambda result: self._on_written(request, result), self._fail,
            on_cancelled=cancelled, latest=JOB, owner=self,
        )  # fmt: skip

    def _fail(self, error: QeError) -> None:
        self.message_posted.emit(Message.from_error(error))
        self.ended.emit(False)

    def _on_written(self, request: SaveRequest, result: SaveResult) -> None:
        session = request.session
        self._record_written_files(request, result)
        changed = 0
        if not request.copies:
            unsupported = self._unsupported.without_saved(result).union(unsupported_fields(result))
            stored = partial(is_saved, request, result, unsupported)
            changed = session.reviewing.count_waiting(stored, request.review)
            if session.reviewing.review is request.review:
                # edits made in the meantime are not in the files yet
                self._unsupported = unsupported
                session.reviewing.mark_saved(stored)
        if result.unsaved:
            unsaved = unsaved_message(result)
            if unsaved is not None:
                self.message_posted.emit(unsaved)
            self.ended.emit(False)
            return
        if session is self.workspace.session:
            message = save_message(request, result, changed, in_project=self.workspace.project is not None)
            self.message_posted.emit(message)
            names = join_localized(", ", [file.path.name for file, _ in result.files])
            details = tr("{file}: {what}", file=isolate_bidi(names), what=message.title)
            self.saved.emit(*((tr("Saved"), details) if message.location else ("", "")))
        self.ended.emit(True)

    def _record_written_files(self, request: SaveRequest, result: SaveResult) -> None:
        """Record the new state of the files on disk, so that a later save does not report them as changed."""
        session, project = request.session, self.workspace.project
        saved = 0.0 if request.copies or request.excluded_segments else request.requested_at_s
        for file, written in tuple(result.files):
            if written is None and (existing := match_existing_file(file)) is not None:
                # another window wrote the same bytes; a path that only the project names still needs confirmation
                record_written(session, file.reviewed.number, existing, saved)
            elif written is not None and file.keeps_path:
                record_written(session, file.reviewed.number, written, saved)
                if project is not None and session is self.workspace.session:
                    self._trusted_paths.add_paths(project.place, [written.path])
        if self.workspace.journal is not None and session is self.workspace.session:
            self.workspace.journal.record_files(
                session.written_files, saved if result.files and not result.unsaved else 0.0
            )

    # --- exported files

    def _on_exported(self, session: Session, review: Review, holds: frozenset[str]) -> None:
        """Mark as saved the fields that an export contains (`holds`) and that the original files cannot store.

        Do nothing if the review was edited during the export.
        """
        if session.reviewing.review is not review:
            return
        job, unsupported = session.corpus.job, self._unsupported

        def is_stored(segment: int, field: ReviewField) -> bool:
            in_files = job is not None and can_store_field(unsupported, segment, field)
            return field.value in holds and not in_files

        session.reviewing.mark_saved(is_stored)
