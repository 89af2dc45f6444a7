"""What can be done with studies by name and key."""

from __future__ import annotations

from qe_desktop.report.forms import FILES
from qe_desktop.ui.actions import Action
from qe_desktop.ui.parts.written_files import Copies
from qe_desktop.ui.scores.studies.registry import STUDIES
from qe_desktop.wording import tr

AREA = "scores"
PAGE = "studies"
"""The id of the page in the area."""
SHOW, RUN, CANCEL, SAVE = "scores.page-studies", "scores.study-run", "scores.study-cancel", "scores.save-study"
STUDY, VIEW = "scores.study-", "scores.study-view-"
"""What ids begin with; a study, or a view of the page, follows."""
METRICS, ADD, REMOVE = "scores.study-metrics", "scores.study-add", "scores.study-remove"
PICTURE, FIRST, SECOND, REMARKS = "picture", "first", "second", "remarks"
VIEWS = {
    PICTURE: tr("Picture"),
    FIRST: tr("the second table"),
    SECOND: tr("the third table"),
    REMARKS: tr("Remarks"),
}
"""What is below the table: the picture, the other tables of the study, and remarks."""
_GROUP = tr("Scores: studies")


def _one(id: str, text: str, *, checkable: bool = False, icon: str = "") -> Action:
    return Action(id, text, (), AREA, _GROUP, icon=icon, checkable=checkable, submenu=tr("St&udies"))


COPIES: Copies = {
    form.suffix: (f"scores.copy-study-{form.suffix}", tr("Copy the study as {form}", form=form.title)) for form in FILES
}
"""The commands that copy in a form, and what they are called."""
SAVES = (SAVE, tr("&Save the study in a file…"))
ACTIONS = (
    Action(SHOW, tr("Show studies of metrics"), ("Alt+4",), AREA, tr("Scores")),
    *(_one(f"{STUDY}{one.name}", tr("Study: {study}", study=one.title), checkable=True) for one in STUDIES),
    *(_one(f"{VIEW}{name}", tr("Studies: show {view}", view=title), checkable=True) for name, title in VIEWS.items()),
    _one(METRICS, tr("Choose the metrics of the study…")),
    _one(RUN, tr("Make the study now, or again")),
    _one(CANCEL, tr("Stop making the study")),
    _one(ADD, tr("Add the synthetic labellings to what is open")),
    _one(REMOVE, tr("Remove the synthetic labellings from what is open")),
    *(_one(id, text, icon="export") for id, text in COPIES.values()),
    _one(SAVE, tr("Save the study in a file…"), icon="export"),
)
"""To be added to the window's table with the area; `StudiesDesk` says what they do."""
