"""What can be done with findings by name and key."""

from __future__ import annotations

from qe_desktop.report.forms import FILES, Form
from qe_desktop.ui.actions import Action
from qe_desktop.wording import tr

AREA = "scores"
PAGE = "findings"
"""The id of the page in the area."""
SHOW_SYSTEMS, SHOW_FINDINGS = "scores.page-systems", "scores.page-findings"
COPY_LATEX, SAVE = "scores.copy-findings", "scores.save-findings"
_GROUP = tr("Scores")
_KEYS = {"tex": ("Ctrl+Shift+C",)}


def copies(form: Form) -> str:
    """The id of the command that copies in a form."""
    return COPY_LATEX if form.suffix == "tex" else f"{COPY_LATEX}-{form.suffix}"


ACTIONS = (
    Action(SHOW_SYSTEMS, tr("Show systems, tests and plots"), ("Alt+1",), AREA, _GROUP),
    Action(SHOW_FINDINGS, tr("Show the findings: all systems by every metric"), ("Alt+2",), AREA, _GROUP),
    *(
        Action(
            copies(form), tr("Copy the findings as {form}", form=form.title), _KEYS.get(form.suffix, ()), AREA, _GROUP
        )
        for form in FILES
    ),
    Action(SAVE, tr("Save the findings in a file…"), ("Ctrl+Shift+E",), AREA, _GROUP, icon="export"),
)
"""To be added to the window's table with the area; `FindingsDesk` says what they do."""
