"""Processes of external QE commands: progress, time limit, output limit, termination and removal of files."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from qe_desktop.corpus import QeError
from qe_desktop.local_qe.external import process
from qe_desktop.local_qe.external.command_runner import run_command
from tests.local_qe.external.commands import CORPUS, code_writing, only_layer
from tests.timeouts import wait_until

pytestmark = pytest.mark.process


def test_a_command_runs_in_an_empty_folder_that_is_removed_afterwards(make_command, tmp_path):
    folder_name = tmp_path / "seen"
    code = f"assert os.listdir() == []; open('junk', 'w').close()\nopen({str(folder_name)!r}, 'w').write(os.getcwd())\n"
    run_command(make_command(code + code_writing("1\n2\n")), CORPUS)
    assert not Path(folder_name.read_text()).exists()


@pytest.mark.skipif(os.name != "posix", reason="locks of POSIX")
def test_files_left_by_a_killed_program_are_removed_by_the_next_run(make_command, tmp_path, monkeypatch):
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setenv("TMPDIR", str(temporary))
    monkeypatch.setattr(tempfile, "tempdir", None)
    command = make_command("print('1/4', file=sys.stderr)\nsys.stderr.flush()\ntime.sleep(600)")
    program = f"""
import os, signal
from qe_desktop.local_qe.external.command_runner import run_command
from qe_desktop.local_qe.external.command import QeCommand
from tests.local_qe.external.commands import CORPUS
def follow(share, text):
    if share:
        os.kill(os.getpid(), signal.SIGKILL)
run_command({command!r}, CORPUS, follow)
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3], check=False).returncode < 0
    assert list(temporary.rglob("mt.txt"))
    run_command(make_command(code_writing("1\n2\n")), CORPUS)
    assert list(temporary.iterdir()) == []


def wait_until_ended(pids: Path, first: int = 0) -> None:
    """Wait until the processes whose ids are in a file have ended, which takes a moment after a kill."""
    for pid in pids.read_text().split()[first:]:
        wait_until(lambda pid=pid: has_ended(int(pid)), "a process outlived the command")


def has_ended(pid: int) -> bool:
    """Return whether a process does not exist or is a zombie."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return True
    return state == "Z"


CHILD = """
import subprocess
child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
open(PIDS, "w").write(f"{os.getpid()} {child.pid}")
print("1/4", file=sys.stderr)
time.sleep(600)
"""


class StopError(Exception):
    pass


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
@pytest.mark.parametrize("ignores", [False, True])
def test_stopping_ends_a_command_and_its_child_processes(make_command, tmp_path, ignores, monkeypatch):
    monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.5)
    pids = tmp_path / "pids"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n" if ignores else ""
    progress: list[tuple[float, str]] = []

    def follow(share: float, text: str) -> None:
        progress.append((share, text))
        if share:
            raise StopError

    with pytest.raises(StopError):
        run_command(make_command(code + CHILD.replace("PIDS", repr(str(pids)))), CORPUS, follow)
    assert progress[-1] == (0.25, "1 of 4")
    wait_until_ended(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_a_command_ends_if_this_program_is_killed(make_command, tmp_path):
    """Its child processes end, too, even if they ignore SIGTERM."""
    pids = tmp_path / "pids"
    code = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    make_command(code + CHILD.replace("PIDS", repr(str(pids))))
    kill_while_it_runs(tmp_path, pids)
    wait_until_ended(pids)


def kill_while_it_runs(tmp_path: Path, pids: Path) -> None:
    """Run the system in a process that is killed once the ids of two processes are in a file."""
    out = tmp_path / "out"
    code = (
        "from pathlib import Path\nfrom qe_desktop.local_qe.external.process import run_process\n"
        f"run_process([{sys.executable!r}, {str(tmp_path / 'a system.py')!r}], Path({str(tmp_path)!r}), "
        f"Path({str(out)!r}), 0, 600, lambda share, text: None)\n"
    )
    running = subprocess.Popen([sys.executable, "-c", code])
    try:
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
    finally:
        running.kill()
        running.wait()


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_a_command_ends_if_this_program_is_killed_while_it_starts_it(make_command, tmp_path):
    pids = tmp_path / "pids"
    make_command(CHILD.replace("PIDS", repr(str(pids))))
    program = f"""
import os, signal, subprocess
from pathlib import Path
from qe_desktop.local_qe.external.process import run_process
from tests.timeouts import wait_until

start, pids = subprocess.Popen, Path({str(pids)!r})
def start_and_die(arguments, **options):
    started = start(arguments, **options)
    if arguments[0] == {sys.executable!r}:
        wait_until(lambda: pids.exists() and len(pids.read_text().split()) == 2)
        os.kill(os.getpid(), signal.SIGKILL)
    return started

