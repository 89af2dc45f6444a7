"""Campaigns that the user may rate in a campaign source, and the raters under whose names the user may rate."""

from __future__ import annotations

from contextlib import suppress

from qe_desktop.corpus import QeError
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ui.rate import empty_states
from qe_desktop.ui.rate.campaign_chooser import CampaignSource, RaterCounts
from qe_desktop.ui.settings import Settings


class CampaignAccess:
    """Access of the current user to the campaigns of a source. Without a source, there are no campaigns."""

    def __init__(self, source: CampaignSource | None, settings: Settings) -> None:
        self._source = source
        self._settings = settings

    @property
    def user_name(self) -> str:
        """Name of the user in the project or, if the project has no user name, in the settings."""
        return ((self._source.person if self._source is not None else "") or self._settings.person).strip()

    def raters(self, campaign: Campaign) -> list[str]:
        """Return the raters under whose names the user may rate."""
        if self._source is not None and self._source.role == "rater":
            return [self.user_name] if self.user_name in campaign.raters else []
        return list(campaign.raters)

    def default_rater(self, campaign: Campaign) -> str:
        """Return the user, if assigned, or else the campaign's only rater; empty if there is neither."""
        raters = self.raters(campaign)
        return self.user_name if self.user_name in raters else raters[0] if len(raters) == 1 else ""

    def progress(self, campaign: Campaign) -> RaterCounts:
        """Return the progress of the raters, which is optional information; empty if it cannot be read."""
        with suppress(QeError):
            return dict(self._source.progress(campaign.uid)) if self._source is not None else {}
        return {}

    def is_open(self, campaign: Campaign, counts: RaterCounts) -> bool:
        """Return whether the user has open items in a campaign; `counts` is the progress of its raters."""
        rated, total = counts.get(self.user_name, (0, 0))
        return self.user_name in self.raters(campaign) and rated < total

    def has_several_campaigns(self) -> bool:
        """Return whether the user can choose among several campaigns; False if the campaigns cannot be read."""
        with suppress(QeError):
            return self._source is not None and sum(bool(self.raters(item)) for item in self._source.campaigns()) > 1
        return False

    def other_choices(self, campaign: Campaign) -> list[tuple[str, str]]:
        """Return name and text of each button that leads to other campaigns or raters of the user, if any."""
        buttons = [empty_states.OTHER_CAMPAIGNS] if self.has_several_campaigns() else []
        return buttons + ([empty_states.ANOTHER_RATER] if len(self.raters(campaign)) > 1 else [])
