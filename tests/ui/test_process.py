"""The program in its own process on a virtual screen, with keys sent by xdotool."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.benchmarks.test_bilingual_files import make_job
from tests.timeouts import PATIENCE

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Xvfb and xdotool are not installed"
    ),
]

END_SIGNALS = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _default_sighup() -> Iterator[None]:
    """Do not ignore SIGHUP, even if the test run itself ignores it."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


class Screen:
    """A virtual screen for one test."""

    def __init__(self, folder: Path) -> None:
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as pipe:
            number = pipe.readline().strip()
        # the platform set for the tests does not apply to the program
        variables = {
            name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")
        }
        self.environment = {**variables, "DISPLAY": f":{number}", "QE_DESKTOP_SETTINGS": str(folder / "settings.ini")}
        self.programs: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        program = subprocess.Popen(
            [sys.executable, "-m", "qe_desktop", *arguments],
            env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.programs.append(program)
        return program

    def run_xdotool(self, *arguments: str) -> str:
        completed = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True)
        return completed.stdout.strip()

    def title(self) -> str:
        windows = self.run_xdotool("search", "--onlyvisible", "--name", "QE Desktop").split()
        return self.run_xdotool("getwindowname", windows[-1]) if windows else ""

    def wait_title(self, expected: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.title() != expected:
            is_late = time.monotonic() > deadline
            ended = [program.communicate() for program in self.programs if program.poll() is not None]
            assert not ended, f"the program ended: {ended}"
            assert not is_late, (
                f"{self.title()!r} is not {expected!r}; windows: {self.run_xdotool('search', '--name', '')}"
            )
            assert self.server.poll() is None, "the virtual screen is gone"
            # another process is polled, so there is no signal to wait for
            select_nothing(0.05)

    def keys(self, *names: str) -> None:
        windows = self.run_xdotool("search", "--onlyvisible", "--name", "QE Desktop").split()
        self.run_xdotool("windowfocus", "--sync", windows[-1])
        for name in names:
            self.run_xdotool("key", "--clearmodifiers", name)

    def close(self) -> None:
        for program in self.programs:
            if program.poll() is None:
                program.kill()
            program.communicate()
        self.server.terminate()
        self.server.wait()


def select_nothing(seconds: float) -> None:
    import select

    select.select([], [], [], seconds)


def wait_until_ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    _, err = program.communicate(timeout=PATIENCE)
    return program.returncode, err


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    virtual_screen = Screen(tmp_path)
    yield virtual_screen
    virtual_screen.close()


def test_edit_marks_the_title_and_undo_unmarks_it(screen):
    program = screen.start("demo")
    screen.wait_title("en-de – QE Desktop")
    screen.keys("Down", "Right", "l", "space")
    screen.wait_title("en-de* – QE Desktop")
    screen.keys("ctrl+z")
    screen.wait_title("en-de – QE Desktop")
    screen.keys("ctrl+q")
    assert wait_until_ended(program) == (0, "")


def test_folder_can_be_opened_and_closed(screen, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "x.mt").write_text("ein Wort\nzwei Worte hier\n")
    (folder / "x.tags").write_text("OK BAD\nOK OK OK\n")
    program = screen.start(str(folder))
    screen.wait_title("mine – QE Desktop")
    screen.keys("ctrl+w")
    screen.wait_title("QE Desktop")
    screen.keys("ctrl+q")
    assert wait_until_ended(program) == (0, "")


def test_a_missing_path_among_others_keeps_the_window_open(screen, tmp_path):
    (tmp_path / "a.mt").write_text("a b\n", encoding="utf-8")
    program = screen.start(str(tmp_path / "a.mt"), str(tmp_path / "nothing"))
    screen.wait_title("QE Desktop")
    screen.keys("ctrl+q")
    assert wait_until_ended(program) == (0, "")


@pytest.mark.parametrize("how", END_SIGNALS)
def test_termination_signals_close_the_program_cleanly(screen, how):
    program = screen.start("demo", "en-ja")
    screen.wait_title("en-ja – QE Desktop")
    program.send_signal(how)
    assert wait_until_ended(program) == (0, "")


@pytest.mark.parametrize("how", ["ctrl+q", *END_SIGNALS])
def test_program_ends_cleanly_while_it_reads_a_large_file(screen, tmp_path, how):
    job = tmp_path / "large.xlf"
    make_job(job, 20_000, seed=1)
    program = screen.start(str(job))
    screen.wait_title("QE Desktop")
    if how == "ctrl+q":
        screen.keys(how)
        assert wait_until_ended(program) == (0, "")
    else:
        program.send_signal(how)
        code, errors = wait_until_ended(program)
        # before the signal handlers are installed, the default action ends the program
        assert (code in (0, -how), errors) == (True, "")


def test_ignored_sighup_does_not_end_the_program(screen):
    """As with nohup."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        program = screen.start("demo")
    finally:
        signal.signal(signal.SIGHUP, before)
    screen.wait_title("en-de – QE Desktop")
    program.send_signal(signal.SIGHUP)
    screen.keys("Down", "Right", "l", "space")
    screen.wait_title("en-de* – QE Desktop")
    screen.keys("ctrl+z")
    screen.wait_title("en-de – QE Desktop")
    screen.keys("ctrl+q")
    assert wait_until_ended(program) == (0, "")


@pytest.mark.parametrize("how", END_SIGNALS)
@pytest.mark.parametrize("place", ["PySide6.QtCore", "qe_desktop.ui.shell.window"])
def test_signal_before_the_handlers_are_installed_ends_the_program_at_once(tmp_path, how, place):
    """Otherwise Python would raise an exception during the import of Qt and abort, or the signal would be lost."""
    code = (
        "import os, sys\n"
        "class Asks:\n"
        "    def find_spec(self, name, *rest):\n"
        f"        if name == {place!r}:\n"
        f"            os.kill(os.getpid(), {int(how)})\n"
        "sys.meta_path.insert(0, Asks())\n"
        "from qe_desktop.__main__ import run\n"
        "raise SystemExit(run([]))\n"
    )
    environment = {**os.environ, "QE_DESKTOP_SETTINGS": str(tmp_path / "s.ini"), "QT_QPA_PLATFORM": "offscreen"}
    process = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (process.returncode, process.stderr) == (-how, "")
