"""Rows of metrics for word scores at every threshold, computed in one pass.

A word is BAD if its score is above the threshold, so no tag changes between two successive scores. As the threshold
decreases, words become BAD in the order of their scores; each step changes the row of a single segment. The changes are
computed once, then summed up in the order of the thresholds.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from qe_desktop.corpus import TagColumn, offsets_from_lengths, segment_indices
from qe_desktop.corpus.columns import Floats, Ints
from qe_desktop.metrics import Family, TagOverlap, compute_rows
from qe_desktop.metrics.tags.word_f1_mcc import WORDS

BLOCK_WORDS = 1 << 20
"""Approximate number of words in a block of segments; a word is counted once for each tag state of its segment."""


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdPositions:
    """Distinct thresholds in descending order, and the first position at which each word is BAD.

    A position is an index into `thresholds` (positions,). At the first threshold, which is the highest score, no word
    is BAD; at the last threshold, which is below all scores, every word is BAD. `first_bad_positions` (words,) is the
    first position at which each word is BAD.
    """

    thresholds: Floats
    first_bad_positions: Ints

    @classmethod
    def of(cls, numbers: Floats, lowest: float = -np.inf) -> ThresholdPositions:
        """Return the positions for the word scores `numbers`, shape (words,).

        The last threshold is `lowest` if it is finite and below all scores, otherwise the next float below all scores.
        """
        distinct, inverse = np.unique(numbers, return_inverse=True)
        if not len(distinct):
            return cls(np.zeros(1), np.zeros(0, np.int64))
        below = lowest if lowest < distinct[0] and np.isfinite(lowest) else np.nextafter(distinct[0], -np.inf)
        return cls(np.append(distinct[::-1], below), len(distinct) - inverse.reshape(-1).astype(np.int64))

    def position_of(self, threshold: float) -> int:
        """Return the position at which the BAD words are the same as at `threshold`."""
        return int(np.count_nonzero(self.thresholds[:-1] > threshold))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdRows:
    """Rows of a metric family at every threshold, stored as initial rows and changes.

    `base` (segments, columns) are the rows if no word is BAD. Step i adds row i of `changes` (steps, columns) to the
    row of segment `segment[i]`, from position `positions[i]` onward.
    """

    base: Floats
    segment: Ints
    positions: Ints
    changes: Floats
    position_count: int

    def totals(self) -> Floats:
        """Return the sums of rows over all segments at each position, shape (positions, columns)."""
        results = [
            np.cumsum(np.bincount(self.positions, weights=column, minlength=self.position_count))
            for column in self.changes.T
        ]
        return np.asarray(self.base.sum(axis=0) + np.stack(results, axis=-1))


def threshold_rows(
    families: Sequence[Family[TagOverlap]], gold: TagColumn, positions: ThresholdPositions
) -> dict[str, ThresholdRows]:
    """Return the rows of each family, by family name; `positions` must be those of all words of the gold."""
    results = {family.name: _word_steps(gold, positions) for family in families if family is WORDS}
    counted_families = [family for family in families if family is not WORDS]
    if counted_families:
        results |= _counted_steps(counted_families, gold, positions)
    return results


def _word_steps(gold: TagColumn, positions: ThresholdPositions) -> ThresholdRows:
    """Return the rows of the family `WORDS`; in each step, a single word becomes a hit or a false alarm."""
    bad = gold.values == 1
    change = np.stack([bad, ~bad, np.zeros_like(bad), np.zeros_like(bad)], axis=-1).astype(np.float64)
    base = compute_rows([WORDS], gold, [TagColumn(np.zeros_like(gold.values), gold.offsets)])[WORDS.name][0]
    return ThresholdRows(
        base, segment_indices(gold.offsets), positions.first_bad_positions, change, len(positions.thresholds)
    )


def _counted_steps(
    families: Sequence[Family[TagOverlap]], gold: TagColumn, positions: ThresholdPositions
) -> dict[str, ThresholdRows]:
    """Return the rows of each family; a step is the difference between the rows of two successive tag states."""
    bases: dict[str, list[Floats]] = {family.name: [] for family in families}
    changes: dict[str, list[Floats]] = {family.name: [] for family in families}
    segments: list[Ints] = []
    turns: list[Ints] = []
    for first, last in _blocks(gold):
        part, turn = gold.take(first, last), positions.first_bad_positions[gold.offsets[first] : gold.offsets[last]]
        states = _States.of(part, turn)
        tags, golds = states.tags(part, turn)
        rows = compute_rows(families, golds, [tags])
        later = np.flatnonzero(states.positions > 0)
        for name, counted in rows.items():
            bases[name].append(counted[0, states.positions == 0])
            changes[name].append(counted[0, later] - counted[0, later - 1])
        segments.append(states.segment[later] + first)
        turns.append(states.positions[later])
    if not segments:
        return {family.name: _empty_rows(family, len(positions.thresholds)) for family in families}
    segment, turn_positions = np.concatenate(segments), np.concatenate(turns)
    return {
        family.name: ThresholdRows(
            np.concatenate(bases[family.name]), segment, turn_positions, np.concatenate(changes[family.name]),
            len(positions.thresholds),
        )
        for family in families
    }  # fmt: skip


def _empty_rows(family: Family[TagOverlap], positions: int) -> ThresholdRows:
    empty_rows = np.zeros((0, len(family.columns)))
    return ThresholdRows(empty_rows, np.zeros(0, np.int64), np.zeros(0, np.int64), empty_rows, positions)


@dataclass(frozen=True, slots=True, eq=False)
class _States:
    """Tag states of segments: state i is a state of segment `segment[i]` and begins at position `positions[i]`.

    The states of a segment are adjacent; the first begins at position 0 and has no BAD word.
    """

    segment: Ints
    positions: Ints

    @classmethod
    def of(cls, gold: TagColumn, turns: Ints) -> _States:
        segment = segment_indices(gold.offsets)
        # every segment, even an empty one, starts without BAD words
        segments = np.concatenate([np.arange(len(gold)), segment])
        turn_positions = np.concatenate([np.zeros(len(gold), np.int64), turns])
        order = np.lexsort((turn_positions, segments))
        segments, turn_positions = segments[order], turn_positions[order]
        is_new = np.append(True, (segments[1:] != segments[:-1]) | (turn_positions[1:] != turn_positions[:-1]))[
            : len(segments)
        ]
        return cls(segments[is_new], turn_positions[is_new])

    def tags(self, gold: TagColumn, turns: Ints) -> tuple[TagColumn, TagColumn]:
        """Return the tags and the gold tags of each state, as two columns with one entry per state."""
        lengths = gold.lengths()[self.segment]
        offsets = offsets_from_lengths(lengths)
        words = np.arange(offsets[-1]) + np.repeat(gold.offsets[:-1][self.segment] - offsets[:-1], lengths)
        bad = turns[words] <= np.repeat(self.positions, lengths)
        return TagColumn(bad.astype(np.uint8), offsets), TagColumn(gold.values[words], offsets)


def _blocks(gold: TagColumn) -> Iterator[tuple[int, int]]:
    """Yield ranges (start, stop) of segments whose tag states together have about `BLOCK_WORDS` words."""
    lengths = gold.lengths()
    work = offsets_from_lengths(lengths * (lengths + 1))
    first = 0
    while first < len(gold):
        last = int(np.searchsorted(work, work[first] + BLOCK_WORDS, side="right")) - 1
        last = min(max(first + 1, last), len(gold))
        yield first, last
        first = last
