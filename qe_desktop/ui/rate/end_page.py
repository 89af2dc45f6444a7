"""The end of the items: what was done, what was skipped, what is still open, and thanks."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from qe_desktop.ratings.work import Status
from qe_desktop.ui.parts.state_page import Situation, StatePage
from qe_desktop.ui.rate.account import duration
from qe_desktop.ui.rate.sitting import Sitting


def situation(sitting: Sitting, *, others: bool) -> Situation:
    """What the end says; `others`: there are other campaigns."""
    found = sitting.account.counts
    total = sum(found.values())
    left = found[Status.OPEN] + found[Status.BEGUN]
    trained = sum(not sitting.work.is_handled(one.uid) for one in sitting.work.screens if one.training)
    lines = [f"{found[Status.DONE]:,} of {_items(total)} rated."]
    if found[Status.SKIPPED]:
        lines.append(f"{_items(found[Status.SKIPPED])} skipped.")
    seconds = sitting.account.median_seconds
    if seconds is not None:
        lines.append(f"Half of them took you less than {duration(seconds)}.")
    more = (("campaigns", "Other campaigns"),) if others else ()
    if left or trained:
        if left:
            lines.append(f"{_items(left)} still {'needs' if left == 1 else 'need'} a rating.")
        else:
            lines.append("Some of the training is still open.")
        buttons = (("open", "Go to the first open item"), ("look", "Back to the last item"), *more)
        return Situation("This is the end of the list", " ".join(lines), buttons, "rate")
    lines.append("You can still go back and change what you said.")
    buttons = (("look", "Look at the items again"), *more)
    return Situation("Thank you: everything is rated", " ".join(lines), buttons, "ok")


def _items(count: int) -> str:
    return f"{count:,} item{'' if count == 1 else 's'}"


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
