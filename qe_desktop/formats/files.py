"""Opening of user files and folders for reading, with limits; other modules read files only through this one.

Only regular files are opened, and their content is copied, so that later changes have no effect. Reading a pipe, a
device or a socket could block forever. A memory-mapped file would crash the process if another program truncated it.
"""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Callable
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Fault, QeError, SourceLocation, TextColumn, raise_for_rows
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.text import LF
from qe_desktop.formats.files_in_use import Identity, begin_reading, end_reading, is_open_here
from qe_desktop.i18n.messages import tr

MAX_FILE_BYTES = 1 << 32
"""Maximum size of a file in bytes, both compressed and unpacked."""
UNPACKED_ALLOWANCE_BYTES = 1 << 24
"""Number of bytes to which any gzip file may unpack, regardless of its own size."""
MAX_COMPRESSION_RATIO = 50
"""Maximum ratio of unpacked to compressed size for files that unpack to more than `UNPACKED_ALLOWANCE_BYTES`.

Texts reach a ratio of 5, tags of 40, and zip bombs of 1,000.
"""
MAX_LINES = 1 << 25
COUNT_BLOCK_BYTES = 1 << 18
"""Number of bytes in which line feeds are counted at a time; a small number saves memory."""
MAX_SEGMENTS = 1 << 24
MAX_SEGMENT_LENGTH = 100_000
"""Maximum length of a segment's text: bytes in text files, characters in bilingual files.

Even a whole document on one line is far shorter; a longer line is probably a file that has lost its line breaks.
"""
MAX_SEGMENT_VALUES = MAX_SEGMENT_LENGTH + 1
"""Maximum number of tags or numbers in a segment, enough for the interleaved gaps and words of the longest text."""
MAX_FILES = 2000
"""Maximum number of files and folders examined in a folder; a folder with more is probably a whole disk."""


def check_line_count(data: bytes, name: str, max_lines: int = MAX_LINES) -> None:
    """Raise QeError if a file has more than `max_lines` lines; to be called before a column is built from `data`."""
    view = np.frombuffer(data, np.uint8)
    lines = sum(
        int(np.count_nonzero(view[offset : offset + COUNT_BLOCK_BYTES] == LF))
        for offset in range(0, len(view), COUNT_BLOCK_BYTES)
    )
    if lines > max_lines:
        message = tr("the file has {n:,} {n:line|lines}; the maximum is {most:,}", "", lines, most=max_lines)
        hint = tr("Check that it is the right file, or split it.")
        raise QeError(message, hint=hint, place=SourceLocation(name))


def check_line_lengths(text: TextColumn, name: str) -> None:
    """Raise QeError if a line of a text is too long for a segment."""
    sizes = text.ends - text.starts

    def error(line: int) -> Fault:
        return Fault(SourceLocation(name, line + 1), tr("the line has {n:,} bytes", "", int(sizes[line])))

    hint = tr("A segment may have at most {n:,} bytes. Check that the line breaks are intact.", "", MAX_SEGMENT_LENGTH)
    raise_for_rows(np.flatnonzero(sizes > MAX_SEGMENT_LENGTH), error, hint)


def check_segment_lengths(lengths: Ints, line_of: Callable[[int], int], name: str) -> None:
    """Raise QeError if a segment has too many tags or numbers; `line_of` maps segments to lines."""

    def error(segment: int) -> Fault:
        return Fault(
            SourceLocation(name, line_of(segment)),
            tr("the segment has {n:,} {n:value|values}", "", int(lengths[segment])),
        )

    hint = tr("A segment may have at most {n:,} values. Check that the line breaks are intact.", "", MAX_SEGMENT_VALUES)
    raise_for_rows(np.flatnonzero(lengths > MAX_SEGMENT_VALUES), error, hint)


COPY_BLOCK_BYTES = 1 << 27
"""Number of bytes read between two cancellation checks."""
SEARCH_BLOCK_BYTES = 1 << 20
"""Number of bytes searched at a time; other threads can run in between."""
NullWidth = Callable[[bytes], int]
"""Function from the first bytes of a file to the width of a NUL character in bytes; 0 if the file is not a text."""


def never_cancelled() -> None:
    """Cancellation callback that never cancels."""


