"""Mapping between the states of file dialects and review statuses.

Each dialect has a `StatusRule`, documented in its module. A segment is confirmed only if its file marks it as finished
by a human, and rejected only if its file marks it as rejected; other states are open, except in tables, which store all
statuses by name, and in segments whose status this program wrote (`QeStates`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from qe_desktop.corpus import ReviewStatus
from qe_desktop.formats.bilingual.encodings import DecodedFile
from qe_desktop.formats.bilingual.segments import Segment, TargetLocation, TextEdit

_PREFIX = "qe-desktop:"
LOADED_STATE = f"{_PREFIX}loaded"
"""Marker of a proposal that is the loaded MT: `extradata` in XLIFF 1.2, `subType` in XLIFF 2."""


def state_name(status: ReviewStatus) -> str:
    """Name under which this program writes a status to XLIFF of any version, such as `qe-desktop:rejected`."""
    return f"{_PREFIX}{status.name.lower()}"


QE_STATUS_BY_STATE = {state_name(status): status for status in ReviewStatus}
"""Maps the names of states that this program writes to statuses."""


@dataclass(frozen=True, slots=True)
class QeStates:
    """Attributes that store statuses in a version of XLIFF: the standard `state`, and one for this program's state.

    `states` are the values of `state`. `attribute` is the name of the other attribute, and `prefix` the required prefix
    of its values, which may be empty.
    """

    states: dict[ReviewStatus, str]
    attribute: str
    prefix: str = ""

    def attribute_value(self, status: ReviewStatus) -> str:
        """Value of `attribute` for a status."""
        return f"{self.prefix}{state_name(status)}"

    def format_attributes(self, status: ReviewStatus) -> str:
        """Both attributes for a status, as written in a tag."""
        return f'state="{self.states[status]}" {self.attribute}="{self.attribute_value(status)}"'

    def is_own_value(self, word: str) -> bool:
        """Whether this program wrote this value of `attribute`."""
        return word.startswith(f"{self.prefix}{_PREFIX}")

    def status(self, state: str, word: str) -> ReviewStatus | None:
        """Status from the value of `attribute`; None if another program wrote it, or if `state` contradicts it."""
        status = QE_STATUS_BY_STATE.get(word.removeprefix(self.prefix))
        return (
            status
            if status is not None and self.attribute_value(status) == word and self.states[status] == state
            else None
        )


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
"""Origins that mark machine-made targets, even if their state is `translated`."""
STATUS_BY_NAME = {status.name.lower(): status for status in ReviewStatus}
"""Maps names used in tables, which are not localized, to statuses."""


def table_status(segment: Segment) -> ReviewStatus:
    """Status of a row of a table; open if the row has no status of this program."""
    return STATUS_BY_NAME.get(segment.state, ReviewStatus.OPEN)


class WriteStatus(Protocol):
    """Function that returns the edits that set a status."""

    def __call__(
        self, text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
    ) -> list[TextEdit]:
        """Edits that set a status for the segment of a target; with `add`, missing attributes are added."""


class StoresStatus(Protocol):
    """Function that returns whether a segment can store a status."""

    def __call__(self, text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
        """Whether the segment of a target can store a status; with `add`, once missing attributes have been added."""


@dataclass(frozen=True, slots=True)
class StatusRule:
    """Rule of a dialect for reading and writing statuses.

    `status` returns the status of a segment from its state, lock and origin alone: a status that the dialect can store
    or that this program wrote (`QeStates`), or open. `edits` returns the edits that set a status for the segment of a
    target, even if they change nothing; empty if the file cannot store it or needs no edit. `can_store` returns
    whether the segment of a target can store a status; others are read back as open.
    `needs_text` is true if only segments with a text in their target have a status. Segments with a status in
    `needs_target` must have a target: a missing target is written as an empty one if the status can be stored.
    `with_state` returns the location of a missing target that is written with a status. `is_shared` is true if one mark
    in the file is the status of all segments of a group.
    """

    status: Callable[[Segment], ReviewStatus]
    edits: WriteStatus
    can_store: StoresStatus
    needs_text: bool = False
    needs_target: frozenset[ReviewStatus] = frozenset()
    with_state: Callable[[TargetLocation, ReviewStatus], TargetLocation] = lambda place, status: place
    is_shared: bool = False

    def read_back(
        self, text: DecodedFile, segment: Segment, status: ReviewStatus, *, add: bool = False
    ) -> ReviewStatus:
        """Status that a segment has after `status` is written; open if the file cannot store it."""
        location = segment.target_location
        return status if location is not None and self.can_store(text, location, status, add=add) else ReviewStatus.OPEN


def finished_status(
    finished: Callable[[Segment], bool], rejected: Callable[[Segment], bool] = lambda segment: False
) -> Callable[[Segment], ReviewStatus]:
    """Return the `status` function of a rule; `finished` and `rejected` decide unless this program set the status."""

    def status_of(segment: Segment) -> ReviewStatus:
        own_status = QE_STATUS_BY_STATE.get(segment.state)
        if own_status is not None:
            return own_status
        if finished(segment):
            return ReviewStatus.CONFIRMED
        return ReviewStatus.REJECTED if rejected(segment) else ReviewStatus.OPEN

    return status_of


def make_can_store(*statuses: ReviewStatus) -> StoresStatus:
    """Return the `can_store` function for a dialect in which every segment can store these statuses."""

    def stores(text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
        return status in statuses

    return stores


def write_no_status(
    text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
) -> list[TextEdit]:
    """Return no edits, for dialects without statuses."""
    return []


NO_STATUS_RULE = StatusRule(lambda segment: ReviewStatus.OPEN, write_no_status, make_can_store())
"""Rule of a dialect without statuses."""
