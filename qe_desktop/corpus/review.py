"""What people made of segments in review: targets, statuses and notes, as a value over what was loaded."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from qe_desktop.corpus.jobs import Status


@dataclass(frozen=True, slots=True, eq=False)
class Review:
    """Targets (as lines with codes, see `Job`), statuses and notes that were set, by segment; nothing else is there.

    `people` says who set the target or the status of a segment last. Nobody may change what is in it.
    """

    targets: Mapping[int, str] = field(default_factory=dict)
    statuses: Mapping[int, Status] = field(default_factory=dict)
    notes: Mapping[int, str] = field(default_factory=dict)
    people: Mapping[int, str] = field(default_factory=dict)


UNTOUCHED = Review()
"""Nobody has reviewed anything."""
