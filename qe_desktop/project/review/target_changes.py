"""Changes between MT and targets as runs of kept, removed and added words, with moved blocks.

Words are aligned without shifts; removed words that were added in the same order elsewhere are then joined to moved
blocks, so that a reordered sentence is not read as two unrelated edits.
"""

from __future__ import annotations

import enum
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from qe_desktop.corpus import TextColumn
from qe_desktop.formats.bilingual.word_tokenization import Spans
from qe_desktop.metrics.tags.post_edit_tags import compare_post_edits

MAX_ALIGNED_WORDS = 5_000
"""Maximum number of words of a text that is aligned; longer texts are shown as removed and added."""
MIN_MOVED_CHARS = 4
"""Minimum number of letters and digits of a moved block: a single short word is more often a coincidence."""
MAX_CANDIDATES = 32
"""Maximum number of places at which the other end of a moved block is searched."""


class ChangeKind(enum.Enum):
    """Kind of a run of words."""

    KEPT = "kept"
    REMOVED = "removed"
    ADDED = "added"


class ChangeRun(NamedTuple):
    """Run of words with the white space before them. `move` numbers moved blocks from 1, and is 0 elsewhere.

    A moved block is a removed and an added run of the same words.
    """

    kind: ChangeKind
    text: str
    move: int = 0


Words = Sequence[str]
Changes = list[ChangeRun]


def compare_targets(pairs: Sequence[tuple[str, str]], tokenize: Callable[[str], Spans]) -> list[Changes]:
    """Return the changes from each MT to its target, both without inline codes.

    Kept and added runs make up the target up to the end of its last word. Removed words precede those added in the same
    place.
    """
    spans = [(tokenize(mt), tokenize(target)) for mt, target in pairs]
    short = [place for place, both in enumerate(spans) if max(map(len, both)) <= MAX_ALIGNED_WORDS]
    words = [
        tuple([text[low:high] for low, high in of] for text, of in zip(pairs[place], spans[place], strict=True))
        for place in short
    ]
    compared = compare_post_edits(
        TextColumn.of([" ".join(mt) for mt, _ in words]), TextColumn.of([" ".join(target) for _, target in words])
    )
    changes = [_whole(mt, target) for mt, target in pairs]
    for index, place in enumerate(short):
        is_changed = compared.words[index].tolist()
        aligned = [
            (mt, target, mt >= 0 and target >= 0 and not is_changed[mt])
            for mt, target in compared.pairs[index].tolist()
        ]
        changes[place] = _runs(pairs[place], spans[place], aligned, *words[index])
    return changes


def _whole(mt: str, target: str) -> Changes:
    return [ChangeRun(ChangeKind.REMOVED, mt), ChangeRun(ChangeKind.ADDED, target)]


Aligned = Sequence[tuple[int, int, bool]]
"""Words of MT and target (-1: none) in order, and whether the word is kept."""


def _runs(texts: tuple[str, str], spans: tuple[Spans, Spans], aligned: Aligned, mt: Words, target: Words) -> Changes:
    moves_from, moves_to = _moved_blocks(
        [mt_word for mt_word, _, kept in aligned if mt_word >= 0 and not kept],
        [target_word for _, target_word, kept in aligned if target_word >= 0 and not kept],
        mt,
        target,
    )

    def text_of(side: int, word: int) -> str:
        start = spans[side][word - 1][1] if word else 0
        return texts[side][start : spans[side][word][1]]

    def steps() -> Iterator[ChangeRun]:
        added: Changes = []
        for mt_word, target_word, kept in aligned:
            if kept:
                yield from added
                added.clear()
                yield ChangeRun(ChangeKind.KEPT, text_of(1, target_word))
                continue
            if mt_word >= 0:
                yield ChangeRun(ChangeKind.REMOVED, text_of(0, mt_word), moves_from.get(mt_word, 0))
            if target_word >= 0:
                added.append(ChangeRun(ChangeKind.ADDED, text_of(1, target_word), moves_to.get(target_word, 0)))
        yield from added

    return _merge(steps())


def _merge(runs: Iterator[ChangeRun]) -> Changes:
    merged: list[tuple[ChangeKind, int, list[str]]] = []
    for run in runs:
        if merged and merged[-1][:2] == (run.kind, run.move):
            merged[-1][2].append(run.text)
        else:
            merged.append((run.kind, run.move, [run.text]))
    return [ChangeRun(kind, "".join(texts), move) for kind, move, texts in merged]


def _moved_blocks(
    removed: Sequence[int], added: Sequence[int], mt: Words, target: Words
) -> tuple[dict[int, int], dict[int, int]]:
    """Return the number of the moved block of each word that is in one, by index in MT and in target."""
    moves_from: dict[int, int] = {}
    moves_to: dict[int, int] = {}
    free_from, free_to = set(removed), set(added)
    places = defaultdict[str, list[int]](list)
    for word in added:
        places[target[word]].append(word)
    number = 0
    for first in removed:
        if first not in free_from:
            continue
        starts = [start for start in places.get(mt[first], ())[:MAX_CANDIDATES] if start in free_to]
        lengths = [_common_length(first, start, free_from, free_to, mt, target) for start in starts]
        length = max(lengths, default=0)
        if sum(map(str.isalnum, "".join(mt[first : first + length]))) < MIN_MOVED_CHARS:
            continue
        number += 1
        start = starts[lengths.index(length)]
        for step in range(length):
            moves_from[first + step] = moves_to[start + step] = number
        free_from -= set(range(first, first + length))
        free_to -= set(range(start, start + length))
    return moves_from, moves_to


def _common_length(first: int, start: int, free_from: set[int], free_to: set[int], mt: Words, target: Words) -> int:
    """Return how many removed words from `first` on are the same as the added words from `start` on."""
    length = 0
    while first + length in free_from and start + length in free_to and mt[first + length] == target[start + length]:
        length += 1
    return length
