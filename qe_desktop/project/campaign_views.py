"""Views of a project's campaigns, in which system names are hidden until the campaign is unblinded."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from qe_desktop.corpus import QeError, Ratings, SourceLocation
from qe_desktop.corpus.ratings_merge import campaign_marks, campaigns_of
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import CAMPAIGN_UNBLINDED, AuditRow, ImportRow
from qe_desktop.ratings.blinding import DisplayNames, design_letters
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ratings.event_validation import RaterEvents, skipped_notes
from qe_desktop.ratings.rater_progress import RaterProgress, raters_progress

FILES_CHOICE = "files"
"""Value used instead of a campaign uid to select ratings that come from files and belong to no campaign."""
ALL_RATINGS = ""
"""Value used instead of a campaign uid to select all ratings of the project."""


class CampaignProvider(Protocol):
    """Interface of an open project that has campaigns."""

    def campaigns(self) -> Sequence[Campaign]:
        """All campaigns, in order of creation."""

    def design(self, uid: str) -> CampaignDesign:
        """Design of a campaign, including the blinding key."""

    def rater_events(self, uid: str) -> RaterEvents:
        """Valid rating events of a campaign, and the numbers of rows that were skipped as invalid."""

    def imports(self) -> Sequence[ImportRow]:
        """All imports, including withdrawn ones."""

    def audit(self) -> Sequence[AuditRow]:
        """All audit entries."""


@dataclass(frozen=True, slots=True, eq=False)
class CampaignView:
    """Owner's view of the selected ratings: those of one campaign, those from files, or all (`ALL_RATINGS`).

    `names` maps hidden systems to their letters; None if no system is hidden. `unblinding` is the audit entry that
    unblinded the campaign. In a view of one of the project's campaigns, `rating_count` is the number of rating events;
    in other views, it includes the ratings from files. If the count differs from an earlier one, the ratings have
    changed.
    """

    uid: str
    title: str
    rating_count: int
    campaign: Campaign | None = None
    design: CampaignDesign | None = None
    raters: tuple[RaterProgress, ...] = ()
    names: DisplayNames | None = None
    unblinding: AuditRow | None = None
    source_note: str = ""
    """Source of the ratings; empty in a view of one of the project's campaigns."""
    omitted_event_notes: tuple[str, ...] = ()
    """Notes on rating events that were left out."""
    letter_campaign: str = ""
    """Uid of the campaign that defines the letters in `names`."""

    @property
    def progress(self) -> tuple[int, int]:
        """Number of items that are done or skipped, and total number of items, each summed over the raters."""
        return sum(row.done for row in self.raters), sum(row.total for row in self.raters)

    @property
    def is_begun(self) -> bool:
        """Whether the view may contain ratings.

        In a view of one of the project's campaigns, this is true if a rater has begun; in other views, always.
        """
        return self.campaign is None or any(row.last_event_time is not None for row in self.raters)

    @property
    def may_be_unblinded(self) -> bool:
        """Whether this is the view of a single campaign that is still blind."""
        return self.campaign is not None and self.unblinding is None


@dataclass(frozen=True, slots=True)
class RatingChoice:
    """Selectable set of ratings; `hidden` is true if its systems are shown as letters."""

    uid: str
    title: str
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CampaignSelection:
    """Campaigns, choices as (uid, title) pairs, the selected view (None if there are no choices), and the audit log."""

    project: CampaignProvider
    campaigns: tuple[Campaign, ...]
    choices: tuple[tuple[str, str], ...]
    view: CampaignView | None
    audit: tuple[AuditRow, ...]


def read_campaign_selection(
    project: CampaignProvider,
    selected: str | None,
    designs: Mapping[str, CampaignDesign],
    on_progress: Callable[[float], object],
    *,
    corpus_ratings: Ratings | None = None,
) -> CampaignSelection:
    """Return the campaigns, the choices, the view of the selected ratings, and the audit log.

    `selected` is a campaign uid, `FILES_CHOICE` or `ALL_RATINGS`. If that choice does not exist, the latest campaign is
    selected or, if there are no campaigns, the first choice. `corpus_ratings` are the ratings of the corpus itself,
    which have no audit entry. `designs` maps campaign uids to designs that need not be read again. `on_progress`
    receives the fraction done. Raises QeError if reading fails.
    """
    campaigns = tuple(project.campaigns())
    audit = tuple(project.audit())
    on_progress(0.2)
    files = [row for row in project.imports() if not row.has_events and not row.is_withdrawn]
    titles = dict(campaign_choices(campaigns, files, corpus_ratings))
    view: CampaignView | None = None
    if titles:
        uid = selected if selected in titles else campaigns[-1].uid if campaigns else next(iter(titles))
        campaign = next((candidate for candidate in campaigns if candidate.uid == uid), None)
        if uid == ALL_RATINGS:
            view = _combined_view(project, campaigns, audit, designs, files)
        elif campaign is None:
            view = CampaignView(
                uid, titles[uid], sum(row.added for row in files), source_note=tr("Stored in the project")
            )
        else:
            design = designs.get(uid) or project.design(uid)
            on_progress(0.5)
            view = _campaign_view(campaign, design, project.rater_events(uid), unblinding_entry(audit, uid))
    return CampaignSelection(project, campaigns, tuple(titles.items()), view, audit)


