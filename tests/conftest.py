"""What holds for every test: no display, no network, settings of its own, and nothing left running."""

from __future__ import annotations

import gc
import os
import socket
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pytestqt.qtbot import QtBot

# before anything that brings numpy, so that BLAS has the one thread here that it has in the program
import qe_desktop
from tests import random_examples
from tests.patience import MILLISECONDS, PATIENCE

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
FOLDERS = ("/usr/share/fonts", "/usr/local/share/fonts")
FONTS = Path(__file__).parent / "fonts" / "fonts.conf"
# what is measured in text is the same on every machine that has DejaVu; a FONTCONFIG_FILE that is set asks for others
if any("DejaVuSans.ttf" in files for folder in FOLDERS for _, _, files in os.walk(folder)):
    os.environ.setdefault("FONTCONFIG_FILE", str(FONTS))


def pytest_configure(config: pytest.Config) -> None:
    gc.disable()
    if random_examples.ROUNDS:
        config.pluginmanager.register(random_examples.Rounds())
    # every wait for a signal, a condition or a window ends as late as all others do
    for wait in (QtBot.waitUntil, QtBot.waitSignal, QtBot.waitSignals, QtBot.waitExposed, QtBot.waitActive):
        wait.__kwdefaults__["timeout"] = MILLISECONDS
    # the offscreen platform says so of every window that has a least size or pops up, and nothing is wrong with that
    config.addinivalue_line("qt_log_ignore", r"This plugin does not support (propagateSizeHints|raise|grabbing)")


@pytest.hookimpl(trylast=True)
def pytest_runtest_teardown(item: pytest.Item) -> None:
    """Widgets that a test left are destroyed on this thread, as in the program, and on no job's."""
    gc.disable()
    has_widgets = not {"qtbot", "qapp"}.isdisjoint(getattr(item, "fixturenames", ()))
    if not has_widgets and gc.get_count()[0] < FEW_OBJECTS:
        return
    whole = next(_ended) % 2000 == 0
    if whole:
        gc.unfreeze()
    gc.collect(2 if whole else 1)
    # what outlives a test is not looked through by each later collection: with a million objects that takes seconds
    gc.freeze()


_ended = count(1)
FEW_OBJECTS = 100_000
"""Fewer new objects than this are not worth a collection after a test without widgets."""


def pytest_report_header() -> str:
    drawn = f", random examples from SEED={random_examples.SEED}" if random_examples.ROUNDS else ""
    return f"qe-desktop {qe_desktop.__version__}{drawn}"


@pytest.fixture(autouse=True)
def _own_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No test reads or writes a person's settings, recent files or logs."""
    monkeypatch.setenv("QE_DESKTOP_SETTINGS", str(tmp_path / "settings" / "settings.ini"))
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "config"))


@pytest.fixture(autouse=True)
def _common_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is written to a terminal does not depend on the one from which the tests are run."""
    monkeypatch.setenv("TERM", "xterm")
    for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR", "TTY_COMPATIBLE", "TTY_INTERACTIVE"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture(autouse=True)
def _no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test that reaches for the network fails; sockets within this machine are left alone."""
    connect = socket.socket.connect

    def refuse(self: socket.socket, address: object) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6):
            raise AssertionError(f"a test tried to reach {address}")
        connect(self, address)

    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.fixture(autouse=True)
def _nothing_left(request: pytest.FixtureRequest) -> Iterator[None]:
    """A test that leaves a job running, or a window that the next test would see, fails."""
    if not {"qtbot", "qapp"} & set(request.fixturenames):
        yield
        return
    from PySide6.QtCore import QEvent
    from PySide6.QtWidgets import QApplication

    from qe_desktop.ui.jobs import JobRunner

    app = request.getfixturevalue("qapp")
    before = QApplication.topLevelWidgets()
    yield
    running = [job.name for jobs in list(JobRunner.alive) for job in jobs.running()]
    ended = [jobs.close(PATIENCE) for jobs in list(JobRunner.alive)]
    # what is about to be deleted is deleted now, as the event loop would do
    app.sendPostedEvents(None, int(QEvent.Type.DeferredDelete.value))
    left = _others(before)
    if left:
        gc.collect()
        left = _others(before)
    assert not running, f"still running at the end of the test: {running}"
    assert all(ended), "a job did not end when it was cancelled"
    assert not left, f"windows left at the end of the test: {left}"


def _others(before: list[QWidget]) -> list[str]:
    from PySide6.QtWidgets import QApplication

    left = [widget for widget in QApplication.topLevelWidgets() if widget not in before]
    return [f"{type(widget).__name__} {widget.objectName()}".strip() for widget in left]


@pytest.fixture(scope="session")
def data_folder() -> Path:
    """The folder of published data that QE_DESKTOP_DATA names; tests that need it are marked `published`."""
    named = os.environ.get("QE_DESKTOP_DATA")
    if not named:
        pytest.skip("QE_DESKTOP_DATA names no folder of published data")
    folder = Path(named)
    assert folder.is_dir(), f"QE_DESKTOP_DATA is no folder: {folder}"
    return folder.resolve()
