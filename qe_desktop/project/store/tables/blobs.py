"""Arrays stored as chunks of bytes."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, func, insert, select

from qe_desktop.corpus import MetricColumn, QeError
from qe_desktop.corpus.columns import Floats
from qe_desktop.corpus.layers import Scores
from qe_desktop.i18n.messages import to_english, tr
from qe_desktop.project.store.tables.cell_codec import (
    CorruptRowError,
    validate_condition,
    validate_fields,
    validate_names,
)
from qe_desktop.project.store.tables.schema import blobs, chunks

CHUNK_BYTES = 8 << 20
"""Size of a chunk in bytes: far below the limits of `bytea` and SQLite (1 GB); two copies easily fit in memory."""

_DTYPES: dict[str, str] = {"u1": "<u1", "u4": "<u4", "i4": "<i4", "i8": "<i8", "f4": "<f4", "f8": "<f8"}


@dataclass(frozen=True, slots=True)
class _Blob:
    """Row of `blobs`: encoding, number of items, and CRC-32 (None: unknown)."""

    form: str
    size: int
    crc: int | None


def write_bytes(connection: Connection, data: Any, form: str = "bytes", items: int | None = None) -> int:
    """Write a buffer and record its encoding, `form`; return the number of its row in `blobs`.

    `items` is the number of items in the buffer (default: the number of bytes).
    """
    view = memoryview(data).cast("B")
    crc = 0
    for start in range(0, len(view), CHUNK_BYTES):
        crc = zlib.crc32(view[start : start + CHUNK_BYTES], crc)
    size = len(view) if items is None else items
    number = connection.execute(insert(blobs).values(form=form, size=size, crc=crc).returning(blobs.c.seq)).scalar_one()
    for part, start in enumerate(range(0, len(view), CHUNK_BYTES)):
        connection.execute(insert(chunks).values(blob=number, part=part, data=bytes(view[start : start + CHUNK_BYTES])))
    return int(number)


def write_array(connection: Connection, values: NDArray[Any]) -> int:
    """Write a one-dimensional array in little-endian order; return the number of its row in `blobs`.

    Raises KeyError for a dtype other than uint8, uint32, int32, int64, float32 and float64.
    """
    form = values.dtype.str[1:]
    data = np.ascontiguousarray(values, _DTYPES[form])
    return write_bytes(connection, data.data if len(data) else b"", form, len(values))


def write_bits(connection: Connection, values: NDArray[np.uint8]) -> int:
    """Write an array of zeros and ones, eight values per byte; return the number of its row in `blobs`."""
    return write_bytes(connection, np.packbits(values), "bits", len(values))


def read_bytes(connection: Connection, number: int) -> bytes:
    """Read bytes that `write_bytes` wrote. Raises QeError or CorruptRowError if they are missing or damaged."""
    return _read(connection, number)[2]


def read_array(connection: Connection, number: int) -> NDArray[Any]:
    """Return an array that `write_array` or `write_bits` wrote, as a read-only array.

    Raises QeError or ValueError if the stored array is missing or damaged.
    """
    form, items, data = _read(connection, number)
    if form == "bits":
        # unpackbits pads to any count
        if items < 0 or len(data) != -(-items // 8):
            raise _damage_error()
        values = np.unpackbits(np.frombuffer(data, np.uint8), count=items)
    elif form in _DTYPES:
        values = np.frombuffer(data, _DTYPES[form])
    else:
        raise _damage_error()
    if len(values) != items:
        raise _damage_error()
    values.flags.writeable = False
    return values


def _read(connection: Connection, number: int) -> tuple[str, int, bytes]:
    row = connection.execute(select(blobs.c.form, blobs.c.size, blobs.c.crc).where(blobs.c.seq == number)).first()
    if row is None:
        raise _damage_error()
    blob = validate_fields(_Blob(*row))
    rows = connection.execute(select(chunks.c.data).where(chunks.c.blob == number).order_by(chunks.c.part))
    parts = [row[0] for row in rows]
    if not all(type(part) is bytes for part in parts):
        raise _damage_error()
    data = parts[0] if len(parts) == 1 else b"".join(parts)
    if blob.crc is not None and zlib.crc32(data) != blob.crc:
        raise _damage_error()
    return blob.form, blob.size, data


def _damage_error() -> QeError:
    return QeError(
        tr("the project is damaged: stored data is missing or does not match its checksum"),
        hint=tr("Open a backup, or create the project again from its files."),
    )


def blob_crc(connection: Connection, number: int) -> int:
    """Compute the CRC-32 of the stored bytes of a row in `blobs`."""
    crc = 0
    for part in range(connection.execute(select(func.count()).where(chunks.c.blob == number)).scalar_one()):
        row = connection.execute(
            select(chunks.c.data).where(chunks.c.blob == number, chunks.c.part == part)
        ).scalar_one()
        crc = zlib.crc32(row, crc)
    return crc


_UNPACKED_ALLOWANCE_BYTES, _MAX_COMPRESSION_RATIO = 64 << 20, 100
"""Limits of the decompressed size, in bytes and as a multiple of the compressed size; the larger limit applies.

