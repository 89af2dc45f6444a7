"""Commands of the Inspect area with their shortcuts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles import DIFF_STYLES
from qe_desktop.levels.translations.side_by_side import possible_bases
from qe_desktop.ui.actions import Action, ActionRegistry
from qe_desktop.ui.inspect.clipboard_controller import clipboard_actions as copying_actions
from qe_desktop.ui.inspect.postedit import activity_recorder
from qe_desktop.ui.inspect.postedit.review_feature import CloseHook, ReviewFeature
from qe_desktop.ui.inspect.reader import segment_pane
from qe_desktop.ui.inspect.translations.comparison_panel import TranslationComparisonPanel
from qe_desktop.ui.inspect.translations.comparison_request import USE_DEFAULT, settings_key


def post_edit_actions(area: str) -> tuple[Action, ...]:
    """Return the post-editing commands of an area."""
    group = tr("Post-edit")
    return (
        Action(
            f"{area}.correct",
            tr("Edit the target of the segment"),
            ("F2",),
            area,
            group,
            icon="edit",
            tip=tr("In the list and the reader: Enter. Escape closes the editor and keeps the changes."),
        ),
        Action(
            f"{area}.confirm",
            tr("Confirm and go to next"),
            ("Ctrl+Return", "Ctrl+Enter"),
            area,
            group,
        ),
        Action(
            f"{area}.reject",
            tr("Reject and go to next"),
            ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
            area,
            group,
        ),
        Action(f"{area}.reopen", tr("Reopen the segment"), (), area, group),
        Action(f"{area}.next-open", tr("Next flagged or open segment"), ("F8",), area, group),
        Action(f"{area}.previous-open", tr("Previous flagged or open segment"), ("Shift+F8",), area, group),
        Action(
            f"{area}.next-found",
            tr("Next QA check result"),
            ("F7",),
            area,
            group,
            tip=tr("In the target being edited, then in the next segment of the list"),
        ),
        Action(f"{area}.previous-found", tr("Previous QA check result"), ("Shift+F7",), area, group),
        Action(f"{area}.insert-code", tr("Insert the next missing inline code"), ("Ctrl+T",), area, group),
        Action(f"{area}.highlights", tr("Show or hide QE highlights"), ("F4", "H"), area, group),
        Action(f"{area}.note", tr("Write a note for the segment"), ("F6",), area, group),
        Action(f"{area}.history", tr("Segment history"), ("Shift+F2",), area, group),
    )


def connect_post_edit_actions(area: str, room: ReviewFeature, commands: ActionRegistry) -> None:
    """Connect the post-editing commands; pending text is flushed before any command runs."""
    controller = room.controller
    commands.about_to_run.connect(controller.flush)
    window = commands.parent()
    if window is not None:
        CloseHook(window, controller.flush)
    handlers: dict[str, Callable[[], object]] = {
        "correct": controller.correct,
        "confirm": controller.confirm,
        "reject": controller.reject,
        "reopen": controller.reopen,
        "next-open": partial(controller.step, 1),
        "previous-open": partial(controller.step, -1),
        "next-found": partial(room.checking.step, 1),
        "previous-found": partial(room.checking.step, -1),
        "insert-code": controller.insert_code,
        "highlights": room.toggle_highlights,
        "note": controller.note,
        "history": room.show_history,
    }
    for name, handler in handlers.items():
        commands.connect_to(f"{area}.{name}", handler)


def comparison_actions(area: str, group: str) -> tuple[Action, ...]:
    """Return the commands for comparing translations."""
    return (
        Action(f"{area}.translations", tr("Go to the translations of the segment"), ("B",), area, group),
        Action(f"{area}.marking", tr("Next comparison method for translations"), ("M",), area, group),
        Action(f"{area}.base", tr("Compare translations with the next text"), ("R",), area, group),
        Action(f"{area}.all-translations", tr("Show all translations or the first few"), ("A",), area, group),
        Action(f"{area}.mark-usual", tr("Compare translations by the default of the metric"), (), area, group),
        *(
            Action(
                f"{area}.mark-{marking.name}",
                tr("Compare translations by: {marking}", marking=marking.title),
                (),
                area,
                group,
            )
            for marking in DIFF_STYLES.values()
        ),
    )


def connect_comparison_actions(area: str, section: TranslationComparisonPanel, commands: ActionRegistry) -> None:
    """Connect the commands for comparing translations; `explain` is shared with the reader."""
    commands.connect_to(f"{area}.translations", section.enter)
    commands.connect_to(f"{area}.marking", partial(_select_next_marking, section))
    commands.connect_to(f"{area}.base", partial(_select_next_base, section))
    commands.connect_to(f"{area}.all-translations", section.toggle_every)
    commands.connect_to(f"{area}.copy", section.copy)
    commands.connect_to(f"{area}.mark-usual", partial(section.set_marking, USE_DEFAULT))
    for name in DIFF_STYLES:
        commands.connect_to(f"{area}.mark-{name}", partial(section.set_marking, name))


def _select_next_marking(section: TranslationComparisonPanel) -> None:
    asked = section.service.asked
    if asked is not None:
        section.set_marking(_next_name(list(DIFF_STYLES), asked.marking.name))


def _select_next_base(section: TranslationComparisonPanel) -> None:
    asked = section.service.asked
    if asked is not None:
        section.set_base(
            _next_name([settings_key(key) for key in possible_bases(asked.texts)], settings_key(asked.base))
        )


def _next_name(names: list[str], now: str) -> str:
    return names[(names.index(now) + 1) % len(names)]


AREA = "inspect"
_GROUP = tr("Inspect")


def _in_submenu(submenu: str, *actions: Action) -> tuple[Action, ...]:
    """Return the commands with a submenu of the area's menu set."""
    return tuple(replace(action, submenu=submenu) for action in actions)


