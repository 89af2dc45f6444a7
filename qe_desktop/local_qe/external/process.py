"""Subprocess runner: no shell, separate process group, bounded output, a time limit, and reliable termination.

Where there is `/proc` (Linux), descendants in separate sessions are ended too, unless the variable that marks them has
been removed from their environment, as by `env -i`. To find descendants without the variable, this process would have
to adopt all orphans, and would then also have to wait for the orphans of Qt and of the desktop.

The program and its children are ended when the job is cancelled, on Ctrl+C, and when the window closes. If a shell is
available as a watchdog, they are also ended when this process crashes.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from qe_desktop.corpus import Fault, QeError, SourceLocation
from qe_desktop.corpus.progress import OnStep
from qe_desktop.escaping import escape_invisible
from qe_desktop.formats.files import open_regular
from qe_desktop.i18n.messages import tr

WATCHDOG_SHELL = Path("/bin/sh")
# stdin of the script: one line with the program's process group, and the end of input when this process exits
WATCHDOG_SCRIPT = r"""
read -r group && read -r line && exit
test -z "$group" || kill -s KILL -- "-$group"
# processes in sessions of their own have the variable in their environment; further rounds find processes that these
# started in the meantime, and processes that were just being started and did not have the variable yet
for round in 1 2 3 4 5; do
  marked=$(grep -ls -- "$1=" /proc/[0-9]*/environ)
  for name in $marked; do name=${name#/proc/}; kill -s KILL "${name%%/*}"; done
  test -n "$marked" || test "$round" = 1 || exit
  test -n "$marked" || sleep 1
done
"""


@contextlib.contextmanager
def watchdog(mark: str) -> Iterator[Callable[[int], None]]:
    """Context manager of a watchdog process that kills all marked processes (POSIX) if this process dies.

    The watchdog is started before the program. The yielded function passes the process group of the program to the
    watchdog, so that this group is killed, too. Processes of other groups are found only where there is `/proc`
    (Linux). If the watchdog cannot be started, the program runs without a watchdog.
    """
    watcher = _start_watchdog(mark)

    def set_group(group: int) -> None:
        if watcher is not None and watcher.stdin is not None:
            # another process may have killed the watchdog
            with contextlib.suppress(OSError):
                watcher.stdin.write(b"%d\n" % group)
                watcher.stdin.flush()

    try:
        yield set_group
    finally:
        if watcher is not None:
            # killed before its pipe is closed, because the watchdog kills the group when its input ends
            watcher.kill()
            watcher.wait()
            if watcher.stdin is not None:
                with contextlib.suppress(OSError):
                    watcher.stdin.close()


def _start_watchdog(mark: str) -> subprocess.Popen[bytes] | None:
    if sys.platform == "win32" or not WATCHDOG_SHELL.exists():
        return None
    try:
        # in a separate session, out of reach of Ctrl+C
        return subprocess.Popen(
            [str(WATCHDOG_SHELL), "-c", WATCHDOG_SCRIPT, "qe-desktop", mark], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, cwd="/",
        )  # fmt: skip
    except OSError:
        return None


_MARK_PREFIX = "QE_DESKTOP_COMMAND_"
_PROC_FOLDER = Path("/proc")
MAX_KILL_ROUNDS = 20
"""Maximum number of searches for descendants; descendants started during a search are found by the next one."""


def new_mark() -> str:
    """Return a unique name for an environment variable that marks the processes of a program.

    Nested runs mark their processes with variables of other names.
    """
    return _MARK_PREFIX + secrets.token_hex(8)


def marked_processes(mark: str) -> list[int]:
    """Ids of running processes, other than this one, with `mark` in their environment; empty without `/proc`."""
    ids: list[int] = []
    prefix = f"{mark}=".encode()
    try:
        names = [name for name in os.listdir(_PROC_FOLDER) if name.isdigit()]
    except OSError:
        return ids
    for name in names:
        # another user's process, or it has already ended
        with contextlib.suppress(OSError):
            environment = (_PROC_FOLDER / name / "environ").read_bytes()
            if any(entry.startswith(prefix) for entry in environment.split(b"\0")):
                ids.append(int(name))
    own_id = os.getpid()
    return [number for number in ids if number != own_id]


def send_signal(mark: str, number: signal.Signals) -> bool:
    """Send a signal to all marked processes; return whether there were any."""
    processes = marked_processes(mark)
    for process in processes:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)
    return bool(processes)


def kill_all(mark: str) -> None:
    """Kill all marked processes, including those started in the meantime, in at most `MAX_KILL_ROUNDS` searches."""
    for _ in range(MAX_KILL_ROUNDS):
        if not send_signal(mark, signal.SIGKILL):
            return


MAX_TAIL_BYTES = 1 << 16
"""Maximum number of bytes that are kept from the end of stdout, and from the end of stderr."""
MAX_TAIL_LINES = 20
"""Maximum number of output lines in a `ProcessResult`."""
MAX_TAIL_LINE_CHARS = 400
MAX_OUTPUT_BYTES = 1 << 31
"""Maximum size of a program's result file, in bytes."""
POLL_SECONDS = 0.05
"""Seconds between two progress checks."""
TERMINATE_SECONDS = 2.0
"""Maximum time, in seconds, that a program may take to exit after the request to terminate."""
_PROGRESS_COUNT = re.compile(rb"(?<![\d./])(\d{1,9})/(\d{1,9})(?![\d./])")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

_NEW_GROUP_FLAG = "CREATE_NEW_PROCESS_GROUP"
"""Name of the flag in `subprocess` for a new process group on Windows; other systems start a new session instead."""
_running: dict[subprocess.Popen[bytes], str] = {}
"""Running programs, with the variables that mark their processes (`new_mark`)."""


@dataclass(frozen=True, slots=True)
class ProcessResult:
    """Result of a program: exit code, duration in seconds, and its last output (see `last_output`).

    On POSIX systems, a negative exit code is the number of the signal that ended the program.
    """

    code: int
    seconds: float
    output: tuple[str, ...]


def run_process(
    arguments: Sequence[str], folder: Path, out: Path, lines: int, seconds: float, on_step: OnStep
) -> ProcessResult:
    """Run a program in a folder until it exits; return its result, even if the exit code is not 0.

    `lines` is the number of lines expected in the result file `out` (0: unknown). `on_step` reports progress; an
    exception raised by `on_step` ends the program. Raises QeError if the program cannot be started, takes longer than
    `seconds`, or writes more than `MAX_OUTPUT_BYTES` to `out`.
    """
    start_time, line_counter = time.monotonic(), _LineCounter(out)
    with _running_program(arguments, folder) as (program, tails):
        while program.poll() is None:
            on_step(*_read_progress(tails, line_counter, lines))
            elapsed_seconds = time.monotonic() - start_time
            if elapsed_seconds > seconds:
                raise QeError(
                    tr("stopped after the time limit of {minutes:g} {minutes:minute|minutes}", minutes=seconds / 60),
                    hint=tr("Increase the time limit in Preferences, or use less data."),
                    command_hint=tr("Increase the time limit with --minutes, or use less data."),
                    faults=error_details(last_output(tails)),
                )
            if out.is_file() and out.stat().st_size > MAX_OUTPUT_BYTES:
                raise QeError(
                    tr("stopped because it wrote more than {n:,} bytes", "", MAX_OUTPUT_BYTES),
                    hint=tr("The result should have one line per segment. Check the program, or use less data."),
                    faults=error_details(last_output(tails)),
                )
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(POLL_SECONDS)
        code = program.returncode
    return ProcessResult(code, time.monotonic() - start_time, last_output(tails))


def error_details(lines: Sequence[str]) -> list[Fault]:
    """Return the last ten lines of a program's output as details of an error message."""
    return [Fault(SourceLocation(tr("output of the program")), line) for line in lines[-10:]]


def terminate_all() -> None:
    """Terminate all running programs and their children; called when the window closes."""
    for program, mark in list(_running.items()):
        _end(program, mark)


@contextmanager
def _running_program(
    arguments: Sequence[str], folder: Path
) -> Iterator[tuple[subprocess.Popen[bytes], list[_StreamTail]]]:
    mark = new_mark()
    # unbuffered output in UTF-8
    environment = {**os.environ, mark: "1", "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}
    with watchdog(mark) as set_group:
        try:
            program = subprocess.Popen(
                list(arguments), cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                stderr=subprocess.PIPE, start_new_session=True, creationflags=getattr(subprocess, _NEW_GROUP_FLAG, 0),
            )  # fmt: skip
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or str(error)
            message = tr("{program} cannot be started: {reason}", program=arguments[0], reason=reason)
            hint = tr("Use the full path of the program, and check that it is executable.")
            raise QeError(message, hint=hint) from None
        set_group(program.pid)
        _running[program] = mark
        assert program.stdout is not None
        assert program.stderr is not None
        tails = [_StreamTail(program.stderr), _StreamTail(program.stdout)]
        try:
            yield program, tails
        finally:
            _end(program, mark)
            for tail in tails:
                tail.join()
            _running.pop(program, None)


def _end(program: subprocess.Popen[bytes], mark: str) -> None:
    """Terminate a program, its group and its descendants: gracefully, then by force (on Windows only by force)."""
    if sys.platform == "win32":
        if program.poll() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(program.pid)], capture_output=True, check=False)
    elif hasattr(os, "killpg"):
        if program.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(program.pid, signal.SIGTERM)
            send_signal(mark, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(TERMINATE_SECONDS)
        # other processes of the group may have outlived its creator
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(program.pid, signal.SIGKILL)
        kill_all(mark)
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(TERMINATE_SECONDS)


class _StreamTail:
    """Last bytes of a stream, read on a separate thread so that the program never blocks when it writes."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self.last_bytes = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while piece := os.read(self._stream.fileno(), 1 << 14):
                self.last_bytes = (self.last_bytes + piece)[-MAX_TAIL_BYTES:]

    def join(self) -> None:
        """Wait at most `TERMINATE_SECONDS` for the end of the stream, which other processes may keep open."""
        self._thread.join(TERMINATE_SECONDS)
        if not self._thread.is_alive():
            self._stream.close()


def last_output(tails: Sequence[_StreamTail]) -> tuple[str, ...]:
    """Last lines of stderr, or of stdout if stderr is empty, as plain text; empty if both streams are empty."""
    for tail in tails:
        text = _ESCAPES.sub("", tail.last_bytes.decode("utf-8", "replace"))
        # a progress line is overwritten repeatedly; keep its last state
        lines = [line.rstrip("\r").rpartition("\r")[2].rstrip() for line in text.split("\n")]
        lines = [escape_invisible(line[:MAX_TAIL_LINE_CHARS]) for line in lines if line.strip()]
        if lines:
            return tuple(lines[-MAX_TAIL_LINES:])
    return ()


def _read_progress(tails: Sequence[_StreamTail], out: _LineCounter, lines: int) -> tuple[float, str]:
    """Progress as a fraction (0..1) and a text; (0, "") if unknown.

    Both are computed from the counts that the program prints, or else from the number of lines that it has written.
    """
    for tail in tails:
        counted = _PROGRESS_COUNT.findall(tail.last_bytes[-2000:])
        if counted:
            done, total = map(int, counted[-1])
            if total > 0 and done <= total:
                return done / total, tr("{done:,} of {total:,}", done=done, total=total)
    written = out.count() if lines else 0
    return (min(1.0, written / lines), tr("{n:,} {n:line|lines} written", "", written)) if written else (0.0, "")


class _LineCounter:
    """Counter of the lines in a growing file; parts that were counted are not read again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._offset = self._lines = 0

    def count(self) -> int:
        """Return the number of lines counted so far; each call reads at most 4 MiB more."""
        # special files have no lines, and a pipe would block
        with contextlib.suppress(OSError, QeError), open_regular(self._path) as file:
            file.seek(self._offset)
            piece = file.read(1 << 22)
            self._offset += len(piece)
            self._lines += piece.count(b"\n")
        return self._lines
