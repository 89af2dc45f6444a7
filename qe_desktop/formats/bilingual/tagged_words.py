"""Tags of the words of a document's targets as issues of these words."""

from __future__ import annotations

from itertools import pairwise

from qe_desktop.corpus import TagColumn
from qe_desktop.formats.bilingual.codes import text_of
from qe_desktop.formats.bilingual.document import Document
from qe_desktop.formats.bilingual.issue_marks import element_ends
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


def _issue(start: int, end: int) -> Issue:
    return Issue(start, end, UNCATEGORIZED, on_words=True)


def _parts(low: int, high: int, ends: list[int]) -> list[tuple[int, int]]:
    cuts = [low, *dict.fromkeys(end for end in ends if low < end < high), high]
    return list(pairwise(cuts))
