"""What each rater gets: blocks of drafts, from the dealt units; on rankings also which systems meet."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.choosing import Chooser
from qe_desktop.ratings.assignment.dealing import Unit, deal, units_of
from qe_desktop.ratings.assignment.degrading import degraded, without_spaces
from qe_desktop.ratings.assignment.drafts import Block, Draft, Shown, Translations, shown_once
from qe_desktop.ratings.assignment.draws import Chance, Draws
from qe_desktop.ratings.assignment.repeating import Degrade
from qe_desktop.ratings.campaign import Setup

Outputs = tuple[Shown, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """What a rater judges of one source: its segments in order, with the outputs that each screen shows."""

    source: int
    group: int
    screens: tuple[tuple[int, Outputs], ...]

    def block(self, draws: Draws) -> Block:
        """Drafts of the screens, with their outputs in random order."""
        drafts = [Draft(segment, tuple(draws.shuffled(outputs))) for segment, outputs in self.screens]
        return Block(self.source, drafts, self.group)


def parts_of(
    setup: Setup, translations: Translations, sources: Sequence[tuple[int, ...]], per_screen: int, chance: Chance
) -> list[list[Part]]:
    """Each rater's parts. With `per_screen` 1, every system's outputs are judged apart, otherwise together."""
    draws = chance.draws("dealing")
    if per_screen == 1:
        common, own = deal(units_of(sources, len(setup.systems)), len(setup.raters), setup.overlap, draws)
        shared = [_alone(unit, setup, translations) for unit in common]
        return [[*shared, *(_alone(unit, setup, translations) for unit in units)] for units in own]
    common, own = deal(units_of(sources, 1), len(setup.raters), setup.overlap, draws)
    chooser = Chooser(len(setup.systems), per_screen, chance.draws("choosing"))
    return _together(setup, translations, common, own, chooser)


def _alone(unit: Unit, setup: Setup, translations: Translations) -> Part:
    system = setup.systems[unit.group]
    screens = tuple((segment, (Shown(segment, (system,), translations[system][segment]),)) for segment in unit.segments)
    return Part(unit.source, unit.group, screens)


def _together(
    setup: Setup, translations: Translations, common: Sequence[Unit], own: Sequence[Sequence[Unit]], chooser: Chooser
) -> list[list[Part]]:
    """Rankings: systems are chosen evenly over the common units, and then over those of each rater."""
    places = {system: place for place, system in enumerate(setup.systems)}

    def part(unit: Unit) -> Part:
        return Part(
            unit.source,
            0,
            tuple((segment, chosen(chooser, segment, setup, translations, places)) for segment in unit.segments),
        )

    shared = [part(unit) for unit in common]
    counts = chooser.counts
    parts = []
    for units in own:
        chooser.begin(counts)
        parts.append([*shared, *(part(unit) for unit in units)])
    return parts


def chosen(chooser: Chooser, segment: int, setup: Setup, translations: Translations, places: dict[str, int]) -> Outputs:
    """The outputs of a segment that meet on one screen; identical ones count as one."""
    units = shown_once(segment, setup.systems, translations)
    picked = chooser.choose([tuple(places[name] for name in unit.systems) for unit in units])
    return tuple(units[place] for place in picked)


def degrader(translations: Translations, chance: Chance) -> Degrade:
    """Makes the degraded copy of an output, the same one each time."""

    @cache
    def characters(system: str) -> bool:
        return without_spaces(translations[system])

    @cache
    def copy(segment: int, systems: tuple[str, ...]) -> Shown:
        """The output with a phrase replaced by one from another segment of the same system."""
        draws = chance.draws("degrading", segment, systems[0])
        text = degraded(translations[systems[0]], segment, draws, characters=characters(systems[0]))
        return Shown(segment, systems, text, ItemRole.BAD)

    return lambda shown: copy(shown.segment, shown.systems)
