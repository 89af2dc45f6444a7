"""Find and replace in targets: plain text only; inline codes are never changed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from qe_desktop.corpus import ReviewStatus, View
from qe_desktop.formats.bilingual.plain_lines import LineCode, join_line, split_line

SETTLED_STATUSES = (ReviewStatus.CONFIRMED, ReviewStatus.REJECTED)
"""Statuses that are reset when the target changes."""


@dataclass(frozen=True)
class SearchText:
    """Plain text to search for; the options restrict matches to those with the same case or to whole words."""

    text: str
    is_case_sensitive: bool = False
    whole_words_only: bool = False

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Regular expression for the text.

        Whole words are delimited by characters other than letters, digits and underscores.
        """
        expression = re.escape(self.text)
        if self.whole_words_only:
            expression = rf"(?<!\w){expression}(?!\w)"
        return re.compile(expression, 0 if self.is_case_sensitive else re.IGNORECASE)

    def count(self, line: str) -> int:
        """Return the number of matches in a line with codes; a match never spans a code."""
        return sum(len(self.pattern.findall(piece)) for piece in split_line(line) if isinstance(piece, str))

    def spans(self, line: str) -> Iterator[tuple[int, int]]:
        """Yield the start and end of each match in a line with codes, as offsets that do not count codes."""
        offset = 0
        for piece in split_line(line):
            if isinstance(piece, str):
                for match in self.pattern.finditer(piece):
                    yield offset + match.start(), offset + match.end()
                offset += len(piece)

    def replace(self, line: str, by: str) -> str:
        """Return a line with codes in which all matches are replaced with `by` (see `replacement_of`)."""
        return join_line(
            piece
            if isinstance(piece, LineCode)
            else self.pattern.sub(lambda match: self.replacement_of(match[0], by), piece)
            for piece in split_line(line)
        )

    def replacement_of(self, match: str, by: str) -> str:
        """Return the text that replaces a match: `by`, with the capitals of the match if the search ignores case.

        As in word processors, a match in capitals is replaced with capitals, and an initial capital is kept. If `by`
        contains capitals, or differs from the search text only in case, it is returned unchanged.
        """
        if self.is_case_sensitive or by != by.lower() or by == self.text.lower():
            return by
        if len(match) > 1 and match.isupper():
            return by.upper()
        return by[:1].title() + by[1:] if match[:1].isupper() else by


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Result of a search in the targets of segments.

    `segments` are the unlocked segments with matches, and `match_count` is the number of their matches. `locked` is the
    number of locked segments with matches. `settled_count` is the number of unlocked segments with matches whose status
    a replacement would reset (see `SETTLED_STATUSES`).
    """

    match_count: int
    segments: tuple[int, ...]
    locked: int
    settled_count: int = 0


def find_all(
    view: View, segments: Iterable[int], query: SearchText, on_progress: Callable[[float], None] | None = None
) -> SearchResult:
    """Search the targets of segments; `on_progress` receives the fraction done and may raise an exception to stop.

    An empty search term has no matches.
    """
    if not query.text:
        return SearchResult(0, (), 0)
    listed = list(segments)
    times, matching, locked = 0, [], 0
    for number, segment in enumerate(listed):
        if on_progress is not None and number % 1000 == 0:
            on_progress(number / len(listed))
        count = query.count(view.target(segment))
        if count and view.is_locked(segment):
            locked += 1
        elif count:
            times += count
            matching.append(segment)
    return SearchResult(times, tuple(matching), locked, count_settled(view, matching))


class TargetMatch(NamedTuple):
    """Match in the target of a segment; `start` and `end` are offsets that do not count codes.

    `wrapped` is true if the search passed the last segment (or, backward, the first one) to find the match.
    """

    segment: int
    start: int
    end: int
    wrapped: bool = False


def next_match(
    view: View, segments: Sequence[int], matching: Collection[int], query: SearchText, at: TargetMatch, step: int = 1
) -> TargetMatch | None:
    """Return the match after `at` or, if `step` is −1, the match before `at`; None if there is none.

    The segment of `at` and the `matching` segments are searched in the order of `segments`, except locked ones. The
    search wraps around at the end (or start) of `segments`.
    """
    order, matching = segments[::step], set(matching)
    index = order.index(at.segment) if at.segment in order else -1
    edge = 0 if step > 0 else -1

    def spans(segment: int) -> list[tuple[int, int]]:
        return [] if view.is_locked(segment) else list(query.spans(view.target(segment)))

    own_spans = spans(at.segment) if index >= 0 else []
    following = [span for span in own_spans if (span[0] >= at.end if step > 0 else span[1] <= at.start)]
    if following:
        return TargetMatch(at.segment, *following[edge])
    for wrapped, part in ((False, order[index + 1 :]), (True, order[: max(index, 0)])):
        for segment in part:
            if segment in matching and (segment_spans := spans(segment)):
                return TargetMatch(segment, *segment_spans[edge], wrapped)
    return TargetMatch(at.segment, *own_spans[edge], True) if own_spans else None


def count_settled(view: View, segments: Sequence[int]) -> int:
    """Return the number of segments that are confirmed or rejected."""
    return int(np.isin(view.statuses()[list(segments)], SETTLED_STATUSES).sum())


def replacements(view: View, matches: SearchResult, query: SearchText, by: str) -> dict[int, str | None]:
    """Return the new target of each segment that a replacement changes; None stands for the loaded target."""
    targets: dict[int, str | None] = {}
    for segment in matches.segments:
        before = view.target(segment)
        after = query.replace(before, by)
        if after != before:
            targets[segment] = None if after == view.corpus.target_line(segment) else after
    return targets
