"""Work plan of each rater: distribution of work units, selection of systems for rankings, and training screens."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cache

from qe_desktop.corpus import ItemRole
from qe_desktop.ratings.assignment.quality_control import Degrade, degrade_segment, is_unspaced
from qe_desktop.ratings.assignment.random_stream import CampaignRandom, RandomStream
from qe_desktop.ratings.assignment.screen_drafts import (
    DraftBlock,
    DraftOutput,
    ScreenDraft,
    Translations,
    distinct_outputs,
)
from qe_desktop.ratings.campaign import CampaignSetup


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """Unit of work, assigned as a whole: the segments of one source, translated by one group of systems.

    `source` is the index of a segment or document. `group` is the index of a system, or 0 in rankings, where all
    systems form one group.
    """

    source: int
    group: int
    segments: tuple[int, ...]

    def __len__(self) -> int:
        return len(self.segments)


def work_units(sources: Sequence[tuple[int, ...]], groups: int) -> list[WorkUnit]:
    """Return a work unit for each source (a tuple of segments) and group; `groups` is the number of groups."""
    return [WorkUnit(source, group, segments) for source, segments in enumerate(sources) for group in range(groups)]


def distribute_units(
    units: Sequence[WorkUnit], raters: int, overlap: float, stream: RandomStream
) -> tuple[list[WorkUnit], list[list[WorkUnit]]]:
    """Return the units common to all raters (a share `overlap` of all items), and each rater's other units.

    Common units are selected source by source, so that systems are compared on the same segments. The other units are
    distributed so that, within each group, the raters' numbers of segments differ by at most the length of the longest
    unit. If there is only one rater, no units are common.
    """
    if raters == 1:
        return [], [list(units)]
    common = _select_common_units(units, overlap, stream)
    common_keys = {(unit.source, unit.group) for unit in common}
    remaining = [unit for unit in units if (unit.source, unit.group) not in common_keys]
    return common, _distribute_by_group(remaining, raters, stream)


def _select_common_units(units: Sequence[WorkUnit], overlap: float, stream: RandomStream) -> list[WorkUnit]:
    """Return random units with a share `overlap` of all items, rounded to whole units.

    At least one unit is returned unless `overlap` is 0.
    """
    by_source: dict[int, list[WorkUnit]] = {}
    for unit in units:
        by_source.setdefault(unit.source, []).append(unit)
    target = overlap * sum(len(unit) for unit in units)
    common: list[WorkUnit] = []
    count = 0
    for source in stream.shuffled(list(by_source)):
        for unit in stream.shuffled(by_source[source]):
            first = not common and overlap > 0
            if not first and abs(count + len(unit) - target) >= abs(count - target):
                return common
            common.append(unit)
            count += len(unit)
    return common


def _distribute_by_group(units: Sequence[WorkUnit], raters: int, stream: RandomStream) -> list[list[WorkUnit]]:
    """Distribute the units of one group after another, largest units first; return each rater's units.

    A unit goes to the rater with the fewest segments in the group. Ties are resolved by the raters' total numbers of
    segments, then at random.
    """
    units_by_rater: list[list[WorkUnit]] = [[] for _ in range(raters)]
    total = [0] * raters
    by_group: dict[int, list[WorkUnit]] = {}
    for unit in units:
        by_group.setdefault(unit.group, []).append(unit)
    for group in stream.shuffled(sorted(by_group)):
        tie_breakers = stream.permutation(raters)
        rater_heap = [(0, total[rater], tie_breakers[rater], rater) for rater in range(raters)]
        heapq.heapify(rater_heap)
        for unit in sorted(stream.shuffled(by_group[group]), key=len, reverse=True):
            load, _, index, rater = rater_heap[0]
            units_by_rater[rater].append(unit)
            total[rater] += len(unit)
            heapq.heapreplace(rater_heap, (load + len(unit), total[rater], index, rater))
    return units_by_rater


class UnitChooser:
    """Selector of the systems on each screen; balances systems for each rater, and pairs of systems over all raters.

    A unit consists of the indices of systems with identical outputs, which are displayed as one output.
    """

    def __init__(self, systems: int, per_screen: int, stream: RandomStream) -> None:
        self.per_screen = per_screen
        self._stream = stream
        self._pairs = [[0] * systems for _ in range(systems)]
        self._usage = [0] * systems

    def begin(self, counts: Sequence[int]) -> None:
        """Start the selection for a rater; `counts` says how often each system is already on the rater's screens."""
        self._usage = list(counts)

    @property
    def counts(self) -> list[int]:
        """Number of times each system was selected, including the initial counts."""
        return list(self._usage)

    def choose(self, units: Sequence[tuple[int, ...]]) -> list[int]:
        """Select up to `per_screen` units, breaking ties at random; return their indices in order of selection."""
        candidates = self._stream.permutation(len(units))
        chosen: list[int] = []
        while candidates and len(chosen) < self.per_screen:
            selected_systems = [member for index in chosen for member in units[index]]
            best = min(candidates, key=lambda index: self._cost(units[index], selected_systems))
            candidates.remove(best)
            chosen.append(best)
        self._count([units[index] for index in chosen])
        return chosen

    def _cost(self, unit: tuple[int, ...], selected_systems: Sequence[int]) -> tuple[float, float]:
        usage = sum(self._usage[member] for member in unit) / len(unit)
        pairs = sum(self._pairs[member][partner] for member in unit for partner in selected_systems) / len(unit)
        return usage, pairs

    def _count(self, units: Sequence[tuple[int, ...]]) -> None:
        members = [member for unit in units for member in unit]
        for member in members:
            self._usage[member] += 1
            for partner in members:
                if partner != member:
                    self._pairs[member][partner] += 1