def display_name(path: Path) -> str:
    """Name of a file as displayed in messages; surrogates, which stand for bytes that are not UTF-8, are escaped."""
    return str(path).encode("utf-8", "backslashreplace").decode("utf-8")


class RegularFile(io.FileIO):
    """Regular file open for reading. Opening the file as a project waits until this object is closed."""

    def __init__(self, handle: int, identity: Identity) -> None:
        super().__init__(handle)
        self._identity: Identity | None = identity

    def close(self) -> None:
        """Close the file and unregister it."""
        super().close()
        identity, self._identity = getattr(self, "_identity", None), None
        if identity is not None:
            end_reading(identity)


def open_regular(path: Path) -> io.FileIO:
    """Open a regular file, unbuffered; reading a pipe, a device or a socket could block forever.

    Raises QeError if the file is missing, unreadable, not a regular file, or part of an open project.
    """
    location = SourceLocation(display_name(path))
    try:
        # opening may activate a device, so check first
        _reject_irregular(path.stat().st_mode, location)
    except (FileNotFoundError, NotADirectoryError):
        raise _missing_file_error(location) from None
    except (OSError, ValueError) as error:
        raise unreadable_error(error, location) from None
    identity = begin_reading(path)
    if identity is None:
        raise open_project_error(location) if is_open_here(path) else _missing_file_error(location)
    try:
        file = RegularFile(_handle(path), identity)
    except FileNotFoundError:
        end_reading(identity)
        raise _missing_file_error(location) from None
    except OSError as error:
        end_reading(identity)
        raise unreadable_error(error, location) from None
    try:
        # the file may have been replaced in the meantime
        _reject_irregular(os.fstat(file.fileno()).st_mode, location)
    except BaseException:
        file.close()
        raise
    return file


def _handle(path: Path) -> int:
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))


def _missing_file_error(location: SourceLocation) -> QeError:
    return QeError(tr("file not found"), hint=tr("Check the file name."), place=location)


def open_project_error(location: SourceLocation) -> QeError:
    """Error for a file of an open project."""
    hint = tr("Close the project first, or use a copy of it.")
    return QeError(tr("this is an open project"), hint=hint, place=location)


def _reject_irregular(mode: int, location: SourceLocation) -> None:
    if stat.S_ISDIR(mode):
        raise QeError(tr("this is a folder, not a file"), hint=tr("Specify a file in the folder."), place=location)
    if not stat.S_ISREG(mode):
        raise QeError(tr("this is not a regular file"), hint=tr("Save the data to a file first."), place=location)


def unreadable_error(error: Exception, location: SourceLocation) -> QeError:
    """Error for a file that cannot be read."""
    reason = getattr(error, "strerror", None) or str(error)
    return QeError(
        tr("the file cannot be read: {reason}", reason=reason),
        hint=tr("Check the file name and permissions."),
        place=location,
    )


def file_size(path: Path) -> int:
    """Size of a file in bytes; 0 if it cannot be determined."""
    try:
        return path.stat().st_size
    except (OSError, ValueError):
        return 0


def read_head(path: Path, max_bytes: int) -> bytes:
    """Read the first `max_bytes` bytes of a regular file. Raises QeError if it cannot be read."""
    with open_regular(path) as file:
        try:
            return file.read(max_bytes)
        except OSError as error:
            raise unreadable_error(error, SourceLocation(display_name(path))) from None


def read_tail(path: Path, max_bytes: int) -> bytes:
    """Read the last `max_bytes` bytes of a regular file. Raises QeError if it cannot be read."""
    with open_regular(path) as file:
        try:
            file.seek(max(0, file.seek(0, os.SEEK_END) - max_bytes))
            return file.read(max_bytes)
        except OSError as error:
            raise unreadable_error(error, SourceLocation(display_name(path))) from None


def any_bytes(_head: bytes) -> int:
    """`NullWidth` function for binary files, whose zero bytes are not NUL characters: always returns 0."""
    return 0


