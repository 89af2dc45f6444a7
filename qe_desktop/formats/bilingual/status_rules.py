"""Statuses in a file's own words: which of them say how far a segment is, and how a file is told so.

Each dialect has one `StatusRule`, which its module documents. A segment is confirmed only where its file says that a
person finished it; what else a file says leaves it open, but for tables, which know all statuses by their names, and
segments of which this program wrote the status (`own_states`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit

_PREFIX = "qe-desktop:"
LOADED_STATE = f"{_PREFIX}loaded"
"""What a proposal is called that is the MT as it was loaded: in 1.2 by `extradata`, in 2 by `subType`."""


def state_name(status: ReviewStatus) -> str:
    """Our own word for a status, the same in all versions: `qe-desktop:rejected`."""
    return f"{_PREFIX}{status.name.lower()}"


QE_STATE_WORDS = {state_name(status): status for status in ReviewStatus}
"""What our own words mean."""


@dataclass(frozen=True, slots=True)
class QeStates:
    """How a version of XLIFF has them: the `state` of each status, the attribute of our word, what is `before` that."""

    states: dict[ReviewStatus, str]
    attribute: str
    before: str = ""

    def word(self, status: ReviewStatus) -> str:
        """What the attribute says of a status."""
        return f"{self.before}{state_name(status)}"

    def written(self, status: ReviewStatus) -> str:
        """Both attributes, as they stand in a tag."""
        return f'state="{self.states[status]}" {self.attribute}="{self.word(status)}"'

    def is_ours(self, word: str) -> bool:
        """Whether the attribute says anything that this program wrote."""
        return word.startswith(f"{self.before}{_PREFIX}")

    def status(self, state: str, word: str) -> ReviewStatus | None:
        """The status that a file says in our words; None where it says none, or says two things."""
        found = QE_STATE_WORDS.get(word.removeprefix(self.before))
        return found if found is not None and self.word(found) == word and self.states[found] == state else None


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
"""Origins that say that a machine made a target, whoever said that it is translated."""
_TABLES = frozenset(("bilingual-table", "xlsx"))
"""Dialects that know all statuses by their names."""
STATUS_BY_NAME = {status.name.lower(): status for status in ReviewStatus}
"""Statuses by the names that this program writes into tables, the same in every language."""


def supports_rejected(form: str, state: str) -> bool:
    """Whether a file of a dialect can say that a segment was rejected of which it says this now."""
    return state in QE_STATE_WORDS or (form in _TABLES and state in STATUS_BY_NAME)


@dataclass(frozen=True, slots=True)
class StatusRule:
    """`status` is what a file says of a segment: one of those that it can tell (`knows`), or open. It follows from the
    segment's state, lock and origin alone.

    `splices` are what states a status for the segment of a target, also where the file says it already; none where it
    has no place for it.
    """

    status: Callable[[Segment], ReviewStatus]
    splices: Callable[[DecodedFile, TargetLocation, ReviewStatus], list[TextEdit]]
    knows: frozenset[ReviewStatus] = frozenset((ReviewStatus.CONFIRMED,))

    def says(self, segment: Segment, status: ReviewStatus) -> bool:
        """Whether a file says of a segment all that it can say of a status."""
        known = status in self.knows or segment.state in QE_STATE_WORDS
        return self.status(segment) == (status if known else ReviewStatus.OPEN)


def confirmed_rule(
    finished: Callable[[Segment], bool], splices: Callable[[DecodedFile, TargetLocation, bool], list[TextEdit]],
    own: Callable[[DecodedFile, TargetLocation, ReviewStatus], list[TextEdit]] = lambda text, place, status: [],
) -> StatusRule:  # fmt: skip
    """The rule of a dialect that tells only whether a person `finished` a segment, or opened it again; `own` states a
    status in our own words where these stand already.
    """

    def status_of(segment: Segment) -> ReviewStatus:
        told = QE_STATE_WORDS.get(segment.state)
        return told if told is not None else ReviewStatus.CONFIRMED if finished(segment) else ReviewStatus.OPEN

    return StatusRule(
        status_of,
        lambda text, place, status: own(text, place, status) or splices(text, place, status is ReviewStatus.CONFIRMED),
    )


NO_STATUS_RULE = confirmed_rule(lambda segment: False, lambda text, place, confirmed: [])
"""That of a dialect that knows no statuses."""
