"""Crash handler: unexpected errors are logged and shown as a notice; a crash is reported at the next start."""

from __future__ import annotations

import contextlib
import faulthandler
import logging
import os
import signal
import sys
import threading
import traceback
from pathlib import Path
from types import FrameType, TracebackType

from PySide6.QtCore import (
    QMessageLogContext,
    QObject,
    QSocketNotifier,
    QtMsgType,
    Signal,
    Slot,
    qInstallMessageHandler,
)

from qe_desktop.escaping import escape_terminal
from qe_desktop.i18n.messages import tr
from qe_desktop.ui.preflight import install_default_handlers, termination_signals
from qe_desktop.ui.shell.notices import Message

log = logging.getLogger("qe_desktop")

MAX_LOG_BYTES = 1_000_000
"""Size of a log in bytes above which it is renamed at the next start."""
_LEVELS = {
    QtMsgType.QtDebugMsg: logging.DEBUG,
    QtMsgType.QtInfoMsg: logging.INFO,
    QtMsgType.QtWarningMsg: logging.WARNING,
    QtMsgType.QtCriticalMsg: logging.ERROR,
    QtMsgType.QtFatalMsg: logging.CRITICAL,
}


class CrashHandler(QObject):
    """Exception hooks of Python and message hook of Qt, active from `install` to `remove`."""

    error_occurred = Signal(object)
    """Emitted with a `Message` about an unexpected error."""
    interrupted = Signal(int)
    """Emitted with the signal number on Ctrl+C, when the terminal is closed, or when termination is requested."""

    def __init__(self, folder: Path, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder = folder
        self.log_file = folder / "qe-desktop.log"
        self._crash_file = folder / "crash.log"
        self._handler: logging.Handler | None = None
        self._crash_descriptor: int | None = None
        self._pipe: tuple[int, int] | None = None
        self._notifier: QSocketNotifier | None = None
        self._hooks_before = (sys.excepthook, threading.excepthook)
        self._is_removed = False

    def install(self) -> None:
        """Install the hooks; if the log folder is not writable, messages are written to the terminal only."""
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._rotate_log()
            self._handler = logging.FileHandler(self.log_file, encoding="utf-8", delay=True)
            self._crash_descriptor = os.open(self._crash_file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
            faulthandler.enable(self._crash_descriptor)
        except OSError:
            self._handler = logging.StreamHandler()
            faulthandler.enable()
        self._handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
        log.addHandler(self._handler)
        log.setLevel(logging.INFO)
        self._hooks_before = (sys.excepthook, threading.excepthook)
        sys.excepthook = self._on_exception
        threading.excepthook = self._on_thread_exception
        qInstallMessageHandler(_on_qt_message)

    @property
    def has_log_file(self) -> bool:
        """Whether messages are written to `log_file`; if not, they are written to the terminal."""
        return isinstance(self._handler, logging.FileHandler)

    def listen_to_signals(self) -> None:
        """Start to emit `interrupted` for Ctrl+C and other termination signals (POSIX only).

        Call this once the event loop is running.

        Before this call, the signals end the program immediately (see `install_default_handlers`), because there are no
        unsaved data yet.
        """
        if os.name != "posix" or self._is_removed:
            return
        # Python handles signals only between its own instructions, so a byte in this pipe wakes Qt up while it waits
        reading, writing = os.pipe()
        os.set_blocking(reading, False)
        os.set_blocking(writing, False)
        signal.set_wakeup_fd(writing, warn_on_full_buffer=False)
        self._pipe = (reading, writing)
        self._notifier = QSocketNotifier(reading, QSocketNotifier.Type.Read, self)
        self._notifier.activated.connect(self._drain)
        for number in termination_signals():
            signal.signal(number, self._on_signal)

    def remove(self) -> None:
        """Restore the previous hooks and the default signal handlers."""
        self._is_removed = True
        sys.excepthook, threading.excepthook = self._hooks_before
        qInstallMessageHandler(None)
        if self._pipe is not None:
            signal.set_wakeup_fd(-1)
            install_default_handlers()
            if self._notifier is not None:
                self._notifier.setEnabled(False)
            for end in self._pipe:
                os.close(end)
            self._pipe = None
        if self._crash_descriptor is not None:
            faulthandler.disable()
            os.close(self._crash_descriptor)
            self._crash_descriptor = None
        if self._handler is not None:
            log.removeHandler(self._handler)
            self._handler.close()

    def last_crash(self) -> Message | None:
        """Return a message about an unreported crash; None if there was no crash or the crash log cannot be copied."""
        try:
            if not self._crash_file.stat().st_size:
                return None
            copy = self._folder / "last-crash.log"
            copy.write_bytes(self._crash_file.read_bytes())
            os.truncate(self._crash_file, 0)
        except OSError:
            return None
        return Message(
            tr("The program ended unexpectedly during its last run"),
            "warning",
            advice=tr(
                "Edits are stored as you work and restored when you open the project or bilingual file again. The "
                "details can help to fix the error; they contain none of your texts."
            ),
            location=str(copy),
            is_global=True,
        )

    def _rotate_log(self) -> None:
        # if another window has the file open, Windows cannot rename it, and the file continues to grow
        with contextlib.suppress(PermissionError):
            if self.log_file.exists() and self.log_file.stat().st_size > MAX_LOG_BYTES:
                os.replace(self.log_file, self.log_file.with_suffix(".old.log"))

    def _on_exception(self, kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, KeyboardInterrupt):
            self.interrupted.emit(signal.SIGINT)
            return
        log.critical("unexpected error", exc_info=(kind, error, trace))
        where = traceback.extract_tb(trace)[-1] if trace is not None else None
        location = (
            tr("{file}, line {line}", file=Path(where.filename).name, line=where.lineno) if where is not None else ""
        )
        self.error_occurred.emit(
            Message(
                tr("Internal error ({kind}: {error})", kind=kind.__name__, error=error),
                "error",
                location=location,
                advice=self._advice(),
                is_global=True,
            )
        )

    def _advice(self) -> str:
        """Return advice after an internal error: to save soon, and where to find the details."""
        if self.has_log_file:
            return tr("You can continue, but save your work soon. The details are in {file}.", file=self.log_file)
        return tr("You can continue, but save your work soon. The details are in the terminal.")

    def _on_thread_exception(self, args: threading.ExceptHookArgs) -> None:
        if args.exc_value is not None:
            self._on_exception(args.exc_type, args.exc_value, args.exc_traceback)

    def _on_signal(self, number: int, frame: FrameType | None) -> None:
        """Do nothing: the interrupted code may hold a lock that closing needs; `_drain` handles the signal later."""

    @Slot()
    def _drain(self) -> None:
        if self._pipe is None:
            return
        # another event loop, such as that of a dialog, may have read the byte already
        with contextlib.suppress(BlockingIOError):
            numbers = os.read(self._pipe[0], 512)
            for number in numbers:
                self.interrupted.emit(number)


def _on_qt_message(kind: QtMsgType, context: QMessageLogContext, text: str) -> None:
    logging.getLogger("qe_desktop.qt").log(_LEVELS.get(kind, logging.WARNING), "%s", text)
    if kind == QtMsgType.QtFatalMsg:
        print(f"qe-desktop: {escape_terminal(text)}", file=sys.stderr)
