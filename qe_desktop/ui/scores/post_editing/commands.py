"""Commands of the post-editing page."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.studies.post_editing.post_edit_export import EXPORTS
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.scores.commands import AREA, copy_commands, page_action

PAGE = "post-editing"
"""Id of the page in the Scores area."""
SHOW, SAVE = "scores.page-post-editing", "scores.save-post-editing"
EXPORT = "scores.export-post-editing-"
"""Prefix of the ids of export commands; the name of a format follows."""
_GROUP = tr("Scores: post-editing")


def _make_action(id: str, text: str) -> Action:
    """Return a command that copies, saves or exports the results of the page."""
    submenu, needs = (
        tr("Copy or save post-&editing results"),
        tr("Open the page “Post-editing” and compute results first."),
    )
    return Action(id, text, (), AREA, _GROUP, icon="export", submenu=submenu, needs=needs)


COPIES = copy_commands("scores.copy-post-editing-", lambda form: tr("Copy as {form}", form=form))
"""Mapping from format suffixes to the ids and menu texts of copy commands."""
SAVES = (SAVE, tr("&Save…"))
ACTIONS = (
    page_action(SHOW, tr("Show post-editing: time, edits and highlight usefulness"), "Alt+5", tr("&Post-editing")),
    *(
        _make_action(COPIES[form.suffix][0], tr("Copy post-editing as {form}", form=form.title))
        for form in FILE_FORMATS
    ),
    _make_action(SAVE, tr("Save post-editing report…")),
    *(
        _make_action(f"{EXPORT}{export.name}", tr("Export post-edits as {form}…", form=export.title))
        for export in EXPORTS
    ),
)
"""Commands of the page; `PostEditingController` connects them."""
