"""Closing the window: it is hidden after all questions are answered, and running jobs end afterwards."""

from __future__ import annotations

import os
import re
import signal
import threading
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, QObject

import qe_desktop
from qe_desktop.ui.app import _InterruptHandler
from qe_desktop.ui.settings import Settings
from qe_desktop.ui.shell.crash_handler import CrashHandler
from qe_desktop.ui.shell.window import Shell
from tests.timeouts import PATIENCE


class HideWatcher(QObject):
    """Event filter that sets a thread event when a widget is hidden."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self.seen = threading.Event()
        parent.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Hide:
            self.seen.set()
        return False


@pytest.fixture
def shell(qtbot):
    shell = Shell(Settings())
    qtbot.addWidget(shell)
    shell.show()
    return shell


def test_window_is_hidden_before_running_jobs_are_awaited(shell, qtbot):
    watcher, started, hidden = HideWatcher(shell), threading.Event(), []

    def work(progress):
        # like a write: once started, it runs to its end; this one ends in time only if the window is hidden first
        started.set()
        hidden.append(watcher.seen.wait(PATIENCE))

    shell.jobs.submit("write", work)
    assert started.wait(PATIENCE)
    assert shell.close()
    assert hidden == [True]
    assert shell.jobs.close(0)


def test_window_stays_open_while_a_close_guard_refuses(shell):
    watcher = HideWatcher(shell)
    guard_calls = []

    def guard():
        guard_calls.append((shell.isVisible(), watcher.seen.is_set()))
        return len(guard_calls) > 1

    shell.add_close_guard(guard)
    assert not shell.close()
    assert shell.isVisible()
    assert shell.close()
    assert guard_calls == [(True, False), (True, False)]
    assert not shell.isVisible()


def test_closing_twice_asks_once(shell):
    guard_calls = []

    def guard():
        guard_calls.append(True)
        # like a question box, during which the window is closed again
        shell.close()
        return True

    shell.add_close_guard(guard)
    closed = []
    shell.closed.connect(lambda: closed.append(True))
    assert shell.close()
    assert shell.close()
    assert guard_calls == closed == [True]


NESTED_LOOPS = {
    "ui/app.py": "the program itself",
    "ui/rate/cards/rank_slots.py": "drag and drop, which returns its result",
    "ui/widgets/dialogs.py": "dialogs that no saver opens on closing: savers use `FileDialog.open_save_dialog`",
}
"""Modules that may call `exec`, with the reasons."""


def test_nested_event_loops_are_used_only_in_listed_modules():
    package = Path(qe_desktop.__file__).parent
    nested = set()
    for path in package.rglob("*.py"):
        text = path.read_text()
        assert "QEventLoop" not in text, path
        assert "processEvents" not in text, path
        if re.search(r"\.exec(_)?\(", text):
            nested.add(path.relative_to(package).as_posix())
    assert nested == set(NESTED_LOOPS)


@pytest.mark.skipif(os.name != "posix", reason="no terminal says there that it is closed")
def test_second_sighup_does_not_end_a_program_that_asks_a_question(shell, monkeypatch):
    ended = []
    monkeypatch.setattr(os, "_exit", ended.append)
    ending = _InterruptHandler(shell)

    after = []

    def guard():
        if after:
            return True
        for number in (signal.SIGHUP, signal.SIGINT):
            ending.end(number)
            after.append(list(ended))
        return False

    shell.add_close_guard(guard)
    ending.end(signal.SIGHUP)
    assert after == [[], [130]]
    assert shell.isVisible()


@pytest.mark.skipif(os.name != "posix", reason="signals as POSIX has them")
def test_signal_is_handled_in_the_event_loop(qtbot, tmp_path):
    """A signal may arrive while a thread holds a lock that closing waits for, such as the lock of the job queue."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    crash_handler, received = CrashHandler(tmp_path), []
    crash_handler.interrupted.connect(received.append)
    crash_handler.listen_to_signals()
    try:
        signal.raise_signal(signal.SIGTERM)
        assert received == []
        qtbot.waitUntil(lambda: received == [signal.SIGTERM], timeout=round(PATIENCE * 1000))
    finally:
        crash_handler.remove()
        for number, handler in before.items():
            signal.signal(number, handler)
