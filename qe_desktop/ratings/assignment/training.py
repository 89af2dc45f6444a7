"""The training round: a few screens before the real ones, the same for every rater, part of no result."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.choosing import Chooser
from qe_desktop.ratings.assignment.drafts import Draft, Shown, Translations
from qe_desktop.ratings.assignment.draws import Chance, Draws
from qe_desktop.ratings.assignment.planning import Outputs, chosen
from qe_desktop.ratings.campaign import Setup


def training_screens(
    setup: Setup, translations: Translations, others: Collection[int], per_screen: int, chance: Chance
) -> list[tuple[int, Outputs]]:
    """Segments and outputs to train with: segments that are not in the campaign (`others`) where there are any.

    Every segment comes once before one comes again; systems come in turn.
    """
    draws = chance.draws("training")
    usable = [segment for segment in sorted(others) if _all_there(segment, setup, translations)]
    segments = [*draws.shuffled(usable), *([] if usable else draws.shuffled(setup.segments))]
    systems = draws.shuffled(setup.systems)
    places = {system: place for place, system in enumerate(setup.systems)}
    chooser = Chooser(len(systems), per_screen, draws)
    screens: list[tuple[int, Outputs]] = []
    for turn in range(setup.training):
        lap, place = divmod(turn, len(segments))
        segment = segments[place]
        if per_screen > 1:
            screens.append((segment, chosen(chooser, segment, setup, translations, places)))
        else:
            # a segment that comes again does so by another system
            system = systems[(place + lap) % len(systems)]
            screens.append((segment, (Shown(segment, (system,), translations[system][segment]),)))
    return screens


def training_drafts(screens: Sequence[tuple[int, Outputs]], draws: Draws) -> list[Draft]:
    """The screens for one rater, with outputs in an order of their own."""
    return [Draft(segment, tuple(draws.shuffled(outputs)), ItemRole.TRAINING) for segment, outputs in screens]


def _all_there(segment: int, setup: Setup, translations: Translations) -> bool:
    return all(segment < len(translations[name]) and translations[name][segment].strip() for name in setup.systems)
