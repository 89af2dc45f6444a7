"""Alignment of system and reference tokens with repeated words (METEOR).

The alignment is a maximum matching with the fewest crossings and, among these, the fewest chunks; or a maximum matching
with the fewest chunks (`AlignmentGoal`). Minimizing chunks is as hard as minimum common string partition, and
minimizing crossings also needs a search. Both problems are small in translations, where few words are repeated.

The search processes system tokens from left to right. If states have the same remaining choices and remaining costs,
only the state with the lowest cost so far is kept, which does not change the result. A first pass keeps at most
`FIRST_BEAM_WIDTH` states per token. If it drops states and its result is not proven optimal, a second pass keeps as
many states as `MAX_SEARCH_STEPS` allows and prunes states that cannot lead to a better result. If the second pass also
drops states, the better result of the two passes is used, and `exact` is false. The alignments of nearly all segments
of up to 50 tokens with normal repetition are exact. The run time for a segment is at most proportional to its length
times its number of choices.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

AlignmentGoal = Literal["crossings", "chunks"]

FIRST_BEAM_WIDTH = 16
"""Maximum number of states that the first pass keeps per system token."""
MAX_SEARCH_STEPS = 120_000
"""Approximate maximum number of choices that the second pass evaluates per segment (a few tenths of a second)."""
MIN_BEAM_WIDTH, MAX_BEAM_WIDTH = 4, 4096

_CROSSING_COST = 1 << 24
"""Cost of a crossing, higher than the cost of all chunks together."""
_UNMATCHED = -2
"""Index that stands for “no reference token”.

