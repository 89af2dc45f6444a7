"""What can be done with findings by name and key."""

from __future__ import annotations

from qe_desktop.report.forms import FILES
from qe_desktop.ui.actions import Action
from qe_desktop.ui.parts.written_files import Copies
from qe_desktop.wording import tr

AREA = "scores"
PAGE = "findings"
"""The id of the page in the area."""
SHOW_SYSTEMS, SHOW_FINDINGS = "scores.page-systems", "scores.page-findings"
SAVE = "scores.save-findings"
_GROUP = tr("Scores")
_KEYS: dict[str, tuple[str, ...]] = {"tex": ("Ctrl+Shift+C",)}


COPIES: Copies = {
    form.suffix: (
        f"scores.copy-findings-{form.suffix}".removesuffix("-tex"), tr("Copy the findings as {form}", form=form.title)
    )
    for form in FILES
}  # fmt: skip
"""The commands that copy in a form, and what they are called."""
SAVES = (SAVE, tr("&Save the findings in a file…"))
ACTIONS = (
    Action(SHOW_SYSTEMS, tr("Show systems, tests and plots"), ("Alt+1",), AREA, _GROUP),
    Action(SHOW_FINDINGS, tr("Show the findings: all systems by every metric"), ("Alt+2",), AREA, _GROUP),
    *(Action(id, text, _KEYS.get(form, ()), AREA, _GROUP) for form, (id, text) in COPIES.items()),
    Action(SAVE, tr("Save the findings in a file…"), ("Ctrl+Shift+E",), AREA, _GROUP, icon="export"),
)
"""To be added to the window's table with the area; `FindingsDesk` says what they do."""
