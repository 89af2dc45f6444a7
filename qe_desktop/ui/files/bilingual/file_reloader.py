"""Reloading of open bilingual files that another program changed, without losing the edits of the user."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from PySide6.QtCore import QObject, Signal

from qe_desktop.formats import CorpusPlan, Role, build_corpus
from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.project import Session
from qe_desktop.ui.files.importing.file_opener import FileOpener
from qe_desktop.ui.files.importing.file_reading import ReadFiles, SessionCopy, progress_reporter, read_again
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.shell.notices import Message
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.journal.file_journal import FileJournal
    from qe_desktop.project.journal.file_reload import ProjectReload

R = TypeVar("R")


class FileReloader(QObject):
    """Controller that reads the open bilingual files again from their current paths; on errors, the files stay open."""

    refused = Signal(object)
    """Emitted with a `QeError` if the files cannot be read, or do not match the open project."""
    reloaded = Signal(object)
    """Emitted with a `Message` on the changes, after the files were reloaded into the open project."""

    def __init__(self, workspace: Workspace, opener: FileOpener) -> None:
        super().__init__(opener)
        self.workspace = workspace
        self._opener = opener

    def reload(self) -> None:
        """Read the files again and keep the user's edits, taken from the journal or, without one, from the session.

        If a project is open, the changes that another program made to the files are applied to the project as one edit.
        """
        session, journal = self.workspace.session, self.workspace.journal
        if session is None:
            return
        if self.workspace.project is not None:
            self._reload_project(session)
            return
        plan = self._saved_plan(session)
        if plan is not None and journal is None:
            self._carry_session(session, plan)
        elif plan is not None and journal is not None:
            self._reload_journal(journal, plan)

    def _saved_plan(self, session: Session) -> CorpusPlan | None:
        """Return the plan of the open files with their current paths; None if the plan is not known."""
        plan, job = self._opener.opened_plan, session.corpus.job
        if plan is None or job is None:
            return None
        opened = [file.path for file in plan.files_with_role(Role.JOB)]
        places = {number: place.path for number, place in session.written_files.items()}
        paths = [Path(places.get(number, file.path)) for number, file in enumerate(job.files)]
        saved = dict(zip(opened, paths, strict=True))
        return replace(plan, files=tuple(replace(file, path=saved.get(file.path, file.path)) for file in plan.files))

    def _reload_journal(self, journal: FileJournal, plan: CorpusPlan) -> None:
        def check(progress: Progress) -> None:
            build_corpus(plan, progress=progress_reporter(progress), check_cancelled=progress.check)

        def read(_: None) -> None:
            if self.workspace.journal is not journal:
                # the files were closed or saved as a project in the meantime
                return
            # text that is being typed becomes an edit in the journal
            self.workspace.input_requested.emit()
            segment = self.workspace.segment
            # the position that the journal stores may be older
            self._opener.read_again(plan, lambda files: self.workspace.go_to(files.new_segments.get(segment, segment)))

        self._submit(check, read)

    def _carry_session(self, session: Session, plan: CorpusPlan) -> None:
        """Read the files of `plan` again, and replace `session` with a new session that contains the user's edits."""

        def take(files: ReadFiles) -> None:
            segment = files.new_segments.get(self.workspace.segment, self.workspace.segment)
            self._opener.take_reloaded(plan, files)
            self.workspace.go_to(segment)

        self._read(session, partial(read_again, plan), take)

    def _reload_project(self, session: Session) -> None:
        """Read the files again, and apply the changes of other programs to the project as one edit."""

        def read(before: SessionCopy, progress: Progress) -> ProjectReload:
            from qe_desktop.project.journal.file_reload import read_project_files

            return read_project_files(before.session(), progress.check)

        def take(reload: ProjectReload) -> None:
            if self.workspace.attempt(lambda: reload.apply(session)):
                self.reloaded.emit(_reload_message(reload))

        self._read(session, read, take)

    def _read(self, session: Session, work: Callable[[SessionCopy, Progress], R], take: Callable[[R], object]) -> None:
        """Run `work` on a copy of the session, then call `take` with the result.

        If the user edits the session in the meantime, `work` runs again. If the files are closed or saved as a project,
        `take` is not called.
        """
        self.workspace.input_requested.emit()
        store, before, steps = self.workspace.store, SessionCopy.from_session(session), _count_steps(session)

        def on_read(result: R) -> None:
            if session is not self.workspace.session or self.workspace.store is not store:
                # the files were closed or saved as a project in the meantime
                return
            self.workspace.input_requested.emit()
            if _count_steps(session) == steps:
                take(result)
            else:
                self._read(session, work, take)

        self._submit(partial(work, before), on_read)

    def _submit(self, work: Callable[[Progress], R], then: Callable[[R], object]) -> None:
        self.workspace.jobs.submit(tr("Reloading"), work, then, self.refused.emit, latest="open", owner=self)


def reload_obstacle(workspace: Workspace) -> str:
    """Return a sentence that states why the open files cannot be reloaded; empty if they can."""
    session, journal = workspace.session, workspace.journal
    if session is not None and session.read_only:
        return tr("The file cannot be reloaded, because the project is read-only.")
    if journal is not None and not journal.is_storing:
        return tr("The file cannot be reloaded now, because your edits cannot be stored on this computer.")
    return ""


def _reload_message(reload: ProjectReload) -> Message:
    if len(reload.files) == 1:
        title = tr(
            "The file was reloaded: {n:,} {n:segment|segments} changed by another program", "", len(reload.values)
        )  # fmt: skip
    else:
        title = tr(
            "The files were reloaded: {n:,} {n:segment|segments} changed by another program", "", len(reload.values)
        )  # fmt: skip
    sentences = []
    if reload.values:
        sentences.append(tr("The new version is shown; undo restores the previous version."))
    if reload.locked:
        sentences.append(
            tr(
                "{n:,} {n:segment was|segments were} not changed, because {n:it is|they are} locked in the project.",
                "",
                reload.locked,
            )
        )
    return Message(title, "info", advice=join_localized(" ", sentences))


def _count_steps(session: Session) -> tuple[int, int]:
    """Return the number of review rows and the number of tag edits; each edit increases one of them."""
    return len(session.reviewing.rows()), len(session.rows())
