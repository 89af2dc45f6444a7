"""Mapping between the states of file dialects and review statuses.

Each dialect has a `StatusRule`, documented in its module. A segment is confirmed only if its file marks it as finished
by a human; other states are open, except in tables, which store all statuses by name, and in segments whose status this
program wrote (`QeStates`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit

_PREFIX = "qe-desktop:"
LOADED_STATE = f"{_PREFIX}loaded"
"""Marker of a proposal that is the loaded MT: `extradata` in XLIFF 1.2, `subType` in XLIFF 2."""


def state_name(status: ReviewStatus) -> str:
    """State that this program writes for a status, the same in all versions: `qe-desktop:rejected`."""
    return f"{_PREFIX}{status.name.lower()}"


QE_STATE_WORDS = {state_name(status): status for status in ReviewStatus}
"""Statuses by the names of the states that this program writes."""


@dataclass(frozen=True, slots=True)
class QeStates:
    """Statuses in a version of XLIFF: their `state`, the attribute for this program's state, and its prefix."""

    states: dict[ReviewStatus, str]
    attribute: str
    before: str = ""

    def word(self, status: ReviewStatus) -> str:
        """Value of the attribute for a status."""
        return f"{self.before}{state_name(status)}"

    def written(self, status: ReviewStatus) -> str:
        """Both attributes, as written in a tag."""
        return f'state="{self.states[status]}" {self.attribute}="{self.word(status)}"'

    def is_ours(self, word: str) -> bool:
        """Whether this program wrote the attribute value."""
        return word.startswith(f"{self.before}{_PREFIX}")

    def status(self, state: str, word: str) -> ReviewStatus | None:
        """Status from this program's state; None if there is none, or if it contradicts `state`."""
        status = QE_STATE_WORDS.get(word.removeprefix(self.before))
        return status if status is not None and self.word(status) == word and self.states[status] == state else None


XLIFF_1 = QeStates(
    {
        ReviewStatus.OPEN: "needs-review-translation",
        ReviewStatus.EDITED: "translated",
        ReviewStatus.CONFIRMED: "signed-off",
        ReviewStatus.REJECTED: "needs-translation",
        ReviewStatus.LOCKED: "final",
    },
    "state-qualifier",
    "x-",
)
XLIFF_2 = QeStates(
    {
        ReviewStatus.OPEN: "initial",
        ReviewStatus.EDITED: "translated",
        ReviewStatus.CONFIRMED: "reviewed",
        ReviewStatus.REJECTED: "initial",
        ReviewStatus.LOCKED: "final",
    },
    "subState",
)


MACHINE_ORIGINS = frozenset(("mt", "nmt", "amt", "leveraged-mt", "mt-suggestion"))
"""Origins that mark machine-made targets, even if the state is translated."""
_TABLES = frozenset(("bilingual-table", "xlsx"))
"""Dialects that store all statuses by name."""
STATUS_BY_NAME = {status.name.lower(): status for status in ReviewStatus}
"""Statuses by the names used in tables, not localized."""


def supports_rejected(form: str, state: str) -> bool:
    """Whether a file of this dialect can store the status `rejected` in a segment with this state."""
    return state in QE_STATE_WORDS or (form in _TABLES and state in STATUS_BY_NAME)


@dataclass(frozen=True, slots=True)
class StatusRule:
    """Rule of a dialect for reading and writing statuses.

    `status` maps a segment to one of the statuses that the dialect `knows`, or open, from its state, lock and origin
    alone. `splices` are the edits that set a status for the segment of a target, including unchanged ones; empty if the
    file has no element for it. `needs_text` is true if only segments with a text in their target have a status.
    """

    status: Callable[[Segment], ReviewStatus]
    splices: Callable[[DecodedFile, TargetLocation, ReviewStatus], list[TextEdit]]
    knows: frozenset[ReviewStatus] = frozenset((ReviewStatus.CONFIRMED,))
    needs_text: bool = False

    def says(self, segment: Segment, status: ReviewStatus) -> bool:
        """Whether the file already stores a status, to the extent that its dialect supports it."""
        known = status in self.knows or segment.state in QE_STATE_WORDS
        return self.status(segment) == (status if known else ReviewStatus.OPEN)


def confirmed_rule(
    finished: Callable[[Segment], bool], splices: Callable[[DecodedFile, TargetLocation, bool], list[TextEdit]],
    own: Callable[[DecodedFile, TargetLocation, ReviewStatus], list[TextEdit]] = lambda text, place, status: [],
) -> StatusRule:  # fmt: skip
    """Rule of a dialect that stores only whether a human `finished` a segment; `own` sets this program's state."""

    def status_of(segment: Segment) -> ReviewStatus:
        own_status = QE_STATE_WORDS.get(segment.state)
        return (
            own_status if own_status is not None else ReviewStatus.CONFIRMED if finished(segment) else ReviewStatus.OPEN
        )

    return StatusRule(
        status_of,
        lambda text, place, status: own(text, place, status) or splices(text, place, status is ReviewStatus.CONFIRMED),
    )


NO_STATUS_RULE = confirmed_rule(lambda segment: False, lambda text, place, confirmed: [])
"""Rule of a dialect without statuses."""
