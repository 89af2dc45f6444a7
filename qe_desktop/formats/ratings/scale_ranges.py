"""From where to where a scale goes, where a file tells: in its header, in a column, or behind the scale's name."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping
from typing import Any

Ranges = tuple[tuple[str, float, float], ...]
_ENDS = re.compile(r"\s*(-?\d+(?:\.\d+)?)\s*(?:\.\.|–|-|to)\s*(-?\d+(?:\.\d+)?)\s*", re.ASCII)
_NAMED = re.compile(r"(.*\S)\s*[(\[]([^()\[\]]+)[)\]]\s*")


def ends_of(cell: str) -> tuple[float, float] | None:
    """The ends of a range such as 1..7, 1-7 or 0 to 100; None for anything else."""
    found = _ENDS.fullmatch(cell)
    low, high = (float(found[1]), float(found[2])) if found else (math.nan, math.nan)
    return (low, high) if low < high else None


def split_name(name: str) -> tuple[str, tuple[float, float] | None]:
    """A scale's name, and the range behind it in brackets: adequacy (1-7)."""
    found = _NAMED.fullmatch(name)
    ends = ends_of(found[2]) if found else None
    return (found[1], ends) if found and ends else (name, None)


def ranges_text(low: float, high: float) -> str:
    """A range as a cell."""
    return f"{low:g}..{high:g}"


def ranges_in(held: Any) -> Ranges:
    """The ranges that a header of JSON tells; what is no range is passed over."""
    found = []
    for scale, ends in held.items() if isinstance(held, Mapping) else ():
        if isinstance(ends, list) and len(ends) == 2 and all(type(end) in (int, float) for end in ends):
            low, high = (min(max(float(end), -1e9), 1e9) for end in ends)
            if low < high:
                found.append((str(scale), low, high))
    return tuple(found)


def told(pairs: Iterable[tuple[str, tuple[float, float] | None]]) -> Ranges:
    """The first range that is told of each scale."""
    found: dict[str, tuple[float, float]] = {}
    for scale, ends in pairs:
        if ends is not None:
            found.setdefault(scale, ends)
    return tuple((scale, *ends) for scale, ends in found.items())
