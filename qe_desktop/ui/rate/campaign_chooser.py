"""Page for selecting a campaign or a rater, and the interface of a campaign store, such as an open project."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QWidget

from qe_desktop.answers.event_history import RatingEvent
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import PROTOCOLS, language_name
from qe_desktop.ratings.rater_session import RaterSession
from qe_desktop.ui.shell.link_list import LinkList
from qe_desktop.ui.widgets.placeholder_page import EmptyState, PlaceholderPage

RaterCounts = Mapping[str, tuple[int, int]]
"""Maps each rater to the number of items done or skipped and the total number of items, training items excluded."""


def language_direction(campaign: Campaign) -> str:
    """Return the language direction of a campaign, such as “English → German”; unspecified languages are omitted."""
    names = [language_name(code) for code in (campaign.source_language, campaign.target_language) if code]
    return " → ".join(names)


def campaign_line(campaign: Campaign, rater: str, counts: RaterCounts) -> str:
    """Describe a campaign in one line, with the progress of `rater` or, if `rater` is empty, the number of raters."""
    protocol = PROTOCOLS.get(campaign.protocol)
    parts = [protocol.title if protocol is not None else campaign.protocol, language_direction(campaign)]
    if rater:
        parts.append(progress_text(counts.get(rater)))
    elif campaign.raters:
        parts.append(tr("{n} {n:rater|raters}", "", len(campaign.raters)))
    parts.append(tr("simulated raters") if campaign.simulated else "")
    return " · ".join(filter(None, parts))


def progress_text(counts: tuple[int, int] | None) -> str:
    """Return the progress of a rater as text; empty if `counts` is None."""
    if counts is None:
        return ""
    rated, total = counts
    if total and rated >= total:
        return tr("all done ({n:,})", "", total)
    return tr("{n:,} of {total:,} done", "", rated, total=total)


class CampaignChooserPage(PlaceholderPage):
    """Page with a list of campaigns or raters to select from."""

    campaign_chosen = Signal(str)
    rater_chosen = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.campaigns = LinkList(tr("Campaigns"))
        self.raters = LinkList(tr("Raters"))
        for entries, chosen in ((self.campaigns, self.campaign_chosen), (self.raters, self.rater_chosen)):
            self.insert(entries)
            entries.opened.connect(chosen)

    def ask_campaign(self, campaigns: Sequence[Campaign], person: str, counts: Mapping[str, RaterCounts]) -> None:
        """Show campaigns to select from; `counts` maps the uid of each campaign to its `RaterCounts`."""
        self.show_state(EmptyState(tr("What would you like to rate?"), "", icon=""))
        rows = []
        for campaign in campaigns:
            rater = person if person in campaign.raters else ""
            line = campaign_line(campaign, rater, counts.get(campaign.uid, {}))
            rows.append((campaign.uid, campaign.name, line, "rate"))
        self._show(self.campaigns, rows)

    def ask_rater(self, campaign: Campaign, raters: Sequence[str], counts: RaterCounts, *, back: bool) -> None:
        """Show the raters of a campaign; with `back`, also show a button for the other campaigns."""
        buttons = (("campaigns", tr("Other campaigns")),) if back else ()
        text = tr("{campaign} has a list of items for each of these raters. Select your name.", campaign=campaign.name)
        self.show_state(EmptyState(tr("Who are you?"), text, icon=""))
        self.set_buttons(buttons, primary=False)
        self._show(self.raters, [(rater, rater, progress_text(counts.get(rater)), "edit") for rater in raters])

    def _show(self, visible_list: LinkList, rows: list[tuple[str, str, str, str]]) -> None:
        visible_list.fill(rows)
        for entries in (self.campaigns, self.raters):
            entries.setVisible(entries is visible_list)
        first = next(iter(visible_list.entries()), None)
        self.setFocusProxy(first or self.column_widget)
        if first is not None and self.isVisible():
            first.setFocus()


class CampaignSource(Protocol):
    """Interface of a store of campaigns and ratings. It also queues rating events for saving."""

    @property
    def person(self) -> str:
        """Name of the current user."""

    @property
    def role(self) -> str:
        """Role of the user: "owner" (may rate as any rater) or "rater" (only under their own name)."""

    @property
    def place(self) -> str:
        """Path of the file that stores the ratings; empty if they are on a server."""

    @property
    def read_only(self) -> str:
        """Reason why rating is disabled; empty if rating is enabled."""

    def campaigns(self) -> Sequence[Campaign]:
        """Return all campaigns. Raises QeError if they cannot be read."""

    def rater_session(self, uid: str, rater: str) -> RaterSession:
        """Return the session of `rater` in the campaign `uid`. Raises QeError if the session cannot be read."""

    def rate(self, event: RatingEvent) -> object:
        """Queue an event to be saved, without blocking. Raises QeError if the store is read-only or closed."""

    def progress(self, uid: str) -> Mapping[str, tuple[int, int]]:
        """Return the `RaterCounts` of the campaign `uid`. Raises QeError if the campaign cannot be read."""
