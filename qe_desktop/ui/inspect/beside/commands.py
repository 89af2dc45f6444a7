"""What can be done with translations side by side, by key and in the palette."""

from __future__ import annotations

from functools import partial

from qe_desktop.levels.translations.markings import MARKINGS
from qe_desktop.levels.translations.side_by_side import bases_of
from qe_desktop.ui.actions import Action, ActionTable
from qe_desktop.ui.inspect.beside.choices import FOLLOWS, kept
from qe_desktop.ui.inspect.beside.section import BesideSection
from qe_desktop.wording import tr


def actions(area: str, group: str) -> tuple[Action, ...]:
    """The commands of an area, under a heading."""
    return (
        Action(f"{area}.translations", tr("Go to the translations of the segment"), ("B",), area, group),
        Action(f"{area}.marking", tr("Next way of marking translations"), ("M",), area, group),
        Action(f"{area}.base", tr("Mark translations against the next text"), ("R",), area, group),
        Action(f"{area}.all-translations", tr("Show all translations, or the first few"), ("A",), area, group),
        Action(f"{area}.mark-usual", tr("Mark translations as their metric counts"), (), area, group),
        *(
            Action(
                f"{area}.mark-{marking.name}",
                tr("Mark translations: {marking}", marking=marking.title),
                (),
                area,
                group,
            )
            for marking in MARKINGS.values()
        ),
    )


def connect(area: str, section: BesideSection, commands: ActionTable) -> None:
    """Say what the commands do, but for what explains the reader's own words as well."""
    commands.connect_to(f"{area}.translations", section.enter)
    commands.connect_to(f"{area}.marking", partial(_next_marking, section))
    commands.connect_to(f"{area}.base", partial(_next_base, section))
    commands.connect_to(f"{area}.all-translations", section.toggle_every)
    commands.connect_to(f"{area}.copy", section.copy)
    commands.connect_to(f"{area}.mark-usual", partial(section.set_marking, FOLLOWS))
    for name in MARKINGS:
        commands.connect_to(f"{area}.mark-{name}", partial(section.set_marking, name))


def _next_marking(section: BesideSection) -> None:
    asked = section.keeper.asked
    if asked is not None:
        section.set_marking(_after(list(MARKINGS), asked.marking.name))


def _next_base(section: BesideSection) -> None:
    asked = section.keeper.asked
    if asked is not None:
        section.set_base(_after([kept(key) for key in bases_of(asked.texts)], kept(asked.base)))


def _after(names: list[str], now: str) -> str:
    return names[(names.index(now) + 1) % len(names)]
