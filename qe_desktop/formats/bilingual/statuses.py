"""Statuses in a file's own words: which of them say that somebody finished a segment, and how a file is told so.

Each dialect has one `StatusRule`, which its module documents. A segment is confirmed only where its file says that a
person finished it; what else a file says leaves it open.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.splices import Splice

OF_MACHINES = frozenset(("mt", "nmt", "amt", "leveraged-mt", "mt-suggestion"))
"""Origins that say that a machine made a target, whoever said that it is translated."""


@dataclass(frozen=True, slots=True)
class StatusRule:
    """`finished` tells whether what a file says of a segment means that a person finished it.

    `splices` are what states that a person finished the segment of a target (True), or opened it again (False), also
    where the file says it already; none where it has no place for it.
    """

    finished: Callable[[Segment], bool]
    splices: Callable[[Text, Target, bool], list[Splice]]


SILENT = StatusRule(lambda segment: False, lambda text, place, confirmed: [])
"""That of a dialect that knows no statuses."""
