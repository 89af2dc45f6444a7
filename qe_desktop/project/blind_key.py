"""The blind key of a project's campaign: whether it is open, and the one act that opens it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import CAMPAIGN_UNBLINDED, AuditRow
from qe_desktop.ratings.blinding import Names, design_letters
from qe_desktop.ratings.campaign import Campaign, CampaignDesign

FLUSH_SECONDS = 10.0
"""How long the entry of the log may take until the disk has it."""


class CampaignStore(Protocol):
    """What has campaigns and a log: an open project."""

    @property
    def role(self) -> str:
        """What one may do: "owner" or "rater"."""

    @property
    def read_only(self) -> str:
        """Why nothing can be written; empty where it can."""

    @property
    def place(self) -> str:
        """The path or URL."""

    def campaigns(self) -> Sequence[Campaign]:
        """All campaigns, in the order in which they were set up."""

    def design(self, uid: str) -> CampaignDesign:
        """A whole campaign, with its key."""

    def progress(self, uid: str) -> Mapping[str, tuple[int, int]]:
        """By rater: how many items are done, and how many there are."""

    def audit(self) -> Sequence[AuditRow]:
        """All entries of the log."""

    def log(self, what: str, details: dict[str, Any] | None = None) -> None:
        """Queue an entry."""

    def flush(self, timeout: float | None = None) -> bool:
        """Wait until everything is saved; False where that takes longer."""


@dataclass(frozen=True, slots=True)
class BlindKey:
    """The letters of a campaign's systems while they are hidden; without campaign and letters where none are."""

    campaign: str = ""
    title: str = ""
    names: Names = field(default_factory=dict)


def unblinding_entry(audit: Sequence[AuditRow], uid: str) -> AuditRow | None:
    """The entry that opened a campaign's key, the first where there are several."""
    return next((row for row in audit if row.what == CAMPAIGN_UNBLINDED and row.details.get("campaign") == uid), None)


def blind_campaign(project: CampaignStore, uid: str | None) -> Campaign | None:
    """The campaign whose systems are hidden in `project.ratings(uid)`; with None, those of all campaigns."""
    audit = project.audit()
    wanted = (one for one in project.campaigns() if uid in (None, one.uid))
    return next((one for one in wanted if unblinding_entry(audit, one.uid) is None), None)


def blind_key(project: CampaignStore, uid: str | None) -> BlindKey:
    """The letters that systems go by in `project.ratings(uid)`."""
    found = blind_campaign(project, uid)
    return BlindKey() if found is None else BlindKey(found.uid, found.name, design_letters(project.design(found.uid)))


def unblind(project: CampaignStore, campaign: Campaign, reason: str, *, where: str = "") -> bool:
    """Open a campaign's key, and log who did so, when and why; False where it is open already.

    QeError for raters and for a project that cannot be written: nothing is shown before the entry is kept. `where`
    says by which program, if not by the window.
    """
    if unblinding_entry(project.audit(), campaign.uid) is not None:
        return False
    place = SourceLocation(project.place)
    if project.role != "owner":
        message = tr("only the owner of the project may unblind “{campaign}”", campaign=campaign.name)
        raise QeError(message, hint=tr("Connect as the owner."), place=place)
    if project.read_only:
        raise QeError(
            tr("the project cannot be written, so “{campaign}” stays blind", campaign=campaign.name),
            hint=tr("Unblind it in a copy that can be written."),
            place=place,
        )
    progress = project.progress(campaign.uid).values()
    done = [sum(done for done, _ in progress), sum(total for _, total in progress)]
    details: dict[str, Any] = {"campaign": campaign.uid, "name": campaign.name, "reason": reason, "done": done}
    project.log(CAMPAIGN_UNBLINDED, details | ({"where": where} if where else {}))
    if not project.flush(FLUSH_SECONDS):
        raise QeError(
            tr("the project cannot be written now, so the key stays closed"),
            hint=tr("Try again once it is saved."),
            place=place,
        )
    return True
