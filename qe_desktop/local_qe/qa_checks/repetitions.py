"""Segments that have one source, and how their targets are translated: usually, and otherwise.

Columns over all segments: what one edit moves is looked up in the segments of one source, however many others repeat.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from copy import copy
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.formats.bilingual.line_codes import text_of_line
from qe_desktop.highlights.checks.consistency import has_letters

Segments = NDArray[np.int64]
NONE = -1
"""The number of a group that is none, and of a text that is none."""
OFTEN = 4096
"""Segments between two looks at whether anyone still waits."""


class Now(NamedTuple):
    """The target of a segment as text without codes, and whether a person has settled on it."""

    segment: int
    text: str
    settled: bool


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
    """All segments by their sources, whatever blanks these have, with their targets as they are now.

    What a person settled on counts before what nobody has touched: where one of several is mended, the others differ.
    Empty targets are none, and sources without letters are not compared. Sources and targets are told apart by their
    hashes.
    """

    def __init__(self, corpus: Corpus, watch: Callable[[], object] = lambda: None) -> None:
        self._column = column = source_column(corpus)
        keys = np.fromiter(_keys(column, watch), np.int64) if column is not None else np.zeros(0, np.int64)
        _, of_segment, counts = np.unique(keys, return_inverse=True, return_counts=True)
        self._of_segment = np.where(counts[of_segment] > 1, of_segment, NONE) if len(keys) else keys
        self._order = np.argsort(self._of_segment, kind="stable")
        self._sorted = self._of_segment[self._order]
        self._texts = np.full(len(keys), NONE, np.int64)
        for turn, segment in enumerate(np.flatnonzero(self._of_segment != NONE).tolist()):
            if not turn % OFTEN:
                watch()
            self._texts[segment] = _text_key(text_of_line(corpus.mt_line(segment)))
        self._settled = np.zeros(len(keys), bool)
        self.odd: NDArray[np.bool_] = np.zeros(len(keys), bool)
        """The segments that are translated otherwise than is usual, where a person settled on any target of their
        source, shape (segments,).
        """

    def copy(self) -> SameSources:
        """The same, which goes its own way from now on."""
        other = copy(self)
        other._texts, other._settled, other.odd = self._texts.copy(), self._settled.copy(), self.odd.copy()
        return other

    def members(self, segment: int) -> Segments:
        """The segments with the source of this one, ascending; none where no other has it, or it has no letters."""
        number = self._of_segment[segment] if len(self._of_segment) else NONE
        if number == NONE or self._column is None or not has_letters(self._column[segment]):
            return np.zeros(0, np.int64)
        low, high = np.searchsorted(self._sorted, [number, number + 1])
        return self._order[low:high]

    def put(self, targets: Iterable[Now]) -> None:
        """Segments have other targets."""
        moved: dict[int, int] = {}
        for segment, text, settled in targets:
            number = int(self._of_segment[segment]) if len(self._of_segment) else NONE
            if number != NONE:
                self._texts[segment], self._settled[segment] = _text_key(text), settled
                moved[number] = segment
        for segment in moved.values():
            members = self.members(segment)
            texts, sure = self._texts[members], self._settled[members]
            self.odd[members] = (texts != NONE) & (texts != _usual(texts, sure)) & sure.any()

    def usual(self, now: Now) -> int | None:
        """The first segment with what is usual, as it would be if this one were so; None where this one has it, or
        nothing is translated.
        """
        members = self.members(now.segment)
        if not len(members):
            return None
        place = np.searchsorted(members, now.segment)
        texts, settled = self._texts[members], self._settled[members]
        texts[place], settled[place] = _text_key(now.text), now.settled
        usual = _usual(texts, settled)
        return None if usual in (NONE, texts[place]) else int(members[np.argmax(texts == usual)])


def _usual(texts: NDArray[np.int64], settled: NDArray[np.bool_]) -> int:
    """The most frequent text of those that count, of several the first; NONE where there is none."""
    there = texts != NONE
    sure = there & settled
    counted = texts[sure if sure.any() else there]
    if not len(counted):
        return NONE
    found, firsts, counts = np.unique(counted, return_index=True, return_counts=True)
    most = counts == counts.max()
    return int(found[most][np.argmin(firsts[most])])


def _keys(column: TextColumn, watch: Callable[[], object]) -> Iterator[int]:
    for segment in range(len(column)):
        if not segment % OFTEN:
            watch()
        yield hash(b" ".join(column.raw(segment).split()))


def _text_key(text: str) -> int:
    """What tells a text from others, whatever blanks they have. No hash of Python's is −1."""
    words = text.split()
    return hash(" ".join(words)) if words else NONE
