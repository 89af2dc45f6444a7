"""Changes between MT and targets as runs of kept, removed and added words, with moved blocks.

Words are aligned without shifts. Words that were removed and, in the same order, added elsewhere become moved blocks,
so that a reordered sentence does not appear as two unrelated edits.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.text import Spans
from qe_desktop.metrics.tags.post_edit_tags import MAX_COMPARED_WORDS, compare_post_edits
from qe_desktop.project.review.change_alignment import AlignedWords, Words, align_words, aligned_by_tercom, moved_blocks


class ChangeKind(enum.Enum):
    """Kind of a run of words."""

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

    return _merge(steps())


def _merge(runs: Iterator[ChangeRun]) -> Changes:
    merged: list[tuple[ChangeKind, int, list[str]]] = []
    for run in runs:
        if merged and merged[-1][:2] == (run.kind, run.move):
            merged[-1][2].append(run.text)
        else:
            merged.append((run.kind, run.move, [run.text]))
    return [ChangeRun(kind, "".join(texts), move) for kind, move, texts in merged]