Outputs = tuple[DraftOutput, ...]


@dataclass(frozen=True, slots=True)
class RaterPart:
    """One rater's part of a source; `screens` has the segment and the outputs of each screen, in order."""

    source: int
    group: int
    screens: tuple[tuple[int, Outputs], ...]

    def block(self, stream: RandomStream) -> DraftBlock:
        """Return a block with drafts of the screens; the outputs of each screen are in random order."""
        drafts = [ScreenDraft(segment, tuple(stream.shuffled(outputs))) for segment, outputs in self.screens]
        return DraftBlock(self.source, drafts, self.group)


def plan_parts(
    setup: CampaignSetup,
    translations: Translations,
    sources: Sequence[tuple[int, ...]],
    per_screen: int,
    random_source: CampaignRandom,
) -> list[list[RaterPart]]:
    """Return each rater's parts. A screen shows one system if `per_screen` is 1, otherwise several systems."""
    stream = random_source.stream("dealing")
    if per_screen == 1:
        common, units_by_rater = distribute_units(
            work_units(sources, len(setup.systems)), len(setup.raters), setup.overlap, stream
        )
        shared = [_single_system_part(unit, setup, translations) for unit in common]
        return [
            [*shared, *(_single_system_part(unit, setup, translations) for unit in units)] for units in units_by_rater
        ]
    common, units_by_rater = distribute_units(work_units(sources, 1), len(setup.raters), setup.overlap, stream)
    chooser = UnitChooser(len(setup.systems), per_screen, random_source.stream("choosing"))
    return _ranking_parts(setup, translations, common, units_by_rater, chooser)


def _single_system_part(unit: WorkUnit, setup: CampaignSetup, translations: Translations) -> RaterPart:
    system = setup.systems[unit.group]
    screens = tuple(
        (segment, (DraftOutput(segment, (system,), translations[system][segment]),)) for segment in unit.segments
    )
    return RaterPart(unit.source, unit.group, screens)


