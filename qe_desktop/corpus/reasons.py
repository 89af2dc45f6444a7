"""Why tags are BAD: what whoever gave them says of each, beside the layer that holds them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import groupby
from types import MappingProxyType
from typing import NamedTuple


class Reason(NamedTuple):
    """Why the tag of a place, from 0, is BAD: a sentence for people, without a full stop."""

    place: int
    text: str


@dataclass(frozen=True, slots=True, eq=False)
class Reasons:
    """The reasons of a layer's tags by segment, those of each in the order of places."""

    by_segment: Mapping[int, tuple[Reason, ...]]

    @classmethod
    def of(cls, found: Iterable[tuple[int, int, str]]) -> Reasons:
        """Those of (segment, place, text), in any order; what is said twice of a place is kept once."""
        rows = sorted(dict.fromkeys(found), key=lambda row: row[:2])
        grouped = groupby(rows, key=lambda row: row[0])
        kept = {segment: tuple(Reason(place, text) for _, place, text in held) for segment, held in grouped}
        return cls(MappingProxyType(kept))

    def at(self, segment: int, place: int) -> list[str]:
        """What is said of a place; nothing where it is not BAD, or nothing is known."""
        return [reason.text for reason in self.by_segment.get(segment, ()) if reason.place == place]