subprocess.Popen = start_and_die
command = [{sys.executable!r}, {str(tmp_path / "a system.py")!r}]
run_process(command, Path({str(tmp_path)!r}), Path({str(tmp_path / "out")!r}), 0, 600, lambda share, text: None)
"""
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[3], check=False).returncode < 0
    wait_until_ended(pids)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="asks /proc who runs")
def test_the_time_limit_ends_a_command(make_command, tmp_path):
    pids = tmp_path / "pids"
    command = make_command(CHILD.replace("PIDS", repr(str(pids))), minutes=3 / 60)
    with pytest.raises(QeError, match=r"mine: stopped after the time limit of 0\.05 minutes") as error:
        run_command(command, CORPUS)
    assert "in Preferences" in error.value.hint
    assert "--minutes" in error.value.command_hint
    if pids.exists():
        wait_until_ended(pids)


def test_a_command_that_writes_too_much_is_stopped(make_command, monkeypatch):
    monkeypatch.setattr(process, "MAX_OUTPUT_BYTES", 1000)
    code = code_writing("1\n" * 1000) + "\ntime.sleep(600)\n"
    with pytest.raises(QeError, match="mine: stopped because it wrote more than 1,000 bytes") as error:
        run_command(make_command(code), CORPUS)
    assert "one line per segment" in error.value.hint
    assert "time limit" not in error.value.hint


@pytest.mark.skipif(os.name == "nt", reason="groups of processes of POSIX")
def test_processes_that_outlive_a_command_are_ended(make_command, tmp_path):
    pids = tmp_path / "pids"
    code = CHILD.replace("PIDS", repr(str(pids))).replace("time.sleep(600)\n", code_writing("1\n2\n") + "\n", 2)
    code = code.replace("import time; " + code_writing("1\n2\n"), "import time; time.sleep(600)")
    assert only_layer(run_command(make_command(code), CORPUS)).scores.tolist() == [1, 2]
    wait_until_ended(pids, first=1)


SESSION = """
import subprocess
ready, write = os.pipe()
code = (
    "import os, time; os.fork() and os._exit(0); os.setsid(); "
    "open(PIDS, 'a').write(f'{os.getpid()} '); os.write(1, b'x'); time.sleep(600)"
)
child = subprocess.Popen([sys.executable, "-c", code], stdout=write, start_new_session=True)
os.read(ready, 1)
open(PIDS, "a").write(str(os.getpid()))
print("1/4", file=sys.stderr)
"""
"""Code that starts a process in a separate session, whose parent has ended."""


@pytest.mark.skipif(not Path("/proc/self/environ").exists(), reason="asks /proc who runs")
@pytest.mark.parametrize("end", ["stopped", "late", "done", "killed"])
def test_descendants_in_separate_sessions_are_ended(make_command, tmp_path, end, monkeypatch):
    monkeypatch.setattr(process, "TERMINATE_SECONDS", 0.5)
    pids = tmp_path / "pids"
    code = SESSION.replace("PIDS", repr(str(pids)))

    def follow(share: float, text: str) -> None:
        if share and end == "stopped":
            raise StopError

    if end == "done":
        assert only_layer(run_command(make_command(code + code_writing("1\n2\n")), CORPUS)).scores.tolist() == [1, 2]
    elif end == "stopped":
        with pytest.raises(StopError):
            run_command(make_command(code + "time.sleep(600)\n"), CORPUS, follow)
    elif end == "late":
        with pytest.raises(QeError, match="stopped after the time limit"):
            run_command(make_command(code + "time.sleep(600)\n", minutes=4 / 60), CORPUS)
    else:
        make_command(code + "time.sleep(600)\n")
        kill_while_it_runs(tmp_path, pids)
    # under load, the time limit may end before a process is started
    if end != "late" or pids.exists():
        wait_until_ended(pids)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes with names are of POSIX")
def test_counting_lines_does_not_block_on_a_pipe(tmp_path):
    os.mkfifo(tmp_path / "out")
    assert process._LineCounter(tmp_path / "out").count() == 0


def test_progress_is_the_number_of_lines_written(make_command):
    code = """
    with open(out, "w") as file:
        file.write("1\\n"); file.flush()
        while not os.path.exists(os.path.join(os.path.dirname(out), "go")): time.sleep(0.01)
        file.write("2\\n")
    """
    command = make_command(code)
    progress = []

    def follow(share: float, text: str) -> None:
        progress.append((share, text))
        if share:
            (folders[0] / "go").touch()

    folders = []
    run_process = process.run_process

    def record_folder(arguments, folder, out, lines, seconds, follow):
        folders.append(out.parent)
        return run_process(arguments, folder, out, lines, seconds, follow)

    from qe_desktop.local_qe.external import command_runner

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(command_runner, "run_process", record_folder)
        assert only_layer(run_command(command, CORPUS, follow)).scores.tolist() == [1, 2]
    assert (0.5, "1 line written") in progress


def test_reading_the_result_can_be_stopped(make_command):
    class Stopped(Exception):
        pass

    def follow(share: float, text: str) -> None:
        if text == "reading the result":
            raise Stopped

    with pytest.raises(Stopped):
        run_command(make_command(code_writing("OK OK OK OK\nOK\n")), CORPUS, follow)
