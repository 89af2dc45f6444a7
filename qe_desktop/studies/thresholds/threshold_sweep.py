"""What numbers of words are as tags, at every threshold at once.

A word is BAD where its number is above the threshold, so nothing happens between two numbers that follow each other. As
the threshold falls, words become BAD one number after the other; each time the rows of one segment change. What changes
is counted once, set in the order of thresholds and summed up.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TagColumn, offsets_from_lengths, segment_indices
from qe_desktop.metrics import Family, TagOverlap, compute_rows
from qe_desktop.metrics.family import Floats
from qe_desktop.metrics.tags.word_metrics import WORDS

Ints = NDArray[np.int64]
BLOCK_WORDS = 1 << 20
"""Words, each as often as its segment has other tags, that are counted in one go."""


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdPositions:
    """The thresholds that make a difference, and from which on each word is BAD.

    `thresholds` (places,) fall: at the first, the highest number, no word is BAD, at the last, which is below all
    numbers, every word is. `turns` (words,) are the places from which on each word is BAD.
    """

    thresholds: Floats
    turns: Ints

    @classmethod
    def of(cls, numbers: Floats, least: float = -np.inf) -> ThresholdPositions:
        """The places of numbers (words,); the last is `least` where that is below all of them."""
        distinct, inverse = np.unique(numbers, return_inverse=True)
        if not len(distinct):
            return cls(np.zeros(1), np.zeros(0, np.int64))
        below = least if least < distinct[0] and np.isfinite(least) else np.nextafter(distinct[0], -np.inf)
        return cls(np.append(distinct[::-1], below), len(distinct) - inverse.reshape(-1).astype(np.int64))

    def at(self, threshold: float) -> int:
        """The place at which the same words are BAD as at a threshold, whatever it is."""
        return int(np.count_nonzero(self.thresholds[:-1] > threshold))


@dataclass(frozen=True, slots=True, eq=False)
class ThresholdRows:
    """The rows of a family: those without any BAD word, shape (segments, columns), and what changes.

    Step i changes the rows of segment `segment[i]` by `change[i]`, shape (steps, columns), from place `place[i]` on.
    """

    base: Floats
    segment: Ints
    place: Ints
    change: Floats
    places: int

    def totals(self) -> Floats:
        """The sums of the rows over all segments at each place, shape (places, columns)."""
        found = [np.cumsum(np.bincount(self.place, weights=column, minlength=self.places)) for column in self.change.T]
        return np.asarray(self.base.sum(axis=0) + np.stack(found, axis=-1))


def threshold_rows(
    families: Sequence[Family[TagOverlap]], gold: TagColumn, places: ThresholdPositions
) -> dict[str, ThresholdRows]:
    """The steps of each family by its name; `places` are of as many numbers as the gold has tags."""
    found = {family.name: _word_steps(gold, places) for family in families if family is WORDS}
    others = [family for family in families if family is not WORDS]
    if others:
        found |= _counted_steps(others, gold, places)
    return found


def _word_steps(gold: TagColumn, places: ThresholdPositions) -> ThresholdRows:
    """Each word that becomes BAD is a hit or a false alarm, and nothing else changes."""
    bad = gold.values == 1
    change = np.stack([bad, ~bad, np.zeros_like(bad), np.zeros_like(bad)], axis=-1).astype(np.float64)
    base = compute_rows([WORDS], gold, [TagColumn(np.zeros_like(gold.values), gold.offsets)])[WORDS.name][0]
    return ThresholdRows(base, segment_indices(gold.offsets), places.turns, change, len(places.thresholds))


def _counted_steps(
    families: Sequence[Family[TagOverlap]], gold: TagColumn, places: ThresholdPositions
) -> dict[str, ThresholdRows]:
    """Rows of every segment with all tags that it has at any threshold; a change is from one to the next of these."""
    bases: dict[str, list[Floats]] = {family.name: [] for family in families}
    changes: dict[str, list[Floats]] = {family.name: [] for family in families}
    segments: list[Ints] = []
    turns: list[Ints] = []
    for first, last in _blocks(gold):
        part, turn = gold.take(first, last), places.turns[gold.offsets[first] : gold.offsets[last]]
        states = _States.of(part, turn)
        tags, golds = states.tags(part, turn)
        rows = compute_rows(families, golds, [tags])
        later = np.flatnonzero(states.place > 0)
        for name, counted in rows.items():
            bases[name].append(counted[0, states.place == 0])
            changes[name].append(counted[0, later] - counted[0, later - 1])
        segments.append(states.segment[later] + first)
        turns.append(states.place[later])
    if not segments:
        return {family.name: _nothing(family, len(places.thresholds)) for family in families}
    segment, place = np.concatenate(segments), np.concatenate(turns)
    return {
        family.name: ThresholdRows(
            np.concatenate(bases[family.name]), segment, place, np.concatenate(changes[family.name]),
            len(places.thresholds),
        )
        for family in families
    }  # fmt: skip


def _nothing(family: Family[TagOverlap], places: int) -> ThresholdRows:
    none = np.zeros((0, len(family.columns)))
    return ThresholdRows(none, np.zeros(0, np.int64), np.zeros(0, np.int64), none, places)


@dataclass(frozen=True, slots=True, eq=False)
class _States:
    """All tags that segments have at any threshold, each a segment of its own: of which `segment`, from which `place`
    on. Those of one segment stand one after the other, the first of them, from place 0 on, without any BAD word.
    """

    segment: Ints
    place: Ints

    @classmethod
    def of(cls, gold: TagColumn, turns: Ints) -> _States:
        segment = segment_indices(gold.offsets)
        # every segment begins without BAD words, even one without words
        segments = np.concatenate([np.arange(len(gold)), segment])
        places = np.concatenate([np.zeros(len(gold), np.int64), turns])
        order = np.lexsort((places, segments))
        segments, places = segments[order], places[order]
        other = np.append(True, (segments[1:] != segments[:-1]) | (places[1:] != places[:-1]))[: len(segments)]
        return cls(segments[other], places[other])

    def tags(self, gold: TagColumn, turns: Ints) -> tuple[TagColumn, TagColumn]:
        """The tags of all states, and the gold's beside each of them."""
        lengths = gold.lengths()[self.segment]
        offsets = offsets_from_lengths(lengths)
        words = np.arange(offsets[-1]) + np.repeat(gold.offsets[:-1][self.segment] - offsets[:-1], lengths)
        bad = turns[words] <= np.repeat(self.place, lengths)
        return TagColumn(bad.astype(np.uint8), offsets), TagColumn(gold.values[words], offsets)


def _blocks(gold: TagColumn) -> Iterator[tuple[int, int]]:
    """Ranges of segments that have about so many words in all their states together."""
    lengths = gold.lengths()
    work = offsets_from_lengths(lengths * (lengths + 1))
    first = 0
    while first < len(gold):
        last = int(np.searchsorted(work, work[first] + BLOCK_WORDS, side="right")) - 1
        last = min(max(first + 1, last), len(gold))
        yield first, last
        first = last
