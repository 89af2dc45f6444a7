"""What each rater gets: blocks of drafts, from the dealt units; on rankings also which systems meet."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.degraded_outputs import degrade_segment, is_unspaced
from qe_desktop.ratings.assignment.drafts import DraftBlock, DraftOutput, ScreenDraft, Translations, distinct_outputs
from qe_desktop.ratings.assignment.random_stream import CampaignRandom, RandomStream
from qe_desktop.ratings.assignment.repeats import Degrade
from qe_desktop.ratings.campaign import CampaignSetup


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """What is dealt as one: `segments` of one source (a segment or a document) by one `group` (a system, or all)."""

    source: int
    group: int
    segments: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.segments)


def work_units(sources: Sequence[tuple[int, ...]], groups: int) -> list[WorkUnit]:
    """All units of sources and groups; a source is the tuple of its segments."""
    return [WorkUnit(source, group, own) for source, own in enumerate(sources) for group in range(groups)]


def distribute_units(
    units: Sequence[WorkUnit], raters: int, overlap: float, draws: RandomStream
) -> tuple[list[WorkUnit], list[list[WorkUnit]]]:
    """The units that every rater gets, and each rater's own: a share of `overlap` of all items, and a part of the rest.

    Common units are whole sources first, so that systems are compared on the same segments. The rest is dealt so that
    raters differ by no more than one unit of a group in what they get of that group.
    """
    if raters == 1:
        return [], [list(units)]
    common = _common(units, overlap, draws)
    taken = {(unit.source, unit.group) for unit in common}
    rest = [unit for unit in units if (unit.source, unit.group) not in taken]
    return common, _dealt(rest, raters, draws)


def _common(units: Sequence[WorkUnit], overlap: float, draws: RandomStream) -> list[WorkUnit]:
    """Units up to a share of all items, as near as whole units come to it; at least one where a share is wanted."""
    by_source: dict[int, list[WorkUnit]] = {}
    for unit in units:
        by_source.setdefault(unit.source, []).append(unit)
    wanted = overlap * sum(len(unit) for unit in units)
    common: list[WorkUnit] = []
    held = 0
    for source in draws.shuffled(list(by_source)):
        for unit in draws.shuffled(by_source[source]):
            first = not common and overlap > 0
            if not first and abs(held + len(unit) - wanted) >= abs(held - wanted):
                return common
            common.append(unit)
            held += len(unit)
    return common


def _dealt(units: Sequence[WorkUnit], raters: int, draws: RandomStream) -> list[list[WorkUnit]]:
    """Group by group, largest first, each unit to the rater with the least of the group, then of all."""
    own: list[list[WorkUnit]] = [[] for _ in range(raters)]
    total = [0] * raters
    by_group: dict[int, list[WorkUnit]] = {}
    for unit in units:
        by_group.setdefault(unit.group, []).append(unit)
    for group in draws.shuffled(sorted(by_group)):
        tie = draws.order(raters)
        waiting = [(0, total[rater], tie[rater], rater) for rater in range(raters)]
        heapq.heapify(waiting)
        for unit in sorted(draws.shuffled(by_group[group]), key=len, reverse=True):
            load, _, place, rater = waiting[0]
            own[rater].append(unit)
            total[rater] += len(unit)
            heapq.heapreplace(waiting, (load + len(unit), total[rater], place, rater))
    return own


class UnitChooser:
    """Chooses units of systems for one screen after the other, so that every system is chosen about equally often by
    every rater, and every pair of systems about equally often by all.

    A unit is the places of systems whose outputs are identical; they are shown as one.
    """

    def __init__(self, systems: int, per_screen: int, draws: RandomStream) -> None:
        self.per_screen = per_screen
        self._draws = draws
        self._pairs = [[0] * systems for _ in range(systems)]
        self._own = [0] * systems

    def begin(self, counts: Sequence[int]) -> None:
        """The next screens are one rater's, who has judged each system so many times already."""
        self._own = list(counts)

    @property
    def counts(self) -> list[int]:
        """How often each system was chosen since `begin`, and before it as it was told then."""
        return list(self._own)

    def choose(self, units: Sequence[tuple[int, ...]]) -> list[int]:
        """The places of the chosen units, in random order."""
        left = self._draws.order(len(units))
        chosen: list[int] = []
        while left and len(chosen) < self.per_screen:
            met = [member for place in chosen for member in units[place]]
            best = min(left, key=lambda place: self._cost(units[place], met))
            left.remove(best)
            chosen.append(best)
        self._count([units[place] for place in chosen])
        return chosen

    def _cost(self, unit: tuple[int, ...], met: Sequence[int]) -> tuple[float, float]:
        own = sum(self._own[member] for member in unit) / len(unit)
        pairs = sum(self._pairs[member][other] for member in unit for other in met) / len(unit)
        return own, pairs

    def _count(self, units: Sequence[tuple[int, ...]]) -> None:
        members = [member for unit in units for member in unit]
        for member in members:
            self._own[member] += 1
            for other in members:
                if other != member:
                    self._pairs[member][other] += 1


Outputs = tuple[DraftOutput, ...]


