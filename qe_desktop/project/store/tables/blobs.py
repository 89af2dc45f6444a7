"""Arrays as chunks of bytes, small enough for every database to take."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, insert, select

from qe_desktop.corpus import QeError
from qe_desktop.project.store.cells import checked
from qe_desktop.project.store.schema import blobs, chunks
from qe_desktop.wording import tr

CHUNK = 8 << 20
"""Bytes of one row: far below the 1 GB of a `bytea` and of SQLite, and few enough to be held twice."""

_FORMS: dict[str, str] = {"u1": "<u1", "u4": "<u4", "i4": "<i4", "i8": "<i8", "f4": "<f4", "f8": "<f8"}


@dataclass(frozen=True, slots=True)
class _Blob:
    """The cells of an array: how it is packed, how many items it has, and its check sum (None: never counted)."""

    form: str
    size: int
    crc: int | None


def keep_bytes(connection: Connection, data: Any, form: str = "bytes", items: int | None = None) -> int:
    """Write bytes (anything with a buffer) and return the number that they are kept under."""
    view = memoryview(data).cast("B")
    crc = 0
    for low in range(0, len(view), CHUNK):
        crc = zlib.crc32(view[low : low + CHUNK], crc)
    size = len(view) if items is None else items
    number = connection.execute(insert(blobs).values(form=form, size=size, crc=crc).returning(blobs.c.seq)).scalar_one()
    for part, low in enumerate(range(0, len(view), CHUNK)):
        connection.execute(insert(chunks).values(blob=number, part=part, data=bytes(view[low : low + CHUNK])))
    return int(number)


def keep_array(connection: Connection, values: NDArray[Any]) -> int:
    """Write an array of one dimension, in the byte order of Intel."""
    form = values.dtype.str[1:]
    data = np.ascontiguousarray(values, _FORMS[form])
    return keep_bytes(connection, data.data if len(data) else b"", form, len(values))


def keep_bits(connection: Connection, values: NDArray[np.uint8]) -> int:
    """Write an array of 0 and 1, eight to a byte."""
    return keep_bytes(connection, np.packbits(values), "bits", len(values))


def read_bytes(connection: Connection, number: int) -> bytes:
    """What `keep_bytes` wrote. QeError where it is not the same any more."""
    return _read(connection, number)[2]


def read_array(connection: Connection, number: int) -> NDArray[Any]:
    """What `keep_array` or `keep_bits` wrote, read-only."""
    form, items, data = _read(connection, number)
    if form == "bits":
        # numpy makes as many as it is asked for, whatever is there
        if items < 0 or len(data) != -(-items // 8):
            raise _damaged()
        values = np.unpackbits(np.frombuffer(data, np.uint8), count=items)
    elif form in _FORMS:
        values = np.frombuffer(data, _FORMS[form])
    else:
        raise _damaged()
    if len(values) != items:
        raise _damaged()
    values.flags.writeable = False
    return values


def _read(connection: Connection, number: int) -> tuple[str, int, bytes]:
    row = connection.execute(select(blobs.c.form, blobs.c.size, blobs.c.crc).where(blobs.c.seq == number)).first()
    if row is None:
        raise _damaged()
    found = checked(_Blob(*row))
    rows = connection.execute(select(chunks.c.data).where(chunks.c.blob == number).order_by(chunks.c.part))
    parts = [row[0] for row in rows]
    if not all(type(part) is bytes for part in parts):
        raise _damaged()
    data = parts[0] if len(parts) == 1 else b"".join(parts)
    if found.crc is not None and zlib.crc32(data) != found.crc:
        raise _damaged()
    return found.form, found.size, data


def _damaged() -> QeError:
    return QeError(
        tr("the project is damaged: a column of its corpus is not as it was written"),
        hint=tr("Open a copy of it, or make the project anew from its files."),
    )


def crc_of(connection: Connection, number: int) -> int:
    """The CRC-32 of what is kept under a number."""
    crc = 0
    for part in range(connection.execute(select(func.count()).where(chunks.c.blob == number)).scalar_one()):
        row = connection.execute(
            select(chunks.c.data).where(chunks.c.blob == number, chunks.c.part == part)
        ).scalar_one()
        crc = zlib.crc32(row, crc)
    return crc
