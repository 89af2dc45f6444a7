"""Ends a group of processes when this process ends without having had the time to: killed, or out of memory."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SHELL = Path("/bin/sh")
# the pipe ends when whoever holds its other end does; a line in it never comes
SCRIPT = 'read -r line || kill -s KILL -- "-$1"'


@contextlib.contextmanager
def watching(group: int) -> Iterator[None]:
    """While this lasts, another process waits that kills the group (POSIX) once this process is gone.

    Where no such process can be started, nothing is watched.
    """
    watcher = _started(group)
    try:
        yield
    finally:
        if watcher is not None:
            # before its pipe is closed: the group is ended by whoever started it
            watcher.kill()
            watcher.wait()
            if watcher.stdin is not None:
                watcher.stdin.close()


def _started(group: int) -> subprocess.Popen[bytes] | None:
    if sys.platform == "win32" or not SHELL.exists():
        return None
    try:
        # in a session of its own, which no Ctrl+C reaches
        return subprocess.Popen(
            [str(SHELL), "-c", SCRIPT, "qe-desktop", str(group)], stdin=subprocess.PIPE, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, start_new_session=True, cwd="/",
        )  # fmt: skip
    except OSError:
        return None
