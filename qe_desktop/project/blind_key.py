"""Blinding of a campaign: its key, its state, and unblinding."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from qe_desktop.corpus import QeError, SourceLocation
from qe_desktop.i18n.messages import tr
from qe_desktop.project.events import CAMPAIGN_UNBLINDED, AuditRow
from qe_desktop.ratings.blinding import DisplayNames, design_letters
from qe_desktop.ratings.campaign import Campaign, CampaignDesign

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
    """Letters that replace the system names of a blind campaign; empty if there is no blind campaign."""

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
