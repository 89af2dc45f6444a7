"""Tags of the words of a document's targets as issues of these words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from qe_desktop.corpus import TagColumn
from qe_desktop.formats.bilingual.codes import text_of
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.issue_marks import element_ends
from qe_desktop.formats.bilingual.lines import BREAKS
from qe_desktop.formats.bilingual.quality import Issue
from qe_desktop.formats.bilingual.words import words_of

UNCATEGORIZED = "uncategorized"
"""What ITS 2.0 calls an issue of which nobody has said what it is (8.17); a tag says no more."""


def issues_of_tags(document: Document, tags: TagColumn) -> dict[int, list[Issue]]:
    """An issue for each word that is BAD, by the numbers of segments from 0; the words are those of `words`.

    A word in which an element begins or ends gets one for each of its parts. ValueError where the tags are not one for
    each word.
    """
    issues: dict[int, list[Issue]] = {}
    for number, (segment, row) in enumerate(zip(document.segments, range(len(tags)), strict=True)):
        target = segment.target or ()
        words = words_of(text_of(target))
        bad = [word for word, tag in zip(words, tags[row].tolist(), strict=True) if tag]
        if bad:
            ends = element_ends(target)
            issues[number] = [_issue(*part) for low, high in bad for part in _parts(low, high, ends)]
    return issues


def issues_of_spans(document: Document, spans: Mapping[int, Sequence[tuple[int, int]]]) -> dict[int, list[Issue]]:
    """An issue for each span of the texts of targets, by the numbers of segments from 0.

    Spans are places in the lines of targets without codes, where a line break is one character whatever the file has.
    """
    issues: dict[int, list[Issue]] = {}
    for number, marked in spans.items():
        target = document.segments[number].target or ()
        more = [(found.start(), len(found[0]) - 1) for found in BREAKS.finditer(text_of(target)) if len(found[0]) > 1]
        ends = element_ends(target)
        found = [_parts(_moved(low, more), _moved(high, more), ends) for low, high in marked]
        # what several checks mark is one issue
        issues[number] = [_issue(*part) for part in dict.fromkeys(part for parts in found for part in parts)]
    return issues


def _moved(place: int, breaks: Sequence[tuple[int, int]]) -> int:
    """A place in a line as one in the text of the file, whose longer line breaks are given with their places."""
    for at, more in breaks:
        place += more if at < place else 0
    return place


def _issue(start: int, end: int) -> Issue:
    return Issue(start, end, UNCATEGORIZED, on_words=True)


def _parts(low: int, high: int, ends: list[int]) -> list[tuple[int, int]]:
    cuts = [low, *dict.fromkeys(end for end in ends if low < end < high), high]
    return list(pairwise(cuts))
