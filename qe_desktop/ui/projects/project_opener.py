"""Opening, creation and copying of projects in the background; the session is replaced once a project has been read."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from PySide6.QtCore import QObject, Signal

from qe_desktop.corpus import Corpus, Layer, QeError, SourceLocation
from qe_desktop.i18n.messages import tr
from qe_desktop.levels import levels_of
from qe_desktop.project import Session
from qe_desktop.ui.jobs import Progress
from qe_desktop.ui.project_paths import display_project_name, is_address, split_password
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.store import Project

Result = TypeVar("Result")
_OPEN, _CREATE = "open", "make"
"""Job keys; a new job replaces a running job that has the same key."""
ProjectReplaceGuard = Callable[[Callable[[], object], Callable[[], object]], bool]
"""Function that returns whether the session may be closed now.

If not, it calls one of its two arguments, before or after it returns: the first when the caller may try again, or the
second if the session remains open.
"""


@dataclass(frozen=True, slots=True)
class LoadedProject:
    """Project that was read, its session (None for raters or if the project has no corpus), and the user's settings."""

    project: Project
    session: Session | None
    user_settings: dict[str, Any]


class ProjectOpener(QObject):
    """Controller that opens, creates and copies projects; `may_replace` is called before a session is replaced."""

    opened = Signal(object, object)
    """Emitted after a project has been opened, with its path or address and the user's settings."""
    created = Signal(str)
    """Emitted with the path or address of the new project in which the open files are now stored."""
    copied = Signal(str)
    """Emitted with the path or address of a saved copy of the open project."""
    failed = Signal(str, object)
    """Emitted with a project's path or address and the `QeError` that prevented opening, creating or copying it."""

    def __init__(self, workspace: Workspace, may_replace: ProjectReplaceGuard, parent: QObject) -> None:
        super().__init__(parent)
        self.workspace = workspace
        self._may_replace = may_replace

    # --- opening

    def open(self, path_or_url: str, password: str | None = None) -> None:
        """Open a project by its path or address, in the background.

        Emits `opened` or, after an error, `failed`; emits neither if the user cancels or keeps the open session.
        If no password is passed and the address contains none, it is read from the environment or the pgpass file.
        """
        path_or_url, secret = _split_address(path_or_url, password)
        person = self.workspace.settings.person.strip() or "me"

        def work(progress: Progress) -> LoadedProject:
            return _read_project(path_or_url, person, secret, progress)

        name = tr("Open {project}", project=display_project_name(path_or_url))
        self._submit(name, work, self._on_read, path_or_url, _OPEN, lambda loaded: loaded.project.close(0))

    def cancel(self, *, creating: bool) -> None:
        """Cancel opening or, if `creating`, creating a project; if the job still returns a project, close it."""
        self.workspace.jobs.cancel(_CREATE if creating else _OPEN)

    def _submit(
        self,
        name: str,
        work: Callable[[Progress], Result],
        on_result: Callable[[Result], object],
        path_or_url: str,
        job_key: str,
        discard: Callable[[Result], object] | None = None,
    ) -> None:
        on_error = partial(self.failed.emit, path_or_url)
        self.workspace.jobs.submit(name, work, on_result, on_error, latest=job_key, owner=self, discard=discard)

    def _on_read(self, loaded: LoadedProject) -> None:
        if not self._may_replace(partial(self._on_read, loaded), partial(loaded.project.close, 0)):
            return
        self.workspace.open_project(loaded.project, loaded.session)
        self.opened.emit(loaded.project.place, loaded.user_settings)

    # --- creating

    def create(self, path_or_url: str, password: str | None = None) -> None:
        """Store the open texts, all edits and the undo history in a new project, and continue in that project.

        An existing file is replaced. Nothing is done if no texts are open or if a project is already open.
        """
        session, person = self.workspace.session, self.workspace.person
        if session is None or self.workspace.project is not None:
            return
        path_or_url, secret = _split_address(path_or_url, password)
        corpus = session.corpus
        layers, uids = tuple(corpus.layers.values()), session.layer_uids()

        def work(progress: Progress) -> Project:
            from qe_desktop.project.store import Project

            return Project.create(
                path_or_url, corpus, person=person, title=corpus.name, password=secret,
                replace=not is_address(path_or_url),
                uids=uids, check_cancelled=progress.check,
            )  # fmt: skip

        def done(project: Project) -> None:
            self._continue_in_project(project, session, layers, corpus)

        self._submit(
            tr("Save as {project}", project=display_project_name(path_or_url)),
            work,
            done,
            path_or_url,
            _CREATE,
            _close_project,
        )

    def _continue_in_project(
        self, project: Project, session: Session, layers: tuple[Layer, ...], written: Corpus
    ) -> None:
        """Add what has changed in `session` since `project` was created, and continue in `project`.

        `written` and `layers` are the corpus and the layers that are already stored in `project`.
        """
        from qe_desktop.project.session_restore import has_new_columns, missing_rows

        corpus = session.corpus
        if has_new_columns(corpus, written):
            # files were added in the meantime

            def extend(progress: Progress) -> Project:
                project.extend(corpus, written)
                return project

            on_result = partial(self._continue_in_project, session=session, layers=layers, written=corpus)
            name = tr("Save as {project}", project=display_project_name(project.place))
            self._submit(name, extend, on_result, project.place, _CREATE, _close_project)
            return
        project.append(missing_rows(session, project, layers))
        if self.workspace.session is session and self.workspace.project is None:
            self.workspace.continue_in_project(project)
            self.created.emit(project.place)
        else:
            # another session was opened in the meantime; the project is complete anyway
            project.close()

    def copy(self, path_or_url: str) -> None:
        """Copy the open project, if any, to another path or address; an existing file there is replaced."""
        project = self.workspace.project
        if project is None:
            return
        if not is_address(path_or_url) and path_or_url == project.place:
            message, hint = tr("a project cannot be copied onto itself"), tr("Use another name.")
            self.failed.emit(path_or_url, QeError(message, hint=hint, place=SourceLocation(path_or_url)))
            return

        def work(progress: Progress) -> str:
            project.save_as(path_or_url, replace=not is_address(path_or_url)).close()
            return path_or_url

        self._submit(tr("Copying the project"), work, self.copied.emit, path_or_url, _CREATE)


def _close_project(project: Project) -> None:
    project.close(0)


def _split_address(path_or_url: str, password: str | None) -> tuple[str, str | None]:
    """Return `path_or_url` without a password, and the password to use.

    This is `password` or, if that is empty, the password in the address; None if there is neither.
    """
    path_or_url, url_password = split_password(path_or_url) if is_address(path_or_url) else (path_or_url, "")
    return path_or_url, password or url_password or None


def _read_project(path_or_url: str, person: str, password: str | None, progress: Progress) -> LoadedProject:
    from qe_desktop.project.session_restore import restore_session
    from qe_desktop.project.store import Project

    project = Project.open(path_or_url, person=person, password=password)
    try:
        user_settings = project.settings(own_only=True) if project.role == "owner" else {}
        progress.check()
        session = restore_session(project, user_settings)
        if session is not None:
            # texts and levels compute these caches on first use, which would block the window
            session.corpus.cache_text_properties()
            levels_of(session.view)
        progress.check()
        return LoadedProject(project, session, user_settings)
    except BaseException:
        project.close(0)
        raise
