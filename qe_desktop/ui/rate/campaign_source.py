"""Interface of a campaign store, such as an open project, as needed by the rater's side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.rater_session import RaterSession


class CampaignSource(Protocol):
    """Campaigns, raters' work, and the event queue. `read_only` is the reason why rating is disabled, or empty."""

    @property
    def person(self) -> str:
        """Name of the current user."""

    @property
    def role(self) -> str:
        """Role of the user: "owner" (may rate as any rater) or "rater" (only under their own name)."""

    @property
    def read_only(self) -> str:
        """Reason why the source is read-only; empty if it is writable."""

    def campaigns(self) -> Sequence[Campaign]:
        """Return all campaigns."""

    def work(self, uid: str, rater: str) -> RaterSession:
        """Return the session of a rater in a campaign."""

    def rate(self, event: RatingEvent) -> object:
        """Queue an event to be saved; does not block."""

    def progress(self, uid: str) -> Mapping[str, tuple[int, int]]:
        """Return the numbers of done and total items by rater."""
