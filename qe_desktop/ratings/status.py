"""How far a screen is, for its rater and for the owner who watches."""

from __future__ import annotations

import enum
from collections.abc import Iterable

from qe_desktop.answers.events import RatingEvent
from qe_desktop.answers.history import History, ScreenState, by_rater
from qe_desktop.ratings.admitting import Admission
from qe_desktop.ratings.campaign import Campaign, Screen
from qe_desktop.ratings.protocols import Protocol, protocol_of


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


def progress_of(
    campaign: Campaign, screens: Iterable[Screen], events: Iterable[RatingEvent]
) -> dict[str, tuple[int, int]]:
    """How many items each rater has done or skipped, and how many there are; training is left out."""
    protocol = protocol_of(campaign.protocol)
    screens = list(screens)
    good, _ = Admission(campaign, screens).split(events)
    states = {rater: History(own).screens for rater, own in by_rater(good).items()}
    done = dict.fromkeys(campaign.raters, 0)
    total = dict.fromkeys(campaign.raters, 0)
    for screen in screens:
        if screen.training:
            continue
        total[screen.rater] = total.get(screen.rater, 0) + 1
        state = states.get(screen.rater, {}).get(screen.uid)
        handled = state is not None and status_of(protocol, len(screen.outputs), state).is_handled
        done[screen.rater] = done.get(screen.rater, 0) + handled
    return {rater: (done[rater], total[rater]) for rater in total}
