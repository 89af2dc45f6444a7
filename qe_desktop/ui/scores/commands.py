"""Commands of the Scores area; pages with options of their own have a module of commands in their package."""

from __future__ import annotations

from collections.abc import Callable

from qe_desktop.i18n.messages import tr
from qe_desktop.levels import all_levels
from qe_desktop.report.render.output_formats import FILE_FORMATS
from qe_desktop.studies.post_editing.post_edit_export import EXPORTS
from qe_desktop.ui.action_registry import Action
from qe_desktop.ui.widgets.background_export import CopyCommands

AREA = "scores"
LEVEL, GOLD, METRIC, CHART = "scores.level-", "scores.against-", "scores.metric-", "scores.picture-"
COPY_TABLE, SAVE_TABLE = "scores.copy-table-", "scores.save-table-"
COPY_MATRIX, SAVE_MATRIX = "scores.copy-matrix-", "scores.save-matrix-"
COPY_CHART, SAVE_CHART = "scores.copy-picture-", "scores.save-picture-"
"""Prefixes of command ids; the name of a level, metric, chart or format, or a gold number, follows."""
INTERVALS, COEFFICIENTS = "intervals", "coefficients"
"""Names of the charts that every level has."""
IMAGE_FORMATS = ("png", "svg", "pdf")
NUMBERS, IMAGE = "numbers", "pixels"
"""Suffixes of the ids of copy commands: the data of a chart as TSV, and an image of a chart or matrix."""
MAX_GOLD_COMMANDS = 9
"""Maximum number of gold layers with a command of their own."""
NEEDS_AREA = tr("Open the Scores area first.")
"""Explanation of what the user must do first, shown while the commands that show pages are disabled."""
_PAGES_GROUP = tr("Scores")
_GROUP = tr("Scores: comparison")
_EXPORT_GROUP = tr("Scores: copy and save")


def page_action(id: str, text: str, key: str, menu: str) -> Action:
    """Return the command that shows a page of the Scores area."""
    return Action(id, text, (key,), AREA, _PAGES_GROUP, menu=menu, needs=NEEDS_AREA)


def copy_commands(prefix: str, text: Callable[[str], str]) -> CopyCommands:
    """Return the id and text of a copy command for each file format, keyed by suffix; `text` takes a format title."""
    return {form.suffix: (f"{prefix}{form.suffix}", text(form.title)) for form in FILE_FORMATS}


def _choice_action(id: str, text: str, menu: str, submenu: str, needs: str) -> Action:
    menu_text = menu.replace("&", "&&")
    return Action(id, text, (), AREA, _GROUP, menu=menu_text, checkable=True, submenu=submenu, needs=needs)


def _export_action(id: str, text: str, submenu: str) -> Action:
    needs = tr("Open the page “One metric” and compute scores first.")
    return Action(id, text, (), AREA, _EXPORT_GROUP, icon="export", submenu=submenu, needs=needs)


def _comparison_actions() -> list[Action]:
    levels = all_levels()
    metrics = dict.fromkeys(name for level in levels for name in level.metrics)
    pictures = {picture.name: picture.title for level in levels for picture in level.charts}
    titles = {INTERVALS: tr("Intervals"), **pictures, COEFFICIENTS: tr("Discriminative power")}
    gold_submenu = tr("&Gold")
    return [
        *(_choice_action(f"{LEVEL}{level.name}", tr("Score level: {level}", level=level.title), level.title,
                         tr("&Level"), tr("The open data have nothing to score at this level."))
          for level in levels),
        *(_choice_action(f"{GOLD}{number}", tr("Use gold {number}", number=number), "", gold_submenu,
                         tr("The open data have no gold with this number."))
          for number in range(1, MAX_GOLD_COMMANDS + 1)),
        *(
            _choice_action(f"{METRIC}{name}", tr("Compare by {metric}", metric=name), name, tr("&Metric"),
                           tr("Select the level of this metric first."))
            for name in metrics
        ),
        *(_choice_action(f"{CHART}{name}", tr("Show chart: {picture}", picture=title), title, tr("Cha&rt"),
                         tr("Select the level of this chart first."))
          for name, title in titles.items()),
    ]  # fmt: skip


