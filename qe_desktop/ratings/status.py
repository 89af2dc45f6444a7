"""How far a screen is, for its rater and for the owner who watches."""

from __future__ import annotations

import enum

from qe_desktop.answers.history import ScreenState
from qe_desktop.ratings.protocols import Protocol


class Status(enum.Enum):
    """How far a screen is."""

    OPEN = "open"
    BEGUN = "begun"
    DONE = "done"
    SKIPPED = "skipped"

    @property
    def is_handled(self) -> bool:
        """Whether nothing more is asked: done or skipped."""
        return self in (Status.DONE, Status.SKIPPED)


def status_of(protocol: Protocol, outputs: int, state: ScreenState) -> Status:
    """The status of a screen with so many outputs."""
    if state.skipped:
        return Status.SKIPPED
    values = state.values()
    if not protocol.missing(values, outputs):
        return Status.DONE
    return Status.BEGUN if any(field in values for field in protocol.fields) else Status.OPEN
