"""Splices: the pieces of a file that an edit replaces; all the rest stays byte by byte."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True, order=True)
class Splice:
    """Other text (`new`, UTF-8) for what stands from `start` to `end` (exclusive); where they are one, it is put in."""

    start: int
    end: int
    new: bytes


def spliced(text: bytes, splices: Iterable[Splice]) -> tuple[bytes, list[bytes]]:
    """The text with all splices, and the pieces that stayed. ValueError where two of them overlap."""
    kept: list[bytes] = []
    pieces: list[bytes] = []
    low = 0
    for splice in sorted(set(splices)):
        if splice.start < low:
            raise ValueError("splices overlap")
        kept.append(text[low : splice.start])
        pieces += kept[-1], splice.new
        low = splice.end
    kept.append(text[low:])
    return b"".join([*pieces, kept[-1]]), kept
