"""What the rater's side says while there is nothing to rate, and what helps."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.rate.source import Source

OPEN, SET_UP, AGAIN, TRY = "open", "set-up", "again", "try"
"""Buttons: open a project, set up a campaign, try once more, rate the sample that is open."""


def no_project() -> Situation:
    """Nothing is open."""
    return Situation(
        "Rate translations",
        "Items to rate come with a project: a file that its owner gave you, or an address on a server. Open it to "
        "begin, or to go on where you stopped.",
        ((OPEN, "Open a project…"),),
    )


def sample() -> Situation:
    """A bundled sample is open, which anybody may rate to see what it is like."""
    return Situation(
        "Rate translations",
        "Try it on this sample: fluency first, with the translation alone, then adequacy beside the source. What you "
        "rate is kept in a project of your own. Items of a real campaign come with a project that its owner gave you.",
        ((TRY, "Rate the sample"), (OPEN, "Open a project…")),
    )


def nothing(source: Source | None, campaigns: Sequence[Campaign]) -> Situation:
    """A project without a campaign, or without one for whoever works here."""
    person = source.person if source is not None else ""
    is_rater = source is not None and source.role == "rater"
    if campaigns:
        return Situation(
            f"There is nothing to rate for {person or 'you'}",
            f"The campaign{'s are' if len(campaigns) > 1 else ' is'} for other raters. Ask the owner of the project to "
            "add you, or check that your name in the preferences is the one that you were invited by.",
            ((AGAIN, "Look again"),),
        )
    if is_rater:
        return Situation(
            "There is no campaign yet",
            "The owner of the project has not set one up. Look again later.",
            ((AGAIN, "Look again"),),
        )
    return Situation(
        "There is no campaign yet",
        "A campaign says which translations are rated, by whom, and by which protocol: adequacy and fluency, ranking, "
        "pairwise comparison or direct assessment.",
        ((SET_UP, "Set up a campaign…"), (AGAIN, "Look again")),
    )


def no_items(campaign: Campaign, rater: str) -> Situation:
    """A campaign that has nothing for a rater."""
    return Situation(
        f"{campaign.name} has no items for {rater}",
        "The owner of the project deals the items out. Ask for some, or choose another campaign.",
        ((AGAIN, "Choose again"),),
    )


def failed(error: QeError) -> Situation:
    """The project could not be read."""
    return Situation(f"{error.message[:1].upper()}{error.message[1:]}", error.hint, ((AGAIN, "Try again"),), "error")
