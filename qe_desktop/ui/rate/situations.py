"""What the rater's side says while there is nothing to rate, and what helps."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.rate.source import Source
from qe_desktop.wording import tr

OPEN, SET_UP, AGAIN, TRY = "open", "set-up", "again", "try"
"""Buttons: open a project, set up a campaign, try once more, rate the sample that is open."""


def no_project() -> Situation:
    """Nothing is open."""
    return Situation(
        tr("Rate translations"),
        tr(
            "Items to rate come with a project: a file that its owner gave you, or an address on a server. Open it to "
            "begin, or to go on where you stopped."
        ),
        ((OPEN, tr("Open a project…")),),
    )


def sample() -> Situation:
    """A bundled sample is open, which anybody may rate to see what it is like."""
    return Situation(
        tr("Rate translations"),
        tr(
            "Try it on this sample: fluency first, with the translation alone, then adequacy beside the source. What "
            "you rate is kept in a project of your own. Items of a real campaign come with a project that its owner "
            "gave you."
        ),
        ((TRY, tr("Rate the sample")), (OPEN, tr("Open a project…"))),
    )


def nothing(source: Source | None, campaigns: Sequence[Campaign]) -> Situation:
    """A project without a campaign, or without one for whoever works here."""
    person = source.person if source is not None else ""
    is_rater = source is not None and source.role == "rater"
    if campaigns:
        title = tr("There is nothing to rate for {person}", person=person)
        return Situation(
            title if person else tr("There is nothing to rate for you"),
            tr(
                "The {n:campaign is|campaigns are} for other raters. Ask the owner of the project to add you, or check "
                "that your name in the preferences is the one that you were invited by.",
                "",
                len(campaigns),
            ),
            ((AGAIN, tr("Look again")),),
        )
    if is_rater:
        return Situation(
            tr("There is no campaign yet"),
            tr("The owner of the project has not set one up. Look again later."),
            ((AGAIN, tr("Look again")),),
        )
    return Situation(
        tr("There is no campaign yet"),
        tr(
            "A campaign says which translations are rated, by whom, and by which protocol: adequacy and fluency, "
            "ranking, pairwise comparison or direct assessment."
        ),
        ((SET_UP, tr("Set up a campaign…")), (AGAIN, tr("Look again"))),
    )


def no_items(campaign: Campaign, rater: str) -> Situation:
    """A campaign that has nothing for a rater."""
    return Situation(
        tr("{campaign} has no items for {rater}", campaign=campaign.name, rater=rater),
        tr("The owner of the project deals the items out. Ask for some, or choose another campaign."),
        ((AGAIN, tr("Choose again")),),
    )


def failed(error: QeError) -> Situation:
    """The project could not be read."""
    return Situation(
        f"{error.message[:1].upper()}{error.message[1:]}", error.hint, ((AGAIN, tr("Try again")),), "error"
    )
