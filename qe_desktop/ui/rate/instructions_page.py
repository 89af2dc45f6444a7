"""What a rater is to do: the protocol's instructions with the owner's own words."""

from __future__ import annotations

from qe_desktop.ratings.work import Work
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.ui.rate.cards import card_class
from qe_desktop.ui.rate.choosing import languages_of


class InstructionsPage(StatePage):
    """The button "done" leads to the items."""

    def show_work(self, work: Work, *, begun: bool) -> None:
        """Show the instructions of a campaign, before the beginning or once more."""
        training = sum(screen.training for screen in work.screens)
        total = work.progress()[1]
        parts = [work.protocol.instructions(work.campaign), card_class(work.protocol).keys(work)]
        if training and not begun:
            items = "item" if training == 1 else f"{training} items"
            verb = "is" if training == 1 else "are"
            parts.append(f"The first {items} {verb} practice and {'does' if training == 1 else 'do'} not count.")
        if work.campaign.design_hash:
            parts.append(
                f"The design of this campaign was published before the first rating: {work.campaign.design_hash}. "
                "Whoever set it up can show with it that nothing was changed since."
            )
        about = " · ".join(filter(None, (work.protocol.title, languages_of(work.campaign), f"{total:,} items")))
        button = "Back to the items" if begun else "Begin"
        text = "\n\n".join((about, *parts))
        self.show_situation(Situation(work.campaign.name, text, (("done", button),), icon=""))
