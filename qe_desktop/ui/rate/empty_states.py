"""What the rater's side says before, between and after the items, and what can be done then."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.rater_session import RaterSession, ScreenStatus
from qe_desktop.ui.rate.campaign_chooser import language_direction
from qe_desktop.ui.rate.campaign_source import CampaignSource
from qe_desktop.ui.rate.card_registry import card_class
from qe_desktop.ui.rate.rater_progress import format_duration
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.widgets.placeholder_page import EmptyState

OPEN, SET_UP, TRY_AGAIN, TRY = "open", "set-up", "again", "try"
"""Buttons: open a project, set up a campaign, try once more, rate the sample that is open."""
START_ITEMS, FIRST_OPEN, LOOK_BACK, CAMPAIGNS = "done", "first-open", "look", "campaigns"
"""Buttons: to the items, to the first open one, back to them from the end, to the other campaigns."""


def no_project_state() -> EmptyState:
    """Nothing is open."""
    return EmptyState(
        tr("Rate translations"),
        tr(
            "Items to rate come with a project: a file that its owner gave you, or an address on a server. Open it to "
            "begin, or to go on where you stopped."
        ),
        ((OPEN, tr("Open a project…")),),
    )


def sample_state() -> EmptyState:
    """A bundled sample is open, which anybody may rate to see what it is like."""
    return EmptyState(
        tr("Rate translations"),
        tr(
            "Try it on this sample: fluency first, with the translation alone, then adequacy beside the source. What "
            "you rate is kept in a project of your own. Items of a real campaign come with a project that its owner "
            "gave you."
        ),
        ((TRY, tr("Rate the sample")), (OPEN, tr("Open a project…"))),
    )


def no_campaign_state(source: CampaignSource | None, campaigns: Sequence[Campaign]) -> EmptyState:
    """A project without a campaign, or without one for whoever works here."""
    person = source.person if source is not None else ""
    is_rater = source is not None and source.role == "rater"
    if campaigns:
        title = tr("There is nothing to rate for {person}", person=person)
        return EmptyState(
            title if person else tr("There is nothing to rate for you"),
            tr(
                "The {n:campaign is|campaigns are} for other raters. Ask the owner of the project to add you, or check "
                "that your name in the preferences is the one that you were invited by.",
                "",
                len(campaigns),
            ),
            ((TRY_AGAIN, tr("Look again")),),
        )
    if is_rater:
        return EmptyState(
            tr("There is no campaign yet"),
            tr("The owner of the project has not set one up. Look again later."),
            ((TRY_AGAIN, tr("Look again")),),
        )
    return EmptyState(
        tr("There is no campaign yet"),
        tr(
            "A campaign says which translations are rated, by whom, and by which protocol: adequacy and fluency, "
            "ranking, pairwise comparison or direct assessment."
        ),
        ((SET_UP, tr("Set up a campaign…")), (TRY_AGAIN, tr("Look again"))),
    )


def no_items_state(campaign: Campaign, rater: str) -> EmptyState:
    """A campaign that has nothing for a rater."""
    return EmptyState(
        tr("{campaign} has no items for {rater}", campaign=campaign.name, rater=rater),
        tr("The owner of the project deals the items out. Ask for some, or choose another campaign."),
        ((TRY_AGAIN, tr("Choose again")),),
    )


def failed_state(error: QeError) -> EmptyState:
    """The project could not be read."""
    return EmptyState(sentence_case(error.message), error.hint, ((TRY_AGAIN, tr("Try again")),), "error")


def instructions_state(work: RaterSession, *, begun: bool) -> EmptyState:
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
    about = " · ".join(filter(None, (work.protocol.title, language_direction(work.campaign), count)))
    button = tr("Back to the items") if begun else tr("Begin")
    text = "\n\n".join((about, *parts))
    return EmptyState(work.campaign.name, text, ((START_ITEMS, button),), icon="")


def end_state(session: RatingSession, *, others: bool) -> EmptyState:
    """The end of the items: how it stands, and thanks. `others`: there are other campaigns."""
    found = session.account.counts
    total = sum(found.values())
    left = found[ScreenStatus.OPEN] + found[ScreenStatus.BEGUN]
    trained = sum(not session.work.is_handled(one.uid) for one in session.work.screens if one.training)
    lines = [tr("{done:,} of {n:,} {n:item|items} rated.", "", total, done=found[ScreenStatus.DONE])]
    if found[ScreenStatus.SKIPPED]:
        lines.append(tr("{n:,} {n:item|items} skipped.", "", found[ScreenStatus.SKIPPED]))
    seconds = session.account.median_seconds
    if seconds is not None:
        lines.append(tr("Half of them took you less than {time}.", time=format_duration(seconds)))
    more = ((CAMPAIGNS, tr("Other campaigns")),) if others else ()
    if left or trained:
        if left:
            lines.append(tr("{n:,} {n:item still needs|items still need} a rating.", "", left))
        else:
            lines.append(tr("Some of the training is still open."))
        buttons = ((FIRST_OPEN, tr("Go to the first open item")), (LOOK_BACK, tr("Back to the last item")), *more)
        return EmptyState(tr("This is the end of the list"), " ".join(lines), buttons, "rate")
    lines.append(tr("You can still go back and change what you said."))
    buttons = ((LOOK_BACK, tr("Look at the items again")), *more)
    return EmptyState(tr("Thank you: everything is rated"), " ".join(lines), buttons, "ok")
