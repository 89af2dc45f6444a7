"""How the window goes: hidden once every question is answered, and what still runs comes to its end."""

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
from tests.patience import PATIENCE


class Hides(QObject):
    """Tells a thread when something is hidden."""

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


def test_the_window_is_hidden_before_what_runs_is_waited_for(shell, qtbot):
    hides, begun, found = Hides(shell), threading.Event(), []

    def work(progress):
        # as a write does, which ends once it has begun; it ends in time only where the window is gone before
        begun.set()
        found.append(hides.seen.wait(PATIENCE))

    shell.jobs.submit("write", work)
    assert begun.wait(PATIENCE)
    assert shell.close()
    assert found == [True]
    assert shell.jobs.close(0)


def test_the_window_stays_as_long_as_somebody_objects(shell):
    hides = Hides(shell)
    asked = []

    def guard():
        asked.append((shell.isVisible(), hides.seen.is_set()))
        return len(asked) > 1

    shell.add_close_guard(guard)
    assert not shell.close()
    assert shell.isVisible()
    assert shell.close()
    assert asked == [(True, False), (True, False)]
    assert not shell.isVisible()


def test_whoever_closes_twice_is_asked_once(shell):
    asked = []

    def guard():
        asked.append(True)
        # as a question does, during which the window is told to close once more
        shell.close()
        return True

    shell.add_close_guard(guard)
    closed = []
    shell.closed.connect(lambda: closed.append(True))
    assert shell.close()
    assert shell.close()
    assert asked == closed == [True]


NESTED_LOOPS = {
    "ui/app.py": "the program itself",
    "ui/rate/ranking/rank_drop_list.py": "drag and drop, which returns its result",
    "ui/widgets/file_dialog.py": "as the static functions of QFileDialog",
    "ui/widgets/dialogs.py": "as the static functions of QInputDialog; never asked while something closes",
}
"""Modules that may call `exec`, and why."""


def test_no_event_loop_runs_within_another_but_for_those_named():
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
def test_a_terminal_that_says_twice_that_it_is_closed_ends_nothing_that_is_asked_about(shell, monkeypatch):
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
def test_a_signal_is_heard_by_the_event_loop_and_not_where_it_comes(qtbot, tmp_path):
    """It may come while a lock is held that closing would wait for, such as that of the threads' queue."""
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    failures, heard = CrashHandler(tmp_path), []
    failures.interrupted.connect(heard.append)
    failures.listen_to_signals()
    try:
        signal.raise_signal(signal.SIGTERM)
        assert heard == []
        qtbot.waitUntil(lambda: heard == [signal.SIGTERM], timeout=round(PATIENCE * 1000))
    finally:
        failures.remove()
        for number, handler in before.items():
            signal.signal(number, handler)
