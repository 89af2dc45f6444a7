"""Atomic writing of files; symbolic links are followed, and special files are never replaced."""

from __future__ import annotations

import errno
import gzip
import os
import re
import secrets
import shutil
import stat
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO, cast

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.escaping import encode_utf8
from qe_desktop.formats.files import display_name, open_project_error
from qe_desktop.formats.files_in_use import JOURNAL_SUFFIXES, is_open_here, record_hard_links
from qe_desktop.i18n.messages import tr

try:
    import fcntl
except ImportError:
    # Windows has no such locks; temporary files remain there
    fcntl = None  # type: ignore[assignment]

_NAME = re.compile(r"\.qe-desktop-[0-9a-f]{12}\.unfinished")
_DATABASE = ".db"
"""Suffix of a temporary database; a locked file with the same name but no suffix shows that the database is in use."""
MAX_NAME_TRIES = 8
"""Maximum number of attempts to create and lock a file; another process may remove the file before it is locked."""


@contextmanager
def unfinished_file(folder: Path) -> Iterator[tuple[Path, BinaryIO]]:
    """Create and open a temporary file in a folder. Raises OSError on failure.

    The file is removed when the context ends, unless it has been renamed. Abandoned files of killed processes are
    removed first.
    """
    remove_leftovers(folder)
    path, file = _create_file(folder)
    # the lock lasts until the file and this duplicate are closed, i.e. until everything is written
    descriptor = os.dup(file.fileno()) if fcntl is not None else -1
    try:
        with file:
            yield path, file
    finally:
        path.unlink(missing_ok=True)
        if descriptor >= 0:
            os.close(descriptor)


@contextmanager
def unfinished_database(folder: Path) -> Iterator[Path]:
    """Reserve a path for a temporary SQLite database in a folder. Raises OSError on failure.

    When the context ends, the journals are removed, and so is the database unless it has been renamed. While the
    database is in use, a separate file is locked, because locks on the database could interfere with those of SQLite.
    """
    with unfinished_file(folder) as (lock, _):
        path = lock.with_name(lock.name + _DATABASE)
        try:
            yield path
        finally:
            for ending in ("", *JOURNAL_SUFFIXES):
                path.with_name(path.name + ending).unlink(missing_ok=True)


@contextmanager
def unfinished_folder() -> Iterator[Path]:
    """Create a temporary folder that only the user can read; it is removed when the context ends.

    Abandoned folders of killed processes are removed first. Raises OSError on failure.
    """
    with unfinished_file(Path(tempfile.gettempdir()).resolve()) as (lock, _):
        folder = lock.with_name(_folder_name(lock.name))
        folder.mkdir(mode=0o700)
        try:
            yield folder
        finally:
            # programs that are still running may have files open in it
            shutil.rmtree(folder, ignore_errors=True)


def replace_bytes(path: Path, data: bytes) -> None:
    """Write or replace a file of this program, without waiting until the data are on the disk.

    If the program is killed, the file is either complete or unchanged; in a power failure, it may be lost. Raises
    OSError on failure.
    """
    # abandoned files are removed by other functions, because searching a large folder for them is slow
    unfinished, file = _create_file(path.parent)
    try:
        with file:
            file.write(data)
        os.replace(unfinished, path)
    finally:
        unfinished.unlink(missing_ok=True)


def _folder_name(lock: str) -> str:
    """Name of the temporary folder for a lock file; not hidden, because some programs ignore hidden folders."""
    return lock.removeprefix(".").removesuffix(".unfinished")


def _create_file(folder: Path) -> tuple[Path, BinaryIO]:
    for _ in range(MAX_NAME_TRIES):
        path = folder / f".qe-desktop-{secrets.token_hex(6)}.unfinished"
        file = path.open("xb")
        if _lock_new_file(path, file):
            return path, file
        file.close()
    raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(folder))


def _lock_new_file(path: Path, file: BinaryIO) -> bool:
    """Lock a new file; return False if another process has already removed it."""
    if fcntl is None:
        return True
    # some file systems do not support locks; nothing is removed there
    with suppress(OSError):
        fcntl.flock(file.fileno(), fcntl.LOCK_EX | fcntl.LOCK_NB)
    return path.exists()


def remove_leftovers(folder: Path) -> None:
    """Remove this program's temporary files from a folder, except those that a process is still using."""
    if fcntl is None:
        return
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if _NAME.fullmatch(entry.name) and entry.is_file(follow_symlinks=False):
                _remove_if_unlocked(entry.path)


