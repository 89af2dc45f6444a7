"""Quality-control items: translations in which a phrase is replaced by a phrase from another segment.

The method is that of WMT's direct assessment (`_create_bad_ref` in create_wmt22_tasks.py), but the new phrase is from
another translation by the same system. The new phrase is as long as the replaced one, if possible. Careful raters
should score a quality-control item lower than the original translation.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.random_stream import RandomStream

PHRASE_LENGTHS = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
"""Pairs (maximum segment length, length of the replaced phrase) in words; longer segments use `MAX_PHRASE_WORDS`."""
MAX_PHRASE_WORDS = 6
MAX_PHRASE_TRIES = 60
"""Number of random translations in which a new phrase is sought before all translations are searched."""
_SAMPLED_TEXTS = 200
_MIN_UNSPACED_WORD_LENGTH = 4.0
"""Mean number of characters between spaces above which texts mainly in `_UNSPACED` scripts count as unspaced."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def phrase_length(length: int, *, characters: bool = False) -> int:
    """Return the number of words to replace in a segment of `length` words.

    With `characters`, `length` and the result are numbers of characters, and the result is twice as large.
    """
    words = next((phrase for limit, phrase in PHRASE_LENGTHS if length <= limit), MAX_PHRASE_WORDS)
    return 2 * words if characters else words


def is_unspaced(texts: Sequence[str]) -> bool:
    """Return whether texts have no spaces between words, as in Chinese, Japanese, Thai, Lao, Khmer and Burmese.

    Tokenized texts in these scripts count as spaced.
    """
    sample = "\n".join(texts[index] for index in range(0, len(texts), max(1, len(texts) // _SAMPLED_TEXTS)))
    words = sample.split()
    word_characters = sum(map(len, words))
    return 2 * len(_UNSPACED.findall(sample)) > word_characters > _MIN_UNSPACED_WORD_LENGTH * len(words)


def phrase_units(text: str, *, characters: bool) -> list[str]:
    """Return the words of a text or, with `characters`, its characters, each with its combining marks."""
    if not characters:
        return text.split()
    pieces: list[str] = []
    for letter in text:
        if pieces and (unicodedata.category(letter) in ("Mn", "Mc", "Me") or letter in "\u200d\ufe0f"):
            pieces[-1] += letter
        else:
            pieces.append(letter)
    return pieces


def degrade_segment(texts: Sequence[str], segment: int, stream: RandomStream, *, characters: bool = False) -> str:
    """Return the translation of a segment, with one phrase replaced by a phrase from another segment.

    `texts` are the translations of all segments by one system. With `characters`, a phrase is a sequence of characters
    instead of words. In segments that are long enough, the replaced phrase is neither at the start nor at the end.
    Raises QeError if the other texts contain no phrase that differs from the replaced phrase.
    """
    pieces = phrase_units(texts[segment], characters=characters)
    length = min(phrase_length(len(pieces), characters=characters), len(pieces))
    max_begin = len(pieces) - length
    begin = 1 + stream.randbelow(max_begin - 1) if max_begin > 1 else stream.randbelow(max_begin + 1)
    old = pieces[begin : begin + length]
    new = _phrase(texts, segment, old, stream, characters=characters)
    separator = "" if characters else " "
    return separator.join((*pieces[:begin], *new, *pieces[begin + length :]))


def _phrase(texts: Sequence[str], segment: int, old: list[str], stream: RandomStream, *, characters: bool) -> list[str]:
    """Return a phrase from another segment that differs from `old`; the phrase is as long as `old`, if possible.

    Raises QeError if the other segments contain no phrase that differs from `old`.
    """
    for _ in range(MAX_PHRASE_TRIES):
        source = stream.randbelow(len(texts))
        pieces = phrase_units(texts[source], characters=characters) if source != segment else []
        max_begin = len(pieces) - len(old)
        if max_begin >= 0:
            begin = stream.randbelow(max_begin + 1)
            if pieces[begin : begin + len(old)] != old:
                return pieces[begin : begin + len(old)]
    best: list[str] = []
    for source in stream.permutation(len(texts)):
        pieces = phrase_units(texts[source], characters=characters)[: len(old)] if source != segment else []
        if len(pieces) > len(best) and pieces != old:
            best = pieces
    if not best:
        # every other text begins with the old phrase, so a different phrase can only follow it
        for source in stream.permutation(len(texts)):
            pieces = phrase_units(texts[source], characters=characters) if source != segment else []
            begins = range(len(pieces) - len(old) + 1)
            phrases = (pieces[begin : begin + len(old)] for begin in begins)
            best = next((phrase for phrase in phrases if phrase != old), [])
            if best:
                return best
        raise QeError(
            tr(
                "cannot create a quality-control item for segment {number:,}: "
                "one system's translations of other segments contain no different words",
                number=segment + 1,
            ),
            hint=tr("Set the share of quality-control items to 0."),
        )
    return best
