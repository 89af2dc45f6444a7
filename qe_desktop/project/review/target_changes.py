"""Changes between MT and targets as runs of words, including moved blocks; not limited to the beam of tercom.

tercom aligns words only within a beam around the diagonal. After a moved paragraph, it therefore reports unchanged
words as changed.

Words are aligned without shifts. Words that were removed and, in the same order, added elsewhere become moved blocks,
so that a reordered sentence does not appear as two unrelated edits.
"""

from __future__ import annotations

import enum
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.text import Spans
from qe_desktop.metrics.tags.post_edit_tags import MAX_COMPARED_WORDS, NO_LINK, compare_post_edits
from qe_desktop.metrics.ter.edit_distance import is_within_beam


class ChangeKind(enum.Enum):
    """Whether a run of words was kept, removed or added."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


class ChangeRun(NamedTuple):
    """Run of words, including the white space before each word.

    `move` is the 1-based number of the moved block that the run belongs to; 0 if there is none. A moved block consists
    of a removed run and an added run of the same words.
    """

    kind: ChangeKind
    text: str
    move: int = 0


Changes = list[ChangeRun]


@dataclass(frozen=True)
class SplitText:
    """Text without inline codes, and the spans of its words."""

    text: str
    spans: Spans

    @cached_property
    def words(self) -> tuple[str, ...]:
        """Words of the text, in order."""
        return tuple([self.text[start:stop] for start, stop in self.spans])

    def word_with_leading_text(self, word: int) -> str:
        """Return the word at index `word`, preceded by the text that separates it from the previous word."""
        return self.text[self.spans[word - 1][1] if word else 0 : self.spans[word][1]]


def compare_targets(pairs: Sequence[tuple[str, str]], tokenize: Callable[[str], Spans]) -> list[Changes]:
    """Return the changes from MT to target for each of `pairs`, which contain texts without inline codes."""
    texts = [(SplitText(mt, tokenize(mt)), SplitText(target, tokenize(target))) for mt, target in pairs]
    words = [(mt.words, target.words) for mt, target in texts]
    by_tercom = _align_by_tercom(words)
    return [
        change_runs(mt, target, align_words(*words[index], by_tercom.get(index)))
        for index, (mt, target) in enumerate(texts)
    ]


def _align_by_tercom(words: Sequence[tuple[Words, Words]]) -> dict[int, AlignedWords]:
    """Return the alignments of the pairs that are not too long for tercom, by the index of the pair."""
    short = [index for index, pair in enumerate(words) if max(map(len, pair)) <= MAX_COMPARED_WORDS]
    mt, target = (TextColumn.of([" ".join(words[index][side]) for index in short]) for side in (0, 1))
    compared = compare_post_edits(mt, target)
    return {
        index: aligned_by_tercom(compared.words[number], compared.pairs[number]) for number, index in enumerate(short)
    }


def change_runs(mt: SplitText, target: SplitText, aligned: AlignedWords | None) -> Changes:
    """Return the changes between aligned texts, in order; removed words precede words added at the same position.

    Joined together, the kept and added runs are the target up to the end of its last word. If `aligned` is None, the
    changes are the whole MT as a removed run and the whole target as an added run.
    """
    if aligned is None:
        return [ChangeRun(ChangeKind.REMOVED, mt.text), ChangeRun(ChangeKind.ADDED, target.text)]
    moves_from, moves_to = moved_blocks(aligned, mt.words, target.words)

    def steps() -> Iterator[ChangeRun]:
        added: Changes = []
        for mt_word, target_word, is_kept in aligned:
            if is_kept:
                yield from added
                added.clear()
                yield ChangeRun(ChangeKind.KEPT, target.word_with_leading_text(target_word))
                continue
            if mt_word >= 0:
                yield ChangeRun(ChangeKind.REMOVED, mt.word_with_leading_text(mt_word), moves_from.get(mt_word, 0))
            if target_word >= 0:
                added.append(
                    ChangeRun(
                        ChangeKind.ADDED, target.word_with_leading_text(target_word), moves_to.get(target_word, 0)
                    )
                )
        yield from added

    return _merge_runs(steps())


def _merge_runs(runs: Iterator[ChangeRun]) -> Changes:
    merged: list[tuple[ChangeKind, int, list[str]]] = []
    for run in runs:
        if merged and merged[-1][:2] == (run.kind, run.move):
            merged[-1][2].append(run.text)
        else:
            merged.append((run.kind, run.move, [run.text]))
    return [ChangeRun(kind, "".join(texts), move) for kind, move, texts in merged]


MAX_ALIGNED_WORDS = 5_000
"""Maximum number of words in each text, MT and target, for alignment by anchors."""
ANCHOR_WORDS = 4
"""Number of words in an anchor."""
Words = Sequence[str]
AlignedWords = list[tuple[int, int, bool]]
"""Triples in text order: indices of the MT word and of the target word (−1: none), and whether the word is kept."""


def aligned_by_tercom(changed: NDArray[np.uint8], pairs: NDArray[np.int32]) -> AlignedWords:
    """Return tercom's alignment as triples: MT word, target word (−1: no word), and whether the word is kept.

    `pairs` and `changed` (1 for edited MT words) come from `compute_target_edits` or `compare_post_edits`.
    """
    is_changed = changed.tolist()
    return [(mt, target, min(mt, target) >= 0 and not is_changed[mt]) for mt, target in pairs.tolist()]


def align_words(mt: Words, target: Words, by_tercom: AlignedWords | None = None) -> AlignedWords | None:
    """Return the alignment for the display of changes; None if a text is too long and `by_tercom` is None.

    The result is tercom's alignment (`by_tercom`), unless an alignment by anchors, which is not limited to a beam, has
    fewer edits. Alignment by anchors ignores case, but a word counts as kept only if its case is unchanged.
    """
    if by_tercom is not None and is_within_beam(_count_edits(by_tercom), len(mt), len(target)):
        return by_tercom
    if max(len(mt), len(target)) > MAX_ALIGNED_WORDS:
        return by_tercom
    by_anchors = _align_by_anchors(mt, target)
    return by_anchors if by_tercom is None or _count_edits(by_anchors) < _count_edits(by_tercom) else by_tercom


def _count_edits(aligned: AlignedWords) -> int:
    return sum(not is_kept for _, _, is_kept in aligned)


def _align_by_anchors(mt: Words, target: Words) -> AlignedWords:
    """Align words between anchors: sequences of `ANCHOR_WORDS` words that occur exactly once in each text.

    Without anchors, frequent words of a moved paragraph would be aligned with words of other paragraphs, which would
    split the moved paragraph.
    """
    numbers: dict[str, int] = {}
    mt_numbers, target_numbers = (
        [numbers.setdefault(word.lower(), len(numbers)) for word in words] for words in (mt, target)
    )
    aligned: AlignedWords = []
    position = (0, 0)
    for anchor in (*_anchors(mt_numbers, target_numbers), (len(mt_numbers), len(target_numbers))):
        # anchors may overlap
        if anchor[0] < position[0] or anchor[1] < position[1]:
            continue
        for step in _readable_steps(mt_numbers[position[0] : anchor[0]], target_numbers[position[1] : anchor[1]]):
            removed = range(position[0] + step.mt, position[0] + step.mt_stop)
            added = range(position[1] + step.target, position[1] + step.target_stop)
            word_pairs = list(zip(removed, added, strict=True)) if step.paired else []
            aligned += [
                (mt_word, target_word, mt[mt_word] == target[target_word]) for mt_word, target_word in word_pairs
            ]
            if not word_pairs:
                aligned += [(word, NO_LINK, False) for word in removed]
                aligned += [(NO_LINK, word, False) for word in added]
        position = anchor
    return aligned


class _Step(NamedTuple):
    """Run of words that are kept (`equal` and `paired`), replaced one for one (`paired`), or removed and added."""

    mt: int
    mt_stop: int
    target: int
    target_stop: int
    equal: bool = False
    paired: bool = False

    @property
    def size(self) -> int:
        """Number of MT words or of target words in the step, whichever is greater."""
        return max(self.mt_stop - self.mt, self.target_stop - self.target)


def _readable_steps(mt_numbers: Sequence[int], target_numbers: Sequence[int]) -> list[_Step]:
    """Return the steps of an alignment with the fewest edits (Levenshtein 1966), then joined across short kept runs.

    A kept run is short if both changes around it are at least twice as long.
    """
    if mt_numbers == target_numbers:
        return [_Step(0, len(mt_numbers), 0, len(target_numbers), equal=True, paired=True)]
    changes: list[list[_Step]] = [[]]
    islands: list[_Step] = []
    for edit in Levenshtein.opcodes(mt_numbers, target_numbers):
        span = edit.src_start, edit.src_end, edit.dest_start, edit.dest_end
        if edit.tag == "equal":
            islands.append(_Step(*span, equal=True, paired=True))
            changes.append([])
        else:
            changes[-1].append(_Step(*span, paired=edit.tag == "replace"))
    return [part for step in _join_changes(changes, islands) for part in _trim(step, mt_numbers, target_numbers)]


def _join_changes(changes: Sequence[list[_Step]], islands: Sequence[_Step]) -> Iterator[_Step]:
    """Yield the steps in order; changes are joined if only a short run of kept words (`islands`) separates them."""
    joined, kept_runs = [changes[0]], list[_Step]()
    for island, change in zip(islands, changes[1:], strict=True):
        gap: _Step | None = island
        while gap is not None and 2 * gap.size <= min(_change_size(joined[-1]), _change_size(change)):
            left = joined.pop()[0]
            change = [_Step(left.mt, change[-1].mt_stop, left.target, change[-1].target_stop)]
            gap = kept_runs.pop() if kept_runs else None
        joined.append(change)
        if gap is not None:
            kept_runs.append(gap)
    yield from joined[0]
    for island, change in zip(kept_runs, joined[1:], strict=True):
        yield island
        yield from change


def _change_size(change: Sequence[_Step]) -> int:
    return sum(step.size for step in change)


def _trim(step: _Step, mt_numbers: Sequence[int], target_numbers: Sequence[int]) -> Iterator[_Step]:
    """Yield a step, with equal words at its ends split off as separate steps; a `paired` step is yielded unchanged."""
    if step.paired:
        yield step
        return
    mt, mt_stop, target, target_stop = step[:4]
    while mt < mt_stop and target < target_stop and mt_numbers[mt] == target_numbers[target]:
        mt, target = mt + 1, target + 1
    while mt < mt_stop and target < target_stop and mt_numbers[mt_stop - 1] == target_numbers[target_stop - 1]:
        mt_stop, target_stop = mt_stop - 1, target_stop - 1
    yield _Step(step.mt, mt, step.target, target, equal=True, paired=True)
    yield _Step(mt, mt_stop, target, target_stop)
    yield _Step(mt_stop, step.mt_stop, target_stop, step.target_stop, equal=True, paired=True)


def _anchors(mt_numbers: Sequence[int], target_numbers: Sequence[int]) -> list[tuple[int, int]]:
    """Return pairs of MT start and target start: the largest set of anchors that have the same order in both texts."""
    starts = [_unique_sequences(words) for words in (mt_numbers, target_numbers)]
    anchors = [(start, starts[1][row]) for row, start in starts[0].items() if row in starts[1]]
    # longest increasing subsequence: `tails[n]` ends a sequence of n + 1 anchors and has the smallest target start
    tails: list[int] = []
    ends: list[int] = []
    before: list[int] = []
    for number, (_, target_start) in enumerate(anchors):
        length = bisect_left(ends, target_start)
        before.append(tails[length - 1] if length else -1)
        tails[length : length + 1], ends[length : length + 1] = [number], [target_start]
    chosen = []
    number = tails[-1] if tails else -1
    while number >= 0:
        chosen.append(anchors[number])
        number = before[number]
    return chosen[::-1]


def _unique_sequences(words: Sequence[int]) -> dict[tuple[int, ...], int]:
    """Map each sequence of `ANCHOR_WORDS` words that occurs exactly once to its start, in text order."""
    rows = list(zip(*(words[start:] for start in range(ANCHOR_WORDS)), strict=False))
    counts = Counter(rows)
    return {row: start for start, row in enumerate(rows) if counts[row] == 1}


MIN_MOVED_CHARS = 4
"""Minimum number of letters and digits in a moved block; a single short word is usually a coincidence."""
LONG_BLOCK_WORDS = 5
"""Minimum number of words in long moved blocks, which are searched for before shorter ones."""
MAX_BLOCK_POSITIONS = 32
"""Maximum number of positions in the target at which a moved block is searched for."""
MovedBlocks = dict[int, int]
"""Maps the index of each word in a moved block to the number of the block, counted from 1."""


def moved_blocks(aligned: Iterable[tuple[int, int, bool]], mt: Words, target: Words) -> tuple[MovedBlocks, MovedBlocks]:
    """Return, for the MT and for the target, a mapping from indices of moved words to 1-based numbers of their blocks.

    A moved block is a sequence of removed words that were added in the same order elsewhere.
    """
    changed = [(first, second) for first, second, is_kept in aligned if not is_kept]
    removed = [first for first, _ in changed if first >= 0]
    added = [second for _, second in changed if second >= 0]
    moves_from: MovedBlocks = {}
    moves_to: MovedBlocks = {}
    free_from, free_to = set(removed), set(added)
    positions: dict[str, list[int]] = {}
    for word in added:
        positions.setdefault(target[word], []).append(word)
    number = 0
    # long blocks first, so that none is split by a word that happens to occur in it
    for shortest in (LONG_BLOCK_WORDS, 1):
        searched = 0
        for first in removed:
            if first < searched or first not in free_from:
                continue
            starts = [start for start in positions.get(mt[first], ())[:MAX_BLOCK_POSITIONS] if start in free_to]
            lengths = [_common_length(first, start, free_from, free_to, mt, target) for start in starts]
            length = max(lengths, default=0)
            alphanumeric = sum(map(str.isalnum, "".join(mt[first : first + length])))
            if length < shortest or alphanumeric < MIN_MOVED_CHARS:
                # skip the words of a block with too few letters, so that long runs of dots take linear time
                searched = first + (length if alphanumeric < MIN_MOVED_CHARS else 0)
                continue
            number += 1
            start = starts[lengths.index(length)]
            moves_from.update(dict.fromkeys(range(first, first + length), number))
            moves_to.update(dict.fromkeys(range(start, start + length), number))
            free_from.difference_update(range(first, first + length))
            free_to.difference_update(range(start, start + length))
    return moves_from, moves_to


def _common_length(first: int, start: int, free_from: set[int], free_to: set[int], mt: Words, target: Words) -> int:
    """Return how many consecutive removed words, starting at `first`, equal the added words starting at `start`."""
    length = 0
    while first + length in free_from and start + length in free_to and mt[first + length] == target[start + length]:
        length += 1
    return length
