"""Empty states of the rater's pages, shown before the items, after them or on request."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto
from typing import NamedTuple

from qe_desktop.corpus import QeError
from qe_desktop.escaping import isolate_bidi
from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.rater_session import RaterSession, ScreenStatus
from qe_desktop.report.format_values import format_duration
from qe_desktop.ui.rate.campaign_chooser import CampaignSource, language_direction
from qe_desktop.ui.rate.cards import card_class
from qe_desktop.ui.rate.rating_session import RatingSession
from qe_desktop.ui.widgets.placeholder_page import OPEN_SAMPLE, EmptyState

OPEN, SET_UP, TRY_AGAIN, RATE_SAMPLE, CONTINUE_PRACTICE = "open", "set-up", "again", "try", "continue"
"""Button names: open a project, set up a campaign, try again, rate the open sample, continue the last practice."""
START_ITEMS, FIRST_OPEN_ITEM, REVIEW_ITEMS, CAMPAIGNS = "done", "first-open", "look", "campaigns"
"""Button names: go to the items, go to the first open item, return from the end page, show the other campaigns."""
OTHER_CAMPAIGNS, ANOTHER_RATER = (CAMPAIGNS, tr("Other campaigns")), ("raters", tr("Rate as another rater"))
"""Buttons that lead to the other campaigns, and to the other raters of the campaign."""
COPY_PATH, RESULTS = "copy-path", "results"
"""Button names: copy the path of the project file, show the results."""


class ProjectPurpose(Enum):
    """Purpose of the project that stores the ratings."""

    CAMPAIGN = auto()
    """Project of the campaign itself: a project on a server, or a project file that is not a copy for a rater."""
    COPY = auto()
    """Copy of a project for a rater, who sends it back to the project owner."""
    PRACTICE = auto()
    """Project for practice with a sample."""

    @property
    def has_owner_pages(self) -> bool:
        """Whether the project has pages for its owner."""
        return self is not ProjectPurpose.COPY


class Delivery(NamedTuple):
    """Path and purpose of the project that stores the ratings. `project_path` is empty for a project on a server."""

    project_path: str = ""
    purpose: ProjectPurpose = ProjectPurpose.CAMPAIGN

    @property
    def is_practice(self) -> bool:
        """Whether the ratings are only for practice."""
        return self.purpose is ProjectPurpose.PRACTICE

    def is_own(self, work: RaterSession) -> bool:
        """Return whether the rater created the campaign and the project is not a copy.

        If so, the rater does not need to send anything.
        """
        created_by = work.campaign.created_by
        return self.purpose is not ProjectPurpose.COPY and bool(created_by) and created_by == work.rater


def no_project_state() -> EmptyState:
    """Return the empty state shown if no project is open."""
    return EmptyState(
        tr("Rate translations"),
        tr(
            "Items to rate are in a project: a file from the project owner, or a database on a server. Open the "
            "project to start or continue. You can also try rating with the sample."
        ),
        ((OPEN, tr("Open project…")), OPEN_SAMPLE),
    )


def sample_state(*, is_started: bool = False) -> EmptyState:
    """Return the empty state shown while a bundled sample, which any user may rate, is open.

    `is_started`: whether an earlier practice with the sample can be continued.
    """
    buttons = [(RATE_SAMPLE, tr("Start practice")), (OPEN, tr("Open project…"))]
    if is_started:
        buttons = [(CONTINUE_PRACTICE, tr("Open the last practice")), (RATE_SAMPLE, tr("Start again")), buttons[-1]]
    return EmptyState(
        tr("Rate translations"),
        tr(
            "Try rating this sample: first fluency, without the source, then adequacy, with the source. Your ratings "
            "are saved on this computer, in a practice project that the start page lists under “Recent”. For a real "
            "campaign, open the project that its owner sent you."
        ),
        tuple(buttons),
    )


def no_campaign_state(source: CampaignSource | None, campaigns: Sequence[Campaign]) -> EmptyState:
    """Return the empty state of a project that has no campaign for the current user."""
    check_again = (TRY_AGAIN, tr("Check again"))
    if campaigns:
        person = source.person if source is not None else ""
        title = tr("{person} has no items to rate", person=person) if person else tr("You have no items to rate")
        text = tr(
            "{n:The campaign in this project is|The campaigns in this project are} for other raters. Ask the project "
            "owner to add you, or connect to the server under the user name with which you were invited.",
            "", len(campaigns),
        )  # fmt: skip
        return EmptyState(title, text, (check_again,))
    if source is not None and source.role == "rater":
        text = tr("The project owner has not set up a campaign. Check again later.")
        return EmptyState(tr("No campaigns yet"), text, (check_again,))
    text = tr(
        "A campaign defines which translations are rated, by whom, and with which protocol: adequacy and fluency,"
        " ranking, pairwise comparison or direct assessment."
    )
    return EmptyState(tr("No campaigns yet"), text, ((SET_UP, tr("Set up a campaign…")), check_again))


def no_items_state(campaign: Campaign, rater: str) -> EmptyState:
    """Return the empty state of a campaign that has no items for `rater`."""
    return EmptyState(
        tr("{campaign} has no items for {rater}", campaign=campaign.name, rater=rater),
        tr("The project owner assigns the items. Ask the owner for items or, if there is another campaign, select it."),
        ((TRY_AGAIN, tr("Select again")),),
    )


def failed_state(error: QeError) -> EmptyState:
    """Return the error state of a project that could not be read."""
    return EmptyState(sentence_case(error.message), error.hint, ((TRY_AGAIN, tr("Try again")),), "error")


def rater_text(work: RaterSession) -> str:
    """Return the name under which the user rates, as a sentence."""
    return tr("You are rating as {rater}.", rater=isolate_bidi(work.rater))


def instructions_state(
    work: RaterSession,
    delivery: Delivery,
    buttons: Sequence[tuple[str, str]] = (),
    *,
    has_started: bool,
    delivery_first: bool = False,
) -> EmptyState:
    """Return the empty state with the instructions for raters, shown before rating starts or on request.

    These are the instructions of the protocol and of the campaign owner. The text ends or, if `delivery_first`, begins
    by saying how to stop and what to do with the ratings.

    `has_started`: whether rating has started; `buttons`: further buttons.
    """
    training = sum(screen.training for screen in work.screens)
    total = work.progress()[1]
    parts = [rater_text(work), work.protocol.instructions(work.campaign), card_class(work.protocol).keys(work)]
    if training and not has_started:
        single = tr("The first item is a training item and does not count.")
        several = tr("The first {n} items are training items and do not count.", "", training)
        parts.append(single if training == 1 else several)
    if delivery.is_practice:
        if len({screen.segment for screen in work.screens}) < len(work.screens):
            parts.append(tr("Source sentences can occur more than once, with translations by different systems."))
        parts.append(
            tr("In this practice project, you also see the pages for campaign owners. Raters see only the page “Rate”.")
        )
    parts.insert(0 if delivery_first else len(parts), stop_text(work, delivery))
    count = tr("{n:,} {n:item|items}", "", total)
    description = " · ".join(filter(None, (work.protocol.title, language_direction(work.campaign), count)))
    button = tr("Back to items") if has_started else tr("Start")
    text = "\n\n".join((description, *parts))
    copying = [(name, label) for name, label in _delivery_buttons(work, delivery) if name == COPY_PATH]
    return EmptyState(work.campaign.name, text, ((START_ITEMS, button), *copying, *buttons), icon="")


def end_state(session: RatingSession, delivery: Delivery, *, has_others: bool) -> EmptyState:
    """Return the empty state of the end page, which shows the progress and says what to do with the ratings.

    `has_others`: whether there are other campaigns.
    """
    counts = session.stats.counts
    total = sum(counts.values())
    left = counts[ScreenStatus.OPEN] + counts[ScreenStatus.BEGUN]
    open_training_count = sum(
        not session.work.is_handled(screen.uid) for screen in session.work.screens if screen.training
    )
    lines = [tr("{done:,} of {n:,} {n:item|items} rated.", "", total, done=counts[ScreenStatus.DONE])]
    if counts[ScreenStatus.SKIPPED]:
        lines.append(tr("{n:,} {n:item|items} skipped.", "", counts[ScreenStatus.SKIPPED]))
    seconds = session.stats.median_seconds
    if seconds is not None:
        lines.append(tr("Median time per item: {time}.", time=format_duration(seconds)))
    more = (OTHER_CAMPAIGNS,) if has_others else ()
    if left or open_training_count:
        if left:
            lines.append(tr("{n:,} {n:item still needs|items still need} a rating.", "", left))
        else:
            lines.append(tr("Training is not finished yet."))
        buttons = (
            (FIRST_OPEN_ITEM, tr("Go to the first open item")),
            (REVIEW_ITEMS, tr("Back to the last item")),
            *more,
        )
        return EmptyState(tr("End of the list"), " ".join(lines), buttons, "rate")
    if not session.read_only:
        lines.append(tr("You can still go back and change your ratings."))
    buttons = ((REVIEW_ITEMS, tr("Back to the last item")), *_delivery_buttons(session.work, delivery), *more)
    text = "\n\n".join((delivery_text(session.work, delivery), " ".join(lines)))
    return EmptyState(tr("Thank you: all items are done"), text, buttons, "ok")


def _delivery_buttons(work: RaterSession, delivery: Delivery) -> tuple[tuple[str, str], ...]:
    if not delivery.project_path:
        return ()
    if delivery.is_own(work):
        return ((RESULTS, tr("Show the results")),)
    return ((COPY_PATH, tr("Copy the path of the file")),)


def stop_text(work: RaterSession, delivery: Delivery) -> str:
    """Return a text that says how to stop early and what to do with the ratings."""
    stop = tr("You can stop at any time by closing the window.")
    if delivery.is_practice:
        then = tr(
            "This is only practice: your ratings are saved in {file}, and nothing needs to be sent. In a real "
            "campaign, this paragraph names the file to send and its recipient.",
            file=delivery.project_path,
        )
    elif not delivery.project_path:
        then = tr("Your ratings are in the project on the server: nothing needs to be sent.")
    else:
        then = delivery_text(work, delivery)
    return f"{stop} {then}"


def delivery_text(work: RaterSession, delivery: Delivery) -> str:
    """Return a text that says where the ratings are saved and, if they must be sent, to whom."""
    path = delivery.project_path
    if not path:
        return tr("Your ratings are in the project on the server. There is nothing to send.")
    if delivery.is_practice:
        return tr(
            "This was only practice: your ratings are saved in {file}, and nothing needs to be sent. In a real "
            "campaign, this page names the file to send and its recipient.",
            file=path,
        )
    if delivery.is_own(work):
        return tr("Your ratings are saved in {file}. The pages “Results” and “Progress” include them.", file=path)
    return _sending_text(work, delivery)


def _sending_text(work: RaterSession, delivery: Delivery) -> str:
    """Return a text that names the file with the ratings and the person to send it to."""
    owner, path = work.campaign.created_by, delivery.project_path
    if owner:
        return tr(
            "Your ratings are saved in {file}. To deliver them, close the program and send this file to {owner}.",
            file=path,
            owner=isolate_bidi(owner),
        )
    return tr(
        "Your ratings are saved in {file}. To deliver them, close the program and send this file to the person from "
        "whom you received it.",
        file=path,
    )
