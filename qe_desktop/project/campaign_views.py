"""One look at a project's campaigns: read on another thread, shown on the window's."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

from qe_desktop.corpus import Ratings
from qe_desktop.i18n.messages import tr
from qe_desktop.project.blind_key import unblinding_entry
from qe_desktop.project.events import AuditRow, ImportRow
from qe_desktop.ratings.blinding import Names, design_letters
from qe_desktop.ratings.campaign import Campaign, CampaignDesign
from qe_desktop.ratings.event_validation import RaterEvents, skipped_notes
from qe_desktop.ratings.rater_progress import RaterProgress, raters_progress

FILES_CHOICE = "files"
"""Stands for the uid of a campaign where ratings from files are looked at that are of none."""
ALL_RATINGS = ""
"""Stands for the uid of a campaign where all ratings of the project are looked at together."""


class CampaignProvider(Protocol):
    """What keeps campaigns: an open project."""

    def campaigns(self) -> Sequence[Campaign]:
        """All campaigns, in the order in which they were set up."""

    def design(self, uid: str) -> CampaignDesign:
        """A whole campaign, with its key."""

    def said(self, uid: str) -> RaterEvents:
        """What its raters said."""

    def progress(self, uid: str) -> Mapping[str, tuple[int, int]]:
        """By rater: how many items are done, and how many there are."""

    def imports(self) -> Sequence[ImportRow]:
        """What was imported, taken back or not."""

    def audit(self) -> Sequence[AuditRow]:
        """All entries."""


@dataclass(frozen=True, slots=True, eq=False)
class CampaignView:
    """What an owner sees of one campaign, or with `ALL` of all ratings, those from files too.

    `names` are letters for the systems whose names are still hidden, None where none are. `unblinded` is the entry of
    the audit that opened the campaign's key. `found` counts what there is to compute results of, so that one can tell
    whether there is anything new.
    """

    uid: str
    title: str
    found: int
    campaign: Campaign | None = None
    design: CampaignDesign | None = None
    raters: tuple[RaterProgress, ...] = ()
    names: Names | None = None
    unblinded: AuditRow | None = None
    about: str = ""
    """Where the ratings come from, if not from one campaign."""
    left_out: tuple[str, ...] = ()
    """What of the raters' rows could not be read, in words."""
    letters_of: str = ""
    """The uid of the campaign whose letters the systems go by."""

    @property
    def done(self) -> tuple[int, int]:
        """Items done or skipped by all raters, and how many there are."""
        return sum(row.done for row in self.raters), sum(row.total for row in self.raters)

    @property
    def may_be_unblinded(self) -> bool:
        """Whether there is a key to open."""
        return self.campaign is not None and self.unblinded is None


@dataclass(frozen=True, slots=True)
class RatingChoice:
    """Ratings that can be chosen, by uid and title; `hidden` says that systems still go by letters in them."""

    uid: str
    title: str
    hidden: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class CampaignSelection:
    """What there is to choose from, by uid and title, what is looked at, and the audit."""

    project: CampaignProvider
    campaigns: tuple[Campaign, ...]
    choices: tuple[tuple[str, str], ...]
    view: CampaignView | None
    audit: tuple[AuditRow, ...]


def read_campaign_selection(
    project: CampaignProvider,
    wanted: str | None,
    designs: Mapping[str, CampaignDesign],
    tell: Callable[[float], object],
    *,
    brought: bool = False,
) -> CampaignSelection:
    """Read what an owner sees; where what is `wanted` is not there, the latest campaign.

    `brought` says that the corpus came with ratings, which stand in no entry of the audit.
    """
    campaigns = tuple(project.campaigns())
    audit = tuple(project.audit())
    tell(0.2)
    files = [row for row in project.imports() if not row.events and not row.away]
    titles = dict(campaign_choices(campaigns, files, brought=brought))
    view: CampaignView | None = None
    if titles:
        uid = wanted if wanted in titles else campaigns[-1].uid if campaigns else ALL_RATINGS
        campaign = next((one for one in campaigns if one.uid == uid), None)
        if uid == ALL_RATINGS:
            view = _of_all(project, campaigns, audit, designs, files)
        elif campaign is None:
            view = CampaignView(uid, titles[uid], sum(row.added for row in files), about=tr("Kept in the project"))
        else:
            design = designs.get(uid) or project.design(uid)
            tell(0.5)
            view = _of_campaign(campaign, design, project.said(uid), unblinding_entry(audit, uid))
    return CampaignSelection(project, campaigns, tuple(titles.items()), view, audit)


