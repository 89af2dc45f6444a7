"""Ends a program with its descendants where this process is killed or out of memory and has no time to."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

SHELL = Path("/bin/sh")
# the pipe ends when whoever holds its other end does; a line in it never comes
SCRIPT = r"""
read -r line && exit
kill -s KILL -- "-$1"
# those in sessions of their own have the variable in their environment; one that starts another needs a second round
for round in 1 2 3 4 5; do
  found=$(grep -ls -- "$2=" /proc/[0-9]*/environ)
  test -n "$found" || exit
  for name in $found; do name=${name#/proc/}; kill -s KILL "${name%%/*}"; done
done
"""


@contextlib.contextmanager
def watching(group: int, mark: str) -> Iterator[None]:
    """While this lasts, another process waits that kills the group and what is marked (POSIX) once this one is gone.

    Where no such process can be started, nothing is watched.
    """
    watcher = _started(group, mark)
    try:
        yield
    finally:
        if watcher is not None:
            # before its pipe is closed: the group is ended by whoever started it
            watcher.kill()
            watcher.wait()
            if watcher.stdin is not None:
                watcher.stdin.close()


def _started(group: int, mark: str) -> subprocess.Popen[bytes] | None:
    if sys.platform == "win32" or not SHELL.exists():
        return None
    try:
        # in a session of its own, which no Ctrl+C reaches
        return subprocess.Popen(
            [str(SHELL), "-c", SCRIPT, "qe-desktop", str(group), mark], stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True, cwd="/",
        )  # fmt: skip
    except OSError:
        return None
