"""What the rater's side needs of whatever keeps campaigns: an open project has all of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.rater_session import RaterSession


class CampaignSource(Protocol):
    """Campaigns, a rater's work in them, and where events go. `read_only` says why nothing can be rated, or nothing."""

    @property
    def person(self) -> str:
        """Who is working here."""

    @property
    def role(self) -> str:
        """ "owner": may rate as any of the raters; "rater": only as oneself."""

    @property
    def read_only(self) -> str:
        """Why nothing can be written, in words; empty where it can."""

    def campaigns(self) -> Sequence[Campaign]:
        """All campaigns."""

    def work(self, uid: str, rater: str) -> RaterSession:
        """A rater's work in a campaign."""

    def rate(self, event: RatingEvent) -> object:
        """Queue an event to be saved; does not wait."""

    def progress(self, uid: str) -> Mapping[str, tuple[int, int]]:
        """By rater: how many items are done, and how many there are."""
