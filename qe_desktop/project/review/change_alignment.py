"""Word alignment of an MT and its target by which changes are shown, also in long texts.

tercom aligns words only within a beam around the diagonal. Behind a moved paragraph, it therefore reports words as
changed that are the same in both texts.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from qe_desktop.metrics.tags.post_edit_tags import NO_LINK
from qe_desktop.metrics.ter.edit_distance import is_within_beam

MAX_ALIGNED_WORDS = 5_000
"""Maximum number of words of a text that is aligned."""
ANCHOR_WORDS = 4
"""Number of words of an anchor."""
Words = Sequence[str]
AlignedWords = list[tuple[int, int, bool]]
"""Indices of words of MT and target in text order (−1: none), and whether the word is kept."""


def aligned_by_tercom(changed: NDArray[np.uint8], pairs: NDArray[np.int32]) -> AlignedWords:
    """Return the alignment of `compute_target_edits` or of a segment of `compare_post_edits`."""
    is_changed = changed.tolist()
    return [(mt, target, min(mt, target) >= 0 and not is_changed[mt]) for mt, target in pairs.tolist()]


def align_words(mt: Words, target: Words, by_tercom: AlignedWords | None = None) -> AlignedWords | None:
    """Return the alignment by which changes are shown; None if one of the texts is too long.

    It is that of tercom, if given, unless its beam hides kept words. Case does not matter for the alignment, but a word
    is kept only if its case is, too.
    """
    if by_tercom is not None and is_within_beam(_edits(by_tercom), len(mt), len(target)):
        return by_tercom
    if max(len(mt), len(target)) > MAX_ALIGNED_WORDS:
        return by_tercom
    by_anchors = _align_by_anchors(mt, target)
    return by_anchors if by_tercom is None or _edits(by_anchors) < _edits(by_tercom) else by_tercom


def _edits(aligned: AlignedWords) -> int:
    return sum(not kept for _, _, kept in aligned)


def _align_by_anchors(mt: Words, target: Words) -> AlignedWords:
    """Align words between anchors, which are equal words in a row that occur once in each text.

    Without anchors, frequent words of a moved paragraph would be aligned with others nearby, which tears it to pieces.
    """
    numbers: dict[str, int] = {}
    ours, theirs = ([numbers.setdefault(word.lower(), len(numbers)) for word in words] for words in (mt, target))
    aligned: AlignedWords = []
    at = (0, 0)
    for anchor in (*_anchors(ours, theirs), (len(ours), len(theirs))):
        # anchors may overlap
        if anchor[0] < at[0] or anchor[1] < at[1]:
            continue
        for step in _readable_steps(ours[at[0] : anchor[0]], theirs[at[1] : anchor[1]]):
            removed = range(at[0] + step.mt, at[0] + step.mt_stop)
            added = range(at[1] + step.target, at[1] + step.target_stop)
            both = list(zip(removed, added, strict=True)) if step.paired else []
            aligned += [(word, other, mt[word] == target[other]) for word, other in both]
            if not both:
                aligned += [(word, NO_LINK, False) for word in removed]
                aligned += [(NO_LINK, word, False) for word in added]
        at = anchor
    return aligned


class _Step(NamedTuple):
    """Words that are kept (`equal`), replaced one by one (`paired`), or removed and added."""

    mt: int
    mt_stop: int
    target: int
    target_stop: int
    equal: bool = False
    paired: bool = False

    @property
    def size(self) -> int:
        """Number of words in the longer text."""
        return max(self.mt_stop - self.mt, self.target_stop - self.target)


def _readable_steps(ours: Sequence[int], theirs: Sequence[int]) -> list[_Step]:
    """Return the fewest edits (Levenshtein 1966), but without kept words that are few between much longer changes."""
    if ours == theirs:
        return [_Step(0, len(ours), 0, len(theirs), equal=True, paired=True)]
    changes: list[list[_Step]] = [[]]
    islands: list[_Step] = []
    for edit in Levenshtein.opcodes(ours, theirs):
        span = edit.src_start, edit.src_end, edit.dest_start, edit.dest_end
        if edit.tag == "equal":
            islands.append(_Step(*span, equal=True, paired=True))
            changes.append([])
        else:
            changes[-1].append(_Step(*span, paired=edit.tag == "replace"))
    return [part for step in _join_changes(changes, islands) for part in _trim(step, ours, theirs)]


def _join_changes(changes: Sequence[list[_Step]], islands: Sequence[_Step]) -> Iterator[_Step]:
    """Yield the steps in order; changes are joined if there is only a short island of kept words between them."""
    joined, kept = [changes[0]], list[_Step]()
    for island, change in zip(islands, changes[1:], strict=True):
        gap: _Step | None = island
        while gap is not None and 2 * gap.size <= min(_size(joined[-1]), _size(change)):
            left = joined.pop()[0]
            change = [_Step(left.mt, change[-1].mt_stop, left.target, change[-1].target_stop)]
            gap = kept.pop() if kept else None
        joined.append(change)
        if gap is not None:
            kept.append(gap)
    yield from joined[0]
    for island, change in zip(kept, joined[1:], strict=True):
        yield island
        yield from change


def _size(change: Sequence[_Step]) -> int:
    return sum(step.size for step in change)


def _trim(step: _Step, ours: Sequence[int], theirs: Sequence[int]) -> Iterator[_Step]:
    """Yield a joined step, and before and after it, what is equal at its ends."""
    if step.paired:
        yield step
        return
    mt, mt_stop, target, target_stop = step[:4]
    while mt < mt_stop and target < target_stop and ours[mt] == theirs[target]:
        mt, target = mt + 1, target + 1
    while mt < mt_stop and target < target_stop and ours[mt_stop - 1] == theirs[target_stop - 1]:
        mt_stop, target_stop = mt_stop - 1, target_stop - 1
    yield _Step(step.mt, mt, step.target, target, equal=True, paired=True)
    yield _Step(mt, mt_stop, target, target_stop)
    yield _Step(mt_stop, step.mt_stop, target_stop, step.target_stop, equal=True, paired=True)


def _anchors(ours: Sequence[int], theirs: Sequence[int]) -> list[tuple[int, int]]:
    """Return the starts of anchors in both texts: the largest set of them that is in the same order in both."""
    starts = [_single_rows(words) for words in (ours, theirs)]
    anchors = [(start, starts[1][row]) for row, start in starts[0].items() if row in starts[1]]
    # longest increasing subsequence: `tails[n]` is the anchor with the smallest end of those that end n + 1 in order
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, there) in enumerate(anchors):
        length = bisect_left(ends, there)
        before.append(tails[length - 1] if length else -1)
        tails[length : length + 1], ends[length : length + 1] = [number], [there]
    chosen = []
    number = tails[-1] if tails else -1
    while number >= 0:
        chosen.append(anchors[number])
        number = before[number]
    return chosen[::-1]


def _single_rows(words: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Return the rows of `ANCHOR_WORDS` words that occur once, with their starts, in order."""
    rows = list(zip(*(words[start:] for start in range(ANCHOR_WORDS)), strict=False))
    counts = Counter(rows)
    return {row: start for start, row in enumerate(rows) if counts[row] == 1}