As an option for a system token, it leaves the token unmatched. In `_State.last`, it means that no later cost depends on
the last matched token.
"""


@dataclass(frozen=True, slots=True)
class TokenAlignment:
    """Alignment of one segment's tokens.

    A chunk is a run of pairs adjacent on both sides; two pairs cross if their order differs between system and
    reference.

    Attributes
    ----------
    pairs
        Pairs of system and reference indices, in system order.
    exact
        Whether the alignment is proven to be optimal.
    """

    pairs: tuple[tuple[int, int], ...]
    exact: bool

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        neighbours = zip(self.pairs, self.pairs[1:], strict=False)
        return bool(self.pairs) + sum((i + 1, j + 1) != after for (i, j), after in neighbours)

    @property
    def crossings(self) -> int:
        """Number of crossings between pairs."""
        used = crossings = 0
        for _, j in self.pairs:
            crossings += (used >> j).bit_count()
            used |= 1 << j
        return crossings


def align_tokens(
    system: Sequence[int], reference: Sequence[int], fewest: AlignmentGoal = "crossings"
) -> TokenAlignment:
    """Return the alignment of one segment's tokens.

    Parameters
    ----------
    system, reference
        Tokens as integers; equal tokens have equal integers.
    fewest
        Whether the alignment has the fewest "crossings" or the fewest "chunks" of all maximum matchings.

    Returns
    -------
    TokenAlignment
        Aligned tokens; `exact` is false if the bounded search may have missed the best matching.
    """
    task = _Task(system, reference, fewest)
    if task.has_single_matching:
        return TokenAlignment(task.pair_in_order(), exact=True)
    first = _pass(task, FIRST_BEAM_WIDTH if task.choices < MAX_SEARCH_STEPS else MIN_BEAM_WIDTH, None)
    assert first.best is not None
    if first.is_exhaustive or first.best.cost <= task.min_remaining_cost(0, 0):
        return TokenAlignment(_pairs(first.best), exact=True)
    second = _pass(task, max(MIN_BEAM_WIDTH, min(MAX_BEAM_WIDTH, MAX_SEARCH_STEPS // task.choices)), first.best.cost)
    return TokenAlignment(_pairs(second.best or first.best), second.is_exhaustive)


@dataclass(slots=True)
class _State:
    """Search state; `used` is the bit set of matched reference tokens.

    `last` is the index of the reference token matched in the latest step. It is `_UNMATCHED` if the step matched no
    token, or if no later cost depends on the token.
    """

    cost: int
    used: int
    last: int
    pair: tuple[int, int] | None
    previous: _State | None


@dataclass(slots=True)
class _Candidates:
    best: _State | None
    is_exhaustive: bool


def _pairs(state: _State | None) -> tuple[tuple[int, int], ...]:
    pairs = []
    while state is not None:
        if state.pair is not None:
            pairs.append(state.pair)
        state = state.previous
    return tuple(reversed(pairs))


@dataclass(frozen=True, slots=True)
class _Step:
    """System token that also occurs in the reference.

    `position` is the index of the token in the system output. `reference_positions` are the indices of equal reference
    tokens, and `mask` is the bit set of these indices. `pairs` is the number of pairs of the token's word in a maximum
    matching. `later_occurrences` is the number of later occurrences of the word in the system output.
    """

    position: int
    reference_positions: tuple[int, ...]
    mask: int
    pairs: int
    later_occurrences: int


class _Task:
    """Matching problem of one segment: the words that occur in both texts, and the choices of the search."""

    def __init__(self, system: Sequence[int], reference: Sequence[int], fewest: AlignmentGoal) -> None:
        self.crossings = fewest == "crossings"
        system_positions, reference_positions = _token_positions(system), _token_positions(reference)
        words = system_positions.keys() & reference_positions.keys()
        self.shared_positions = {word: (system_positions[word], reference_positions[word]) for word in words}
        self.has_single_matching = all(
            len(in_system) == len(in_reference) if self.crossings else len(in_system) == len(in_reference) == 1
            for in_system, in_reference in self.shared_positions.values()
        )
        self.system, self.reference = system, reference

    def pair_in_order(self) -> tuple[tuple[int, int], ...]:
        """Pair the n-th occurrences of each shared word; the word must occur equally often in both texts."""
        pairs = (
            pair
            for in_system, in_reference in self.shared_positions.values()
            for pair in zip(in_system, in_reference, strict=True)
        )
        return tuple(sorted(pairs))

    @cached_property
    def steps(self) -> list[_Step]:
        """System tokens that also occur in the reference, from left to right."""
        steps = []
        for in_system, in_reference in self.shared_positions.values():
            mask, pairs = sum(1 << j for j in in_reference), min(len(in_system), len(in_reference))
            targets = tuple(in_reference)
            steps += [
                _Step(position, targets, mask, pairs, len(in_system) - number)
                for number, position in enumerate(in_system, start=1)
            ]
        return sorted(steps, key=lambda step: step.position)

    @cached_property
    def choices(self) -> int:
        """Total number of choices if each step has one state, multiplied by the relative run time of a choice."""
        weight = 1 + len(self.shared_positions) // 8 if self.crossings else 1
        return weight * sum(len(step.reference_positions) + 1 for step in self.steps)

    def options(self, step: _Step, used: int) -> Iterator[int]:
        """Yield the indices of the reference tokens that the token of a step may match.

        `_UNMATCHED` is also yielded if the token may stay unmatched. `used` is the bit set of matched reference tokens.
        """
        used_occurrences = used & step.mask
        need = step.pairs - used_occurrences.bit_count()
        if step.later_occurrences >= need:
            yield _UNMATCHED
        if not need:
            return
        if not self.crossings:
            yield from (j for j in step.reference_positions if not used >> j & 1)
            return
        # in order, leaving enough reference tokens for later occurrences
        after = used_occurrences.bit_length()
        for j in step.reference_positions[: len(step.reference_positions) - need + 1]:
            if j >= after:
                yield j

    @cached_property
    def lookahead(self) -> list[tuple[int, tuple[int, ...], _Step | None]]:
        """For each step, the reference tokens that later steps may match, the gaps between them, and the next step.

        Sets of reference tokens are bit sets. A gap contains only the tokens that some states may have matched and
        others not; empty gaps are left out.
        """
        uncertain = sum(
            sum(1 << j for j in in_reference)
            for in_system, in_reference in self.shared_positions.values()
            if len(in_reference) > len(in_system)
        )
        options: list[tuple[int, tuple[int, ...], _Step | None]] = []
        needed, following = 0, None
        for step in reversed(self.steps):
            gaps = tuple(gap & uncertain for gap in _gaps(needed, len(self.reference))) if self.crossings else ()
            options.append((needed, tuple(gap for gap in gaps if gap), following))
            needed, following = needed | step.mask, step
        return options[::-1]

    def key(self, number: int, state: _State) -> tuple[int, ...]:
        """Return the key of a state after step `number`; states with equal keys have the same remaining cost.

        Sets `state.last` to `_UNMATCHED` if the next step cannot extend the chunk of the last matched token.
        """
        needed, gaps, following = self.lookahead[number]
        step = self.steps[number]
        if (
            following is None
            or following.position != step.position + 1
            or not following.mask >> max(0, state.last + 1) & 1
        ):
            state.last = _UNMATCHED
        # between two needed tokens, only the number of used tokens matters
        return (state.used & needed, state.last, *((state.used & gap).bit_count() for gap in gaps))

    def min_remaining_cost(self, number: int, used: int) -> int:
        """Return a lower bound on the cost of step `number` and all later steps; `used` is as in `_State`."""
        if not self.crossings:
            return self._new_chunks[number]
        cost = self._forced_crossings[number]
        for step in self._remaining_words[number]:
            need = step.pairs - (used & step.mask).bit_count()
            # the last reference tokens have the fewest crossings
            cost += sum(
                (used >> j).bit_count() for j in step.reference_positions[len(step.reference_positions) - need :]
            )
        return cost * _CROSSING_COST

    @cached_property
    def _remaining_words(self) -> list[list[_Step]]:
        """For each step, the last step of each word that occurs in that step or later."""
        results: list[list[_Step]] = [[]]
        for step in reversed(self.steps):
            results.append(results[-1] if step.later_occurrences else [*results[-1], step])
        return results[::-1]

    @cached_property
    def _forced_crossings(self) -> list[int]:
        """Number of crossings, from each step onward, among words that occur equally often in both texts."""
        certain = {
            i: j
            for in_system, in_reference in self.shared_positions.values()
            if len(in_system) == len(in_reference)
            for i, j in zip(in_system, in_reference, strict=True)
        }
        crossings, used = [0], 0
        for step in reversed(self.steps):
            j = certain.get(step.position)
            below = 0 if j is None else (used & (1 << j) - 1).bit_count()
            used |= 0 if j is None else 1 << j
            crossings.append(crossings[-1] + below)
        return crossings[::-1]

    @cached_property
    def _new_chunks(self) -> list[int]:
        """Lower bound on new chunks from each step onward: tokens that must be matched and cannot extend a chunk."""
        neighbours = set(zip(self.reference, self.reference[1:], strict=False))
        chunks = [0]
        for step in reversed(self.steps):
            position = step.position
            follows = position > 0 and (self.system[position - 1], self.system[position]) in neighbours
            has_to = len(self.shared_positions[self.system[position]][0]) == step.pairs
            chunks.append(chunks[-1] + (has_to and not follows))
        return chunks[::-1]


def _token_positions(tokens: Sequence[int]) -> dict[int, list[int]]:
    positions: dict[int, list[int]] = defaultdict(list)
    for position, token in enumerate(tokens):
        positions[token].append(position)
    return positions


def _gaps(needed: int, length: int) -> Iterator[int]:
    """Yield, as bit sets, the runs of positions between those in the bit set `needed` and after the last of them."""
    gap, has_begun = 0, False
    for position in range(length):
        if needed >> position & 1:
            if gap:
                yield gap
            gap, has_begun = 0, True
        elif has_begun:
            gap |= 1 << position
    if gap:
        yield gap


def _pass(task: _Task, width: int, cost_limit: int | None) -> _Candidates:
    """Search for the cheapest path through all steps, keeping at most `width` states per step.

    In the result, `best` is None if no path that costs less than `cost_limit` was found. `is_exhaustive` is false if
    states were dropped because of `width`.
    """
    states = [_State(0, 0, _UNMATCHED, None, None)]
    is_complete = True
    for number, step in enumerate(task.steps):
        best_states: dict[tuple[int, ...], _State] = {}
        for state in states:
            for j in task.options(step, state.used):
                after = _extend_state(task, state, step, j)
                if (
                    cost_limit is not None
                    and after.cost + task.min_remaining_cost(number + 1, after.used) >= cost_limit
                ):
                    continue
                key = task.key(number, after)
                previous = best_states.get(key)
                if previous is None or after.cost < previous.cost:
                    best_states[key] = after
        states = list(best_states.values())
        if len(states) > width:
            is_complete = False
            states.sort(key=lambda state: state.cost + task.min_remaining_cost(number + 1, state.used))
            del states[width:]
    return _Candidates(min(states, key=lambda state: state.cost, default=None), is_complete)


def _extend_state(task: _Task, state: _State, step: _Step, j: int) -> _State:
    if j == _UNMATCHED:
        return _State(state.cost, state.used, _UNMATCHED, None, state)
    cost = state.cost + (state.last + 1 != j)
    if task.crossings:
        cost += (state.used >> j).bit_count() * _CROSSING_COST
    return _State(cost, state.used | 1 << j, j, (step.position, j), state)
