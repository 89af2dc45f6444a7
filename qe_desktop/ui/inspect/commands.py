"""Commands of the Inspect area with their shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from PySide6.QtWidgets import QMenu

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import possible_bases
from qe_desktop.ui.action_registry import Action, ActionRegistry
from qe_desktop.ui.inspect.fold_bar import FoldBar
from qe_desktop.ui.inspect.inspect_view import POST_EDIT_GROUP
from qe_desktop.ui.inspect.postedit.activity_recorder import recording_actions
from qe_desktop.ui.inspect.postedit.review_feature import CloseHook, ReviewFeature
from qe_desktop.ui.inspect.postedit.target_editor import TargetEditor
from qe_desktop.ui.inspect.segment_list.segment_view import SegmentView
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.inspect.translations.comparison_service import USE_DEFAULT, settings_key
from qe_desktop.ui.settings import HIGHLIGHTS_KEY

AREA = "inspect"
VIEW_COMMANDS = ("inspect.highlights", "view.evaluation", "inspect.source-beside", "inspect.panel")
"""Ids of the commands in the popup of the View button."""
_GROUP, _POST_EDIT = tr("Inspect"), POST_EDIT_GROUP


def connect_post_edit_actions(review: ReviewFeature, commands: ActionRegistry) -> None:
    """Connect the post-editing commands; commit pending edits before any command runs and when the window closes."""
    controller = review.controller
    commands.about_to_run.connect(controller.flush)
    window = commands.parent()
    if window is not None:
        CloseHook(window, controller.flush)

    def list_results() -> None:
        if not review.qa_results.is_list_visible:
            # the command is also in the Edit menu and in a message
            commands["view.area-inspect"].trigger()
        review.qa_results.step(1)

    handlers: dict[str, Callable[[], object]] = {
        "correct": controller.open,
        "confirm": controller.confirm,
        "reject": controller.reject,
        "reopen": controller.reopen,
        "next-open": partial(controller.step, 1),
        "previous-open": partial(controller.step, -1),
        "next-found": list_results,
        "previous-found": partial(review.qa_results.step, -1),
        "next-match": partial(review.replace_controller.find, 1),
        "previous-match": partial(review.replace_controller.find, -1),
        "insert-code": controller.insert_code,
        "source-to-target": review.copy_source,
        "note": controller.edit_note,
        "history": review.show_history,
    }
    for name, handler in handlers.items():
        commands.connect_to(f"inspect.{name}", handler)
    _connect_highlights(review, commands)
    controller.panel.edit.menu_opening.connect(partial(_offer_session_undo, controller.panel.edit, commands))
    review.spelling.connect_action(commands)
    review.propagation.connect_actions(commands)


def _offer_session_undo(edit: TargetEditor, commands: ActionRegistry, menu: QMenu, offset: int) -> None:
    """Let undo and redo in the editor's context menu apply to the session if the editor has nothing to undo or redo."""
    document = edit.document()
    steps = {"undo": document.isUndoAvailable(), "redo": document.isRedoAvailable()}
    for action in menu.actions():
        name = action.objectName().removeprefix("edit-")
        if f"edit.{name}" in commands and not steps.get(name, True):
            action.setEnabled(commands[f"edit.{name}"].isEnabled())
            action.triggered.connect(commands[f"edit.{name}"].trigger)


def _connect_highlights(review: ReviewFeature, commands: ActionRegistry) -> None:
    """Connect the command that shows or hides the highlights, and keep its tick up to date."""
    action, settings = commands.connect_to("inspect.highlights", review.toggle_highlights), review.workspace.settings

    def show_state(key: str = HIGHLIGHTS_KEY) -> None:
        if key == HIGHLIGHTS_KEY:
            action.setChecked(settings.highlights)

    settings.changed.connect(show_state)
    show_state()


def connect_part_actions(
    view: SegmentView,
    comparison: TranslationComparisonPanel,
    folds: FoldBar,
    review: ReviewFeature,
    commands: ActionRegistry,
) -> None:
    """Connect the commands of the segment list, of compared translations and of post-editing."""
    commands.connect_to("inspect.first-segment", view.show_first_row)
    commands.connect_to("inspect.last-segment", view.show_last_row)
    connect_post_edit_actions(review, commands)
    commands.connect_to("inspect.translations", folds.enter_translations)
    commands.connect_to("inspect.marking", partial(_select_next_marking, comparison))
    commands.connect_to("inspect.base", partial(_select_next_base, comparison))
    commands.connect_to("inspect.all-translations", comparison.toggle_all_texts)
    commands.connect_to("inspect.mark-usual", partial(comparison.set_marking, USE_DEFAULT))
    for name in DIFF_STYLES:
        commands.connect_to(f"inspect.mark-{name}", partial(comparison.set_marking, name))


def _select_next_marking(comparison: TranslationComparisonPanel) -> None:
    request = comparison.service.request
    if request is not None:
        comparison.set_marking(_next_name(list(DIFF_STYLES), request.diff_style.name))


