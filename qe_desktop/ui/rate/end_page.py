"""The end of the items: what was done, what was skipped, what is still open, and thanks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.work import Status
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.ui.rate.account import duration
from qe_desktop.ui.rate.sitting import Sitting
from qe_desktop.wording import tr


def situation(sitting: Sitting, *, others: bool) -> Situation:
    """What the end says; `others`: there are other campaigns."""
    found = sitting.account.counts
    total = sum(found.values())
    left = found[Status.OPEN] + found[Status.BEGUN]
    trained = sum(not sitting.work.is_handled(one.uid) for one in sitting.work.screens if one.training)
    lines = [tr("{done:,} of {n:,} {n:item|items} rated.", "", total, done=found[Status.DONE])]
    if found[Status.SKIPPED]:
        lines.append(tr("{n:,} {n:item|items} skipped.", "", found[Status.SKIPPED]))
    seconds = sitting.account.median_seconds
    if seconds is not None:
        lines.append(tr("Half of them took you less than {time}.", time=duration(seconds)))
    more = (("campaigns", tr("Other campaigns")),) if others else ()
    if left or trained:
        if left:
            lines.append(tr("{n:,} {n:item still needs|items still need} a rating.", "", left))
        else:
            lines.append(tr("Some of the training is still open."))
        buttons = (("open", tr("Go to the first open item")), ("look", tr("Back to the last item")), *more)
        return Situation(tr("This is the end of the list"), " ".join(lines), buttons, "rate")
    lines.append(tr("You can still go back and change what you said."))
    buttons = (("look", tr("Look at the items again")), *more)
    return Situation(tr("Thank you: everything is rated"), " ".join(lines), buttons, "ok")


class EndPage(StatePage):
    """Its buttons: "open" (the first open item), "look" (back to the items), "campaigns"."""

    # the keys that lead back hold here as well, and a button would keep the arrows for itself
    on_button = False

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def show_end(self, sitting: Sitting, *, others: bool) -> None:
        """Say how it stands."""
        self.show_situation(situation(sitting, others=others))
