"""Commands of the All metrics page."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.scores.commands import AREA, page_action
from qe_desktop.ui.widgets.background_export import CopyCommands

PAGE = "findings"
"""Id of the All metrics page in the Scores area."""
SHOW_SYSTEMS, SHOW_FINDINGS = "scores.page-systems", "scores.page-findings"
SAVE = "scores.save-findings"
_EXPORTS = tr("Scores: copy and save")
_RESULTS = tr("Open the page “All metrics” and compute results first.")
_KEYS: dict[str, tuple[str, ...]] = {"tex": ("Ctrl+Shift+C",)}


COPIES: CopyCommands = {
    form.suffix: (
        f"scores.copy-findings-{form.suffix}".removesuffix("-tex"), tr("Copy all metrics as {form}", form=form.title)
    )
    for form in FILE_FORMATS
}  # fmt: skip
"""Maps format suffixes to the ids and texts of copy commands."""
SAVES = (SAVE, tr("&Save all metrics…"))
ACTIONS = (
    page_action(SHOW_SYSTEMS, tr("Show systems, significance tests and charts"), "Alt+1", tr("&One metric")),
    page_action(SHOW_FINDINGS, tr("Show scores of all systems by all metrics"), "Alt+2", tr("&All metrics")),
    *(
        Action(id, text, _KEYS.get(form, ()), AREA, _EXPORTS, submenu=tr("&Copy"), needs=_RESULTS)
        for form, (id, text) in COPIES.items()
    ),
    Action(
        SAVE, tr("Save all metrics…"), ("Ctrl+Shift+E",), AREA, _EXPORTS, icon="export", submenu=tr("&Save"),
        needs=_RESULTS,
    ),
)  # fmt: skip
"""Commands of the All metrics page; `FindingsController` connects them."""
