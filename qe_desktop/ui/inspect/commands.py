"""The commands of the Inspect area, with their keys."""

from __future__ import annotations

from dataclasses import replace

from qe_desktop.ui.actions import Action
from qe_desktop.ui.inspect import recording, standing
from qe_desktop.ui.inspect.beside import commands as beside_commands
from qe_desktop.ui.inspect.copying import actions as copying_actions
from qe_desktop.ui.inspect.correcting import commands as correcting_commands
from qe_desktop.wording import tr

AREA = "inspect"
_GROUP = tr("Inspect")


def _within(submenu: str, *actions: Action) -> tuple[Action, ...]:
    """Commands that stand together in a menu of their own within that of the area."""
    return tuple(replace(action, submenu=submenu) for action in actions)


ACTIONS = (
    *_within(
        tr("&Go to"),
        Action("inspect.next-bad", tr("Next BAD word"), ("N",), AREA, _GROUP),
        Action("inspect.previous-bad", tr("Previous BAD word"), ("P",), AREA, _GROUP),
        Action("inspect.next-disputed", tr("Next disagreement"), ("D",), AREA, _GROUP),
        Action("inspect.previous-disputed", tr("Previous disagreement"), ("Shift+D",), AREA, _GROUP),
        Action("inspect.next-segment", tr("Next segment"), ("J",), AREA, _GROUP),
        Action("inspect.previous-segment", tr("Previous segment"), ("K",), AREA, _GROUP),
        Action("inspect.go-to", tr("Go to segment…"), ("G",), AREA, _GROUP),
    ),
    *_within(
        tr("&Tags"),
        Action(
            "inspect.toggle", tr("Toggle OK and BAD"), (), AREA, _GROUP,
            tip=tr("Space does it in the list and the reader"),
        ),
        Action("inspect.kind", tr("Next kind of tags: words, gaps, source words"), ("T",), AREA, _GROUP),
        Action(
            "inspect.agreement", tr("Mark words that any, most, or all systems call BAD"), ("Shift+T",), AREA, _GROUP
        ),
        Action("inspect.explain", tr("Say what the marks of a word mean"), ("E",), AREA, _GROUP),
    ),
    *_within(
        tr("&Show"),
        Action("inspect.only-bad", tr("Only segments with BAD"), ("Alt+1",), AREA, _GROUP),
        Action("inspect.only-disputed", tr("Only segments with disagreement"), ("Alt+2",), AREA, _GROUP),
        Action("inspect.all", tr("Show all segments"), ("Alt+0",), AREA, _GROUP),
        Action("inspect.panel", tr("Show or hide the scores"), ("F9",), AREA, _GROUP),
        standing.action(AREA, _GROUP),
    ),
    *_within(tr("T&ranslations"), *beside_commands.actions(AREA, _GROUP)),
    *_within(tr("&Copy"), *copying_actions(AREA, _GROUP)),
    *_within(tr("R&ecord"), *recording.actions(AREA, _GROUP)),
    *correcting_commands.actions(AREA),
)  # fmt: skip