ACTIONS = (
    *_in_submenu(
        tr("&Go to"),
        Action("inspect.next-bad", tr("Next BAD word"), ("N",), AREA, _GROUP),
        Action("inspect.previous-bad", tr("Previous BAD word"), ("P",), AREA, _GROUP),
        Action("inspect.next-disputed", tr("Next disagreement"), ("D",), AREA, _GROUP),
        Action("inspect.previous-disputed", tr("Previous disagreement"), ("Shift+D",), AREA, _GROUP),
        Action("inspect.next-segment", tr("Next segment"), ("J",), AREA, _GROUP),
        Action("inspect.previous-segment", tr("Previous segment"), ("K",), AREA, _GROUP),
        Action("inspect.go-to", tr("Go to segment…"), ("G",), AREA, _GROUP),
    ),
    *_in_submenu(
        tr("&Tags"),
        Action(
            "inspect.toggle", tr("Toggle OK and BAD"), (), AREA, _GROUP,
            tip=tr("In the list and the reader: Space"),
        ),
        Action("inspect.kind", tr("Next kind of tags: words, gaps, source words"), ("T",), AREA, _GROUP),
        Action(
            "inspect.agreement", tr("Flag words that any, most or all systems tag as BAD"), ("Shift+T",), AREA, _GROUP
        ),
        Action("inspect.explain", tr("Explain the marks of a word"), ("E",), AREA, _GROUP),
    ),
    *_in_submenu(
        tr("&Show"),
        Action("inspect.only-bad", tr("Only segments with BAD"), ("Alt+1",), AREA, _GROUP),
        Action("inspect.only-disputed", tr("Only segments with disagreement"), ("Alt+2",), AREA, _GROUP),
        Action("inspect.all", tr("Show all segments"), ("Alt+0",), AREA, _GROUP),
        Action("inspect.panel", tr("Show or hide the scores"), ("F9",), AREA, _GROUP),
        segment_pane.source_side_by_side_action(AREA, _GROUP),
    ),
    *_in_submenu(tr("T&ranslations"), *comparison_actions(AREA, _GROUP)),
    *_in_submenu(tr("&Copy"), *copying_actions(AREA, _GROUP)),
    *_in_submenu(tr("R&ecord"), *activity_recorder.recording_actions(AREA, _GROUP)),
    *post_edit_actions(AREA),
)  # fmt: skip
