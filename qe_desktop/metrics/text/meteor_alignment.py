"""Which token of a system stands for which of its reference, where a word is there more than once (METEOR).

Of all matchings with as many pairs as possible, the one with the fewest crossings, and among these the fewest chunks;
or the one with the fewest chunks alone. The second is as hard as the minimum common string partition, and the first is
a search as well; yet both are small in translations, where few words are there more than once.

The search takes the system's tokens from left to right and keeps, of all states that leave the same choices at the
same cost to come, the cheapest. That is exact as long as all such states are kept. A first pass keeps `FEW` of them;
where these were not all, a second one keeps as many as `WORK` allows, and leaves out what cannot come to less than the
first has found. Where the second cannot keep all that remain either, the best that was found is the result, and `exact`
is false. Of segments of up to 50 tokens, with as many repeated words as text has, nearly all are exact; the time of any
segment is bounded by its length times that of its choices, however often words are repeated.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

AlignmentGoal = Literal["crossings", "chunks"]

FIRST_BEAM_WIDTH = 16
"""States that the first pass keeps."""
MAX_SEARCH_STEPS = 120_000
"""About how many choices the second pass weighs for one segment, in time some tenths of a second."""
MIN_BEAM_WIDTH, MAX_BEAM_WIDTH = 4, 4096

_CROSSING = 1 << 24
"""One crossing outweighs all chunks."""
_NONE = -2
"""Next to no token of the reference."""


@dataclass(frozen=True, slots=True)
class TokenAlignment:
    """Pairs of places in the system and the reference, from 0, in the system's order; `exact` where proven the best.

    A chunk is a run of pairs that are neighbours on both sides; two pairs cross that stand in one order in the system
    and in the other in the reference.
    """

    pairs: tuple[tuple[int, int], ...]
    exact: bool

    @property
    def chunks(self) -> int:
        """How many chunks the pairs are."""
        neighbours = zip(self.pairs, self.pairs[1:], strict=False)
        return bool(self.pairs) + sum((i + 1, j + 1) != after for (i, j), after in neighbours)

    @property
    def crossings(self) -> int:
        """How many of the pairs cross."""
        used = crossings = 0
        for _, j in self.pairs:
            crossings += (used >> j).bit_count()
            used |= 1 << j
        return crossings


def align_tokens(
    system: Sequence[int], reference: Sequence[int], fewest: AlignmentGoal = "crossings"
) -> TokenAlignment:
    """The alignment of one segment's tokens."""
    task = _Task(system, reference, fewest)
    if task.forced:
        return TokenAlignment(task.in_order(), exact=True)
    first = _pass(task, FIRST_BEAM_WIDTH if task.choices < MAX_SEARCH_STEPS else MIN_BEAM_WIDTH, None)
    assert first.best is not None
    if first.whole or first.best.cost <= task.at_least(0, 0):
        return TokenAlignment(_pairs(first.best), exact=True)
    second = _pass(task, max(MIN_BEAM_WIDTH, min(MAX_BEAM_WIDTH, MAX_SEARCH_STEPS // task.choices)), first.best.cost)
    return TokenAlignment(_pairs(second.best or first.best), second.whole)


@dataclass(slots=True)
class _State:
    """What was chosen so far: tokens of the reference that are `used`, as bits, and the last one where it matters."""

    cost: int
    used: int
    last: int
    pair: tuple[int, int] | None
    before: _State | None


@dataclass(slots=True)
class _Candidates:
    best: _State | None
    whole: bool


def _pairs(state: _State | None) -> tuple[tuple[int, int], ...]:
    found = []
    while state is not None:
        if state.pair is not None:
            found.append(state.pair)
        state = state.before
    return tuple(reversed(found))


@dataclass(frozen=True, slots=True)
class _Step:
    """A token of the system that the reference has: its place, its word's places there, and how many come later."""

    place: int
    there: tuple[int, ...]
    mask: int
    pairs: int
    later: int


class _Task:
    """One segment's choices."""

    def __init__(self, system: Sequence[int], reference: Sequence[int], fewest: AlignmentGoal) -> None:
        self.crossings = fewest == "crossings"
        here, there = _token_positions(system), _token_positions(reference)
        words = here.keys() & there.keys()
        self.both = {word: (here[word], there[word]) for word in words}
        self.forced = all(
            len(ours) == len(theirs) if self.crossings else len(ours) == len(theirs) == 1
            for ours, theirs in self.both.values()
        )
        self.system, self.reference = system, reference

    def in_order(self) -> tuple[tuple[int, int], ...]:
        """The first of each word with the first, and so on: pairs of one word that cross can change partners."""
        pairs = (pair for ours, theirs in self.both.values() for pair in zip(ours, theirs, strict=True))
        return tuple(sorted(pairs))

    @cached_property
    def steps(self) -> list[_Step]:
        """The system's tokens that have a choice to make, from left to right."""
        found = []
        for ours, theirs in self.both.values():
            mask, pairs = sum(1 << j for j in theirs), min(len(ours), len(theirs))
            places = tuple(theirs)
            found += [
                _Step(place, places, mask, pairs, len(ours) - number) for number, place in enumerate(ours, start=1)
            ]
        return sorted(found, key=lambda step: step.place)

    @cached_property
    def choices(self) -> int:
        """How many choices one state has to weigh in all, in units of the time that the simplest takes."""
        each = 1 + len(self.both) // 8 if self.crossings else 1
        return each * sum(len(step.there) + 1 for step in self.steps)

    def options(self, step: _Step, used: int) -> Iterator[int]:
        """Tokens of the reference that a token may take, `_NONE` where it may stay alone."""
        taken = used & step.mask
        need = step.pairs - taken.bit_count()
        if step.later >= need:
            yield _NONE
        if not need:
            return
        if not self.crossings:
            yield from (j for j in step.there if not used >> j & 1)
            return
        # in their order, and so that enough of them are left
        after = taken.bit_length()
        for j in step.there[: len(step.there) - need + 1]:
            if j >= after:
                yield j

    @cached_property
    def ahead(self) -> list[tuple[int, tuple[int, ...], _Step | None]]:
        """After each step: what later ones may take, gaps between these where states may differ, and the next step."""
        uncertain = sum(sum(1 << j for j in theirs) for ours, theirs in self.both.values() if len(theirs) > len(ours))
        found: list[tuple[int, tuple[int, ...], _Step | None]] = []
        wanted, following = 0, None
        for step in reversed(self.steps):
            gaps = tuple(gap & uncertain for gap in _gaps(wanted, len(self.reference))) if self.crossings else ()
            found.append((wanted, tuple(gap for gap in gaps if gap), following))
            wanted, following = wanted | step.mask, step
        return found[::-1]

    def key(self, number: int, state: _State) -> tuple[int, ...]:
        """What decides the cost to come after a step; forgets the last token taken where the next is no neighbour."""
        wanted, gaps, following = self.ahead[number]
        step = self.steps[number]
        if following is None or following.place != step.place + 1 or not following.mask >> max(0, state.last + 1) & 1:
            state.last = _NONE
        # how many are used between two tokens that are wanted counts, not which ones
        return (state.used & wanted, state.last, *((state.used & gap).bit_count() for gap in gaps))

    def at_least(self, number: int, used: int) -> int:
        """No less than the cost to come from a step on."""
        if not self.crossings:
            return self._new_chunks[number]
        cost = self._forced_crossings[number]
        for step in self._remaining[number]:
            need = step.pairs - (used & step.mask).bit_count()
            # few of them cross what stands last in the reference
            cost += sum((used >> j).bit_count() for j in step.there[len(step.there) - need :])
        return cost * _CROSSING

    @cached_property
    def _remaining(self) -> list[list[_Step]]:
        """One step of each word that is still to come, from each step on."""
        found: list[list[_Step]] = [[]]
        for step in reversed(self.steps):
            found.append(found[-1] if step.later else [*found[-1], step])
        return found[::-1]

    @cached_property
    def _forced_crossings(self) -> list[int]:
        """Crossings, from each step on, among words that are there as often on both sides."""
        certain = {
            i: j
            for ours, theirs in self.both.values()
            if len(ours) == len(theirs)
            for i, j in zip(ours, theirs, strict=True)
        }
        found, used = [0], 0
        for step in reversed(self.steps):
            j = certain.get(step.place)
            below = 0 if j is None else (used & (1 << j) - 1).bit_count()
            used |= 0 if j is None else 1 << j
            found.append(found[-1] + below)
        return found[::-1]

    @cached_property
    def _new_chunks(self) -> list[int]:
        """Tokens, from each step on, that have to be matched and cannot stand in the chunk of the token before."""
        neighbours = set(zip(self.reference, self.reference[1:], strict=False))
        found = [0]
        for step in reversed(self.steps):
            here = step.place
            follows = here > 0 and (self.system[here - 1], self.system[here]) in neighbours
            has_to = len(self.both[self.system[here]][0]) == step.pairs
            found.append(found[-1] + (has_to and not follows))
        return found[::-1]


def _token_positions(tokens: Sequence[int]) -> dict[int, list[int]]:
    found: dict[int, list[int]] = defaultdict(list)
    for place, token in enumerate(tokens):
        found[token].append(place)
    return found


def _gaps(wanted: int, length: int) -> Iterator[int]:
    """Runs of places above the first that is wanted and between those that are."""
    gap, begun = 0, False
    for place in range(length):
        if wanted >> place & 1:
            if gap:
                yield gap
            gap, begun = 0, True
        elif begun:
            gap |= 1 << place
    if gap:
        yield gap


def _pass(task: _Task, width: int, below: int | None) -> _Candidates:
    """The cheapest way through all steps that keeps so many states, and costs less than `below`."""
    states = [_State(0, 0, _NONE, None, None)]
    whole = True
    for number, step in enumerate(task.steps):
        kept: dict[tuple[int, ...], _State] = {}
        for state in states:
            for j in task.options(step, state.used):
                after = _extend_state(task, state, step, j)
                if below is not None and after.cost + task.at_least(number + 1, after.used) >= below:
                    continue
                key = task.key(number, after)
                known = kept.get(key)
                if known is None or after.cost < known.cost:
                    kept[key] = after
        states = list(kept.values())
        if len(states) > width:
            whole = False
            states.sort(key=lambda state: state.cost + task.at_least(number + 1, state.used))
            del states[width:]
    return _Candidates(min(states, key=lambda state: state.cost, default=None), whole)


def _extend_state(task: _Task, state: _State, step: _Step, j: int) -> _State:
    if j == _NONE:
        return _State(state.cost, state.used, _NONE, None, state)
    cost = state.cost + (state.last + 1 != j)
    if task.crossings:
        cost += (state.used >> j).bit_count() * _CROSSING
    return _State(cost, state.used | 1 << j, j, (step.place, j), state)