def _campaign_view(
    campaign: Campaign, design: CampaignDesign, rater_events: RaterEvents, unblinding: AuditRow | None
) -> CampaignView:
    return CampaignView(
        campaign.uid,
        campaign.name,
        _count_events(rater_events),
        campaign,
        design,
        raters=tuple(raters_progress(campaign, design.screens, rater_events.events)),
        names=None if unblinding is not None else design_letters(design),
        unblinding=unblinding,
        omitted_event_notes=tuple(skipped_notes(rater_events.skipped_rows)),
        letter_campaign=campaign.uid,
    )


def _count_events(rater_events: RaterEvents) -> int:
    return len(rater_events.events) + sum(skipped.count for skipped in rater_events.skipped_rows)


def list_rating_choices(project: CampaignProvider, corpus_ratings: Ratings | None = None) -> tuple[RatingChoice, ...]:
    """List the sets of ratings that can be selected; for `ALL_RATINGS`, systems are hidden if any campaign is blind."""
    campaigns, audit = tuple(project.campaigns()), tuple(project.audit())
    files = [row for row in project.imports() if not row.has_events and not row.is_withdrawn]
    blind_uids = {campaign.uid for campaign in campaigns if unblinding_entry(audit, campaign.uid) is None}
    return tuple(
        RatingChoice(uid, title, hidden=bool(blind_uids) if uid == ALL_RATINGS else uid in blind_uids)
        for uid, title in campaign_choices(campaigns, files, corpus_ratings)
    )


def campaign_choices(
    campaigns: Sequence[Campaign], files: Sequence[ImportRow], corpus_ratings: Ratings | None = None
) -> list[tuple[str, str]]:
    """Return the selectable views as (uid, title) pairs; ratings of different campaigns are not combined.

    `files` are the imports of rating sets, excluding withdrawn ones. `corpus_ratings` are the ratings of the corpus
    itself. Like imported ratings, they may belong to campaigns that are not in the project.
    """
    choices = [(campaign.uid, campaign.name) for campaign in campaigns]
    campaign_uids = {campaign.uid for campaign in campaigns}
    file_uids = {uid for row in files for uid in row.campaigns}
    has_unnamed = any(not row.campaigns for row in files)
    if corpus_ratings is not None:
        file_uids.update(campaigns_of(corpus_ratings))
        has_unnamed = has_unnamed or "" in campaign_marks(corpus_ratings)
    foreign = sorted(file_uids - campaign_uids)
    if len(campaign_uids) + len(foreign) < 2:
        if corpus_ratings is not None or files:
            title = tr("All ratings, including those from files") if campaigns else tr("Ratings from files")
            choices.append((ALL_RATINGS, title))
        return choices
    choices += [(uid, tr("Campaign {uid}, from files", uid=uid)) for uid in foreign]
    if has_unnamed:
        choices.append((FILES_CHOICE, tr("Ratings from files")))
    return choices


def _combined_view(
    project: CampaignProvider,
    campaigns: Sequence[Campaign],
    audit: Sequence[AuditRow],
    designs: Mapping[str, CampaignDesign],
    files: Sequence[ImportRow],
) -> CampaignView:
    """Return a view of all ratings of a project with at most one campaign, including those from files."""
    hidden = next((campaign.uid for campaign in campaigns if unblinding_entry(audit, campaign.uid) is None), "")
    names = design_letters(designs.get(hidden) or project.design(hidden)) if hidden else None
    # a changed rating adds an event, but no finished item
    count = sum(row.added for row in files)
    count += sum(_count_events(project.rater_events(campaign.uid)) for campaign in campaigns)
    title, description = tr("Ratings from files"), tr("Stored in the project")
    if campaigns:
        title, description = tr("All ratings"), tr("From the project's campaign and from files")
    return CampaignView(ALL_RATINGS, title, count, names=names, source_note=description, letter_campaign=hidden)