def _ranking_parts(
    setup: CampaignSetup,
    translations: Translations,
    common: Sequence[WorkUnit],
    units_by_rater: Sequence[Sequence[WorkUnit]],
    chooser: UnitChooser,
) -> list[list[RaterPart]]:
    """Return each rater's parts for rankings.

    Systems are balanced over the common units first, and then over the other units of each rater.
    """
    system_indices = {system: index for index, system in enumerate(setup.systems)}

    def part(unit: WorkUnit) -> RaterPart:
        return RaterPart(
            unit.source,
            0,
            tuple(
                (segment, choose_outputs(chooser, segment, setup, translations, system_indices))
                for segment in unit.segments
            ),
        )

    shared = [part(unit) for unit in common]
    counts = chooser.counts
    parts = []
    for units in units_by_rater:
        chooser.begin(counts)
        parts.append([*shared, *(part(unit) for unit in units)])
    return parts


def choose_outputs(
    chooser: UnitChooser, segment: int, setup: CampaignSetup, translations: Translations, system_indices: dict[str, int]
) -> Outputs:
    """Select the outputs of a segment for one screen; identical outputs count as one."""
    units = distinct_outputs(segment, setup.systems, translations)
    selected = chooser.choose([tuple(system_indices[name] for name in unit.systems) for unit in units])
    return tuple(units[index] for index in selected)


def make_degrader(translations: Translations, random_source: CampaignRandom) -> Degrade:
    """Return a function that degrades an output reproducibly; it raises QeError as `degrade_segment` does."""

    @cache
    def uses_characters(system: str) -> bool:
        return is_unspaced(translations[system])

    @cache
    def copy(segment: int, systems: tuple[str, ...]) -> DraftOutput:
        """Return a degraded output: a phrase is replaced by a phrase from the system's other translations."""
        stream = random_source.stream("degrading", segment, systems[0])
        text = degrade_segment(translations[systems[0]], segment, stream, characters=uses_characters(systems[0]))
        return DraftOutput(segment, systems, text, ItemRole.BAD)

    return lambda output: copy(output.segment, output.systems)


def training_screens(
    setup: CampaignSetup,
    translations: Translations,
    outside_segments: Collection[int],
    per_screen: int,
    random_source: CampaignRandom,
) -> list[tuple[int, Outputs]]:
    """Return the segment and the outputs of each training screen.

    `outside_segments` are segments outside the campaign; those with translations by all systems are used. If there are
    none, the segments of the campaign are used. A segment is repeated only after all segments have been used. If a
    screen shows one system, the systems alternate.
    """
    stream = random_source.stream("training")
    usable = [segment for segment in sorted(outside_segments) if _has_all_translations(segment, setup, translations)]
    segments = [*stream.shuffled(usable), *([] if usable else stream.shuffled(setup.segments))]
    systems = stream.shuffled(setup.systems)
    system_indices = {system: index for index, system in enumerate(setup.systems)}
    chooser = UnitChooser(len(systems), per_screen, stream)
    screens: list[tuple[int, Outputs]] = []
    for screen_index in range(setup.training):
        repetition, index = divmod(screen_index, len(segments))
        segment = segments[index]
        if per_screen > 1:
            screens.append((segment, choose_outputs(chooser, segment, setup, translations, system_indices)))
        else:
            # a repeated segment uses another system
            system = systems[(index + repetition) % len(systems)]
            screens.append((segment, (DraftOutput(segment, (system,), translations[system][segment]),)))
    return screens


def training_drafts(screens: Sequence[tuple[int, Outputs]], stream: RandomStream) -> list[ScreenDraft]:
    """Return drafts of the training screens for one rater; the outputs of each screen are in random order."""
    return [ScreenDraft(segment, tuple(stream.shuffled(outputs)), ItemRole.TRAINING) for segment, outputs in screens]


def _has_all_translations(segment: int, setup: CampaignSetup, translations: Translations) -> bool:
    return all(segment < len(translations[name]) and translations[name][segment].strip() for name in setup.systems)
