"""Gzip files, unpacked piece by piece: a small one that would fill the memory is refused on the way."""

from __future__ import annotations

import gzip
import io
import zlib

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.limits import LARGEST, RATIO, UNPACKED
from qe_desktop.formats.regular_files import Watch, nobody, too_large
from qe_desktop.wording import tr

GZIP = b"\x1f\x8b"
PIECE = 1 << 22
"""Bytes unpacked between two looks at how many there are, and whether anyone still waits."""


def unzipped(data: bytes, name: str, watch: Watch = nobody) -> bytes:
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


def beginning_unzipped(data: bytes, name: str, most: int) -> bytes:
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
