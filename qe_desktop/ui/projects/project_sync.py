"""Synchronization of the open project: rows are saved immediately, and changes by others are received."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.jobs import ThreadBridge
from qe_desktop.ui.workspace import Workspace

if TYPE_CHECKING:
    from qe_desktop.project.events import RemoteChanges, Row
    from qe_desktop.project.journal.file_journal import FileJournal
    from qe_desktop.project.store import Project

INTERVAL_S = 1.0
"""Seconds between two polls for changes by others."""

_LOG = logging.getLogger(__name__)


class ProjectThreadBridge(ThreadBridge):
    """Bridge that forwards messages of a project's threads to the GUI thread.

    Each open project has its own bridge, so that late messages of an old project are not attributed to the new one.
    """

    saved = Signal(float)
    """Emitted after rows have been committed, with the Unix time of the commit in seconds."""
    trouble = Signal(object)
    """Emitted with a `QeError` if rows cannot be saved, and with None once saving works again."""
    heard = Signal(object)
    """Emitted with the `RemoteChanges` that a poll found in the project."""
    deaf = Signal(object)
    """Emitted with a `QeError` if changes by others cannot be read, and with None once they can be read again."""


class RemoteChangePoller:
    """Poller that reads changes by others every `interval` seconds, on a daemon thread because servers may be slow."""

    def __init__(self, project: Project, bridge: ProjectThreadBridge, interval: float = INTERVAL_S) -> None:
        self._project = project
        self._bridge = bridge
        self._interval = interval
        self._woken = threading.Event()
        self._stopped = False
        self._has_failed = False
        self._thread = threading.Thread(target=self._run, name="project changes", daemon=True)

    def start(self) -> None:
        """Start polling."""
        self._thread.start()

    def stop(self, seconds: float = 1.0) -> None:
        """Stop polling; wait at most `seconds` for a poll in progress to finish."""
        self._stopped = True
        self._woken.set()
        self._thread.join(seconds)

    def _run(self) -> None:
        while True:
            self._woken.wait(self._interval)
            self._woken.clear()
            if self._stopped:
                return
            try:
                changes = self._project.new_changes()
                if changes:
                    self._bridge.emit_signal("heard", changes)
            except QeError as error:
                self._report_error(error)
            except Exception as error:
                _LOG.exception("changes by others could not be read")
                message = tr("changes by others cannot be read: {error}", error=error)
                self._report_error(QeError(message, hint=tr("The program tries again automatically.")))
            else:
                self._report_error(None)

    def _report_error(self, error: QeError | None) -> None:
        """Emit `deaf` with the first of consecutive errors, and with None after recovery."""
        if self._stopped or (error is None) != self._has_failed:
            return
        self._has_failed = error is not None
        self._bridge.emit_signal("deaf", error)


MAX_SAVE_CHECKS = 20
"""Number of consecutive checks after which changes that are still not in a file on this computer are reported."""
SAVE_CHECK_INTERVAL_MS = 100
"""Milliseconds between two checks of whether pending changes are stored in a file on this computer."""
ALL_SAVED_INTERVAL_MS = 20
"""Milliseconds between two checks in `call_when_saved` of whether all rows are saved."""
SLOW_SAVE_MS = 300
"""Milliseconds after which the status bar shows that a save is in progress."""


class ProjectSync(QObject):
    """Controller that saves the rows passed to `append`, such as rows of the session, and receives changes by others.

    Rows are saved in the open project or, if no project is open, in the journal of the open files.
    """

    saved = Signal(str)
    """Emitted with the text for the status bar about the save state; rows count as saved only after the commit."""
    error_occurred = Signal(object)
    """Emitted with a `QeError` if rows cannot be saved or changes by others cannot be read, or None after recovery."""
    row_rejected = Signal(object)
    """Emitted with the `QeError` that says why a change was permanently rejected."""
    remote_changes_received = Signal(object)
    """Emitted with the `RemoteChanges` found in the project, after they have been applied to the session, if any."""

    def __init__(self, workspace: Workspace, interval: float = 1.0) -> None:
        super().__init__(workspace)
        self.workspace = workspace
        self.project: Project | None = None
        """Project in which rows are saved: the open project or else the journal's project; None if there is neither."""
        self._journal: FileJournal | None = None
        self.error: QeError | None = None
        """Error that prevents rows from being saved; None if there is none."""
        self._read_error: QeError | None = None
        self._interval = interval
        self._last_saved: datetime | None = None
        self._bridge: ProjectThreadBridge | None = None
        self._poller: RemoteChangePoller | None = None
        self._slow_save_timer = QTimer(self)
        self._slow_save_timer.setSingleShot(True)
        self._slow_save_timer.setInterval(SLOW_SAVE_MS)
        self._slow_save_timer.timeout.connect(self.update_text)
        self._was_stored = False
        self._check_count = 0
        self._last_text = ""
        self._save_check_timer = QTimer(self)
        self._save_check_timer.setInterval(SAVE_CHECK_INTERVAL_MS)
        self._save_check_timer.timeout.connect(self._check_saving)
        workspace.project_changed.connect(self._on_project_changed)

    # --- saving

    def append(self, rows: Sequence[Row]) -> None:
        """Queue rows to be saved in `project`, without blocking; do nothing if `project` is None.

        Raises QeError if `project` is read-only or closed.
        """
        if self.project is None:
            return
        self.project.append(rows)
        if self.error is not None:
            # update the number of waiting changes
            self.update_text()
        if not self._slow_save_timer.isActive():
            self._slow_save_timer.start()

    @property
    def pending(self) -> int:
        """Number of rows that are not saved yet."""
        return self.project.writer.pending if self.project is not None else 0

    def flush(self, seconds: float = 0.0) -> bool:
        """Retry saving pending rows now; block for at most `seconds`, and return whether all rows are saved."""
        return self.project is None or self.project.flush(seconds)

    def call_when_saved(self, seconds: float, then: Callable[[], object]) -> None:
        """Without blocking, call `then` when all rows are saved, `seconds` have passed or another project is open."""
        self.flush()
        project, end = self.project, time.monotonic() + seconds
        timer = QTimer(self, interval=ALL_SAVED_INTERVAL_MS)

        def check() -> None:
            if not self.pending or project is not self.project or time.monotonic() >= end:
                timer.stop()
                timer.deleteLater()
                then()

        timer.timeout.connect(check)
        timer.start()

    def update_text(self) -> None:
        """Emit `saved` with the status bar text, unless a journal is used and the old and new text are both empty."""
        before, self._last_text = self._last_text, self.text()
        if self._journal is None or self._last_text or before:
            self.saved.emit(self._last_text)

    def text(self) -> str:
        """Return the text for the status bar; empty if no project is open, unless saving to the journal fails."""
        project = self.project
        if project is None:
            return ""
        if project.read_only:
            return tr("Read-only")
        waiting = project.writer.pending
        if self.error is not None:
            return self._pending_text(waiting, self.error.message)
        if self._journal is not None:
            return ""
        if waiting:
            return tr("Saving…")
        if self._read_error is not None:
            return tr("Changes by others are not shown: {reason}; trying again", reason=self._read_error.message)
        return (
            tr("Saved {time:%H:%M:%S}", time=self._last_saved)
            if self._last_saved is not None
            else tr("All changes saved")
        )

    @property
    def is_stored(self) -> bool:
        """Whether all unsaved rows are stored in a file on this computer, to be saved to the project later."""
        return self.project is None or self.project.writer.is_stored

    def _pending_text(self, count: int, reason: str) -> str:
        """Describe how many changes are waiting to be saved, and why."""
        if not count:
            return tr("{reason}; trying again", reason=reason)
        if self.is_stored:
            return tr(
                "{n:,} {n:change|changes} stored on this computer: {reason}; trying again", "", count, reason=reason
            )
        return tr("{n:,} {n:change|changes} waiting: {reason}; trying again", "", count, reason=reason)

    def _check_saving(self) -> None:
        """Emit `error_occurred` again when pending changes begin or cease to be stored in a file on this computer.

        A new change is normally stored within a moment, so it is reported as not stored only after several checks.
        """
        if self.error is None:
            self._save_check_timer.stop()
            return
        is_stored = self.is_stored
        self._check_count = 0 if is_stored == self._was_stored else self._check_count + 1
        if (is_stored and self._check_count) or self._check_count > MAX_SAVE_CHECKS:
            self._was_stored, self._check_count = is_stored, 0
            self.error_occurred.emit(self.error)
        if self.text() != self._last_text:
            self.update_text()

    # --- opening and closing

    def close(self, seconds: float = 0.5) -> int:
        """Spend at most `seconds` on saving pending rows, and close the project; return the number of unsaved rows.

        Unsaved rows that are in a file on this computer are saved when the project is next opened; others are lost.
        The caller must ask the user first (see `ProjectController.may_close`).
        """
        self._slow_save_timer.stop()
        self._save_check_timer.stop()
        if self._poller is not None:
            self._poller.stop()
        if self._bridge is not None:
            self._bridge.stop_emitting()
            self._bridge.deleteLater()
        store, self._journal = self._journal or self.project, None
        unsaved_count = store.close(seconds) if store is not None else 0
        self.project, self._bridge, self._poller = None, None, None
        self.error = self._read_error = self._last_saved = None
        return unsaved_count

    def _on_project_changed(self) -> None:
        self.close()
        self._journal = journal = self.workspace.journal
        self.project = project = self.workspace.project if journal is None else journal.project
        if project is not None:
            self._attach_project(project)
        self.update_text()

    def _attach_project(self, project: Project) -> None:
        self._bridge = bridge = ProjectThreadBridge(self)
        bridge.saved.connect(self._on_saved)
        bridge.trouble.connect(self._on_write_error)
        bridge.heard.connect(self._on_remote_changes)
        bridge.deaf.connect(self._on_read_error)
        project.writer.on_saved.append(lambda count, at: bridge.emit_signal("saved", at))
        project.writer.on_error.append(lambda error: bridge.emit_signal("trouble", error))
        session = self.workspace.session
        if session is not None and not project.read_only:
            session.set_storage(self.append, project.person, project.window, journal=self._journal is not None)
        if self._journal is None:
            # only one window may open a journal
            self._poller = RemoteChangePoller(project, bridge, self._interval)
            self._poller.start()

    def record_save(self) -> None:
        """Show the current time as the time of the last save, after data were saved without being queued."""
        if self.project is not None:
            self._on_saved(time.time())

    # --- messages of the project's threads

    def _on_saved(self, at: float) -> None:
        self._last_saved = datetime.fromtimestamp(at)
        if not self.pending:
            self._slow_save_timer.stop()
            self.update_text()

    def _on_write_error(self, error: QeError | None) -> None:
        from qe_desktop.project.store.errors import TransientError

        # transient errors are retried, other errors are final
        if error is not None and not isinstance(error, TransientError):
            self.row_rejected.emit(error)
            return
        self.error = error
        self._was_stored, self._check_count = self.is_stored, 0
        self.error_occurred.emit(error)
        self.update_text()
        if error is not None:
            self._save_check_timer.start()

    def _on_read_error(self, error: QeError | None) -> None:
        self._read_error = error
        if self.error is None:
            self.error_occurred.emit(error)
        self.update_text()

    def _on_remote_changes(self, changes: RemoteChanges) -> None:
        session = self.workspace.session
        if session is not None:
            session.apply_remote_changes(changes)
        if changes.ratings:
            self.workspace.ratings_changed.emit()
        self.remote_changes_received.emit(changes)