def _of_campaign(
    campaign: Campaign, design: CampaignDesign, said: RaterEvents, opened: AuditRow | None
) -> CampaignView:
    return CampaignView(
        campaign.uid,
        campaign.name,
        len(said.events) + sum(one.count for one in said.left_out),
        campaign,
        design,
        raters=tuple(raters_progress(campaign, design.screens, said.events)),
        names=None if opened is not None else design_letters(design),
        unblinded=opened,
        left_out=tuple(skipped_notes(said.left_out)),
        letters_of=campaign.uid,
    )


def list_rating_choices(project: CampaignProvider, *, brought: bool = False) -> tuple[RatingChoice, ...]:
    """What ratings a project has, each as `project.ratings` gives it; those with all are hidden with any campaign."""
    campaigns, audit = tuple(project.campaigns()), tuple(project.audit())
    files = [row for row in project.imports() if not row.events and not row.away]
    closed = {one.uid for one in campaigns if unblinding_entry(audit, one.uid) is None}
    return tuple(
        RatingChoice(uid, title, hidden=bool(closed) if uid == ALL_RATINGS else uid in closed)
        for uid, title in campaign_choices(campaigns, files, brought=brought)
    )


def campaign_choices(
    campaigns: Sequence[Campaign], files: Sequence[ImportRow], *, brought: bool = False
) -> list[tuple[str, str]]:
    """What can be looked at, by uid and title. Ratings of several campaigns, the project's or files', are not joined.

    `files` are the imports that count, `brought` says that the corpus came with ratings of no campaign.
    """
    choices = [(one.uid, one.name) for one in campaigns]
    own = {one.uid for one in campaigns}
    foreign = sorted({uid for row in files for uid in row.campaigns} - own)
    if len(own) + len(foreign) < 2:
        if brought or files:
            title = tr("All ratings, with those from files") if campaigns else tr("Ratings from files")
            choices.append((ALL_RATINGS, title))
        return choices
    choices += [(uid, tr("Campaign {uid}, from files", uid=uid)) for uid in foreign]
    if brought or any(not row.campaigns for row in files):
        choices.append((FILES_CHOICE, tr("Ratings from files")))
    return choices


def _of_all(
    project: CampaignProvider,
    campaigns: Sequence[Campaign],
    audit: Sequence[AuditRow],
    designs: Mapping[str, CampaignDesign],
    files: Sequence[ImportRow],
) -> CampaignView:
    """All ratings of a project with one campaign, or none, and those from files."""
    hidden = next((one.uid for one in campaigns if unblinding_entry(audit, one.uid) is None), "")
    names = design_letters(designs.get(hidden) or project.design(hidden)) if hidden else None
    found = sum(row.added for row in files)
    found += sum(done for one in campaigns for done, _ in project.progress(one.uid).values())
    title, about = tr("Ratings from files"), tr("Kept in the project")
    if campaigns:
        title, about = tr("All ratings"), tr("The project’s campaigns and the ratings from files, together")
    return CampaignView(ALL_RATINGS, title, found, names=names, about=about, letters_of=hidden)


def corpus_ratings_view(ratings: Ratings, name: str) -> CampaignView:
    """The ratings that came with a corpus, while no project is open."""
    found = len(ratings.scores) + len(ratings.pairs)
    title = tr("Ratings of {corpus}", corpus=name) if name else tr("Ratings")
    return CampaignView(ALL_RATINGS, title, found, about=tr("They came with the corpus"))