def read_bytes(
    path: Path, check_cancelled: CheckCancelled = never_cancelled, null_width: NullWidth = any_bytes
) -> bytes:
    """Read a consistent copy of a regular file's bytes; a memory map could crash the process if the file is truncated.

    If a text contains a NUL character, reading stops after the block that contains it, so that the caller can reject
    the file without reading gigabytes. Raises QeError if the file cannot be read, is too large, or is changed by
    another program while it is read.
    """
    location = SourceLocation(display_name(path))
    with open_regular(path) as file:
        try:
            initial_state = os.fstat(file.fileno())
            size = initial_state.st_size
            if size > MAX_FILE_BYTES:
                message = tr("the file has {n:,} bytes; the maximum is {most:,}", "", size, most=MAX_FILE_BYTES)
                raise QeError(message, hint=tr("Split the file."), place=location)
            data, is_cut = _read(file, size, check_cancelled, null_width)
            after = os.fstat(file.fileno())
            changed = (after.st_size, after.st_mtime_ns) != (size, initial_state.st_mtime_ns) or (
                not is_cut and (len(data) != size or file.read(1))
            )
        except OSError as error:
            raise unreadable_error(error, location) from None
        except MemoryError:
            raise too_large_error(location) from None
    if changed:
        message = tr("another program changed the file while it was being read")
        raise QeError(message, hint=tr("Try again when the other program has finished."), place=location)
    return data


def _read(file: io.FileIO, size: int, check_cancelled: CheckCancelled, null_width: NullWidth) -> tuple[bytes, bool]:
    """Read up to `size` bytes; return them, and whether reading stopped at a NUL character (False for one block)."""
    check_cancelled()
    piece = file.read(min(size, COPY_BLOCK_BYTES))
    if size <= COPY_BLOCK_BYTES:
        return piece, False
    width = null_width(piece)
    buffer = io.BytesIO()
    while piece:
        check_cancelled()
        buffer.write(piece)
        if find_null(piece, width) >= 0:
            return buffer.getvalue(), True
        piece = file.read(min(COPY_BLOCK_BYTES, size - buffer.tell()))
    return buffer.getvalue(), False


def find_null(data: bytes, width: int) -> int:
    """Byte offset of the first NUL character, which has `width` bytes; -1 if there is none, or if `width` is 0."""
    if not width:
        return -1
    units = np.frombuffer(data, f"u{width}", len(data) // width)
    step = SEARCH_BLOCK_BYTES // width
    blocks = ((start, units[start : start + step]) for start in range(0, len(units), step))
    return next(((start + int(block.argmin())) * width for start, block in blocks if not block.all()), -1)


def too_large_error(location: SourceLocation) -> QeError:
    """Error for a file that does not fit into memory."""
    message = tr("the file does not fit into this computer's memory")
    return QeError(message, hint=tr("Close other programs, or split the file."), place=location)


def has_signature(path: Path | str, magic: bytes) -> bool:
    """Whether a path names a regular file that begins with `magic`; False if the file cannot be read."""
    try:
        with open_regular(Path(path)) as file:
            return file.read(len(magic)) == magic
    except (QeError, OSError):
        return False


def list_folder(folder: Path, max_entries: int = MAX_FILES) -> tuple[list[Path], list[Path]]:
    """Return the files and the subfolders of a folder as two sorted lists.

    Names that begin with a dot or a tilde are omitted. Raises QeError if the folder cannot be read, or if it contains
    more than `max_entries` files and folders with other names.
    """
    files: list[Path] = []
    folders: list[Path] = []
    try:
        with os.scandir(folder) as entries:
            for entry in entries:
                if entry.name.startswith((".", "~")):
                    continue
                if len(files) + len(folders) >= max_entries:
                    raise too_many_files_error(folder, max_entries)
                (folders if entry.is_dir() else files).append(folder / entry.name)
    except OSError as error:
        message = tr("the folder cannot be read: {reason}", reason=error.strerror or error)
        raise QeError(
            message, hint=tr("Check the folder permissions."), place=SourceLocation(display_name(folder))
        ) from None
    return sorted(files), sorted(folders)


def too_many_files_error(folder: Path, max_entries: int) -> QeError:
    """Error for a folder with more than `max_entries` files and folders."""
    message = tr("this folder contains more than {n:,} files and folders", "", max_entries)
    return QeError(message, hint=tr("Select the folder of one corpus."), place=SourceLocation(display_name(folder)))
