"""Opening of text files, plain or gzip-compressed, as valid UTF-8, and their blocks of whole lines."""

from __future__ import annotations

import codecs
import gzip
import io
import os
import stat
import sys
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO, Final

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.corpus.columns import Ints
from qe_desktop.corpus.progress import CheckCancelled
from qe_desktop.corpus.text import LF, LINE_BLOCK_BYTES, is_separator, token_starts
from qe_desktop.formats.files import (
    MAX_COMPRESSION_RATIO,
    MAX_FILE_BYTES,
    UNPACKED_ALLOWANCE_BYTES,
    find_null,
    never_cancelled,
    read_bytes,
    read_head,
    too_large_error,
    unreadable_error,
)
from qe_desktop.formats.files import display_name as display_name
from qe_desktop.i18n.messages import tr

STDIN_ARGUMENT = "-"
"""Command-line argument for standard input."""
STANDARD_INPUT: Final = Path(STDIN_ARGUMENT)
"""Path that stands for standard input. Compare it by identity (`is`), because a file may also be named `-`."""
STDIN_NAME = "stdin"
"""Default name of a system or gold that is read from standard input."""
READ_BLOCK_BYTES = 1 << 22
"""Number of bytes read between two checks of the size limit and of cancellation."""


def named_path(argument: str) -> Path:
    """Return the path that an argument names; `-` is standard input, and `./-` is a file named `-`."""
    return STANDARD_INPUT if argument == STDIN_ARGUMENT else Path(argument)


def check_read_once(arguments: Iterable[str]) -> None:
    """Raise QeError if several arguments (`-` or `NAME=-`) refer to standard input, which can be read only once."""
    stdin_arguments = [
        argument
        for argument in arguments
        if argument == STDIN_ARGUMENT or (argument.endswith(f"={STDIN_ARGUMENT}") and not Path(argument).exists())
    ]
    if len(stdin_arguments) > 1:
        message = tr("standard input is specified {n:,} times, but can be read only once", "", len(stdin_arguments))
        raise QeError(message, hint=tr("Use files for all inputs except one."), place=SourceLocation(STDIN_ARGUMENT))


def read_standard_input(check_cancelled: CheckCancelled = never_cancelled) -> bytes:
    """Read all of standard input, which must be piped from a program or a file.

    Raises QeError if there is no standard input, if it is too large, if reading fails, or if standard input is a
    terminal or another device, which may never end.
    """
    location = SourceLocation(STDIN_ARGUMENT)
    stream = _stream()
    buffer = io.BytesIO()
    try:
        while piece := stream.read(READ_BLOCK_BYTES):
            check_cancelled()
            if buffer.tell() + len(piece) > MAX_FILE_BYTES:
                message = tr("standard input has more than {n:,} bytes", "", MAX_FILE_BYTES)
                raise QeError(message, hint=tr("Split the input."), place=location)
            buffer.write(piece)
    except (OSError, ValueError) as error:
        raise unreadable_error(error, location) from None
    except MemoryError:
        raise too_large_error(location) from None
    return buffer.getvalue()


def _stream() -> BinaryIO:
    """Return standard input. Raises QeError if there is none, or if it is a terminal or device, which may never end."""
    stream = sys.stdin
    if stream is None or stream.closed:
        raise _no_input_error(tr("there is no standard input"))
    if stream.isatty():
        raise _no_input_error(tr("standard input is the keyboard, not a file or pipe"))
    try:
        mode = os.fstat(stream.fileno()).st_mode
    except (OSError, ValueError):
        # an in-memory stream of an embedding program
        return stream.buffer
    if stat.S_ISCHR(mode) or stat.S_ISBLK(mode):
        raise _no_input_error(tr("standard input is a device, not a file or pipe"))
    return stream.buffer


def _no_input_error(message: str) -> QeError:
    hint = tr("Specify a file, or redirect one to standard input: qe-desktop … < FILE.")
    return QeError(message, hint=hint, place=SourceLocation(STDIN_ARGUMENT))


GZIP_SIGNATURE = b"\x1f\x8b"
HEAD_BYTES = 1 << 16
"""Number of bytes from the beginning of a file that are used to detect its format."""

