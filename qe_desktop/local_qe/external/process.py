"""Runs a program beside us: no shell, a group of processes of its own, bounded output, a time limit, and an end to all.

Descendants in sessions of their own end with it (`descendants`).

Whatever ends the watching ends the program with all that it started: a cancelled job, Ctrl+C, the end of the window,
and where there is a shell (`survivor`) the sudden end of this process.
"""

from __future__ import annotations

import contextlib
import os
import re
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

from qe_desktop.corpus import Fault, Place, QeError
from qe_desktop.formats.regular_files import open_regular
from qe_desktop.highlights.commands import descendants, survivor
from qe_desktop.outgoing import visible
from qe_desktop.wording import tr

KEPT = 1 << 16
"""Bytes of each of stdout and stderr that are kept: the last ones."""
LAST_WORDS = 20
"""Lines of them that are shown where a program fails."""
LONGEST_LINE = 400
MOST_WRITTEN = 1 << 31
"""Bytes that a program may write into its result."""
PAUSE = 0.05
"""Seconds between two looks at how far it is."""
POLITE = 2.0
"""Seconds that it has to end by itself once it is asked to."""
_OF = re.compile(rb"(?<![\d./])(\d{1,9})/(\d{1,9})(?![\d./])")
_ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")

_OWN_GROUP = "CREATE_NEW_PROCESS_GROUP"
"""What Windows calls a group of processes of its own; elsewhere a session is one."""
Follow = Callable[[float, str], object]
"""Is told the share that is done, 0 where nobody knows, and a line of text; what it raises ends the program."""
_running: dict[subprocess.Popen[bytes], str] = {}
"""The programs that run, and the mark of each."""


@dataclass(frozen=True, slots=True)
class Ended:
    """How a program ended: its exit code, the seconds that it took, and the last lines of its stdout and stderr."""

    code: int
    seconds: float
    said: tuple[str, ...]


def run(arguments: Sequence[str], folder: Path, out: Path, lines: int, seconds: float, follow: Follow) -> Ended:
    """Run a program in a folder until it ends; `out` is what it writes, of which `lines` lines are expected.

    QeError where it cannot be started, takes longer than `seconds`, or writes more than any result holds.
    """
    begun, written = time.monotonic(), _Lines(out)
    with _started(arguments, folder) as (program, tails):
        while program.poll() is None:
            follow(*_how_far(tails, written, lines))
            spent = time.monotonic() - begun
            if spent > seconds:
                raise _ended_by_us(tr("it took longer than {minutes:g} minutes", minutes=seconds / 60), tails)
            if out.is_file() and out.stat().st_size > MOST_WRITTEN:
                raise _ended_by_us(tr("it wrote more than {n:,} bytes", "", MOST_WRITTEN), tails)
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(PAUSE)
        code = program.returncode
    return Ended(code, time.monotonic() - begun, last_words(tails))


def _ended_by_us(message: str, tails: Sequence[_Tail]) -> QeError:
    hint = tr("Give it more time in Preferences, or less to do.")
    return QeError(message, hint=hint, faults=faults_of(last_words(tails)))


def faults_of(said: Sequence[str]) -> list[Fault]:
    """The last lines of a program as details of an error."""
    return [Fault(Place(tr("it said")), line) for line in said[-10:]]


def end_all() -> None:
    """End all programs that run, with all that they started; the window goes away."""
    for program, mark in list(_running.items()):
        _end(program, mark)


@contextmanager
def _started(arguments: Sequence[str], folder: Path) -> Iterator[tuple[subprocess.Popen[bytes], list[_Tail]]]:
    mark = descendants.new_mark()
    try:
        program = subprocess.Popen(
            list(arguments), cwd=folder, env=_environment(mark), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, start_new_session=True, creationflags=getattr(subprocess, _OWN_GROUP, 0),
        )  # fmt: skip
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        message = tr("{program} cannot be started: {reason}", program=arguments[0], reason=reason)
        hint = tr("Name the program with its whole path, and check that it may be run.")
        raise QeError(message, hint=hint) from None
    _running[program] = mark
    assert program.stdout is not None
    assert program.stderr is not None
    tails = [_Tail(program.stderr), _Tail(program.stdout)]
    try:
        with survivor.watching(program.pid, mark):
            yield program, tails
    finally:
        _end(program, mark)
        for tail in tails:
            tail.join()
        _running.pop(program, None)


def _environment(mark: str) -> dict[str, str]:
    # what a program prints comes as it prints it, and as UTF-8
    return {**os.environ, mark: "1", "PYTHONUNBUFFERED": "1", "PYTHONIOENCODING": "utf-8"}


def _end(program: subprocess.Popen[bytes], mark: str) -> None:
    """End a program, all of its group and all of its descendants: politely, and then for good."""
    if sys.platform == "win32":
        if program.poll() is None:
            subprocess.run(["taskkill", "/T", "/F", "/PID", str(program.pid)], capture_output=True, check=False)
    elif hasattr(os, "killpg"):
        if program.poll() is None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(program.pid, signal.SIGTERM)
            descendants.send(mark, signal.SIGTERM)
            with contextlib.suppress(subprocess.TimeoutExpired):
                program.wait(POLITE)
        # others of the group may have outlived the one that started them
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.killpg(program.pid, signal.SIGKILL)
        descendants.kill_all(mark)
    with contextlib.suppress(subprocess.TimeoutExpired):
        program.wait(POLITE)


class _Tail:
    """The last bytes of a stream, read on a thread of its own so that the program never waits for us."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._kept = b""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self) -> None:
        with contextlib.suppress(OSError, ValueError):
            while piece := os.read(self._stream.fileno(), 1 << 14):
                self._kept = (self._kept + piece)[-KEPT:]

    def join(self) -> None:
        """Wait for the end of the stream; what holds it open beyond its program is not waited for."""
        self._thread.join(POLITE)
        if not self._thread.is_alive():
            self._stream.close()

    @property
    def kept(self) -> bytes:
        """What was read last."""
        return self._kept


def last_words(tails: Sequence[_Tail]) -> tuple[str, ...]:
    """The last lines of stderr, or of stdout where it said nothing there, as plain text."""
    for tail in tails:
        text = _ESCAPES.sub("", tail.kept.decode("utf-8", "replace"))
        # a line that is written over and over, as progress is, says what it said last
        lines = [line.rstrip("\r").rpartition("\r")[2].rstrip() for line in text.split("\n")]
        lines = [visible(line[:LONGEST_LINE]) for line in lines if line.strip()]
        if lines:
            return tuple(lines[-LAST_WORDS:])
    return ()


def _how_far(tails: Sequence[_Tail], out: _Lines, lines: int) -> tuple[float, str]:
    """The share that a program says it has done, or else that of the lines that it has written."""
    for tail in tails:
        counted = _OF.findall(tail.kept[-2000:])
        if counted:
            done, total = map(int, counted[-1])
            if total > 0 and done <= total:
                return done / total, tr("{done:,} of {total:,}", done=done, total=total)
    written = out.count() if lines else 0
    return (min(1.0, written / lines), tr("{n:,} {n:line|lines} written", "", written)) if written else (0.0, "")


class _Lines:
    """How many lines a growing file has; what was counted once is not read again."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._at = self._found = 0

    def count(self) -> int:
        """How many there are by now; a large file is counted in several turns."""
        # what is no ordinary file has no lines, and a pipe would keep us waiting
        with contextlib.suppress(OSError, QeError), open_regular(self._path) as file:
            file.seek(self._at)
            piece = file.read(1 << 22)
            self._at += len(piece)
            self._found += piece.count(b"\n")
        return self._found
