"""Processes that a program started, also those in sessions of their own: found by a variable of their environment.

A variable with a name that occurs once is inherited by all descendants, unlike a process group. Only Linux has /proc,
where the environment of a process can be read; elsewhere nothing is found, and the process group is what is ended.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import signal
from pathlib import Path

_PREFIX = "QE_DESKTOP_COMMAND_"
_PROCESSES = Path("/proc")
ROUNDS = 20
"""How often descendants are looked for: one that starts another while it is ended needs a second round."""


def new_mark() -> str:
    """A variable name for the environment of one program; a program in a program has both names."""
    return _PREFIX + secrets.token_hex(8)


def marked(mark: str) -> list[int]:
    """The ids of all running processes whose environment has the variable, without this process."""
    found: list[int] = []
    wanted = f"{mark}=".encode()
    try:
        names = [name for name in os.listdir(_PROCESSES) if name.isdigit()]
    except OSError:
        return found
    for name in names:
        # of another user, or ended meanwhile
        with contextlib.suppress(OSError):
            environment = (_PROCESSES / name / "environ").read_bytes()
            if any(entry.startswith(wanted) for entry in environment.split(b"\0")):
                found.append(int(name))
    own = os.getpid()
    return [number for number in found if number != own]


def send(mark: str, number: signal.Signals) -> bool:
    """Send a signal to all marked processes; whether there were any."""
    found = marked(mark)
    for process in found:
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)
    return bool(found)


def kill_all(mark: str) -> None:
    """Kill all marked processes, and those that they start meanwhile."""
    for _ in range(ROUNDS):
        if not send(mark, signal.SIGKILL):
            return