_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_ARCHIVE_SIGNATURES = ((b"PK\x03\x04", "zip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"7z\xbc\xaf", "7-Zip"))
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")


@dataclass(frozen=True, slots=True, eq=False)
class TextFile:
    """Text file in memory, as UTF-8 `data`; the text begins at `start`, after a byte order mark if there is one."""

    path: Path
    name: str
    data: bytes
    start: int
    watch: CheckCancelled = never_cancelled
    """Cancellation callback, which is called regularly during reading and may raise an exception to stop it."""

    def head(self) -> bytes:
        """First `HEAD_BYTES` bytes of the text or fewer, cut at a line end if possible, to detect the format."""
        head = self.data[self.start : self.start + HEAD_BYTES]
        if len(self.data) - self.start <= HEAD_BYTES:
            return head
        end = head.rfind(b"\n") + 1
        return head[:end] if end else head

    def location(self, line: int | None = None) -> SourceLocation:
        """Location in this file; `line` is 1-based, None for the whole file."""
        return SourceLocation(self.name, line)


def open_file(path: Path | str, check_cancelled: CheckCancelled = never_cancelled) -> TextFile:
    """Read a file into memory, unpack it if it is a gzip file, whatever its name, and validate it as UTF-8 text.

    If `path` is `STANDARD_INPUT`, standard input is read. Raises QeError if the file cannot be read (see `read_bytes`
    and `read_standard_input`), or if it is empty, too large, binary, damaged or in another encoding. `check_cancelled`
    is called regularly, also while the returned `TextFile` is parsed; it may raise an exception to stop the reading.
    """
    path = path if isinstance(path, Path) else Path(path)
    name = display_name(path)
    data = (
        read_standard_input(check_cancelled)
        if path is STANDARD_INPUT
        else read_bytes(path, check_cancelled, _null_width)
    )
    if data.startswith(GZIP_SIGNATURE):
        data = _gunzip(data, name, check_cancelled)
    return _check_text(path, name, data, check_cancelled, is_complete=True)


def _null_width(head: bytes) -> int:
    return 0 if head.startswith(GZIP_SIGNATURE) else 1


def open_beginning(path: Path, max_bytes: int) -> TextFile:
    """Read at most the first `max_bytes` bytes of a file, unpacked as in `open_file`, to detect the file type.

    Raises QeError if the file cannot be read or is empty, or if the bytes read are damaged or not a text.
    """
    name = display_name(path)
    data = read_head(path, max_bytes)
    if data.startswith(GZIP_SIGNATURE):
        data = _gunzip_beginning(data, name, max_bytes)
    return _check_text(path, name, data, never_cancelled, is_complete=False)


def _gunzip(data: bytes, name: str, check_cancelled: CheckCancelled) -> bytes:
    """Decompress all members of a gzip file in pieces, so that zip bombs are rejected early.

    Raises QeError if the file is damaged or unpacks to more than `MAX_FILE_BYTES`. For small files, the limit is lower:
    the greater of `UNPACKED_ALLOWANCE_BYTES` and `MAX_COMPRESSION_RATIO` times the size of the gzip file.
    """
    max_bytes = min(max(UNPACKED_ALLOWANCE_BYTES, MAX_COMPRESSION_RATIO * len(data)), MAX_FILE_BYTES)
    location = SourceLocation(name)
    buffer = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while piece := file.read(READ_BLOCK_BYTES):
                check_cancelled()
                if buffer.tell() + len(piece) > max_bytes:
                    raise _decompressed_size_error(len(data), max_bytes, location)
                buffer.write(piece)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        cut = tr("the gzip file is damaged: it ends unexpectedly")
        raise _damaged_error(cut if isinstance(error, EOFError) else _damage_message(error), location) from None
    except MemoryError:
        raise too_large_error(location) from None
    return buffer.getvalue()


def _gunzip_beginning(data: bytes, name: str, max_bytes: int) -> bytes:
    """Decompress `data`, the beginning of a gzip file, to at most `max_bytes` bytes.

    Raises QeError if the data are damaged.
    """
    beginning = b""
    try:
        # the first members may be empty or short
        while data.startswith(GZIP_SIGNATURE) and len(beginning) < max_bytes:
            member = zlib.decompressobj(wbits=zlib.MAX_WBITS | 16)
            beginning += member.decompress(data, max_bytes - len(beginning))
            data = member.unused_data.lstrip(b"\0")
    except zlib.error as error:
        raise _damaged_error(_damage_message(error), SourceLocation(name)) from None
    return beginning


def _damage_message(error: Exception) -> str:
    return tr("the gzip file is damaged: {reason}", reason=error)


def _damaged_error(message: str, location: SourceLocation) -> QeError:
    return QeError(message, hint=tr("Copy or download the file again."), place=location)


def _decompressed_size_error(size: int, max_bytes: int, location: SourceLocation) -> QeError:
    message = tr(
        "the gzip file of {n:,} bytes unpacks to more than {most:,} bytes, the maximum for its size",
        "", size, most=max_bytes,
    )  # fmt: skip
    # a larger file cannot be opened, even if it is unpacked
    hint = tr("If such a large file is expected, unpack it with gunzip and open the result.")
    hint = hint if max_bytes < MAX_FILE_BYTES else tr("Split the file.")
    return QeError(message, hint=hint, place=location)


def _check_text(path: Path, name: str, data: bytes, check_cancelled: CheckCancelled, *, is_complete: bool) -> TextFile:
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    if start == len(data):
        raise QeError(tr("the file is empty"), hint=tr("Check that it is the right file."), place=SourceLocation(name))
    _reject_binary(data, name)
    _reject_other_encodings(data, name, check_cancelled, is_complete=is_complete)
    return TextFile(path, name, data, start, check_cancelled)


def _reject_binary(data: bytes, name: str) -> None:
    head = data[:HEAD_BYTES]
    for mark, encoding in _BYTE_ORDER_MARKS:
        if head.startswith(mark):
            raise encoding_error(encoding, name)
    for mark, kind in _ARCHIVE_SIGNATURES:
        if head.startswith(mark):
            hint = tr("Unpack the archive first; only gzip files are read directly.")
            raise QeError(tr("this is a {kind} archive", kind=kind), hint=hint, place=SourceLocation(name))
    zero = find_null(data, 1)
    if zero >= 0:
        if looks_like_utf16(head):
            raise encoding_error("UTF-16", name)
        # imported only if there is an error, because importing it is slow
        from qe_desktop.formats.bilingual.file_signatures import foreign_kind

        kind = foreign_kind(data)
        if kind:
            message = tr("this is {kind}, not a text file", kind=kind)
            raise QeError(message, hint=tr("Use a UTF-8 text file."), place=SourceLocation(name))
        message, line = tr("not a text file (contains NUL bytes)"), _line_of(data, zero)
        raise QeError(message, hint=tr("Use a UTF-8 text file."), place=SourceLocation(name, line))
    controls = len(head) - len(head.translate(None, _CONTROL))
    if controls * 50 > len(head):
        message = tr("not a text file (contains many control characters)")
        raise QeError(message, hint=tr("Use a UTF-8 text file."), place=SourceLocation(name))


def looks_like_utf16(head: bytes) -> bool:
    """Whether bytes look like mostly ASCII text in UTF-16: many zeros at even and few at odd offsets, or vice versa."""
    zeros = np.frombuffer(head, np.uint8) == 0
    even, odd = (float(zeros[first::2].mean()) if len(head) > first else 0.0 for first in (0, 1))
    return max(even, odd) > 0.3 and min(even, odd) < 0.05


def encoding_error(encoding: str, name: str) -> QeError:
    """Error for a file in an encoding that is not supported for its format."""
    hint = tr("Save the file as UTF-8 instead of {encoding}.", encoding=encoding)
    return QeError(tr("the encoding looks like {encoding}", encoding=encoding), hint=hint, place=SourceLocation(name))


def _reject_other_encodings(data: bytes, name: str, check_cancelled: CheckCancelled, *, is_complete: bool) -> None:
    view = memoryview(data)
    start, size = 0, len(data)
    while start < size:
        check_cancelled()
        stop = min(start + LINE_BLOCK_BYTES, size)
        try:
            _, used = codecs.utf_8_decode(view[start:stop], "strict", is_complete and stop == size)
        except UnicodeDecodeError as error:
            offset = start + error.start
            byte = data[offset : offset + 1].hex().upper()
            message = tr("not UTF-8 (invalid byte {byte})", byte=byte)
            hint = tr("Save the file as UTF-8.")
            raise QeError(message, hint=hint, place=SourceLocation(name, _line_of(data, offset))) from None
        if not used:
            return
        start += used


def _line_of(data: bytes, offset: int) -> int:
    """1-based number of the line at a byte offset."""
    view = np.frombuffer(data, np.uint8)
    return 1 + sum(
        int(np.count_nonzero(view[start : min(start + LINE_BLOCK_BYTES, offset)] == LF))
        for start in range(0, offset, LINE_BLOCK_BYTES)
    )


CACHED_BLOCK_BYTES = 1 << 18
"""Number of bytes in a block that is processed in several passes."""

ByteArray = NDArray[np.uint8]


def iter_blocks(opened: TextFile, size: int = CACHED_BLOCK_BYTES) -> Iterator[tuple[int, bytes]]:
    """Iterate over blocks of whole lines as (offset in `opened.data`, bytes).

    A block has at most `size` bytes, unless it is one longer line. If the last line has no line feed, one is added.
    """
    data = opened.data
    start, end = opened.start, len(data)
    while start < end:
        opened.watch()
        stop = min(start + size, end)
        block = data[start:stop]
        if stop < end:
            cut = block.rfind(b"\n") + 1
            if not cut:
                cut = _end_of_line(opened, stop) - start
                block = data[start : start + cut]
            block, stop = block[:cut], start + cut
        if not block.endswith(b"\n"):
            block += b"\n"
        yield start, block
        start = stop


def _end_of_line(opened: TextFile, offset: int) -> int:
    position = opened.data.find(b"\n", offset)
    return len(opened.data) if position < 0 else position + 1


@dataclass(frozen=True, slots=True, eq=False)
class TokenBlock:
    """Tokens of a block of lines.

    `starts` and `ends` are the byte offsets of tokens in `codes`, shape (tokens,). `counts` is the number of tokens in
    each line, shape (lines,).
    """

    codes: ByteArray
    starts: Ints
    ends: Ints
    counts: Ints

    def line_of(self, token: int) -> int:
        """1-based number of the line that contains a token; lines are counted within the block."""
        return 1 + int(np.searchsorted(np.cumsum(self.counts), token, side="right"))

    def text(self, token: int) -> str:
        """Return a token as text."""
        return self.codes[self.starts[token] : self.ends[token]].tobytes().decode("utf-8", "replace")


def split_tokens(block: bytes) -> TokenBlock:
    """Split a block into tokens, separated by spaces, tabs and line ends. The block must end with a line feed."""
    codes = np.frombuffer(block, np.uint8)
    separators = is_separator(codes)
    finish = separators.copy()
    finish[0] = False
    finish[1:] &= ~separators[:-1]
    starts, ends = np.flatnonzero(token_starts(separators)), np.flatnonzero(finish)
    until = np.searchsorted(starts, np.flatnonzero(codes == LF))
    return TokenBlock(codes, starts, ends, np.diff(until, prepend=0))


def gather_fields(codes: ByteArray, starts: Ints, ends: Ints, width: int) -> ByteArray:
    """First `width` bytes of each field, shape (fields, width); shorter fields are padded with zero bytes."""
    fields = np.empty((len(starts), width), np.uint8)
    offsets = np.arange(width)
    # the index arrays need eight times the memory of the result, so process a part at a time
    step = max(1, CACHED_BLOCK_BYTES // max(width, 1))
    for start in range(0, len(starts), step):
        first, last = starts[start : start + step, None], ends[start : start + step, None]
        field_bytes = codes.take(first + offsets, mode="clip")
        fields[start : start + step] = np.where(offsets < last - first, field_bytes, np.uint8(0))
    return fields
