"""Settings for all tests: no display, no network, separate settings, and no jobs or windows left at the end."""

from __future__ import annotations

import gc
import os
import socket
import sys
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

# imported before numpy, so that BLAS uses one thread, as in the program
import qe_desktop
from tests import random_examples
from tests.timeouts import MILLISECONDS, PATIENCE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QApplication, QWidget

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
FONTS = Path(__file__).parent / "fonts" / "fonts.conf"
# text measurements are equal on all machines with DejaVu; a FONTCONFIG_FILE that is set takes precedence
if any("DejaVuSans.ttf" in files for folder in FOLDERS for _, _, files in os.walk(folder)):
    os.environ.setdefault("FONTCONFIG_FILE", str(FONTS))


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()
    if random_examples.ROUNDS:
        config.pluginmanager.register(random_examples.Rounds())
    # all waits for a signal, a condition or a window have the same timeout
    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
        wait.__kwdefaults__["timeout"] = MILLISECONDS
    # the offscreen platform warns about windows with a minimum size and about popups, which is harmless
    config.addinivalue_line("qt_log_ignore", r"This plugin does not support (propagateSizeHints|raise|grabbing)")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Destroy widgets that a test left on this thread, as in the program, and not on the thread of a job."""
    gc.disable()
    has_widgets = not {"qtbot", "qapp"}.isdisjoint(getattr(item, "fixturenames", ()))
    if not has_widgets and gc.get_count()[0] < FEW_OBJECTS:
        return
    is_full = next(_ended) % 2000 == 0
    if is_full:
        gc.unfreeze()
    gc.collect(2 if is_full else 1)
    # objects that outlive a test are excluded from later collections, which take seconds with a million objects
    gc.freeze()


_ended = count(1)
FEW_OBJECTS = 100_000
"""Number of new objects below which a test without widgets is not followed by a collection."""


def pytest_unconfigure() -> None:
    """Clear the clipboard.

    The offscreen platform deletes its data after Python has ended, which crashes if a copied object was made in Python.
    With a display, the clipboard ends with the application, before Python.
    """
    if "PySide6.QtGui" in sys.modules:
        from PySide6.QtGui import QGuiApplication

        if QGuiApplication.instance() is not None:
            QGuiApplication.clipboard().clear()


def pytest_report_header() -> str:
    drawn = f", random examples from SEED={random_examples.SEED}" if random_examples.ROUNDS else ""
    return f"qe-desktop {qe_desktop.__version__}{drawn}, fonts of {os.environ.get('FONTCONFIG_FILE', 'this machine')}"


@pytest.fixture(autouse=True)
def _isolated_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep tests away from the user's settings, recent files and logs."""
    monkeypatch.setenv("QE_DESKTOP_SETTINGS", str(tmp_path / "settings" / "settings.ini"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(autouse=True)
def _common_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make terminal output independent of the terminal that runs the tests."""
    monkeypatch.setenv("TERM", "xterm")
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fail tests that connect to the network; Unix sockets are allowed."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(scope="session")
def qapp(qapp: QApplication) -> QApplication:
    """Application with the style of the program, whichever test runs first."""
    from qe_desktop.ui import theme

    theme.apply(qapp, "light")
    return qapp


@pytest.fixture(autouse=True)
def _check_nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail tests that leave a job running or a window open."""
    if not {"qtbot", "qapp"} & set(request.fixturenames):
        yield
        return
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from qe_desktop.ui.jobs import JobRunner

    app = request.getfixturevalue("qapp")
    before = QApplication.topLevelWidgets()
    yield
    running = [job.name for jobs in list(JobRunner.alive) for job in jobs.running_jobs()]
    ended = [jobs.close(PATIENCE) for jobs in list(JobRunner.alive)]
    # process deferred deletions, as the event loop would
    app.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    left = _new_windows(before)
    if left:
        gc.collect()
        left = _new_windows(before)
    assert not running, f"still running at the end of the test: {running}"
    assert all(ended), "a job did not end when it was cancelled"
    assert not left, f"windows left at the end of the test: {left}"


def _new_windows(before: list[QWidget]) -> list[str]:
    from PySide6.QtWidgets import QApplication

    left = [widget for widget in QApplication.topLevelWidgets() if widget not in before]
    return [f"{type(widget).__name__} {widget.objectName()}".strip() for widget in left]


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of published data from QE_DESKTOP_DATA, for tests marked `published`."""
    variable = os.environ.get("QE_DESKTOP_DATA")
    if not variable:
        pytest.skip("QE_DESKTOP_DATA names no folder of published data")
    folder = Path(variable)
    assert folder.is_dir(), f"QE_DESKTOP_DATA is not a folder: {folder}"
    return folder.resolve()
