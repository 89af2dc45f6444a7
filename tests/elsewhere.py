"""A double of the systems that tests do not run on: file operations that Windows and macOS refuse are refused.

Windows removes, renames and replaces no file that anybody has open, knows names that are none, takes names for the same
that differ in case only, and lacks a good part of what POSIX has. Which files are open is asked of the kernel, so that
those that SQLite or Qt opened, or that are mapped into memory, count as well.
"""

from __future__ import annotations

import builtins
import errno
import io
import os
import shutil
import sqlite3
import sys
import tempfile
import types
import unicodedata
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest

from qe_desktop.formats.io import atomic_write
from qe_desktop.project.store.write_queue import spool

MISSING_MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "posix")
MISSING = ("fork", "forkpty", "getuid", "geteuid", "getgid", "chown", "lchown", "fchmod", "fchown", "killpg", "mkfifo",
           "statvfs", "sync", "setsid", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC")  # fmt: skip
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
_LONGEST = 259
_real_open, _real_listdir = os.open, os.listdir


class Elsewhere:
    """Patches what opens, removes and moves files; `folder` and what is in it count as being on that system."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, *, keeps_open: bool = True) -> None:
        self.folder = os.path.realpath(folder)
        self.keeps_open = keeps_open
        """Whether what is open can be neither removed nor moved (Windows)."""
        self._locked: dict[tuple[int, int], int] = {}
        for name in ("unlink", "remove", "rmdir"):
            patch.setattr(os, name, self._removing(getattr(os, name)))
        patch.setattr(os, "replace", self._moving(os.replace, over=True))
        patch.setattr(os, "rename", self._moving(os.rename, over=not keeps_open))
        for module, name in ((builtins, "open"), (io, "open"), (os, "open"), (os, "mkdir"), (os, "stat")):
            patch.setattr(module, name, self._naming(getattr(module, name)))
        patch.setattr(sqlite3, "connect", self._connecting(sqlite3.connect))
        # programs of this machine take temporary files without its locks for abandoned, and remove them
        temporary = Path(f"{self.folder}-temporary")
        temporary.mkdir(exist_ok=True)
        patch.setattr(tempfile, "tempdir", str(temporary))
        # there, folders are removed by their paths
        patch.setattr(shutil, "_use_fd_functions", False)
        if keeps_open:
            patch.setattr(os, "fsync", self._syncing(os.fsync))
            self._take_posix_away(patch)

    def _take_posix_away(self, patch: pytest.MonkeyPatch) -> None:
        for name in MISSING_MODULES:
            patch.setitem(sys.modules, name, None)
        for name in MISSING:
            patch.delattr(os, name, raising=False)
        patch.setattr(os, "O_BINARY", 0, raising=False)
        for module in (spool, atomic_write):
            patch.setattr(module, "fcntl", None)
        patch.setattr(spool, "msvcrt", types.SimpleNamespace(LK_NBLCK=2, locking=self._lock))

    # --- what is refused

    def inside(self, path: Any) -> str:
        """The real path, where it is in the folder; else nothing."""
        if not isinstance(path, str | bytes | os.PathLike):
            return ""
        whole = os.path.abspath(os.fsdecode(path))
        return whole if f"{whole}{os.sep}".startswith(self.folder + os.sep) else ""

    def known(self, path: str) -> str:
        """The name that a path has on the disk: another case, or another composition of accents, is the same name."""
        parent, name = os.path.split(path)
        try:
            same = [one for one in _real_listdir(parent) if _folded(one) == _folded(name)]
        except OSError:
            return path
        return os.path.join(parent, same[0]) if same else path

    def refuse_name(self, path: str) -> None:
        if not self.keeps_open:
            return
        wrong = len(path) > _LONGEST
        for part in path[len(self.folder) :].split(os.sep):
            wrong |= any(letter in '<>:"|?*\\' or ord(letter) < 32 for letter in part) or part.endswith((".", " "))
            wrong |= part.partition(".")[0].rstrip().lower() in RESERVED
        if wrong:
            raise OSError(errno.EINVAL, "The filename, directory name, or volume label syntax is incorrect", path)

    def refuse_open(self, path: str) -> None:
        if self.keeps_open and is_open(path):
            message = "The process cannot access the file because it is being used by another process"
            raise PermissionError(errno.EACCES, message, path)

    def _lock(self, file: int, mode: int, count: int) -> None:
        found = os.fstat(file)
        key = (found.st_dev, found.st_ino)
        held = self._locked.get(key)
        if held is not None and held != file and _is_descriptor(held, key):
            raise OSError(errno.EACCES, "Permission denied")
        self._locked[key] = file

    # --- what is patched

    def _removing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def remove(path: Any) -> None:
            here = self.inside(path)
            if here:
                path = self.known(here)
                self.refuse_open(path)
            real(path)

        return remove

    def _moving(self, real: Callable[..., Any], *, over: bool) -> Callable[..., Any]:
        def move(source: Any, target: Any) -> None:
            old, new = self.inside(source), self.inside(target)
            if old and new:
                old, new = self.known(old), self.known(new)
                self.refuse_name(new)
                self.refuse_open(old)
                if os.path.lexists(new) and old != new:
                    if not over:
                        raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", new)
                    self.refuse_open(new)
                source, target = old, new
            real(source, target)

        return move

    def _naming(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def named(path: Any, *rest: Any, **more: Any) -> Any:
            here = self.inside(path)
            if here:
                self.refuse_name(here)
                if real is _real_open and self.keeps_open and os.path.isdir(here):
                    raise PermissionError(errno.EACCES, "Permission denied", here)
                path = self.known(here) if isinstance(path, str) else type(path)(self.known(here))
            return real(path, *rest, **more)

        return named

    def _connecting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def connect(database: Any, *rest: Any, **more: Any) -> Any:
            given, mark, query = str(database), "", ""
            if more.get("uri"):
                given, mark, query = given.partition("?")
                given = unquote(given.removeprefix("file://"))
            here = self.inside(given)
            if here:
                self.refuse_name(here)
                database = self.known(here)
                if more.get("uri"):
                    database = f"{Path(database).as_uri()}{mark}{query}"
            return real(database, *rest, **more)

        return connect

    def _syncing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def sync(file: Any) -> None:
            number = file if isinstance(file, int) else file.fileno()
            with open(f"/proc/self/fdinfo/{number}") as info:
                flags = int(next(line for line in info if line.startswith("flags:")).split()[1], 8)
            if not flags & 3:
                raise OSError(errno.EBADF, "Bad file descriptor")
            real(file)

        return sync


def is_open(path: str) -> bool:
    """Whether this process has a file open or mapped."""
    for number in _real_listdir("/proc/self/fd"):
        try:
            if os.readlink(f"/proc/self/fd/{number}") == path:
                return True
        except OSError:
            continue
    with open("/proc/self/maps", encoding="utf-8", errors="surrogateescape") as maps:
        return any(line.rstrip("\n").endswith(path) for line in maps)


def _is_descriptor(number: int, key: tuple[int, int]) -> bool:
    try:
        found = os.fstat(number)
    except OSError:
        return False
    return (found.st_dev, found.st_ino) == key


def _folded(name: str) -> str:
    return unicodedata.normalize("NFD", name).casefold()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Elsewhere:
    """What is in `tmp_path` is on Windows."""
    return Elsewhere(monkeypatch, tmp_path)


@pytest.fixture(params=["windows", "macos"])
def elsewhere(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Elsewhere:
    """What is in `tmp_path` is on Windows, then on macOS."""
    return Elsewhere(monkeypatch, tmp_path, keeps_open=request.param == "windows")
