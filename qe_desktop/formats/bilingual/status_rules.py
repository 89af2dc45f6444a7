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
"""Value of `extradata` (XLIFF 1.2) or `subType` (XLIFF 2) that marks a translation proposal as the loaded MT."""


def state_name(status: ReviewStatus) -> str:
    """Name under which this program writes a status to XLIFF of any version, such as `qe-desktop:rejected`."""
    return f"{_PREFIX}{status.name.lower()}"


QE_STATUS_BY_STATE = {state_name(status): status for status in ReviewStatus}
"""Review statuses by the names under which this program writes them (`state_name`)."""


@dataclass(frozen=True, slots=True)
class QeStates:
    """Attributes that store review statuses in a version of XLIFF: `state`, and one for this program's status names.

    `states` maps statuses to values of `state`. `attribute` is the name of the attribute for this program's status
    names; its values must begin with `prefix`, which may be empty.
    """

    states: dict[ReviewStatus, str]
    attribute: str
    prefix: str = ""

    def attribute_value(self, status: ReviewStatus) -> str:
        """Value of `attribute` for a status."""
        return f"{self.prefix}{state_name(status)}"

    def format_attributes(self, status: ReviewStatus) -> str:
        """Format both attributes (`state` and `attribute`) for a status, as written in a tag."""
        return f'state="{self.states[status]}" {self.attribute}="{self.attribute_value(status)}"'

    def is_own_value(self, word: str) -> bool:
        """Whether `word` is a value of `attribute` that this program wrote."""
        return word.startswith(f"{self.prefix}{_PREFIX}")

    def status(self, state: str, word: str) -> ReviewStatus | None:
        """Status from `word`, the value of `attribute`; None if it is not from this program or contradicts `state`."""
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
"""Origins that mark a target as MT, even if its state is `translated`."""
STATUS_BY_NAME = {status.name.lower(): status for status in ReviewStatus}
"""Review statuses by their names in tables; the names are not localized."""


def table_status(segment: Segment) -> ReviewStatus:
    """Review status of a table row; open if its status cell does not contain one of this program's statuses."""
    return STATUS_BY_NAME.get(segment.state, ReviewStatus.OPEN)


class WriteStatus(Protocol):
    """Function that returns the edits that set a status."""

    def __call__(
        self, text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False
    ) -> list[TextEdit]:
        """Edits that set the status of the segment whose target is at `location`.

        With `add`, missing attributes are added, and empty status cells are filled.
        """


class StoresStatus(Protocol):
    """Function that returns whether a segment can store a status."""

    def __call__(self, text: DecodedFile, location: TargetLocation, status: ReviewStatus, *, add: bool = False) -> bool:
        """Whether the file can store a status for the segment whose target is at `location`.

        With `add`, this includes statuses for which an attribute must be added or an empty status cell filled.
        """


@dataclass(frozen=True, slots=True)
class StatusRule:
    """Rule of a dialect for reading and writing statuses.

    `status` returns the status of a segment, which depends only on its state, lock and origin. The status is open
    unless the dialect can store it or this program wrote it (`QeStates`). `edits` returns the edits that set the status
    of a segment or, if the file cannot store the status, reopen the segment. There may be no edits, or edits that
    change nothing. `can_store` returns whether the file can store a status for a segment; a status that it cannot store
    is read back as open.

    `needs_text` is true if segments with an empty target have no status. `needs_target` contains the statuses that
    require a target: if the target is missing and the file can store the status, an empty target is written. For this
    target, `with_state` returns a location that also writes the status. `is_shared` is true if the file stores one
    status for all segments of a group, such as plural forms.
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
        """Status that is read from the file after `status` is written; open if the file cannot store `status`."""
        location = segment.target_location
        return status if location is not None and self.can_store(text, location, status, add=add) else ReviewStatus.OPEN


def finished_status(
    finished: Callable[[Segment], bool], rejected: Callable[[Segment], bool] = lambda segment: False
) -> Callable[[Segment], ReviewStatus]:
    """Return the `status` function of a `StatusRule`.

    It returns the status that this program wrote, if any. Otherwise, it returns confirmed if `finished` is true for the
    segment, rejected if `rejected` is true, and open if neither is.
    """

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
