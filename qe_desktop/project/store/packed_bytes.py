"""Bytes packed for a project and unpacked again: damaged or spoilt ones never fill the memory."""

from __future__ import annotations

import zlib

from qe_desktop.project.store.cells import ensure

_FLOOR, _TIMES = 64 << 20, 100
"""Bytes that packed ones may come to, or so many times what they are packed in; real ones stay far below."""


def pack_bytes(raw: bytes) -> bytes:
    """Bytes as small as is quickly done; as they are where that would be smaller than `unpack_bytes` believes."""
    packed = zlib.compress(raw, 1)
    return packed if len(raw) <= _most(packed) else zlib.compress(raw, 0)


def unpack_bytes(data: bytes) -> bytes:
    """The bytes that were packed. Damaged, or a zlib error, for anything else."""
    work = zlib.decompressobj()
    raw = work.decompress(data, _most(data))
    ensure(work.eof, "packed bytes are more than they can be")
    return raw


def _most(packed: bytes) -> int:
    return max(_FLOOR, _TIMES * len(packed))
