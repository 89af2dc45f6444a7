"""Shape of a text: a sentence, or a list or table printed by a program, which is laid out with spaces."""

from __future__ import annotations

import re

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK

CASED_LETTERS = "A-Za-zÀ-ÖØ-öø-ɏͰ-ԯԱ-Ֆա-ևḀ-ỿἀ-῿"
"""Letters of scripts with capital letters and spaces between words, for character classes of regular expressions."""
ENTITY = r"&(?:[A-Za-z][A-Za-z0-9]{1,31}|#[0-9]{1,7}|#[xX][0-9A-Fa-f]{1,6});"
"""Pattern of an HTML entity."""
_OPENING, _CLOSING = "\"“„«‘'(¿¡", "\"”“»’')"
_END_MARKS = ".!?…。！？؟"
_SPACED_COLUMNS = re.compile(r"\S {3,}\S")


def is_laid_out(text: str) -> bool:
    """Whether a text has columns separated by spaces, or line breaks other than leading and trailing ones."""
    return LINE_BREAK in text.strip() or _SPACED_COLUMNS.search(text) is not None


def is_sentence(text: str) -> bool:
    """Whether a text begins and ends like a sentence, and has no line breaks or columns within it.

    Labels, lines of lists and most messages of programs are not sentences in this sense.
    """
    stripped = text.strip()
    first = stripped.lstrip(_OPENING)[:1]
    without_closing_marks = stripped.rstrip(_CLOSING)
    # in scripts without capitals, any letter may begin a sentence
    has_sentence_start = first.isdigit() or (first.isalpha() and not first.islower())
    return has_sentence_start and without_closing_marks.endswith(tuple(_END_MARKS)) and not is_laid_out(text)


def count_inner_stops(text: str) -> int:
    """Number of full stops, question marks and exclamation marks after which a new sentence may begin within a text."""
    return len(_INNER_STOP.findall(text))


_INNER_STOP = re.compile(rf"[^\W_][.!?](?=[ {LINE_BREAK}]+[^\Wa-z])")