def _remove_if_unlocked(path: str) -> None:
    """If a temporary file is not locked, remove the folder and the database that belong to it, then the file."""
    with suppress(OSError):
        number = os.open(path, os.O_RDONLY | os.O_NOFOLLOW)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
            folder, name = os.path.split(path)
            shutil.rmtree(os.path.join(folder, _folder_name(name)), ignore_errors=True)
            for ending in (*JOURNAL_SUFFIXES, ""):
                with suppress(FileNotFoundError):
                    os.unlink(f"{path}{_DATABASE}{ending}")
            os.unlink(path)
        finally:
            os.close(number)


_WRITE_HINT = tr("Check that the folder exists, that you may write to it and that the disk has free space.")
_NONBLOCKING_FLAGS = getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
_LINKS = 8
"""Maximum number of symbolic links followed to find the file descriptor that a path names; /dev/stdout needs one."""


@contextmanager
def atomic_write(path: Path) -> Iterator[BinaryIO]:
    """Open a file that replaces `path` once it is complete; the file is compressed if `path` ends in .gz.

    Symbolic links are followed and not replaced. The new file has the permissions of the one that it replaces. Devices
    and pipes are written to directly. Raises QeError if the folder is missing, if `path` is a folder, a disk, a socket,
    a read-only file or an open project, or if writing fails; nothing is replaced in these cases. If `path` is an output
    of this process, such as /dev/stdout, a BrokenPipeError is raised as is.
    """
    try:
        existing = _state(path)
        if existing is not None and _is_stream(path, existing):
            with _stream(path, existing) as raw_file, _open_compressed(path, raw_file) as file:
                yield file
            return
        target = resolve_target(path)
        if is_open_here(target):
            raise open_project_error(SourceLocation(display_name(path)))
        with unfinished_file(target.parent) as (temporary, raw_file):
            with _open_compressed(path, raw_file) as file:
                yield file
            raw_file.flush()
            # a full disk is detected here at the latest, before the old file is replaced
            os.fsync(raw_file.fileno())
            raw_file.close()
            replace_file(temporary, target)
            _sync_folder(target.parent)
    except BrokenPipeError:
        if _descriptor(path) is not None:
            raise  # the reader of the output has exited, as `| head` does
        message = tr("the program that reads this pipe has exited")
        raise _write_error(path, message, tr("Start the program that reads the pipe again.")) from None
    except OSError as error:
        raise _unwritable_error(path, error, _WRITE_HINT) from None


def write_text(path: Path, text: str) -> None:
    """Write a text as UTF-8; see `atomic_write`."""
    write_bytes(path, encode_utf8(text))


def write_bytes(path: Path, content: bytes) -> None:
    """Write the bytes `content` to a file, replacing any previous content; see `atomic_write`."""
    with atomic_write(path) as file:
        file.write(content)


def make_folder(path: Path) -> None:
    """Create a folder and its parents, unless they exist. Raises QeError on failure."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or str(error)
        message = tr("the folder cannot be created: {reason}", reason=reason)
        raise _write_error(path, message, tr("Check the folder permissions, or select another folder.")) from None


def resolve_target(path: Path) -> Path:
    """Return the real path of the file that is replaced when `path` is written, after following symbolic links.

    The file need not exist. Raises QeError if it exists but is read-only or not a regular file, or if the path cannot
    be resolved.
    """
    state = _state(path)
    if state is not None:
        if stat.S_ISDIR(state.st_mode):
            raise _write_error(path, tr("this is a folder"), tr("Specify a file in the folder."))
        if not stat.S_ISREG(state.st_mode):
            raise _write_error(path, _file_kind_message(state), tr("Specify a regular file."))
        if not os.access(path, os.W_OK):
            hint = tr("Use another name, or get permission to change the file.")
            raise _write_error(path, tr("the file is read-only"), hint)
    try:
        return Path(os.path.realpath(path, strict=state is not None))
    except OSError as error:
        raise _unwritable_error(path, error, _WRITE_HINT) from None


def replace_file(finished: Path, target: Path) -> None:
    """Replace `target` with `finished`, which takes over the permissions of `target`.

    The owner and the extended attributes (such as access control lists and desktop tags) are also copied, if this is
    permitted. Both files must be in the same folder, but `target` may be missing. Raises OSError on failure; `target`
    is then unchanged.
    """
    links = 0
    with suppress(FileNotFoundError):
        old_state = target.stat()
        links = old_state.st_nlink - 1
        if hasattr(os, "chown"):
            with suppress(OSError):
                os.chown(finished, old_state.st_uid, old_state.st_gid)
        _copy_attributes(target, finished)
        finished.chmod(stat.S_IMODE(old_state.st_mode))
    os.replace(finished, target)
    record_hard_links(target, links)


def _copy_attributes(target: Path, finished: Path) -> None:
    """Copy the extended attributes of `target` to `finished`, except those that cannot be copied."""
    if not hasattr(os, "listxattr"):
        return
    with suppress(OSError):
        for name in os.listxattr(target):
            with suppress(OSError):
                os.setxattr(finished, name, os.getxattr(target, name))


def _sync_folder(folder: Path) -> None:
    """Sync a folder, if the system supports it, so that a new file in it survives a power failure."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    # not supported by some file systems; the file is complete anyway
    with suppress(OSError):
        number = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(number)
        finally:
            os.close(number)


