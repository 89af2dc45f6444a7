"""Controller of projects in a window: commands, status bar, messages, and questions before a project is closed."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QMessageBox, QWidget

from qe_desktop.corpus import QeError
from qe_desktop.escaping import safe_file_name
from qe_desktop.i18n.messages import tr
from qe_desktop.project import SessionChange
from qe_desktop.ui import icons
from qe_desktop.ui.files.tag_saver import TagsSaver
from qe_desktop.ui.project_paths import PROJECT_SUFFIX, display_project_name, is_address
from qe_desktop.ui.projects.connect_dialog import ConnectDialog
from qe_desktop.ui.projects.last_position import LastPosition
from qe_desktop.ui.projects.project_opener import ProjectOpener
from qe_desktop.ui.projects.project_sync import ProjectSync
from qe_desktop.ui.shell.notice_slot import NoticeSlot
from qe_desktop.ui.shell.notices import Message, Notice
from qe_desktop.ui.shell.window import Shell
from qe_desktop.ui.widgets import dialogs
from qe_desktop.ui.widgets.dialogs import CloseAttempt, WarningBox, show_question
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.store import Project

CLOSE_WAIT_S = 0.03
"""Maximum time in seconds that closing blocks the window to save pending rows; usually, all are saved by then."""
FIRST_WAIT_S = 2.0
"""Seconds to wait for pending rows to be saved before the user is asked whether to close."""
LONG_WAIT_S = 15.0
"""Seconds to wait for pending rows to be saved after the user clicks “Wait and try again”."""
SPOOL_NOTE = tr(
    "Unsaved changes are stored in a file on this computer and will be saved when the project is next opened here."
)


class ProjectController(QObject):
    """Controller of the projects of a window; it owns the synchronization, the opener and the dialogs."""

    about_to_close = Signal()
    """Emitted before the project is closed, so that unfinished edits can be saved first."""

    def __init__(self, shell: Shell, workspace: Workspace, saver: TagsSaver) -> None:
        super().__init__(shell)
        self.shell = shell
        self.workspace = workspace
        self.saver = saver
        self.service = ProjectSync(workspace)
        self.opener = ProjectOpener(workspace, self.may_close, self)
        self.last_position = LastPosition(workspace, self.service, lambda: shell.areas.current)
        self.dialog: ConnectDialog | None = None
        self.attempt: CloseAttempt | None = None
        """Close attempt that is waiting for the user's answer or for a save; None if there is none."""
        self._resumed_attempt: CloseAttempt | None = None
        """Close attempt that is being resumed; None if there is none."""
        self._waited_project: Project | None = None
        """Project for whose pending rows the controller has already waited; if any remain, the user is asked."""
        self._opening_slot, self._change_slot, self._copy_slot, self._save_error_slot = (
            NoticeSlot(shell.notices, subject) for subject in ("open", "change", "copy", "trouble")
        )
        self._read_only: Notice | None = None
        self._connect()
        shell.add_close_guard(partial(self.may_close, shell.close), lambda: self.attempt)
        shell.closed.connect(self.service.close)

    def _connect(self) -> None:
        commands = self.shell.commands
        commands.connect_to("file.open-project", self._ask_project)
        commands.connect_to("file.connect", partial(self._ask_server, creating=False))
        commands.connect_to("file.project", self.save_as, enabled=False)
        commands.connect_to("file.project-server", partial(self._ask_server, creating=True), enabled=False)
        self.opener.opened.connect(self._on_opened)
        self.opener.created.connect(self._on_created)
        self.opener.copied.connect(self._on_copied)
        self.opener.failed.connect(self._on_project_failed)
        self.workspace.failed.connect(self._on_failed)
        self.workspace.changed.connect(self._on_change)
        self.workspace.warning_posted.connect(lambda caution: self.shell.notices.info(caution))
        self.service.saved.connect(self._show_save_state)
        self.service.error_occurred.connect(self._on_save_error)
        self.service.row_rejected.connect(self._on_row_rejected)
        self.shell.start_page.project_requested.connect(self._ask_project)

    @property
    def is_asking(self) -> bool:
        """Whether a close attempt is waiting for the user's answer or for a save."""
        return self.attempt is not None

    # --- opening

    def open_project(self, paths: list[str]) -> bool:
        """Open the project in `paths`, if any; return whether `paths` contains a project.

        If `paths` also contains other files, show an error instead. If the project is already open, do nothing.
        """
        # imported when first needed, because this module is loaded before the first paint
        from qe_desktop.project.store.location import is_project

        project = next((path for path in paths if is_project(path)), None)
        if project is None:
            return False
        if len(paths) > 1:
            hint = tr("Open {project} without the other files.", project=display_project_name(project))
            self._opening_slot.error(QeError(tr("a project cannot be opened together with other files"), hint=hint))
        elif self.workspace.project is None or self.workspace.project.place != project:
            self.opener.open(project)
        return True

    def _ask_project(self) -> None:
        path = dialogs.ask_project(self.shell, self.shell.settings)
        if path:
            self._opening_slot.remove_earlier()
            self.opener.open(path)

    def _ask_server(self, *, creating: bool) -> ConnectDialog:
        """Show the dialog to open a project on a server or, if `creating`, to save the open texts in a new one."""
        dialog = ConnectDialog(creating=creating, parent=self.shell)
        dialog.connection_requested.connect(self.opener.create if creating else self.opener.open)
        dialog.cancelled.connect(partial(self.opener.cancel, creating=creating))
        dialog.finished.connect(self._forget_dialog)
        self.dialog = dialog
        dialog.show()
        return dialog

    def _forget_dialog(self) -> None:
        self.dialog = None

    def _close_dialog(self) -> None:
        if self.dialog is not None:
            self.dialog.accept()

    # --- saving

    def save_as(self) -> None:
        """Ask for a path; save a copy of the open project there or, if none is open, the open texts as a project."""
        project, corpus = self.workspace.project, self.workspace.corpus
        if project is not None:
            title, save = tr("Save a copy of the project"), self.opener.copy
            name = tr("{name} copy", name=safe_file_name(display_project_name(project.place), "project"))
        elif corpus is not None:
            title, save = tr("Save as project"), self.opener.create
            name = safe_file_name(corpus.name, "project")
        else:
            return
        proposed = os.path.join(self._folder(), f"{name}{PROJECT_SUFFIX}")
        path = dialogs.ask_project_name(self.shell, self.shell.settings, title, proposed)
        if path:
            save(path)

    def _folder(self) -> str:
        """Return the folder that the file dialog proposes for a new project.

        This is the first of the following that is known: the folder of the open project, the folder used last, the
        parent of the folder of the open files (unless they are samples), and the home folder.
        """
        project, corpus = self.workspace.project, self.workspace.corpus
        if project is not None and not is_address(project.place):
            return os.path.dirname(project.place)
        opened = corpus.folder if corpus is not None else ""
        inside = os.path.abspath(opened).startswith(str(icons.resource_folder().resolve())) if opened else True
        return self.shell.settings.last_folder or (os.path.dirname(opened) if not inside else os.path.expanduser("~"))

    def may_close(self, retry: Callable[[], object], on_kept_open: Callable[[], object] = lambda: None) -> bool:
        """Ask about unsaved edits and save pending rows; return whether the session may be closed now.

        If an answer or a save must be waited for, return False and call `retry` when the caller may try again.
        `on_kept_open` is called, before or after the return, if the session remains open, for example because an
        earlier close attempt has not finished.
        """
        if self.is_asking:
            on_kept_open()
            return False

        def resume(closing: CloseAttempt, is_saved: bool) -> None:
            self.attempt = None
            if not is_saved:
                on_kept_open()
                return
            self._resumed_attempt = closing
            try:
                retry()
            finally:
                self._resumed_attempt = None

        closing, self._resumed_attempt = self._resumed_attempt or CloseAttempt(resume), None
        self.attempt = closing
        answer: bool | None = False
        try:
            answer = self._may_close_session(closing)
        finally:
            self.attempt = closing if answer is None else None
        if answer is False:
            on_kept_open()
        return bool(answer)

    def _may_close_session(self, closing: CloseAttempt) -> bool | None:
        """Return whether the session may be closed; None if not yet known, in which case `closing` is resumed later."""
        self.workspace.input_requested.emit()
        answer = self.saver.may_close(closing)
        if not answer or self.service.project is None:
            return answer
        self.workspace.closing.emit()
        self.about_to_close.emit()
        self.last_position.save()
        return self._may_close_project(closing)

    def _may_close_project(self, closing: CloseAttempt) -> bool | None:
        """Return True if the project may be closed, because all rows are saved or the user closes it anyway.

        Return None if the user's answer or a save must be waited for; `closing` is resumed later.
        """
        if self.workspace.project is None:
            # rows that the journal cannot store are in the spool
            return True
        waited, self._waited_project = self._waited_project is self.service.project, None
        if not self.service.pending or (self.service.error is None and self.service.flush(CLOSE_WAIT_S)):
            return True
        if closing.was_discarded(self, self.service.pending):
            return True
        if waited:
            self._ask_to_close(closing)
        else:
            self._wait(FIRST_WAIT_S, closing)
        return None

    def _ask_to_close(self, closing: CloseAttempt) -> None:
        box = CloseProjectQuestion(self.service, self.shell)

        def answered() -> None:
            clicked = box.clickedButton()
            if clicked is box.wait_button:
                self._wait(LONG_WAIT_S, closing)
                return
            if clicked is box.close_button:
                closing.record_discard(self, self.service.pending)
            closing.resume(clicked is box.close_button)

        show_question(box, answered)

    def _wait(self, seconds: float, closing: CloseAttempt) -> None:
        def resume_closing() -> None:
            self._waited_project = self.service.project
            closing.resume(True)

        self.service.call_when_saved(seconds, resume_closing)

    # --- messages

    def _on_opened(self, place: str, user_settings: dict[str, Any]) -> None:
        self._close_dialog()
        self.shell.add_recent(place)
        area = self.last_position.restore(user_settings)
        if area in self.shell.areas.ids():
            self.shell.show_area(area)
        project = self.workspace.project
        self._read_only = None
        for error in () if project is None else project.recovery_errors:
            self.shell.notices.show_message(Message.from_error(error))
        self._show_connection_warning()
        if project is not None and project.read_only:
            self._read_only = self.shell.notices.warning(
                project.read_only.rstrip("."),
                tr(
                    "To make a copy that you can edit, use File ▸ Save a copy of the project. If that is disabled, ask "
                    "the project owner."
                ),
            )

    def _show_connection_warning(self) -> None:
        project = self.workspace.project
        if project is not None and project.warning:
            self.shell.notices.warning(project.warning)

    def _on_failed(self, error: QeError) -> None:
        """Show why a change was rejected; if the read-only notice already gives this reason, show that notice again."""
        project, notice = self.workspace.project, self._read_only
        if project is None or error.message != project.read_only or notice not in self.shell.notices.notices():
            self._change_slot.error(error)
        elif notice is not None:
            # show the same notice again instead of counting a repetition
            self.shell.notices.dismiss(notice)
            self._read_only = self.shell.notices.show_message(notice.message)

    def _on_change(self, change: SessionChange) -> None:
        if not change.is_remote:
            self._change_slot.remove_earlier()

    def _on_created(self, place: str) -> None:
        self._close_dialog()
        self._show_connection_warning()
        self.shell.add_recent(place)
        self.shell.notices.info(
            tr(
                "Saved in {project}. From now on, every edit is saved as you make it",
                project=display_project_name(place),
            ),
            tr(
                "Your edits are recorded under the name {person}. To use another name, change it in Edit ▸ Preferences "
                "and open the project again.",
                person=self.workspace.person,
            ),
        )

    def _on_copied(self, place: str) -> None:
        self.shell.add_recent(place)
        message = Message(
            tr("The project was copied to {project}", project=display_project_name(place)), location=place,
            buttons=((tr("Open copy"), lambda: self.opener.open(place)),),
        )  # fmt: skip
        self._copy_slot.show(message)

    def _on_project_failed(self, place: str, error: QeError) -> None:
        if self.dialog is None and is_address(place):
            self._ask_server(creating=False).fill(place)
        if self.dialog is not None:
            self.dialog.show_error(error)
        else:
            self._opening_slot.show(Message.from_error(error))

    def _show_save_state(self, text: str) -> None:
        self.shell.status.set_saved(text, is_error=self.service.error is not None)

    def _on_save_error(self, error: QeError | None) -> None:
        self._save_error_slot.remove_messages()
        if error is not None:
            self._save_error_slot.show(Message(self._error_text(error), "warning", str(error.place or ""), error.hint))

    def _error_text(self, error: QeError) -> str:
        """Return the text of an error; if rows cannot be saved, also say whether they are stored on this computer."""
        if self.service.error is None:
            return error.message
        if self.workspace.project is None:
            return tr("Edits are stored only when you save the file: {reason}", reason=error.message)
        if self.service.is_stored:
            return tr(
                "Changes are stored on this computer until they can be saved in the project: {reason}",
                reason=error.message,
            )
        return tr("Not saved yet: {reason}", reason=error.message)

    def _on_row_rejected(self, error: QeError) -> None:
        title = tr("A change was rejected: {reason}", reason=error.message)
        self.shell.notices.error(title, error.hint, str(error.place or ""))


class CloseProjectQuestion(WarningBox):
    """Question shown before a project with pending rows is closed; it says how many rows are pending, and why."""

    def __init__(self, service: ProjectSync, window: QWidget) -> None:
        text = tr("{n:,} {n:change is|changes are} not in the project yet.", "", service.pending)
        reason = f"{service.error.line()}\n\n" if service.error is not None else ""
        note = (
            SPOOL_NOTE
            if service.is_stored
            else tr("Unsaved changes are not stored anywhere else: closing discards them.")
        )
        super().__init__(text, f"{reason}{note}", window)
        self.wait_button = self.addButton(tr("Wait and try again"), QMessageBox.ButtonRole.AcceptRole)
        self.close_button = self.addButton(tr("Close anyway"), QMessageBox.ButtonRole.DestructiveRole)
        self.back_button = self.addButton(tr("Go back"), QMessageBox.ButtonRole.RejectRole)
        self.setDefaultButton(self.wait_button)
        self.setEscapeButton(self.back_button)
