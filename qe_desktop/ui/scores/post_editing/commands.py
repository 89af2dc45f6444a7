"""What can be done with the page of post-editing by name and key."""

from __future__ import annotations

from qe_desktop.report.forms import FILES
from qe_desktop.studies.post_editing.exporting import EXPORTS
from qe_desktop.ui.actions import Action
from qe_desktop.ui.parts.written_files import Copies
from qe_desktop.wording import tr

AREA = "scores"
PAGE = "post-editing"
"""The id of the page in the area."""
SHOW, SAVE = "scores.page-post-editing", "scores.save-post-editing"
EXPORT = "scores.export-post-editing-"
"""What ids begin with; the name of a form follows."""
_GROUP = tr("Scores: post-editing")


def _one(id: str, text: str) -> Action:
    return Action(id, text, (), AREA, _GROUP, icon="export", submenu=tr("Post-&editing"))


COPIES: Copies = {
    form.suffix: (f"scores.copy-post-editing-{form.suffix}", tr("Copy as {form}", form=form.title)) for form in FILES
}
"""The commands that copy in a form, and what they are called on the page."""
SAVES = (SAVE, tr("&Save in a file…"))
ACTIONS = (
    Action(SHOW, tr("Show post-editing: times, edits, which highlights were right"), ("Alt+5",), AREA, tr("Scores")),
    *(_one(COPIES[form.suffix][0], tr("Copy post-editing as {form}", form=form.title)) for form in FILES),
    _one(SAVE, tr("Save what post-editing told in a file…")),
    *(_one(f"{EXPORT}{one.name}", tr("Export post-edits as {form}…", form=one.title)) for one in EXPORTS),
)
"""To be added to the window's table with the area; `PostEditingDesk` says what they do."""
