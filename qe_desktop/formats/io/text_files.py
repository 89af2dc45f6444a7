"""Opening files: plain or compressed, checked to be UTF-8 text before anyone reads a line of them.

Gzip is unpacked piece by piece: a small file that would fill the memory is refused on the way.
"""

from __future__ import annotations

import codecs
import gzip
import io
import zlib
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from qe_desktop.corpus import Place, QeError
from qe_desktop.corpus.text import BLOCK, LF
from qe_desktop.formats.limits import LARGEST, RATIO, UNPACKED
from qe_desktop.formats.regular_files import Watch, beginning_of, bytes_of, nobody, too_large
from qe_desktop.formats.regular_files import shown_name as shown_name
from qe_desktop.formats.standard_input import STANDARD_INPUT, read_standard_input
from qe_desktop.wording import tr

GZIP = b"\x1f\x8b"
PIECE = 1 << 22
"""Bytes unpacked between two looks at how many there are, and whether anyone still waits."""
HEAD = 1 << 16
"""Bytes from the beginning of a file that its format is recognised by."""

_WIDE = (
    (codecs.BOM_UTF32_LE, "UTF-32"),
    (codecs.BOM_UTF32_BE, "UTF-32"),
    (codecs.BOM_UTF16_LE, "UTF-16"),
    (codecs.BOM_UTF16_BE, "UTF-16"),
)
_PACKED = ((b"PK\x03\x04", "zip"), (b"\xfd7zXZ\x00", "xz"), (b"BZh", "bzip2"), (b"7z\xbc\xaf", "7-Zip"))
_CONTROL = bytes(byte for byte in range(32) if byte not in b"\t\n\v\f\r\x1b")


@dataclass(frozen=True, slots=True, eq=False)
class OpenedFile:
    """A file's text as UTF-8 bytes; its content begins at `start`, behind a byte order mark if there is one."""

    path: Path
    name: str
    data: bytes
    start: int
    watch: Watch = nobody
    """Is called now and then while the file is read, and raises what shall end that."""

    def head(self) -> bytes:
        """The first bytes of the content, cut at a line end where there is one; enough to recognise a format."""
        head = self.data[self.start : self.start + HEAD]
        if len(self.data) - self.start <= HEAD:
            return head
        whole = head.rfind(b"\n") + 1
        return head[:whole] if whole else head

    def place(self, line: int | None = None) -> Place:
        """A place in this file, its line counted from 1."""
        return Place(self.name, line)


def open_file(path: Path | str, watch: Watch = nobody) -> OpenedFile:
    """A copy of a file's bytes, decompressed where it is gzip (whatever its name) and checked to be UTF-8 text.

    QeError for what is missing, empty, a directory, no ordinary file, too large, binary, damaged or in another
    encoding. `STANDARD_INPUT` is what is piped into the program. `watch` is called now and then, here and while the
    file's content is read; what it raises ends that.
    """
    path = path if isinstance(path, Path) else Path(path)
    name = shown_name(path)
    data = read_standard_input(watch) if path is STANDARD_INPUT else bytes_of(path, watch)
    if data.startswith(GZIP):
        data = _unzipped(data, name, watch)
    return _checked(path, name, data, watch, whole=True)


def open_beginning(path: Path, most: int) -> OpenedFile:
    """The first bytes of a file, at most so many, as `open_file` gives the whole; enough to say what a large one is."""
    name = shown_name(path)
    data = beginning_of(path, most)
    if data.startswith(GZIP):
        data = _beginning_unzipped(data, name, most)
    return _checked(path, name, data, nobody, whole=False)


def _unzipped(data: bytes, name: str, watch: Watch) -> bytes:
    """What a gzip file holds, of all its members.

    QeError where it is damaged, or holds more than `UNPACKED` bytes and more than `RATIO` times its size.
    """
    most = min(max(UNPACKED, RATIO * len(data)), LARGEST)
    place = Place(name)
    kept = io.BytesIO()
    try:
        with gzip.GzipFile(fileobj=io.BytesIO(data)) as file:
            while piece := file.read(PIECE):
                watch()
                if kept.tell() + len(piece) > most:
                    raise _swollen(len(data), most, place)
                kept.write(piece)
    except (OSError, EOFError, zlib.error, ValueError) as error:
        cut = tr("the gzip file is damaged: it ends too early")
        raise _damaged(cut if isinstance(error, EOFError) else _reason(error), place) from None
    except MemoryError:
        raise too_large(place) from None
    return kept.getvalue()