def _state(path: Path) -> os.stat_result | None:
    """Return the status of a file, following symbolic links; None if the file does not exist.

    Raises QeError if the status cannot be determined.
    """
    try:
        return path.stat()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise _unwritable_error(path, error, tr("Use another file name or folder.")) from None


def _is_stream(path: Path, state: os.stat_result) -> bool:
    """Whether `path` is a stream, which is not replaced: a pipe, a character device or an output of this process."""
    return stat.S_ISFIFO(state.st_mode) or stat.S_ISCHR(state.st_mode) or _descriptor(path) is not None


@contextmanager
def _stream(path: Path, state: os.stat_result) -> Iterator[BinaryIO]:
    descriptor = _descriptor(path)
    if descriptor is not None:
        for stream in (sys.stdout, sys.stderr):
            with suppress(AttributeError, ValueError):
                stream.flush()
        number = os.dup(descriptor)
    else:
        try:
            # opening a pipe without a reader would block
            number = os.open(path, os.O_WRONLY | _NONBLOCKING_FLAGS)
        except OSError as error:
            if error.errno == errno.ENXIO and stat.S_ISFIFO(state.st_mode):
                message = tr("no program is reading this pipe")
                raise _write_error(path, message, tr("Start the program that reads the pipe first.")) from None
            raise
        if _NONBLOCKING_FLAGS:
            os.set_blocking(number, True)
    with os.fdopen(number, "wb") as raw_file:
        yield raw_file


def _descriptor(path: Path) -> int | None:
    """File descriptor named by a path such as /dev/stdout or /dev/fd/3; None for any other path."""
    fd_folders = {os.path.realpath(folder) for folder in ("/dev/fd", "/proc/self/fd")}
    step = os.fspath(path)
    for _ in range(_LINKS):
        folder, name = os.path.split(step)
        if name.isdecimal() and os.path.realpath(folder) in fd_folders:
            return int(name)
        try:
            step = os.path.join(folder, os.readlink(step))
        except OSError:
            break
    return None


@contextmanager
def _open_compressed(path: Path, raw_file: BinaryIO) -> Iterator[BinaryIO]:
    if path.suffix != ".gz":
        yield raw_file
        return
    # no name and no time in the header, so that equal content gives equal files
    with gzip.GzipFile("", "wb", compresslevel=6, fileobj=raw_file, mtime=0) as packed:
        yield cast(BinaryIO, packed)


def _file_kind_message(state: os.stat_result) -> str:
    kinds = {
        stat.S_IFIFO: tr("this is a pipe, not a file"),
        stat.S_IFCHR: tr("this is a device, not a file"),
        stat.S_IFBLK: tr("this is a disk, not a file"),
        stat.S_IFSOCK: tr("this is a socket, not a file"),
    }
    return kinds.get(stat.S_IFMT(state.st_mode), tr("this is not a regular file"))


def _unwritable_error(path: Path, error: Exception, hint: str) -> QeError:
    reason = getattr(error, "strerror", None) or str(error)
    return _write_error(path, tr("the file cannot be written: {reason}", reason=reason), hint)


def _write_error(path: Path, message: str, hint: str) -> QeError:
    return QeError(message, hint=hint, place=SourceLocation(display_name(path)))
