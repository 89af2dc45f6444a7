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
    """Name under which this program writes a status to XLIFF of any version, such as `qe-desktop:rejected`."""
    return f"{_PREFIX}{status.name.lower()}"


QE_STATE_WORDS = {state_name(status): status for status in ReviewStatus}
"""Statuses by the names of the states that this program writes."""


@dataclass(frozen=True, slots=True)
class QeStates:
    """Attributes that store statuses in a version of XLIFF: the standard `state`, and one for this program's state.

    `states` are the values of `state`. `attribute` is the name of the other attribute, `before` the prefix that its
    values need; empty if none.
    """

    states: dict[ReviewStatus, str]
    attribute: str
    before: str = ""

    def word(self, status: ReviewStatus) -> str:
        """Value of `attribute` for a status."""
        return f"{self.before}{state_name(status)}"

    def written(self, status: ReviewStatus) -> str:
        """Both attributes for a status, as written in a tag."""
        return f'state="{self.states[status]}" {self.attribute}="{self.word(status)}"'

    def is_ours(self, word: str) -> bool:
        """Whether this program wrote this value of `attribute`."""
        return word.startswith(f"{self.before}{_PREFIX}")

    def status(self, state: str, word: str) -> ReviewStatus | None:
        """Status from `word`, the value of `attribute`; None if it is not this program's, or `state` contradicts it."""
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

    `status` returns the status of a segment, from its state, lock and origin alone: one that the dialect `knows`, one
    that this program wrote (`QeStates`), or open. `splices` returns the edits that set a status for the segment of a
    target, even if they change nothing; empty if the file has no place for it, or needs no edit. `needs_text` is true
    if only segments with a text in their target have a status.
    """

    status: Callable[[Segment], ReviewStatus]
    splices: Callable[[DecodedFile, TargetLocation, ReviewStatus], list[TextEdit]]
    knows: frozenset[ReviewStatus] = frozenset((ReviewStatus.CONFIRMED,))
    needs_text: bool = False

    def says(self, segment: Segment, status: ReviewStatus) -> bool:
        """Whether a segment has a status in the file; a status that the file cannot store counts as open."""
        known = status in self.knows or segment.state in QE_STATE_WORDS
        return self.status(segment) == (status if known else ReviewStatus.OPEN)


def confirmed_rule(
    finished: Callable[[Segment], bool], splices: Callable[[DecodedFile, TargetLocation, bool], list[TextEdit]],
    own: Callable[[DecodedFile, TargetLocation, ReviewStatus], list[TextEdit]] = lambda text, place, status: [],
) -> StatusRule:  # fmt: skip
    """Rule of a dialect that stores only whether a human `finished` a segment.

    `splices` returns the edits that mark a segment as confirmed or not. `own` returns the edits that set this program's
    state instead; empty if the segment has no such state.
    """

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
