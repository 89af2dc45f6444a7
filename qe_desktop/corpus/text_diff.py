"""Differences between two texts: ranges of words, or of characters in scripts without spaces between words."""

from __future__ import annotations

import re
import unicodedata
from difflib import SequenceMatcher

CharSpan = tuple[int, int]
"""Start and stop (exclusive) of a range of a text, in characters."""

_NON_WHITESPACE = re.compile(r"\S+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def differing_spans(text: str, other_text: str) -> list[CharSpan]:
    """Ranges of `text` that differ from `other_text`; neighbouring ranges are joined across the space between them.

    >>> differing_spans("Der Hund bellt.", "Der Hase bellt!")
    [(4, 8), (14, 15)]
    """
    units, other_units = _units(text), _units(other_text)
    # no junk heuristic for frequent words
    matcher = SequenceMatcher(
        None, [text[a:b] for a, b in units], [other_text[a:b] for a, b in other_units], autojunk=False
    )
    return [
        (units[first][0], units[last - 1][1])
        for kind, first, last, _, _ in matcher.get_opcodes()
        if kind != "equal" and last > first
    ]


def _units(text: str) -> list[CharSpan]:
    """Split a text into words, but punctuation around words and scripts without spaces into single characters."""
    units: list[CharSpan] = []
    for match in _NON_WHITESPACE.finditer(text):
        begin, end = match.span()
        first, last = begin, end
        while first < last and _is_punctuation(text[first]):
            first += 1
        while last > first and _is_punctuation(text[last - 1]):
            last -= 1
        units += [(index, index + 1) for index in range(begin, first)]
        if _UNSPACED.search(text, first, last):
            units += [(index, index + 1) for index in range(first, last)]
        elif last > first:
            units.append((first, last))
        units += [(index, index + 1) for index in range(last, end)]
    return units


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith(("P", "S"))