Real data stays far below these limits.
"""


def pack_bytes(raw: bytes) -> bytes:
    """Pack bytes with fast compression, or uncompressed if `unpack_bytes` would reject the compression ratio."""
    packed = zlib.compress(raw, 1)
    return packed if len(raw) <= _max_unpacked(packed) else zlib.compress(raw, 0)


def unpack_bytes(data: bytes) -> bytes:
    """Decompress bytes from `pack_bytes`. Raises CorruptRowError or zlib.error for invalid or truncated data."""
    decompressor = zlib.decompressobj()
    raw = decompressor.decompress(data, _max_unpacked(data))
    validate_condition(decompressor.eof, "compressed data is truncated or too large")
    return raw


def _max_unpacked(packed: bytes) -> int:
    return max(_UNPACKED_ALLOWANCE_BYTES, _MAX_COMPRESSION_RATIO * len(packed))


_LENGTH_BYTES = 8


def join_header(header: str, parts: Iterable[bytes]) -> bytes:
    """Join a JSON header and the bytes that it describes, for `split_header`."""
    head = header.encode()
    return b"".join([len(head).to_bytes(_LENGTH_BYTES, "little"), head, *parts])


def split_header(data: bytes) -> tuple[Any, int]:
    """Parse the header of data from `join_header`; return the header and its end offset.

    Raises ValueError if the header is invalid.
    """
    end = _LENGTH_BYTES + int.from_bytes(data[:_LENGTH_BYTES], "little")
    return json.loads(data[_LENGTH_BYTES:end]), end


def metric_details(name: str, column: MetricColumn) -> dict[str, Any]:
    """Metadata of a metric's scores."""
    return {
        "name": name, "systems": list(column.systems), "better": column.better, "origin": column.origin,
        "notes": to_english(column.notes),
    }  # fmt: skip


def flatten_scores(column: MetricColumn) -> Floats:
    """All scores of a metric, concatenated system by system, shape (systems * segments,)."""
    return np.concatenate([np.zeros(0), *column.systems.values()])


def metric_name_of(details: object) -> str:
    """Return the metric name in `details`. Raises CorruptRowError if the name is missing or invalid."""
    if not isinstance(details, dict):
        raise CorruptRowError("a metric has no details")
    return validate_names([details.get("name")], "a metric")[0]


def metric_column(details: Mapping[str, Any], values: NDArray[Any], size: int) -> MetricColumn:
    """Scores of a metric for `size` segments. Raises CorruptRowError if `values` or `details` are invalid."""
    systems = validate_names(details.get("systems"), "the systems of a metric")
    checked = validate_fields(_MetricDetails(details.get("better"), details.get("origin")))  # type: ignore[arg-type]
    validate_condition(checked.better in (1, -1), "a metric does not specify whether higher is better")
    validate_condition(len(set(systems)) == len(systems), "a metric names a system twice")
    is_complete = values.dtype == np.float64 and len(values) == len(systems) * size and not np.isinf(values).any()
    validate_condition(is_complete, "the scores of a metric are not one per segment")
    columns: list[Scores] = list(values.reshape(len(systems), size))
    notes = validate_names(details.get("notes"), "the notes of a metric")
    return MetricColumn(
        dict(zip(systems, columns, strict=True)), -1 if checked.better < 0 else 1, checked.origin, notes
    )


@dataclass(frozen=True, slots=True)
class _MetricDetails:
    better: int
    origin: str