MIN_MOVED_CHARS = 4
"""Minimum number of letters and digits of a moved block: a single short word is more often a coincidence."""
LONG_BLOCK_WORDS = 5
"""Minimum number of words of the moved blocks that are searched first."""
MAX_CANDIDATES = 32
"""Maximum number of places at which the other end of a moved block is searched."""
Moves = dict[int, int]
"""Number of the moved block, from 1, of each word that is in one."""


def moved_blocks(aligned: Iterable[tuple[int, int, bool]], mt: Words, target: Words) -> tuple[Moves, Moves]:
    """Return the moved blocks by word of the MT and by word of the target.

    A moved block is a sequence of removed words that were added in the same order elsewhere.
    """
    changed = [(first, second) for first, second, kept in aligned if not kept]
    removed = [first for first, _ in changed if first >= 0]
    added = [second for _, second in changed if second >= 0]
    moves_from: Moves = {}
    moves_to: Moves = {}
    free_from, free_to = set(removed), set(added)
    places: dict[str, list[int]] = {}
    for word in added:
        places.setdefault(target[word], []).append(word)
    number = 0
    # long blocks first, so that none is split by a word that happens to occur in it
    for shortest in (LONG_BLOCK_WORDS, 1):
        searched = 0
        for first in removed:
            if first < searched or first not in free_from:
                continue
            starts = [start for start in places.get(mt[first], ())[:MAX_CANDIDATES] if start in free_to]
            lengths = [_common_length(first, start, free_from, free_to, mt, target) for start in starts]
            length = max(lengths, default=0)
            letters = sum(map(str.isalnum, "".join(mt[first : first + length])))
            if length < shortest or letters < MIN_MOVED_CHARS:
                # words of a block with too few letters start no other block: long rows of dots take linear time
                searched = first + (length if letters < MIN_MOVED_CHARS else 0)
                continue
            number += 1
            start = starts[lengths.index(length)]
            moves_from.update(dict.fromkeys(range(first, first + length), number))
            moves_to.update(dict.fromkeys(range(start, start + length), number))
            free_from.difference_update(range(first, first + length))
            free_to.difference_update(range(start, start + length))
    return moves_from, moves_to


def _common_length(first: int, start: int, free_from: set[int], free_to: set[int], mt: Words, target: Words) -> int:
    """Return how many removed words from `first` on are the same as the added words from `start` on."""
    length = 0
    while first + length in free_from and start + length in free_to and mt[first + length] == target[start + length]:
        length += 1
    return length
