"""What all versions of XLIFF share: a file element for each document, and in it a unit for each segment."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.corpus import QeError, Status
from qe_desktop.formats.bilingual.exports.exported import Exported, Pair
from qe_desktop.formats.bilingual.exports.marks import attribute, of_segment

UNKNOWN = "und"
"""The language of what nobody knows (BCP 47)."""
Begin = Callable[[int, str], str]
"""What is behind `<file ` up to the first unit, by the number of the document, from 1, and its name as an attribute."""


def written(exported: Exported, root: str, begin: Begin, unit: Callable[[int, Pair], str], end: str = "") -> bytes:
    """The whole file: `root` is the tag that holds all, `unit` gives a segment by its number, and `end` closes what
    `begin` opened. QeError that names the segment whose text XML cannot hold.
    """
    parts = [f'<?xml version="1.0" encoding="UTF-8"?>\n{root}\n']
    for place, (document, pairs) in enumerate(exported.by_document(), 1):
        parts.append(f"<file {begin(place, attribute(document))}\n")
        for number, pair in pairs:
            try:
                parts.append(unit(number, pair))
            except QeError as error:
                raise of_segment(error, number) from None
        parts.append(f"{end}</file>\n")
    return "".join([*parts, "</xliff>\n"]).encode()


def has_target(pair: Pair) -> bool:
    """Whether there is an element for a target: where there is text, and where a person said something of it."""
    return bool(pair.target or pair.loaded) or pair.status not in (Status.OPEN, Status.LOCKED)
