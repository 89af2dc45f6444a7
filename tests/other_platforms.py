"""Test double of Windows and macOS, which rejects the file operations that these systems reject.

Windows does not remove, rename or replace open files, rejects some names, ignores case, and lacks many POSIX functions.
Open files are looked up in the kernel, so files that SQLite or Qt opened, or that are memory-mapped, count as well.
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

from qe_desktop.formats import atomic_write
from qe_desktop.project.store import spool

MISSING_MODULES = ("fcntl", "resource", "pwd", "grp", "termios", "tty", "pty", "posix")
MISSING = ("fork", "forkpty", "getuid", "geteuid", "getgid", "chown", "lchown", "fchmod", "fchown", "killpg", "mkfifo",
           "statvfs", "sync", "setsid", "O_DIRECTORY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC")  # fmt: skip
RESERVED = {"con", "prn", "aux", "nul", *(f"{port}{number}" for port in ("com", "lpt") for number in range(1, 10))}
_LONGEST = 259
_real_open, _real_listdir = os.open, os.listdir


class OtherPlatform:
    """Patches the functions that open, remove and move files; `folder` and its contents are on that system."""

    def __init__(self, patch: pytest.MonkeyPatch, folder: Path, *, keeps_open: bool = True) -> None:
        self.folder = os.path.realpath(folder)
        self.keeps_open = keeps_open
        """Whether open files can be neither removed nor moved (Windows)."""
        self._locked: dict[tuple[int, int], int] = {}
        for name in ("unlink", "remove", "rmdir"):
            patch.setattr(os, name, self._removing(getattr(os, name)))
        patch.setattr(os, "replace", self._moving(os.replace, over=True))
        patch.setattr(os, "rename", self._moving(os.rename, over=not keeps_open))
        for module, name in ((builtins, "open"), (io, "open"), (os, "open"), (os, "mkdir"), (os, "stat")):
            patch.setattr(module, name, self._checking_name(getattr(module, name)))
        patch.setattr(sqlite3, "connect", self._connecting(sqlite3.connect))
        # other programs on this machine would remove temporary files without its locks as abandoned
        temporary = Path(f"{self.folder}-temporary")
        temporary.mkdir(exist_ok=True)
        patch.setattr(tempfile, "tempdir", str(temporary))
        # Windows removes folders by path
        patch.setattr(shutil, "_use_fd_functions", False)
        if keeps_open:
            patch.setattr(os, "fsync", self._syncing(os.fsync))
            self._remove_posix(patch)

    def _remove_posix(self, patch: pytest.MonkeyPatch) -> None:
        for name in MISSING_MODULES:
            patch.setitem(sys.modules, name, None)
        for name in MISSING:
            patch.delattr(os, name, raising=False)
        patch.setattr(os, "O_BINARY", 0, raising=False)
        for module in (spool, atomic_write):
            patch.setattr(module, "fcntl", None)
        patch.setattr(spool, "msvcrt", types.SimpleNamespace(LK_NBLCK=2, locking=self._lock))

    # --- refused operations

    def inside(self, path: Any) -> str:
        """Return the absolute path if it is in the folder, otherwise an empty string."""
        if not isinstance(path, str | bytes | os.PathLike):
            return ""
        absolute = os.path.abspath(os.fsdecode(path))
        return absolute if f"{absolute}{os.sep}".startswith(self.folder + os.sep) else ""

    def path_on_disk(self, path: str) -> str:
        """Return the path with the name as stored on disk; case and Unicode composition do not matter."""
        parent, name = os.path.split(path)
        try:
            names = [name_on_disk for name_on_disk in _real_listdir(parent) if _folded(name_on_disk) == _folded(name)]
        except OSError:
            return path
        return os.path.join(parent, names[0]) if names else path

    def refuse_name(self, path: str) -> None:
        """Raise the error of Windows for a path that is too long or has an invalid name."""
        if not self.keeps_open:
            return
        is_invalid = len(path) > _LONGEST
        for part in path[len(self.folder) :].split(os.sep):
            is_invalid |= any(letter in '<>:"|?*\\' or ord(letter) < 32 for letter in part) or part.endswith((".", " "))
            is_invalid |= part.partition(".")[0].rstrip().lower() in RESERVED
        if is_invalid:
            raise OSError(errno.EINVAL, "The filename, directory name, or volume label syntax is incorrect", path)

    def refuse_open(self, path: str) -> None:
        if self.keeps_open and is_open(path):
            message = "The process cannot access the file because it is being used by another process"
            raise PermissionError(errno.EACCES, message, path)

    def _lock(self, file: int, mode: int, count: int) -> None:
        status = os.fstat(file)
        key = (status.st_dev, status.st_ino)
        holder = self._locked.get(key)
        if holder is not None and holder != file and _is_descriptor(holder, key):
            raise OSError(errno.EACCES, "Permission denied")
        self._locked[key] = file

    # --- patched functions

    def _removing(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def remove(path: Any) -> None:
            inside = self.inside(path)
            if inside:
                path = self.path_on_disk(inside)
                self.refuse_open(path)
            real(path)

        return remove

    def _moving(self, real: Callable[..., Any], *, over: bool) -> Callable[..., Any]:
        def move(source: Any, target: Any) -> None:
            old, new = self.inside(source), self.inside(target)
            if old and new:
                old, new = self.path_on_disk(old), self.path_on_disk(new)
                self.refuse_name(new)
                self.refuse_open(old)
                if os.path.lexists(new) and old != new:
                    if not over:
                        raise FileExistsError(errno.EEXIST, "Cannot create a file when that file already exists", new)
                    self.refuse_open(new)
                source, target = old, new
            real(source, target)

        return move

    def _checking_name(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def check_and_call(path: Any, *rest: Any, **more: Any) -> Any:
            inside = self.inside(path)
            if inside:
                self.refuse_name(inside)
                if real is _real_open and self.keeps_open and os.path.isdir(inside):
                    raise PermissionError(errno.EACCES, "Permission denied", inside)
                path = self.path_on_disk(inside) if isinstance(path, str) else type(path)(self.path_on_disk(inside))
            return real(path, *rest, **more)

        return check_and_call

    def _connecting(self, real: Callable[..., Any]) -> Callable[..., Any]:
        def connect(database: Any, *rest: Any, **more: Any) -> Any:
            path, mark, query = str(database), "", ""
            if more.get("uri"):
                path, mark, query = path.partition("?")
                path = unquote(path.removeprefix("file://"))
            inside = self.inside(path)
            if inside:
                self.refuse_name(inside)
                database = self.path_on_disk(inside)
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
    """Return whether this process has a file open or mapped."""
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
        status = os.fstat(number)
    except OSError:
        return False
    return (status.st_dev, status.st_ino) == key


def _folded(name: str) -> str:
    return unicodedata.normalize("NFD", name).casefold()


@pytest.fixture
def windows(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OtherPlatform:
    """Make `tmp_path` a folder on Windows."""
    return OtherPlatform(monkeypatch, tmp_path)


@pytest.fixture(params=["windows", "macos"])
def other_platform(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> OtherPlatform:
    """Make `tmp_path` a folder on Windows, then on macOS."""
    return OtherPlatform(monkeypatch, tmp_path, keeps_open=request.param == "windows")
