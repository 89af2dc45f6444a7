"""Shifts of tercom: blocks of the MT that are moved while this reduces edits, as in sacreBLEU.

Each round tries MT blocks that also occur in the reference, if both occurrences contain an error and the block is not
already in position. It performs the shift that saves the most edits (Snover et al. 2006, section 3; tercom's limits).
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
"""Maximum number of tokens of a block."""
MAX_SHIFT_DISTANCE = 50
"""Maximum distance in tokens between the positions of a block in MT and reference."""
MAX_SHIFT_CANDIDATES = 1000
"""Total number of candidates, over all rounds, at which the current round is discarded and the search stops."""


@dataclass(frozen=True, slots=True)
class Shift:
    """Move of `length` tokens from `start` to before `target`, as indices in the MT before this shift.

    A target within the block, or directly after it, moves the block to the right by `target - start`.
    """

    start: int
    length: int
    target: int

    def order(self, tokens: int) -> list[int]:
        """Return the original index of each token, in the order after the shift."""
        return [ord(token) for token in self.apply("".join(map(chr, range(tokens))))]

    def apply(self, mt: str) -> str:
        """Return the MT after the shift."""
        start, end, target = self.start, self.start + self.length, self.target
        if target < start:
            return mt[:target] + mt[start:end] + mt[target:start] + mt[end:]
        # interpretation of tercom for a target within the block
        after = target if target > end else target + self.length
        return mt[:start] + mt[end:after] + mt[start:end] + mt[after:]

    @property
    def min_moved_tokens(self) -> int:
        """Minimum number of tokens to move for the same result."""
        if self.target < self.start:
            return min(self.length, self.start - self.target)
        passed = self.target - self.start
        return min(self.length, passed - self.length if passed > self.length else passed)


@dataclass(frozen=True, slots=True)
class ShiftedTokens:
    """MT after its shifts, the shifts in order, and the remaining edits from the shifted MT to the reference."""

    mt: str
    shifts: tuple[Shift, ...]
    trace: EditTrace

    @property
    def edits(self) -> int:
        """All edits; each shift counts as one edit."""
        return len(self.shifts) + self.trace.edits


def shift_tokens(mt: str, reference: str, lower_bound: int = 0) -> ShiftedTokens:
    """Shift blocks of the MT as tercom does while this reduces edits.

    Parameters
    ----------
    mt, reference
        Texts with one character per token.
    lower_bound
        Lower bound of the remaining edits, if known; the search stops when it is reached.

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
    """Shift that saves the most edits, or None; ties: longest block, then the first, then the first target."""
    mt, reference = candidates.mt, candidates.reference
    edits = candidates.trace.edits
    fewest, best = edits, None
    # within a beam, a move can save more than in the full table
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
    """Candidate shifts for a trace; `count` is as in sacreBLEU, where two blocks may propose the same shift."""

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
        """Return all shifts in order of preference."""
        return (Shift(start, -length, target) for length, start, target in sorted(self._blocks))

    def _compute_targets(self, trace: EditTrace) -> None:
        """Compute from the trace the targets of blocks, and the next error from each MT and reference token on.

        `_targets[k]` is the index in the MT to which a block after k reference tokens moves.
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
    """Return, for each index, the first error at or after it; a large number if there is none."""
    following = len(errors) + 2 * MAX_SHIFT_TOKENS
    results = [following] * len(errors)
    for index in range(len(errors) - 1, -1, -1):
        if errors[index]:
            following = index
        results[index] = following
    return results
