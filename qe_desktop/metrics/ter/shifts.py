"""Shifts as in tercom and sacreBLEU: blocks of the MT are moved as long as a move reduces the number of edits.

Each round tries the MT blocks that also occur in the reference, provided that both occurrences contain an error and the
block is not already in position. It then performs the shift that saves the most edits (Snover et al. 2006, section 3).
The limits are those of tercom.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rapidfuzz.distance.Levenshtein import distance

from qe_desktop.metrics.ter.edit_distance import (
    DELETION,
    INSERTION,
    MATCH,
    EditTrace,
    bounded_edits,
    is_within_beam,
    trace_edits,
)

MAX_SHIFT_TOKENS = 10
"""Maximum number of tokens in a block."""
MAX_SHIFT_DISTANCE = 50
"""Maximum distance in tokens between the positions of a block in the MT and in the reference."""
MAX_SHIFT_CANDIDATES = 1000
"""Total number of candidate shifts, over all rounds, at which the search stops and discards the current round."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Move of the block of `length` tokens that begins at index `start` to the position before index `target`.

    Both indices refer to the MT before this shift. If `target` is within the block or directly after it, the block
    moves to the right by `target - start`.
    """

    start: int
    length: int
    target: int

    def order(self, tokens: int) -> list[int]:
        """Return the original indices, 0 to `tokens` − 1, of the MT tokens in their order after the shift."""
        return [ord(token) for token in self.apply("".join(map(chr, range(tokens))))]

    def apply(self, mt: str) -> str:
        """Return the MT after the shift."""
        start, end, target = self.start, self.start + self.length, self.target
        if target < start:
            return mt[:target] + mt[start:end] + mt[target:start] + mt[end:]
        # a target within the block is interpreted as in tercom
        after = target if target > end else target + self.length
        return mt[:start] + mt[end:after] + mt[start:end] + mt[after:]

    @property
    def min_moved_tokens(self) -> int:
        """Minimum number of tokens that must be moved to obtain the result of this shift."""
        if self.target < self.start:
            return min(self.length, self.start - self.target)
        passed = self.target - self.start
        return min(self.length, passed - self.length if passed > self.length else passed)


@dataclass(frozen=True, slots=True)
class ShiftedTokens:
    """MT after all shifts, the shifts in order, and the remaining edits that turn the shifted MT into the reference."""

    mt: str
    shifts: tuple[Shift, ...]
    trace: EditTrace

    @property
    def edits(self) -> int:
        """Total number of edits; each shift counts as one edit."""
        return len(self.shifts) + self.trace.edits


def shift_tokens(mt: str, reference: str, lower_bound: int = 0) -> ShiftedTokens:
    """Shift blocks of the MT as tercom does, as long as a shift reduces the number of edits.

    Parameters
    ----------
    mt, reference
        Texts with one character per token.
    lower_bound
        Lower bound on the number of remaining edits, if known; the search stops when only this many remain.

    Returns
    -------
    ShiftedTokens
        Shifted MT, shifts, and remaining edits.
    """
    shifts: list[Shift] = []
    trace = trace_edits(mt, reference)
    tried = 0
    while trace.edits > lower_bound and reference:
        candidates = _ShiftCandidates(mt, reference, trace)
        tried += candidates.count
        if tried >= MAX_SHIFT_CANDIDATES:
            break
        best = _best_shift(candidates, lower_bound)
        if best is None:
            break
        shifts.append(best)
        mt = best.apply(mt)
        trace = trace_edits(mt, reference)
    return ShiftedTokens(mt, tuple(shifts), trace)


def _best_shift(candidates: _ShiftCandidates, lower_bound: int) -> Shift | None:
    """Return the shift that saves the most edits, or None if no shift saves any.

    In a tie, the longest block is preferred, then the first block, then the first target.
    """
    mt, reference = candidates.mt, candidates.reference
    edits = candidates.trace.edits
    fewest, best = edits, None
    # within a beam, a shift can save more edits than in the full table
    is_beam_irrelevant = is_within_beam(edits, len(mt), len(reference))
    beam_excess = 0 if is_beam_irrelevant else edits - int(distance(mt, reference))
    for shift in candidates.sorted_shifts():
        # moving n tokens saves at most 2n edits
        if edits - 2 * shift.length - beam_excess >= fewest:
            break
        if edits - 2 * shift.min_moved_tokens - beam_excess >= fewest:
            continue
        remaining_edits = bounded_edits(shift.apply(mt), reference, fewest - 1)
        if remaining_edits < fewest:
            fewest, best = remaining_edits, shift
            if fewest == lower_bound:
                break
    return best


class _ShiftCandidates:
    """Candidate shifts for the edits in a trace.

    `count` is the number of candidates as in sacreBLEU, which counts a shift once per reference block that yields it.
    """

    def __init__(self, mt: str, reference: str, trace: EditTrace) -> None:
        self.mt = mt
        self.reference = reference
        self.trace = trace
        self.count = 0
        self._compute_targets(trace)
        self._blocks: set[tuple[int, int, int]] = set()
        indices: dict[str, list[int]] = {}
        for index, token in enumerate(reference):
            indices.setdefault(token, []).append(index)
        for start, token in enumerate(mt):
            if self._mt_errors[start] - start < MAX_SHIFT_TOKENS and token in indices:
                for index in indices[token]:
                    self._block(start, index)

    def sorted_shifts(self) -> Iterator[Shift]:
        """Return the distinct shifts in order of preference: longest block first, then by start, then by target."""
        return (Shift(start, -length, target) for length, start, target in sorted(self._blocks))

    def _compute_targets(self, trace: EditTrace) -> None:
        """Compute the targets of blocks, and the first error at or after each token of the MT and of the reference.

        `_targets[k]` is the MT index that corresponds to the position after the first k reference tokens.
        """
        self._targets = [0]
        row, reference_errors, mt_errors = 0, [], []
        for operation in trace.operations:
            error = operation != MATCH
            if operation != INSERTION:
                row += 1
                mt_errors.append(error)
            if operation != DELETION:
                self._targets.append(row)
                reference_errors.append(error)
        self._mt_errors, self._reference_errors = _next_errors(mt_errors), _next_errors(reference_errors)
        self._different = [0]
        for before, after in zip(self._targets, self._targets[1:], strict=False):
            self._different.append(self._different[-1] + (before != after))

    def _block(self, start: int, reference_start: int) -> None:
        """Add the shifts of blocks that begin at `start` in the MT and at `reference_start` in the reference."""
        if abs(reference_start - start) > MAX_SHIFT_DISTANCE:
            return
        mt, reference = self.mt, self.reference
        max_length = min(MAX_SHIFT_TOKENS, len(mt) - start, len(reference) - reference_start)
        # skip a block that contains its own target
        last_error = self._targets[reference_start + 1] - 1
        if last_error >= start:
            max_length = min(max_length, last_error - start)
        # skip a block without an error on either side
        length = max(self._mt_errors[start] - start, self._reference_errors[reference_start] - reference_start) + 1
        if length > max_length or mt[start : start + length] != reference[reference_start : reference_start + length]:
            return
        first = self._different[reference_start]
        while True:
            self.count += self._different[reference_start + length] - first + 1
            for target in set(self._targets[reference_start : reference_start + length + 1]):
                self._blocks.add((-length, start, target))
            if length == max_length or mt[start + length] != reference[reference_start + length]:
                return
            length += 1


def _next_errors(errors: list[bool]) -> list[int]:
    """Return, for each index, the index of the first error at or after it, or a large number if there is none."""
    following = len(errors) + 2 * MAX_SHIFT_TOKENS
    results = [following] * len(errors)
    for index in range(len(errors) - 1, -1, -1):
        if errors[index]:
            following = index
        results[index] = following
    return results
