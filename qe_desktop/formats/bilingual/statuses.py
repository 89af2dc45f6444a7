"""Statuses in a file's own words: which of them say how far a segment is, and how a file is told so.

Each dialect has one `StatusRule`, which its module documents. A segment is confirmed only where its file says that a
person finished it; what else a file says leaves it open, but for tables, which know all statuses by their names, and
segments of which this program wrote the status (`own_states`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.corpus import Status
from qe_desktop.formats.bilingual import own_states
from qe_desktop.formats.bilingual.encodings import Text
from qe_desktop.formats.bilingual.segments import Segment, Target
from qe_desktop.formats.bilingual.splices import Splice

OF_MACHINES = frozenset(("mt", "nmt", "amt", "leveraged-mt", "mt-suggestion"))
"""Origins that say that a machine made a target, whoever said that it is translated."""
_TABLES = frozenset(("bilingual-table", "xlsx"))
"""Dialects that know all statuses by their names."""
NAMED = {status.name.lower(): status for status in Status}
"""Statuses by the names that this program writes into tables, the same in every language."""


def tells_rejected(form: str, state: str) -> bool:
    """Whether a file of a dialect can say that a segment was rejected of which it says this now."""
    return state in own_states.WORDS or (form in _TABLES and state in NAMED)


@dataclass(frozen=True, slots=True)
class StatusRule:
    """`status` is what a file says of a segment: one of those that it can tell (`knows`), or open. It follows from the
    segment's state, lock and origin alone.

    `splices` are what states a status for the segment of a target, also where the file says it already; none where it
    has no place for it.
    """

    status: Callable[[Segment], Status]
    splices: Callable[[Text, Target, Status], list[Splice]]
    knows: frozenset[Status] = frozenset((Status.CONFIRMED,))

    def says(self, segment: Segment, status: Status) -> bool:
        """Whether a file says of a segment all that it can say of a status."""
        known = status in self.knows or segment.state in own_states.WORDS
        return self.status(segment) == (status if known else Status.OPEN)


def of_finished(
    finished: Callable[[Segment], bool], splices: Callable[[Text, Target, bool], list[Splice]],
    own: Callable[[Text, Target, Status], list[Splice]] = lambda text, place, status: [],
) -> StatusRule:  # fmt: skip
    """The rule of a dialect that tells only whether a person `finished` a segment, or opened it again; `own` states a
    status in our own words where these stand already.
    """

    def status_of(segment: Segment) -> Status:
        told = own_states.WORDS.get(segment.state)
        return told if told is not None else Status.CONFIRMED if finished(segment) else Status.OPEN

    return StatusRule(
        status_of,
        lambda text, place, status: own(text, place, status) or splices(text, place, status is Status.CONFIRMED),
    )


SILENT = of_finished(lambda segment: False, lambda text, place, confirmed: [])
"""That of a dialect that knows no statuses."""