def _export_actions() -> list[Action]:
    copying, saving = tr("&Copy"), tr("&Save")
    actions: list[Action] = []
    for form in FILE_FORMATS:
        title = form.title
        actions.append(_export_action(f"{COPY_TABLE}{form.suffix}", tr("Copy scores as {form}", form=title), copying))
        actions.append(_export_action(f"{SAVE_TABLE}{form.suffix}", tr("Save scores as {form}…", form=title), saving))
    for form in FILE_FORMATS:
        title = form.title
        actions.append(_export_action(f"{COPY_MATRIX}{form.suffix}", tr("Copy matrix as {form}", form=title), copying))
        actions.append(_export_action(f"{SAVE_MATRIX}{form.suffix}", tr("Save matrix as {form}…", form=title), saving))
    actions.append(_export_action(f"{COPY_MATRIX}{IMAGE}", tr("Copy matrix as image"), copying))
    actions.append(_export_action(f"{COPY_CHART}{NUMBERS}", tr("Copy chart data as TSV"), copying))
    actions.append(_export_action(f"{COPY_CHART}{IMAGE}", tr("Copy chart as image"), copying))
    for image_format in IMAGE_FORMATS:
        title = image_format.upper()
        actions.append(_export_action(f"{SAVE_MATRIX}{image_format}", tr("Save matrix as {form}…", form=title), saving))
        actions.append(_export_action(f"{SAVE_CHART}{image_format}", tr("Save chart as {form}…", form=title), saving))
    return actions


def known_suffixes(prefix: str) -> list[str]:
    """Return the suffixes that follow `prefix` in command ids."""
    return [action.id.removeprefix(prefix) for action in ACTIONS if action.id.startswith(prefix)]


ACTIONS = (*_comparison_actions(), *_export_actions())
"""Commands of the Scores area; `ScoresController` connects them."""


FINDINGS_PAGE = "findings"
"""Id of the All metrics page in the Scores area."""
SHOW_SYSTEMS, SHOW_FINDINGS = "scores.page-systems", "scores.page-findings"
SAVE_FINDINGS = "scores.save-findings"
_NEEDS_FINDINGS = tr("Open the page “All metrics” and compute results first.")
_FINDINGS_KEYS: dict[str, tuple[str, ...]] = {"tex": ("Ctrl+Shift+C",)}


FINDINGS_COPIES: CopyCommands = {
    form.suffix: (
        f"scores.copy-findings-{form.suffix}".removesuffix("-tex"), tr("Copy all metrics as {form}", form=form.title)
    )
    for form in FILE_FORMATS
}  # fmt: skip
"""Maps format suffixes to the ids and texts of copy commands."""
FINDINGS_SAVES = (SAVE_FINDINGS, tr("&Save all metrics…"))
FINDINGS_ACTIONS = (
    page_action(SHOW_SYSTEMS, tr("Show systems, significance tests and charts"), "Alt+1", tr("&One metric")),
    page_action(SHOW_FINDINGS, tr("Show scores of all systems by all metrics"), "Alt+2", tr("&All metrics")),
    *(
        Action(id, text, _FINDINGS_KEYS.get(form, ()), AREA, _EXPORT_GROUP, submenu=tr("&Copy"), needs=_NEEDS_FINDINGS)
        for form, (id, text) in FINDINGS_COPIES.items()
    ),
    Action(
        SAVE_FINDINGS, tr("Save all metrics…"), ("Ctrl+Shift+E",), AREA, _EXPORT_GROUP, icon="export",
        submenu=tr("&Save"), needs=_NEEDS_FINDINGS,
    ),
)  # fmt: skip
"""Commands of the All metrics page; `FindingsController` connects them."""


POST_EDITING_PAGE = "post-editing"
"""Id of the page in the Scores area."""
SHOW_POST_EDITING, SAVE_POST_EDITING = "scores.page-post-editing", "scores.save-post-editing"
EXPORT_POST_EDITS = "scores.export-post-editing-"
"""Prefix of the ids of export commands; the name of a format follows."""
_POST_EDITING_GROUP = tr("Scores: post-editing")


def _post_editing_action(id: str, text: str) -> Action:
    """Return a command that copies, saves or exports the results of the Post-editing page."""
    submenu, needs = (
        tr("Copy or save post-&editing results"),
        tr("Open the page “Post-editing” and compute results first."),
    )
    return Action(id, text, (), AREA, _POST_EDITING_GROUP, icon="export", submenu=submenu, needs=needs)


POST_EDITING_COPIES = copy_commands("scores.copy-post-editing-", lambda form: tr("Copy as {form}", form=form))
"""Mapping from format suffixes to the ids and menu texts of copy commands."""
POST_EDITING_SAVES = (SAVE_POST_EDITING, tr("&Save…"))
POST_EDITING_ACTIONS = (
    page_action(
        SHOW_POST_EDITING, tr("Show post-editing: time, edits and highlight usefulness"), "Alt+5", tr("&Post-editing")
    ),
    *(
        _post_editing_action(
            POST_EDITING_COPIES[form.suffix][0], tr("Copy post-editing results as {form}", form=form.title)
        )
        for form in FILE_FORMATS
    ),
    _post_editing_action(SAVE_POST_EDITING, tr("Save post-editing report…")),
    *(
        _post_editing_action(f"{EXPORT_POST_EDITS}{export.name}", tr("Export post-edits as {form}…", form=export.title))
        for export in EXPORTS
    ),
)
"""Commands of the page; `PostEditingController` connects them."""
