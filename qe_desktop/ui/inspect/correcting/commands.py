"""What can be done to the targets, by key and in the palette."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from qe_desktop.ui.actions import Action, ActionTable
from qe_desktop.ui.inspect.correcting.before_closing import BeforeClosing
from qe_desktop.ui.inspect.correcting.room import CorrectingRoom
from qe_desktop.wording import tr


def actions(area: str) -> tuple[Action, ...]:
    """The commands of an area."""
    group = tr("Correct")
    return (
        Action(
            f"{area}.correct",
            tr("Correct the target of the segment"),
            ("F2",),
            area,
            group,
            icon="edit",
            tip=tr("Enter does it in the list and the reader; Escape leaves, and keeps what was typed"),
        ),
        Action(
            f"{area}.confirm",
            tr("Confirm, and go to the next doubtful or open"),
            ("Ctrl+Return", "Ctrl+Enter"),
            area,
            group,
        ),
        Action(
            f"{area}.reject",
            tr("Reject, and go to the next doubtful or open"),
            ("Ctrl+Shift+Return", "Ctrl+Shift+Enter"),
            area,
            group,
        ),
        Action(f"{area}.reopen", tr("Take back that the segment is confirmed or rejected"), (), area, group),
        Action(f"{area}.next-open", tr("Next doubtful or open segment"), ("F8",), area, group),
        Action(f"{area}.previous-open", tr("Previous doubtful or open segment"), ("Shift+F8",), area, group),
        Action(
            f"{area}.next-found",
            tr("Next finding of the checks"),
            ("F7",),
            area,
            group,
            tip=tr("Within the target that is typed, and then in the next segment of the list"),
        ),
        Action(f"{area}.previous-found", tr("Previous finding of the checks"), ("Shift+F7",), area, group),
        Action(f"{area}.insert-code", tr("Insert the next missing code"), ("Ctrl+T",), area, group),
        Action(f"{area}.highlights", tr("Show or hide the marks of doubtful words"), ("F4", "H"), area, group),
        Action(f"{area}.note", tr("Write a note on the segment"), ("F6",), area, group),
        Action(f"{area}.history", tr("What was done to the segment"), ("Shift+F2",), area, group),
    )


def connect(area: str, room: CorrectingRoom, commands: ActionTable) -> None:
    """Say what the commands do; what is typed goes to the session before any command runs."""
    desk = room.desk
    commands.about_to_run.connect(desk.flush)
    window = commands.parent()
    if window is not None:
        BeforeClosing(window, desk.flush)
    handlers: dict[str, Callable[[], object]] = {
        "correct": desk.correct,
        "confirm": desk.confirm,
        "reject": desk.reject,
        "reopen": desk.reopen,
        "next-open": partial(desk.step, 1),
        "previous-open": partial(desk.step, -1),
        "next-found": partial(room.checking.step, 1),
        "previous-found": partial(room.checking.step, -1),
        "insert-code": desk.insert_code,
        "highlights": room.toggle_highlights,
        "note": desk.note,
        "history": room.show_history,
    }
    for name, handler in handlers.items():
        commands.connect_to(f"{area}.{name}", handler)