def _select_next_base(comparison: TranslationComparisonPanel) -> None:
    request = comparison.service.request
    if request is not None:
        comparison.set_base(
            _next_name([settings_key(key) for key in possible_bases(request.texts)], settings_key(request.base_key))
        )


def _next_name(names: list[str], now: str) -> str:
    return names[(names.index(now) + 1) % len(names)]


def _in_submenu(submenu: str, *actions: Action) -> tuple[Action, ...]:
    return tuple(replace(action, submenu=submenu) for action in actions)


ACTIONS = (
    *_in_submenu(
        tr("&Go to"),
        Action("inspect.next-bad", tr("Next BAD tag"), ("N",), AREA, _GROUP),
        Action("inspect.previous-bad", tr("Previous BAD tag"), ("P",), AREA, _GROUP),
        Action("inspect.next-disputed", tr("Next disagreement"), ("D",), AREA, _GROUP),
        Action("inspect.previous-disputed", tr("Previous disagreement"), ("Shift+D",), AREA, _GROUP),
        Action("inspect.next-segment", tr("Next segment"), ("J", "Alt+Down"), AREA, _GROUP),
        Action("inspect.previous-segment", tr("Previous segment"), ("K", "Alt+Up"), AREA, _GROUP),
        Action("inspect.first-segment", tr("First segment of the list"), ("Ctrl+Home",), AREA, _GROUP),
        Action("inspect.last-segment", tr("Last segment of the list"), ("Ctrl+End",), AREA, _GROUP),
        Action("inspect.next-match", tr("Next match in the targets"), ("F3",), AREA, _POST_EDIT),
        Action("inspect.previous-match", tr("Previous match in the targets"), ("Shift+F3",), AREA, _POST_EDIT),
        Action("inspect.go-to", tr("Go to segment…"), ("G",), AREA, _GROUP),
    ),
    *_in_submenu(
        tr("&Tags"),
        Action(
            "inspect.toggle", tr("Toggle OK and BAD"), (), AREA, _GROUP,
            tip=tr("In the list and the reader: Space"), widget_keys=("Space",),
        ),
        Action("inspect.lock", tr("Lock or unlock the gold"), ("L",), AREA, _GROUP),
        Action("inspect.kind", tr("Next kind of tags: words, gaps, source words"), ("T",), AREA, _GROUP),
        Action(
            "inspect.agreement", tr("Next voting rule: BAD by any system, a majority or all"), ("Shift+T",),
            AREA, _GROUP, needs=tr("A voting rule needs tags of at least two systems, and segments without gold."),
        ),
        Action("inspect.explain", tr("Explain the marks of a word"), ("E",), AREA, _GROUP),
    ),
    *_in_submenu(
        tr("&Show"),
        Action("inspect.only-bad", tr("Only segments with BAD tags"), ("Alt+1",), AREA, _GROUP),
        Action("inspect.only-disputed", tr("Only segments with disagreement"), ("Alt+2",), AREA, _GROUP),
        Action("inspect.all", tr("Show all segments"), ("Alt+0",), AREA, _GROUP),
        Action("inspect.panel", tr("Show or hide the scores"), ("F9",), AREA, _GROUP),
        Action(
            "inspect.legend", tr("Show or hide the legend"), ("Shift+E",), AREA, _GROUP,
            tip=tr("Explain the marks in this segment"),
        ),
        Action(
            "inspect.source-beside", tr("Source next to the target"), ("Shift+F9",), AREA, _GROUP, checkable=True,
            tip=tr("Show the source next to the target if the window is wide enough, otherwise above it"),
            needs=tr("No MT is shown, so the source cannot be next to it."),
        ),
    ),
    *_in_submenu(
        tr("T&ranslations"),
        Action("inspect.translations", tr("Show or hide references and translations"), ("B",), AREA, _GROUP),
        Action("inspect.marking", tr("Next comparison method for translations"), ("M",), AREA, _GROUP),
        Action("inspect.base", tr("Next comparison text for translations"), ("R",), AREA, _GROUP),
        Action("inspect.all-translations", tr("Show all translations or the first few"), ("A",), AREA, _GROUP),
        Action("inspect.mark-usual", tr("Compare translations by the default method of the metric"), (), AREA, _GROUP),
        *(
            Action(
                f"inspect.mark-{marking.name}", tr("Compare translations by: {marking}", marking=marking.title),
                (), AREA, _GROUP,
            )
            for marking in DIFF_STYLES.values()
        ),
    ),
    *_in_submenu(
        tr("&Copy"),
        Action(
            "inspect.copy-words", tr("Copy the selected words"), (), AREA, _GROUP, tip=tr("In the reader: Ctrl+C"),
            widget_keys=("Ctrl+C",),
        ),
        Action("inspect.copy-source", tr("Copy the source"), (), AREA, _GROUP),
        Action("inspect.copy-mt", tr("Copy the MT"), (), AREA, _GROUP, tip=tr("As loaded")),
        Action("inspect.copy-target", tr("Copy the target"), (), AREA, _GROUP, tip=tr("With your edits")),
        Action(
            "inspect.copy-pair", tr("Copy source and target"), (), AREA, _GROUP, tip=tr("In the list: Ctrl+C"),
            widget_keys=("Ctrl+C",),
        ),
        Action(
            "inspect.copy", tr("Copy the segment with tags or translations as TSV"), ("Ctrl+Shift+C",), AREA, _GROUP
        ),
        Action(
            "inspect.copy-list", tr("Copy the list as TSV"), (), AREA, _GROUP,
            tip=tr("All listed segments, with the columns on screen"),
        ),
    ),
    *_in_submenu(tr("R&ecord"), *recording_actions(AREA, _GROUP)),
    Action(
        "inspect.correct", tr("Edit the target of the segment"), ("F2",), AREA, _POST_EDIT, icon="edit",
        tip=tr("In the list and the reader: Enter. Escape closes the editor and keeps the changes."),
        menu=tr("E&dit"), widget_keys=("Return",),
    ),
    Action(
        "inspect.confirm", tr("Confirm and go to the next unfinished segment"),
        ("Ctrl+Enter", "Ctrl+Return"), AREA, _POST_EDIT, menu=tr("Co&nfirm"),
        tip=tr(
            "Confirm the target and go to the next unfinished segment; in an unsorted list, "
            "flagged segments come first"
        ),
    ),
    Action(
        "inspect.reject", tr("Reject and go to the next unfinished segment"),
        ("Ctrl+Shift+Enter", "Ctrl+Shift+Return"), AREA, _POST_EDIT, menu=tr("Re&ject"),
        tip=tr(
            "Mark the target as unusable, without changing its text, and go to the next unfinished segment; in an "
            "unsorted list, flagged segments come first"
        ),
    ),
    Action("inspect.reopen", tr("Reopen the segment"), (), AREA, _POST_EDIT, menu=tr("Re&open")),
    Action("inspect.note", tr("Write a note for the segment"), ("F6",), AREA, _POST_EDIT, menu=tr("Note")),
    Action("inspect.history", tr("Segment history"), ("Shift+F2",), AREA, _POST_EDIT, menu=tr("&History")),
    *_in_submenu(
        tr("Identica&l segments"),
        Action(
            "inspect.equal-all", tr("Apply to all identical segments"), ("Ctrl+R",), AREA, _POST_EDIT,
            tip=tr("Copy the confirmed target to all open or edited segments with the same source, and confirm them"),
        ),
        Action(
            "inspect.equal-open", tr("Apply to open identical segments only"), ("Ctrl+Shift+R",), AREA, _POST_EDIT,
            tip=tr("Copy the confirmed target to open segments with the same source, and confirm them"),
        ),
        Action("inspect.equal-show", tr("Show identical segments in the list"), (), AREA, _POST_EDIT),
    ),
    Action(
        "inspect.insert-code", tr("Insert the next missing inline code"), ("Ctrl+T",), AREA, _POST_EDIT, separated=True
    ),
    Action(
        "inspect.source-to-target", tr("Copy the source to the target"), ("Ctrl+Insert",), AREA, _POST_EDIT,
        tip=tr("Replaces the target of the segment; inline codes are also copied"),
    ),
    Action(
        "inspect.next-open", tr("Next unfinished segment"), ("F8",), AREA, _POST_EDIT, separated=True,
        tip=tr(
            "Go to the next segment that is not confirmed, rejected or locked; in an unsorted list, "
            "flagged segments come first"
        ),
    ),
    Action(
        "inspect.previous-open", tr("Previous unfinished segment"), ("Shift+F8",), AREA, _POST_EDIT,
        tip=tr(
            "Go to the previous segment that is not confirmed, rejected or locked; in an unsorted list, "
            "flagged segments come first"
        ),
    ),
    Action(
        "inspect.next-found", tr("Run the QA checks, or go to the next result"), ("F7",), AREA, _POST_EDIT,
        tip=tr("Check all targets and list the results. If they are already listed, go to the next result."),
    ),
    Action("inspect.previous-found", tr("Previous QA check result"), ("Shift+F7",), AREA, _POST_EDIT),
    Action(
        "inspect.highlights", tr("QE highlights"), ("F4", "H"), AREA, _POST_EDIT, menu=tr("QE &highlights"),
        checkable=True, tip=tr("Mark BAD or flagged words in the texts and in the list"),
    ),
    Action(
        "inspect.spelling", tr("Check spelling"), (), AREA, _POST_EDIT, checkable=True, separated=True,
        tip=tr("Check the spelling of the target being edited, if a Hunspell dictionary for its language is installed"),
    ),
)  # fmt: skip
