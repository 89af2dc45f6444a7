"""The real process on a virtual screen, with keys sent from outside."""

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

from tests.benchmarks.test_translators_files import make_job
from tests.patience import PATIENCE

pytestmark = [
    pytest.mark.process,
    pytest.mark.skipif(
        not (shutil.which("Xvfb") and shutil.which("xdotool")), reason="Xvfb and xdotool are not installed"
    ),
]

ASKED = [signal.SIGINT, signal.SIGTERM, signal.SIGHUP]


@pytest.fixture(autouse=True)
def _heard() -> Iterator[None]:
    """Programs mind that their terminal is closed, also where these tests are run by something that does not."""
    before = signal.signal(signal.SIGHUP, signal.SIG_DFL)
    yield
    signal.signal(signal.SIGHUP, before)


class Screen:
    """A virtual screen of its own."""

    def __init__(self, folder: Path) -> None:
        reading, writing = os.pipe()
        self.server = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), "-screen", "0", "1280x800x24", "-nolisten", "tcp", "-noreset"],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        os.close(writing)
        with os.fdopen(reading) as told:
            number = told.readline().strip()
        # pytest's own platform is not the program's
        kept = {name: value for name, value in os.environ.items() if name not in ("QT_QPA_PLATFORM", "WAYLAND_DISPLAY")}
        self.environment = {**kept, "DISPLAY": f":{number}", "QE_DESKTOP_SETTINGS": str(folder / "settings.ini")}
        self.programs: list[subprocess.Popen[str]] = []

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        program = subprocess.Popen(
            [sys.executable, "-m", "qe_desktop", *arguments],
            env=self.environment, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        )  # fmt: skip
        self.programs.append(program)
        return program

    def tool(self, *arguments: str) -> str:
        done = subprocess.run(["xdotool", *arguments], env=self.environment, capture_output=True, text=True)
        return done.stdout.strip()

    def title(self) -> str:
        windows = self.tool("search", "--onlyvisible", "--name", "QE Desktop").split()
        return self.tool("getwindowname", windows[-1]) if windows else ""

    def wait_title(self, wanted: str) -> None:
        deadline = time.monotonic() + PATIENCE
        while self.title() != wanted:
            late = time.monotonic() > deadline
            ended = [program.communicate() for program in self.programs if program.poll() is not None]
            assert not ended, f"the program ended: {ended}"
            assert not late, f"{self.title()!r} is not {wanted!r}; windows: {self.tool('search', '--name', '')}"
            assert self.server.poll() is None, "the virtual screen is gone"
            # another process is watched, so there is no signal to wait for
            select_nothing(0.05)

    def keys(self, *names: str) -> None:
        windows = self.tool("search", "--onlyvisible", "--name", "QE Desktop").split()
        self.tool("windowfocus", "--sync", windows[-1])
        for name in names:
            self.tool("key", "--clearmodifiers", name)

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


def ended(program: subprocess.Popen[str]) -> tuple[int, str]:
    _, err = program.communicate(timeout=PATIENCE)
    return program.returncode, err


@pytest.fixture
def screen(tmp_path: Path) -> Iterator[Screen]:
    one = Screen(tmp_path)
    yield one
    one.close()


def test_an_edit_marks_the_title_and_undo_unmarks_it(screen):
    program = screen.start("demo")
    screen.wait_title("en-de – QE Desktop")
    screen.keys("Down", "Right", "space")
    screen.wait_title("en-de* – QE Desktop")
    screen.keys("ctrl+z")
    screen.wait_title("en-de – QE Desktop")
    screen.keys("ctrl+q")
    assert ended(program) == (0, "")


def test_a_folder_opens_and_closes_again(screen, tmp_path):
    folder = tmp_path / "mine"
    folder.mkdir()
    (folder / "x.mt").write_text("ein Wort\nzwei Worte hier\n")
    (folder / "x.tags").write_text("OK BAD\nOK OK OK\n")
    program = screen.start(str(folder))
    screen.wait_title("mine – QE Desktop")
    screen.keys("ctrl+w")
    screen.wait_title("QE Desktop")
    screen.keys("ctrl+q")
    assert ended(program) == (0, "")


def test_a_path_that_is_not_there_keeps_the_window(screen, tmp_path):
    program = screen.start(str(tmp_path / "nothing"))
    screen.wait_title("QE Desktop")
    screen.keys("ctrl+q")
    assert ended(program) == (0, "")


@pytest.mark.parametrize("how", ASKED)
def test_ctrl_c_and_its_like_end_it_politely(screen, how):
    program = screen.start("demo", "en-ja")
    screen.wait_title("en-ja – QE Desktop")
    program.send_signal(how)
    assert ended(program) == (0, "")


@pytest.mark.parametrize("how", ["ctrl+q", *ASKED])
def test_it_ends_in_order_while_it_reads_a_large_file(screen, tmp_path, how):
    job = tmp_path / "large.xlf"
    make_job(job, 20_000, seed=1)
    program = screen.start(str(job))
    screen.wait_title("QE Desktop")
    if how == "ctrl+q":
        screen.keys(how)
        assert ended(program) == (0, "")
    else:
        program.send_signal(how)
        code, said = ended(program)
        # before the window listens it ends as any program does
        assert (code in (0, -how), said) == (True, "")


def test_a_terminal_that_is_closed_ends_no_program_that_was_told_not_to_mind(screen):
    """As nohup says."""
    before = signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        program = screen.start("demo")
    finally:
        signal.signal(signal.SIGHUP, before)
    screen.wait_title("en-de – QE Desktop")
    program.send_signal(signal.SIGHUP)
    screen.keys("Down", "Right", "space")
    screen.wait_title("en-de* – QE Desktop")
    screen.keys("ctrl+z")
    screen.wait_title("en-de – QE Desktop")
    screen.keys("ctrl+q")
    assert ended(program) == (0, "")


@pytest.mark.parametrize("how", ASKED)
@pytest.mark.parametrize("place", ["PySide6.QtCore", "qe_desktop.ui.shell.window"])
def test_a_program_that_is_asked_to_end_before_it_listens_ends_at_once(tmp_path, how, place):
    """Python would raise an exception amid importing Qt, which aborts there; or nobody would hear it."""
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
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (-how, "")
