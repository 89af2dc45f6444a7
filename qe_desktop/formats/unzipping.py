"""Gzip files, unpacked piece by piece: a small one that would fill the memory is refused on the way."""

from __future__ import annotations

import gzip
import io
import zlib

from qe_desktop.corpus import Place, QeError
from qe_desktop.formats.limits import LARGEST, RATIO, UNPACKED
from qe_desktop.formats.regular_files import Watch, nobody, too_large

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
        reason = "it ends too early" if isinstance(error, EOFError) else str(error)
        message = f"the gzip file is damaged: {reason}"
        raise QeError(message, hint="Copy or download it again.", place=place) from None
    except MemoryError:
        raise too_large(place) from None
    return kept.getvalue()


def beginning_unzipped(data: bytes, name: str, most: int) -> bytes:
    """At most so many bytes of what a gzip file holds that begins with `data`. QeError where it is damaged."""
    try:
        return zlib.decompressobj(wbits=zlib.MAX_WBITS | 16).decompress(data, most)
    except zlib.error as error:
        message = f"the gzip file is damaged: {error}"
        raise QeError(message, hint="Copy or download it again.", place=Place(name)) from None


def _swollen(size: int, most: int, place: Place) -> QeError:
    message = f"the gzip file of {size:,} bytes holds more than {most:,}, the most that is unpacked of one of its size"
    hint = "If it is what you meant, unpack it with gunzip and open the result."
    return QeError(message, hint=hint, place=place)