def corpus_ratings_view(ratings: Ratings, name: str) -> CampaignView:
    """Return a view of the ratings in a corpus; it is shown when no project is open."""
    count = len(ratings.scores) + len(ratings.pairs)
    title = tr("Ratings of {corpus}", corpus=name) if name else tr("Ratings")
    return CampaignView(ALL_RATINGS, title, count, source_note=tr("From the corpus"))


FLUSH_SECONDS = 10.0
"""Maximum number of seconds to wait until the audit entry is saved."""


class CampaignStore(Protocol):
    """Interface of an open project with campaigns and an audit log."""

    @property
    def role(self) -> str:
        """Role of the user: "owner" or "rater"."""

    @property
    def read_only(self) -> str:
        """Reason why the project is read-only; empty if it is writable."""

    @property
    def place(self) -> str:
        """Path or URL of the project."""

    def campaigns(self) -> Sequence[Campaign]:
        """All campaigns, in order of creation."""

    def design(self, uid: str) -> CampaignDesign:
        """Return the design of a campaign, including the blinding key."""

    def progress(self, uid: str) -> Mapping[str, tuple[int, int]]:
        """Return, for each rater, the number of items done or skipped and the number of all items.

        Training items are not counted.
        """

    def audit(self) -> Sequence[AuditRow]:
        """All entries of the audit log."""

    def log(self, event: str, details: dict[str, Any] | None = None) -> None:
        """Queue an audit entry."""

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until all changes are saved or rejected; return False if `timeout` seconds pass first."""


@dataclass(frozen=True, slots=True)
class BlindKey:
    """Uid and title of a blind campaign, and the letters that replace its system names; all empty if there is none."""

    campaign: str = ""
    title: str = ""
    names: DisplayNames = field(default_factory=dict)


def unblinding_entry(audit: Sequence[AuditRow], uid: str) -> AuditRow | None:
    """Return the audit entry that first unblinded a campaign, or None if the campaign is still blind."""
    return next((row for row in audit if row.what == CAMPAIGN_UNBLINDED and row.details.get("campaign") == uid), None)


def blind_campaign(project: CampaignStore, uid: str | None) -> Campaign | None:
    """Return the campaign with this uid if it is blind, or the first blind campaign if `uid` is None; else None."""
    audit = project.audit()
    candidates = (campaign for campaign in project.campaigns() if uid in (None, campaign.uid))
    return next((campaign for campaign in candidates if unblinding_entry(audit, campaign.uid) is None), None)


def blind_key(project: CampaignStore, uid: str | None) -> BlindKey:
    """Return the letters of the systems in the campaign that `blind_campaign` returns; empty if it returns None."""
    campaign = blind_campaign(project, uid)
    return (
        BlindKey()
        if campaign is None
        else BlindKey(campaign.uid, campaign.name, design_letters(project.design(campaign.uid)))
    )


def unblind(project: CampaignStore, campaign: Campaign, reason: str, *, where: str = "") -> bool:
    """Unblind a campaign and log who did so, when and why; return False if it is already unblinded.

    Raises QeError if the user is a rater, the project is read-only, the log cannot be read, or the audit entry is
    rejected or not saved within `FLUSH_SECONDS`: nothing may be revealed without an audit entry. `where` names the
    program that unblinds the campaign; it is empty if the campaign is unblinded in the window.
    """
    if unblinding_entry(project.audit(), campaign.uid) is not None:
        return False
    location = SourceLocation(project.place)
    if project.role != "owner":
        message = tr("only the owner of the project may unblind “{campaign}”", campaign=campaign.name)
        raise QeError(message, hint=tr("Connect as the owner."), place=location)
    if project.read_only:
        raise QeError(
            tr("the project is read-only, so “{campaign}” stays blind", campaign=campaign.name),
            hint=tr("Unblind it in a writable copy."),
            place=location,
        )
    progress = project.progress(campaign.uid).values()
    details: dict[str, Any] = {
        "campaign": campaign.uid,
        "name": campaign.name,
        "reason": reason,
        "done": [sum(done for done, _ in progress), sum(total for _, total in progress)],
    }
    project.log(CAMPAIGN_UNBLINDED, details | ({"where": where} if where else {}))
    if not project.flush(FLUSH_SECONDS):
        raise QeError(
            tr("the campaign is still blind, because the unblinding cannot be saved now"),
            hint=tr("No action is needed: the unblinding will be saved with the other changes of the project."),
            place=location,
        )
    # `flush` also returns when a row was rejected
    if unblinding_entry(project.audit(), campaign.uid) is None:
        message = tr("the unblinding could not be logged, so “{campaign}” stays blind", campaign=campaign.name)
        raise QeError(message, hint=tr("Open the project again, then unblind the campaign."), place=location)
    return True
