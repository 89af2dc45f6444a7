"""Words as people read them: what stands between blanks, punctuation apart, and characters where there are no blanks.

This is how texts are cut for their differences, so that "mat." and "mat" differ in a full stop. Metrics cut in their
own ways.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence

from qe_desktop.levels.translations.markings.places import Span

_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Scripts that put no blanks between words: Thai, Lao, Burmese, Khmer, kana, Han."""
LONGEST_WORD = 10
"""Characters of such scripts between blanks that still are a word, unless all are katakana, which foreign words are
written in; more are a sentence that nobody cut.
"""
_ONE = re.compile(f"[{_UNSPACED}]")
_FOREIGN = re.compile("[\u30a0-\u30ff\uff66-\uff9f]+")


def words(texts: Sequence[str]) -> list[list[Span]]:
    """The words of texts that are read beside each other; all by characters where one of them is not cut into words."""
    by_character = any(_is_sentence(token) for text in texts for token in text.split())
    return [list(_words(text, by_character)) for text in texts]


def _is_sentence(token: str) -> bool:
    if len(token) <= LONGEST_WORD or _FOREIGN.fullmatch(token):
        return False
    return len(_ONE.findall(token)) > LONGEST_WORD


def _words(text: str, by_character: bool) -> Iterator[Span]:
    for token in re.finditer(r"\S+", text):
        start, end = token.span()
        letters = list(_letters(text, start, end))
        begun: int | None = None
        for number, (first, last) in enumerate(letters):
            alone = _is_punctuation(text, letters, number) or (by_character and _ONE.match(text, first) is not None)
            if alone and begun is not None:
                yield begun, first
                begun = None
            if alone:
                yield first, last
            elif begun is None:
                begun = first
        if begun is not None:
            yield begun, end


def _letters(text: str, start: int, end: int) -> Iterator[Span]:
    """Characters with what belongs to them: marks, joiners and what they join."""
    first = start
    for place in range(start + 1, end):
        if not (_joins(text[place]) or text[place - 1] == "\u200d"):
            yield first, place
            first = place
    if end > start:
        yield first, end


def _joins(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind[0] == "M" or kind == "Cf" or "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_punctuation(text: str, letters: Sequence[Span], number: int) -> bool:
    """Whether a character is a sign of its own; between letters and digits, as in "don't" and "3,5", it is none."""
    if unicodedata.category(text[letters[number][0]])[0] not in "PS":
        return False
    inside = 0 < number < len(letters) - 1
    return not (inside and all(text[letters[near][0]].isalnum() for near in (number - 1, number + 1)))