@dataclass(frozen=True, slots=True)
class RaterPart:
    """What a rater judges of one source: its segments in order, with the outputs that each screen shows."""

    source: int
    group: int
    screens: tuple[tuple[int, Outputs], ...]

    def block(self, draws: RandomStream) -> DraftBlock:
        """Drafts of the screens, with their outputs in random order."""
        drafts = [ScreenDraft(segment, tuple(draws.shuffled(outputs))) for segment, outputs in self.screens]
        return DraftBlock(self.source, drafts, self.group)


def plan_parts(
    setup: CampaignSetup,
    translations: Translations,
    sources: Sequence[tuple[int, ...]],
    per_screen: int,
    chance: CampaignRandom,
) -> list[list[RaterPart]]:
    """Each rater's parts. With `per_screen` 1, every system's outputs are judged apart, otherwise together."""
    draws = chance.draws("dealing")
    if per_screen == 1:
        common, own = distribute_units(work_units(sources, len(setup.systems)), len(setup.raters), setup.overlap, draws)
        shared = [_alone(unit, setup, translations) for unit in common]
        return [[*shared, *(_alone(unit, setup, translations) for unit in units)] for units in own]
    common, own = distribute_units(work_units(sources, 1), len(setup.raters), setup.overlap, draws)
    chooser = UnitChooser(len(setup.systems), per_screen, chance.draws("choosing"))
    return _together(setup, translations, common, own, chooser)


def _alone(unit: WorkUnit, setup: CampaignSetup, translations: Translations) -> RaterPart:
    system = setup.systems[unit.group]
    screens = tuple(
        (segment, (DraftOutput(segment, (system,), translations[system][segment]),)) for segment in unit.segments
    )
    return RaterPart(unit.source, unit.group, screens)


def _together(
    setup: CampaignSetup,
    translations: Translations,
    common: Sequence[WorkUnit],
    own: Sequence[Sequence[WorkUnit]],
    chooser: UnitChooser,
) -> list[list[RaterPart]]:
    """Rankings: systems are chosen evenly over the common units, and then over those of each rater."""
    places = {system: place for place, system in enumerate(setup.systems)}

    def part(unit: WorkUnit) -> RaterPart:
        return RaterPart(
            unit.source,
            0,
            tuple(
                (segment, choose_outputs(chooser, segment, setup, translations, places)) for segment in unit.segments
            ),
        )

    shared = [part(unit) for unit in common]
    counts = chooser.counts
    parts = []
    for units in own:
        chooser.begin(counts)
        parts.append([*shared, *(part(unit) for unit in units)])
    return parts


def choose_outputs(
    chooser: UnitChooser, segment: int, setup: CampaignSetup, translations: Translations, places: dict[str, int]
) -> Outputs:
    """The outputs of a segment that meet on one screen; identical ones count as one."""
    units = distinct_outputs(segment, setup.systems, translations)
    picked = chooser.choose([tuple(places[name] for name in unit.systems) for unit in units])
    return tuple(units[place] for place in picked)


def make_degrader(translations: Translations, chance: CampaignRandom) -> Degrade:
    """Makes the degraded copy of an output, the same one each time."""

    @cache
    def characters(system: str) -> bool:
        return is_unspaced(translations[system])

    @cache
    def copy(segment: int, systems: tuple[str, ...]) -> DraftOutput:
        """The output with a phrase replaced by one from another segment of the same system."""
        draws = chance.draws("degrading", segment, systems[0])
        text = degrade_segment(translations[systems[0]], segment, draws, characters=characters(systems[0]))
        return DraftOutput(segment, systems, text, ItemRole.BAD)

    return lambda shown: copy(shown.segment, shown.systems)


def training_screens(
    setup: CampaignSetup, translations: Translations, others: Collection[int], per_screen: int, chance: CampaignRandom
) -> list[tuple[int, Outputs]]:
    """Segments and outputs to train with: segments that are not in the campaign (`others`) where there are any.

    Every segment comes once before one comes again; systems come in turn.
    """
    draws = chance.draws("training")
    usable = [segment for segment in sorted(others) if _all_there(segment, setup, translations)]
    segments = [*draws.shuffled(usable), *([] if usable else draws.shuffled(setup.segments))]
    systems = draws.shuffled(setup.systems)
    places = {system: place for place, system in enumerate(setup.systems)}
    chooser = UnitChooser(len(systems), per_screen, draws)
    screens: list[tuple[int, Outputs]] = []
    for turn in range(setup.training):
        lap, place = divmod(turn, len(segments))
        segment = segments[place]
        if per_screen > 1:
            screens.append((segment, choose_outputs(chooser, segment, setup, translations, places)))
        else:
            # a segment that comes again does so by another system
            system = systems[(place + lap) % len(systems)]
            screens.append((segment, (DraftOutput(segment, (system,), translations[system][segment]),)))
    return screens


def training_drafts(screens: Sequence[tuple[int, Outputs]], draws: RandomStream) -> list[ScreenDraft]:
    """The screens for one rater, with outputs in an order of their own."""
    return [ScreenDraft(segment, tuple(draws.shuffled(outputs)), ItemRole.TRAINING) for segment, outputs in screens]


def _all_there(segment: int, setup: CampaignSetup, translations: Translations) -> bool:
    return all(segment < len(translations[name]) and translations[name][segment].strip() for name in setup.systems)
