"""What the rater's side says before, between and after the items, and what can be done then."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.work import Status, Work
from qe_desktop.ui.parts.state_page import Situation
from qe_desktop.ui.rate.account import duration
from qe_desktop.ui.rate.cards import card_class
from qe_desktop.ui.rate.choosing import languages_of
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.ui.rate.source import Source
from qe_desktop.wording import sentence_case, tr

OPEN, SET_UP, AGAIN, TRY = "open", "set-up", "again", "try"
"""Buttons: open a project, set up a campaign, try once more, rate the sample that is open."""
DONE, FIRST_OPEN, LOOK, CAMPAIGNS = "done", "first-open", "look", "campaigns"
"""Buttons: to the items, to the first open one, back to them from the end, to the other campaigns."""


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
    return Situation(sentence_case(error.message), error.hint, ((AGAIN, tr("Try again")),), "error")


def instructions(work: Work, *, begun: bool) -> Situation:
    """What to do: the protocol's instructions with the owner's own words, before the beginning or once more."""
    training = sum(screen.training for screen in work.screens)
    total = work.progress()[1]
    parts = [work.protocol.instructions(work.campaign), card_class(work.protocol).keys(work)]
    if training and not begun:
        one = tr("The first item is practice and does not count.")
        several = tr("The first {n} items are practice and do not count.", "", training)
        parts.append(one if training == 1 else several)
    if work.campaign.design_hash:
        parts.append(
            tr(
                "The design of this campaign was published before the first rating: {design}. "
                "Whoever set it up can show with it that nothing was changed since.",
                design=work.campaign.design_hash,
            )
        )
    count = tr("{n:,} {n:item|items}", "", total)
    about = " · ".join(filter(None, (work.protocol.title, languages_of(work.campaign), count)))
    button = tr("Back to the items") if begun else tr("Begin")
    text = "\n\n".join((about, *parts))
    return Situation(work.campaign.name, text, ((DONE, button),), icon="")


def end(sitting: Sitting, *, others: bool) -> Situation:
    """The end of the items: how it stands, and thanks. `others`: there are other campaigns."""
    found = sitting.account.counts
    total = sum(found.values())
    left = found[Status.OPEN] + found[Status.BEGUN]
    trained = sum(not sitting.work.is_handled(one.uid) for one in sitting.work.screens if one.training)
    lines = [tr("{done:,} of {n:,} {n:item|items} rated.", "", total, done=found[Status.DONE])]
    if found[Status.SKIPPED]:
        lines.append(tr("{n:,} {n:item|items} skipped.", "", found[Status.SKIPPED]))
    seconds = sitting.account.median_seconds
    if seconds is not None:
        lines.append(tr("Half of them took you less than {time}.", time=duration(seconds)))
    more = ((CAMPAIGNS, tr("Other campaigns")),) if others else ()
    if left or trained:
        if left:
            lines.append(tr("{n:,} {n:item still needs|items still need} a rating.", "", left))
        else:
            lines.append(tr("Some of the training is still open."))
        buttons = ((FIRST_OPEN, tr("Go to the first open item")), (LOOK, tr("Back to the last item")), *more)
        return Situation(tr("This is the end of the list"), " ".join(lines), buttons, "rate")
    lines.append(tr("You can still go back and change what you said."))
    buttons = ((LOOK, tr("Look at the items again")), *more)
    return Situation(tr("Thank you: everything is rated"), " ".join(lines), buttons, "ok")
