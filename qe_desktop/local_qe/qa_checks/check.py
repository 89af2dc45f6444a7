"""What a check is: a name, a rule in words, and what finds what breaks it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from qe_desktop.local_qe.segment_text import Span


class SegmentPair(NamedTuple):
    """A segment's source and MT as text without codes. Languages are small letters without a region, or empty.

    `written` says that the MT is as written, so that its blanks mean something, `source_written` the same of the
    source. Lines are the texts with their codes (`corpus.Job`), empty where there are none.
    """

    segment: int
    source: str
    mt: str
    written: bool = True
    source_written: bool = True
    source_language: str = ""
    language: str = ""
    source_line: str = ""
    mt_line: str = ""


class QaIssue(NamedTuple):
    """A span of the MT, or of the source, and what is wrong with it as people read it; a point is a gap."""

    span: Span
    reason: str
    of_source: bool = False


SegmentPairs = Iterable[SegmentPair]
"""All segments with an MT; they can be gone through several times."""


class OtherSegments(Protocol):
    """What a check may ask of the other segments while it looks at one alone."""

    def has_of_itself(self, word: str) -> bool:
        """Whether any segment's MT has a word that its source has not."""
        ...

    def usual(self, segment: int, text: str) -> tuple[int, str] | None:
        """Where other segments have the source of this one, and not this text for it: the first with what is usual, and
        what that is; else None.
        """
        ...


@dataclass(frozen=True, slots=True)
class Check:
    """`name` is what settings and commands call it, `title` what people do; `rule` says in a sentence what it marks.

    `find` goes through all segments, `at` looks at one of them, whose target may be another by now.
    """

    name: str
    title: str
    rule: str
    find: Callable[[SegmentPairs], Iterator[tuple[int, QaIssue]]]
    at: Callable[[SegmentPair, OtherSegments], Iterable[QaIssue]]

    @classmethod
    def of_each(cls, name: str, title: str, rule: str, find: Callable[[SegmentPair], Iterable[QaIssue]]) -> Check:
        """A check that needs no other segment."""

        def find_all(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
            for pair in pairs:
                for found in find(pair):
                    yield pair.segment, found

        return cls(name, title, rule, find_all, lambda pair, others: find(pair))
