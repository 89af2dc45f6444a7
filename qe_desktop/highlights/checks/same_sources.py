"""Segments that have one source, and how their targets are translated: usually, and otherwise."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.highlights.checks.consistency import has_letters

Segments = NDArray[np.int64]
Target = Callable[[int], tuple[str, bool]]
"""The target of a segment as text without codes, and whether a person has settled on it."""
NONE = -1


def source_column(corpus: Corpus) -> TextColumn | None:
    """The sources as they are compared: with their codes, and as written where that is there."""
    if corpus.job is not None:
        return corpus.job.sources
    return corpus.texts.get(TextRole.RAW_SOURCE, corpus.texts.get(TextRole.SOURCE))


def same_source(corpus: Corpus, segment: int) -> Segments:
    """The segments with the source of this one, to the letter, itself among them; looked up without an index."""
    column = source_column(corpus)
    if column is None:
        return np.zeros(0, np.int64)
    wanted = column.raw(segment)
    alike = np.flatnonzero(column.ends - column.starts == len(wanted))
    return np.array([one for one in alike.tolist() if column.raw(one) == wanted], np.int64)


class SameSources:
    """All segments by their sources; whatever blanks these have. What the targets are is asked when it is needed."""

    def __init__(self, corpus: Corpus, watch: Callable[[], object] = lambda: None) -> None:
        self._column = column = source_column(corpus)
        keys = np.fromiter(_keys(column, watch), np.int64) if column is not None else np.zeros(0, np.int64)
        _, of_segment, counts = np.unique(keys, return_inverse=True, return_counts=True)
        self._of_segment = np.where(counts[of_segment] > 1, of_segment, NONE) if len(keys) else keys
        self._order = np.argsort(self._of_segment, kind="stable")
        self._sorted = self._of_segment[self._order]
        self._groups: dict[int, Group] = {}

    def group(self, segment: int, target: Target) -> Group | None:
        """The segments with the source of this one; None where no other has it, or it has no letters."""
        number = int(self._of_segment[segment])
        if number == NONE or self._column is None:
            return None
        if number in self._groups or not has_letters(self._column[segment]):
            return self._groups.get(number)
        low, high = np.searchsorted(self._sorted, [number, number + 1])
        found = self._groups[number] = Group(self._order[low:high], target)
        return found

    def groups(self) -> Iterable[Group]:
        """Those that were asked for so far."""
        return self._groups.values()


def _keys(column: TextColumn, watch: Callable[[], object]) -> Iterator[int]:
    for segment in range(len(column)):
        if not segment % 4096:
            watch()
        yield hash(b" ".join(column.raw(segment).split()))


class Group:
    """Segments of one source with their targets as they are now. Empty targets are none.

    What a person settled on counts before what nobody has touched: where one of several is mended, the others differ.
    """

    def __init__(self, members: Segments, target: Target) -> None:
        self.members = np.sort(members)
        self._texts: list[str] = []
        self._numbers: dict[str, int] = {}
        given = [target(int(segment)) for segment in self.members]
        self._text = np.array([self._number(text) for text, _ in given], np.int64)
        self._settled = np.array([settled for _, settled in given], bool)

    def set(self, segment: int, text: str, settled: bool) -> None:
        """A segment has another target."""
        place = int(np.searchsorted(self.members, segment))
        self._text[place], self._settled[place] = self._number(text), settled

    def usual(self, segment: int = NONE, text: str = "", *, settled: bool = False) -> tuple[int, str] | None:
        """The first segment with what is usual, and what that is; None where nothing is translated. With a `segment`:
        as it would be if this had another target.
        """
        numbers, sure = self._text, self._settled
        if segment != NONE:
            place = int(np.searchsorted(self.members, segment))
            numbers, sure = numbers.copy(), sure.copy()
            numbers[place] = self._numbers.get(_plain(text), len(self._texts)) if text.strip() else NONE
            sure[place] = settled
        there = numbers != NONE
        counted = numbers[there & sure] if (there & sure).any() else numbers[there]
        if not len(counted):
            return None
        counts = np.bincount(counted, minlength=len(self._texts) + 1)
        usual = int(counted[np.argmax(counts[counted])])
        return int(self.members[np.argmax(numbers == usual)]), text if usual == len(self._texts) else self._texts[usual]

    @property
    def is_settled(self) -> bool:
        """Whether a person settled on any of its targets."""
        return bool(self._settled.any())

    def odd(self) -> Segments:
        """The segments that are translated otherwise."""
        usual = self.usual()
        if usual is None:
            return np.zeros(0, np.int64)
        found = self.members[(self._text != NONE) & (self._text != self._numbers[_plain(usual[1])])]
        return np.asarray(found)

    def _number(self, text: str) -> int:
        plain = _plain(text)
        if not plain:
            return NONE
        if plain not in self._numbers:
            self._numbers[plain] = len(self._texts)
            self._texts.append(text)
        return self._numbers[plain]


def _plain(text: str) -> str:
    return " ".join(text.split())
