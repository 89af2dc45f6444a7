"""What a rater is to do: the protocol's instructions with the owner's own words."""

from __future__ import annotations

from qe_desktop.ratings.work import Work
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.ui.rate.cards import card_class
from qe_desktop.ui.rate.choosing import languages_of
from qe_desktop.wording import tr


class InstructionsPage(StatePage):
    """The button "done" leads to the items."""

    def show_work(self, work: Work, *, begun: bool) -> None:
        """Show the instructions of a campaign, before the beginning or once more."""
        training = sum(screen.training for screen in work.screens)
        total = work.progress()[1]
        parts = [work.protocol.instructions(work.campaign), card_class(work.protocol).keys(work)]
        if training and not begun:
            one = tr("The first item is practice and does not count.")
            several = tr("The first {n} items are practice and do not count.", "", training)
            parts.append(one if training == 1 else several)
        if work.campaign.design_hash:
            parts.append(
                tr(
                    "The design of this campaign was published before the first rating: {design}. "
                    "Whoever set it up can show with it that nothing was changed since.",
                    design=work.campaign.design_hash,
                )
            )
        count = tr("{n:,} items", "", total)
        about = " · ".join(filter(None, (work.protocol.title, languages_of(work.campaign), count)))
        button = tr("Back to the items") if begun else tr("Begin")
        text = "\n\n".join((about, *parts))
        self.show_situation(Situation(work.campaign.name, text, (("done", button),), icon=""))
