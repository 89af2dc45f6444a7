"""Quality-control items: translations with a phrase replaced by a phrase of equal length from another segment.

The method is that of WMT's direct assessment (`_create_bad_ref` in create_wmt22_tasks.py), with phrases from the
system's own translations. Careful raters should score such an item lower than the original.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from qe_desktop.corpus import QeError
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.random_stream import RandomStream

PHRASE_LENGTHS = ((1, 1), (5, 2), (8, 3), (15, 4), (20, 5))
"""Pairs of maximum segment length and phrase length, in words; longer segments use `MAX_PHRASE_WORDS`."""
MAX_PHRASE_WORDS = 6
MAX_PHRASE_TRIES = 60
"""Number of random translations to try before searching all."""
_SAMPLED_TEXTS = 200
_MIN_UNSPACED_WORD_LENGTH = 4.0
"""Mean number of letters between spaces above which a text in a script of `_UNSPACED` counts as unspaced."""
_UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]")


def phrase_length(length: int, *, characters: bool = False) -> int:
    """Return the length of the phrase to replace in a segment of `length` words; doubled for characters."""
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
    """Return the words, or the characters with their combining marks."""
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
    """Replace a phrase of a segment's translation; `texts` are all of the system's translations, one per segment.

    In segments that are long enough, the phrase is not at the start or end. Raises QeError if no other text has
    a different phrase.
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
    """Return a different phrase of the length of `old` from another text; shorter if no text is long enough.

    Raises QeError if no other text has a different phrase.
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
                "the system's other translations contain no different words",
                number=segment + 1,
            ),
            hint=tr("Set the share of quality-control items to 0."),
        )
    return best
