"""Empty states of the project owner's pages: texts and buttons."""

from __future__ import annotations

from qe_desktop.i18n.messages import sentence_case, tr
from qe_desktop.ui.campaigns.campaign_service import CampaignService
from qe_desktop.ui.campaigns.results.results_service import CampaignResultsService
from qe_desktop.ui.widgets.placeholder_page import EmptyState

SAVE, OPEN = "file.project", "file.open-project"
SET_UP, PROGRESS = "set-up", "progress"
IMPORT, TRY_AGAIN = "import", "again"
"""Names of buttons: commands (`SAVE`, `OPEN`), pages (`SET_UP`, `PROGRESS`), and actions (`IMPORT`, `TRY_AGAIN`)."""
_SAVE, _OPEN = (SAVE, tr("Save as project…")), (OPEN, tr("Open project…"))
_SET_UP, _IMPORT = (SET_UP, tr("Set up a campaign…")), (IMPORT, tr("Import ratings…"))


def campaigns_empty_state(service: CampaignService) -> EmptyState | None:
    """Return the empty state shared by the campaign pages; None if a campaign or imported ratings can be shown."""
    if service.project is None:
        explanation = tr(
            "A project contains the corpus, the campaigns and all ratings, in one file or on a server. Ratings are "
            "saved automatically."
        )
        title = tr("Campaigns require a project")
        if service.workspace.corpus is None:
            to_begin = tr("Open a project, or open a corpus and save it as a project.")
            return EmptyState(title, f"{explanation} {to_begin}", (_OPEN,))
        to_begin = tr("Save the open data as a project to begin.")
        return EmptyState(title, f"{explanation} {to_begin}", (_SAVE, _OPEN))
    if not service.is_owner:
        return EmptyState(
            tr("Only the project owner can see this page"),
            tr(
                "You are a rater in this project. Raters see their own items and everyone's progress, but not the "
                "ratings of others."
            ),
        )
    if service.state == "failed" and service.error is not None:
        message = service.error.message
        return EmptyState(sentence_case(message), service.error.hint, ((TRY_AGAIN, tr("Try again")),), "error")
    if service.state == "empty":
        return EmptyState(
            tr("No campaigns yet"),
            tr(
                "A campaign defines which translations are rated, by whom and how. Set one up, or import existing "
                "ratings: WMT rankings, Appraise exports, direct assessment, tables, JSON Lines."
            ),
            (_SET_UP, *([_IMPORT] if service.is_writable else [])),
        )
    if service.view is None:
        return EmptyState(tr("Reading campaigns…"), "", (), "rate")
    return None


def viewing_empty_state(service: CampaignService) -> EmptyState | None:
    """Return the empty state of the results page.

    Return None if a campaign, imported ratings or the ratings of the corpus can be shown.
    """
    return None if service.view is not None else campaigns_empty_state(service)


def missing_campaign(service: CampaignService) -> EmptyState | None:
    """Return the empty state that explains why there is no campaign to show.

    Return None if a campaign or imported ratings can be shown, if campaigns are being read, or if reading failed.
    """
    return None if service.state in ("working", "failed") else campaigns_empty_state(service)


def missing_ratings(service: CampaignService) -> EmptyState | None:
    """Return the empty state that explains why there are no results.

    Return None if there may be results, if campaigns are being read, or if reading failed.
    """
    if service.view is None:
        return missing_campaign(service)
    return None if service.view.is_begun or len(service.choices) > 1 else no_results_state()


def setup_empty_state(service: CampaignService) -> EmptyState | None:
    """Return the empty state of the set-up page; None if the form can be used."""
    project = service.project
    if project is None or not service.is_owner:
        return campaigns_empty_state(service)
    if project.read_only:
        return EmptyState(
            project.read_only.rstrip("."),
            tr("Save a copy elsewhere and set up the campaign there."),
            ((SAVE, tr("Save a copy of the project…")),),
        )
    if service.workspace.corpus is None:
        return EmptyState(
            tr("This project contains no texts"),
            tr(
                "A campaign needs a source and system translations. Open a corpus and save it as a project, or open a"
                " project that contains texts."
            ),
            (_OPEN,),
        )
    return None


def results_empty_state(results: CampaignResultsService, service: CampaignService | None) -> EmptyState | None:
    """Return the empty state of the results; None if there are results.

    If `service` offers another choice that includes ratings from files, the text mentions the title of that choice.
    """
    if results.state == "failed" and results.error is not None and results.result is None:
        title = tr("No results: {why}", why=results.error.message)
        return EmptyState(title, results.error.hint, ((TRY_AGAIN, tr("Run again")),), "error")
    if results.state == "working" and results.result is None:
        return EmptyState(tr("Computing results…"), "", (), "plot")
    if results.result is None:
        if service is None:
            return no_results_state()
        return no_results_state(_title_of_files(service), can_import=service.is_writable)
    return None


def no_results_state(files: str = "", *, can_import: bool = True) -> EmptyState:
    """Return the empty state for results without ratings that count; with `can_import`, it has an import button.

    `files` is the title of another choice, which includes ratings from files; empty if there is no such choice.
    """
    explanation = tr(
        "Results appear with the first rating that counts. Training and quality-control items, comments and skipped "
        "items do not count."
    )
    if files:
        explanation = " ".join(
            (explanation, tr("For ratings from files, select “{title}” in the list above.", title=files))
        )
    buttons = ((PROGRESS, tr("Show progress")), *([_IMPORT] if can_import else []))
    return EmptyState(tr("No results yet"), explanation, buttons)


def _title_of_files(service: CampaignService) -> str:
    """Return the title of the choice that includes ratings from files; the first one if there are several.

    Return an empty string if there is no such choice or if ratings from files are selected.
    """
    campaign_uids = {campaign.uid for campaign in service.campaigns}
    titles = {uid: title for uid, title in service.choices if uid not in campaign_uids}
    if service.view is not None and service.view.uid in titles:
        return ""
    return next(iter(titles.values()), "")