def _beginning_unzipped(data: bytes, name: str, most: int) -> bytes:
    """At most so many bytes of what a gzip file holds that begins with `data`. QeError where it is damaged."""
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, most)
    except zlib.error as error:
        raise _damaged(_reason(error), Place(name)) from None


def _reason(error: Exception) -> str:
    return tr("the gzip file is damaged: {reason}", reason=error)


def _damaged(message: str, place: Place) -> QeError:
    return QeError(message, hint=tr("Copy or download it again."), place=place)


def _swollen(size: int, most: int, place: Place) -> QeError:
    message = tr(
        "the gzip file of {n:,} bytes holds more than {most:,}, the most that is unpacked of one of its size",
        "", size, most=most,
    )  # fmt: skip
    hint = tr("If it is what you meant, unpack it with gunzip and open the result.")
    return QeError(message, hint=hint, place=place)


def _checked(path: Path, name: str, data: bytes, watch: Watch, *, whole: bool) -> OpenedFile:
    start = len(codecs.BOM_UTF8) if data.startswith(codecs.BOM_UTF8) else 0
    if start == len(data):
        raise QeError(tr("the file is empty"), hint=tr("Check that it is the file you meant."), place=Place(name))
    _refuse_binary(data, name)
    _refuse_other_encodings(data, name, watch, whole=whole)
    return OpenedFile(path, name, data, start, watch)


def _refuse_binary(data: bytes, name: str) -> None:
    head = data[:HEAD]
    for mark, encoding in _WIDE:
        if head.startswith(mark):
            raise _encoded(encoding, name)
    for mark, kind in _PACKED:
        if head.startswith(mark):
            hint = tr("Unpack it first; gzip is read as it is.")
            raise QeError(tr("this is a {kind} archive", kind=kind), hint=hint, place=Place(name))
    zero = data.find(b"\0")
    if zero >= 0:
        zeros = np.frombuffer(head, np.uint8) == 0
        # ASCII text in UTF-16 has a zero in every second byte, on one side only
        even, odd = float(zeros[::2].mean()), float(zeros[1::2].mean()) if len(head) > 1 else 0.0
        if max(even, odd) > 0.3 and min(even, odd) < 0.05:
            raise _encoded("UTF-16", name)
        message, line = tr("this is no text file: it holds NUL bytes"), _line_of(data, zero)
        raise QeError(message, hint=tr("Give a UTF-8 text file."), place=Place(name, line))
    controls = len(head) - len(head.translate(None, _CONTROL))
    if controls * 50 > len(head):
        message = tr("this is no text file: it is full of control characters")
        raise QeError(message, hint=tr("Give a UTF-8 text file."), place=Place(name))


def _encoded(encoding: str, name: str) -> QeError:
    hint = tr("Save it as UTF-8, not {encoding}.", encoding=encoding)
    return QeError(tr("looks like {encoding}", encoding=encoding), hint=hint, place=Place(name))


def _refuse_other_encodings(data: bytes, name: str, watch: Watch, *, whole: bool) -> None:
    view = memoryview(data)
    low, size = 0, len(data)
    while low < size:
        watch()
        high = min(low + BLOCK, size)
        try:
            _, used = codecs.utf_8_decode(view[low:high], "strict", whole and high == size)
        except UnicodeDecodeError as error:
            place = low + error.start
            byte = data[place : place + 1].hex().upper()
            message = tr("this is not UTF-8: the byte {byte} does not belong here", byte=byte)
            hint = tr("Save the file as UTF-8.")
            raise QeError(message, hint=hint, place=Place(name, _line_of(data, place))) from None
        if not used:
            return
        low += used


def _line_of(data: bytes, place: int) -> int:
    """The line, from 1, of a place in the bytes."""
    view = np.frombuffer(data, np.uint8)
    return 1 + sum(int(np.count_nonzero(view[low : min(low + BLOCK, place)] == LF)) for low in range(0, place, BLOCK))
