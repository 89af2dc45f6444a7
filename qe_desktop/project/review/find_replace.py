"""Find and replace in targets: plain text, in what people read; codes are never touched."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.formats.bilingual.plain_lines import LineCode, join_line, split_line

SETTLED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)
"""What another target takes from a segment, for it was said of the one before."""


@dataclass(frozen=True)
class SearchText:
    """What is looked for: plain text, in the case as it is written (`case`), as `whole` words alone."""

    text: str
    case: bool = False
    whole: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """The same as a pattern; a word ends where no letter, digit or mark goes on."""
        plain = re.escape(self.text)
        if self.whole:
            plain = rf"(?<!\w){plain}(?!\w)"
        return re.compile(plain, 0 if self.case else re.IGNORECASE)

    def count(self, line: str) -> int:
        """How often it stands in a line with codes; never across a code."""
        return sum(len(self.pattern.findall(piece)) for piece in split_line(line) if isinstance(piece, str))

    def replaced(self, line: str, by: str) -> str:
        """A line with codes in which something else stands in its place."""
        return join_line(
            piece if isinstance(piece, LineCode) else self.pattern.sub(lambda _: by, piece)
            for piece in split_line(line)
        )


@dataclass(frozen=True, slots=True)
class SearchResult:
    """How often something was found, in which segments, in how many locked ones that are left as they are, and in how
    many that a person is done with (`SETTLED`), and will not be once they are other ones.
    """

    times: int
    segments: tuple[int, ...]
    locked: int
    settled: int = 0


def find_all(
    view: View, segments: Iterable[int], wanted: SearchText, watch: Callable[[float], None] | None = None
) -> SearchResult:
    """Look through the targets of segments; `watch` hears the share that is done, and may raise to stop."""
    if not wanted.text:
        return SearchResult(0, (), 0)
    asked = list(segments)
    times, found, locked = 0, [], 0
    for number, segment in enumerate(asked):
        if watch is not None and number % 1000 == 0:
            watch(number / len(asked))
        count = wanted.count(view.target(segment))
        if count and view.status(segment) is ReviewStatus.LOCKED:
            locked += 1
        elif count:
            times += count
            found.append(segment)
    return SearchResult(times, tuple(found), locked, count_settled(view, found))


def count_settled(view: View, segments: Sequence[int]) -> int:
    """How many of some segments are confirmed or rejected."""
    return int(np.isin(view.statuses()[list(segments)], SETTLED_STATUSES).sum())


def replacements(view: View, found: SearchResult, wanted: SearchText, by: str) -> dict[int, str | None]:
    """The targets that replacing gives, by segment, None where it is the one that was loaded."""
    made: dict[int, str | None] = {}
    for segment in found.segments:
        before = view.target(segment)
        after = wanted.replaced(before, by)
        if after != before:
            made[segment] = None if after == view.corpus.target_line(segment) else after
    return made
