"""Words in a text as written, by one rule: Unicode letters, digits and their marks make words, all else stands alone.

Where scripts write no blanks, characters tell (after UAX 29, word boundaries): each Han and each hiragana sign is a
word, katakana are one as long as they last. Thai, Lao and Khmer are cut at blanks alone. An apostrophe between letters
is part of a word.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import cache
from itertools import groupby

import numpy as np

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.corpus.text import LF, SPACE
from qe_desktop.formats.bilingual.segment_columns import iter_line_blocks, text_column

_HAN = "\u3005-\u3007\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_HAN_BEYOND = "\U00020000-\U0003ffff"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\uff66-\uff9f"
_BEYOND = re.compile("[\U00010000-\U0010ffff]")
_BASIC_END = 0x10000
_PLAIN = re.compile(r"\w+(?:['’]\w+)*|\S")
"""The rule where a text has neither marks nor characters that are words by themselves."""


@cache
def _marks(end: int) -> str:
    return _ranges([code for code in range(end) if unicodedata.category(chr(code))[0] == "M"])


@cache
def _special() -> re.Pattern[str]:
    """What the short rule does not know. Classes without characters beyond the first plane are looked up at once."""
    return re.compile(f"[{_HAN}{_KATAKANA}{_marks(_BASIC_END)}]")


@cache
def _word(beyond: bool) -> re.Pattern[str]:
    marks, han = _marks(sys.maxunicode + 1 if beyond else _BASIC_END), _HAN + (_HAN_BEYOND if beyond else "")
    letter = rf"(?:(?![{han}{_KATAKANA}])[\w{marks}])"
    return re.compile(rf"[{han}][{marks}]*|[{_KATAKANA}][{_KATAKANA}{marks}]*|{letter}+(?:['’]{letter}+)*|\S[{marks}]*")


def _ranges(codes: list[int]) -> str:
    """A class of characters as ranges; those that are side by side differ from their number in the list by as much."""
    runs = ([code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


def _rule(text: str) -> re.Pattern[str]:
    """The rule for a text: a short one that finds the same words, and much faster, in most of them."""
    if text.isascii():
        return _PLAIN
    if _BEYOND.search(text) is not None:
        return _word(True)
    return _PLAIN if _special().search(text) is None else _word(False)


def needs_full_rules(sign: str) -> bool:
    """Whether the short rule does not hold for texts with this character."""
    return not sign.isascii() and (ord(sign) >= _BASIC_END or _special().match(sign) is not None)


def word_spans(text: str) -> list[tuple[int, int]]:
    """Where each word of a text begins and ends (exclusive)."""
    return [found.span() for found in _rule(text).finditer(text)]


def tokenize_text(text: str) -> str:
    """The words of a text with a blank between them."""
    return " ".join(_rule(text).findall(text))


_OFTEN = b" \n0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Blanks and parts of words, of which nothing is to be asked."""
_APOSTROPHES = "'’"
_ALONE = re.compile(f"[{_APOSTROPHES}](?:(?<!\\w.)|(?!\\w))", re.DOTALL)
"""An apostrophe that is no part of a word."""
_WORD = re.compile(r"\w")


def tokenize_column(texts: Sequence[str]) -> TextColumn:
    """Texts with a blank between their words, one a line."""
    return tokenize_lines(text_column(texts))


def tokenize_lines(written: TextColumn) -> TextColumn:
    """The same of texts that are there on lines (`written_column`)."""
    return TextColumn.from_bytes(b"".join(map(_block, iter_line_blocks(written))))


def _block(lines: bytes) -> bytes:
    signs = _signs(lines)
    special = "".join([sign for sign in signs if needs_full_rules(sign)])
    if not special:
        return _tokenize_block(lines, signs)
    has_special = re.compile(f"[{re.escape(special)}]").search
    texts = lines.decode().split("\n")
    is_plain = [has_special(text) is None for text in texts]
    # a text that is cut by itself leaves its line empty
    plain = [text if is_common else "" for text, is_common in zip(texts, is_plain, strict=True)]
    cut = zip(
        texts, _tokenize_block("\n".join(plain).encode(), signs - set(special)).split(b"\n"), is_plain, strict=True
    )
    return b"\n".join([line if is_common else tokenize_text(text).encode() for text, line, is_common in cut])


def _signs(lines: bytes) -> set[str]:
    """All characters of a text but those that need no question."""
    return set(lines.translate(None, _OFTEN).decode())


def _tokenize_block(lines: bytes, signs: set[str]) -> bytes:
    """Lines with one blank between their words, and none before the first or behind the last."""
    if not signs.isdisjoint(_APOSTROPHES):
        lines = _ALONE.sub(r" \g<0> ", lines.decode()).encode()
    for sign in signs.difference(_APOSTROPHES):
        if sign.isspace():
            lines = lines.replace(sign.encode(), b" ")
        elif _WORD.match(sign) is None:
            lines = lines.replace(sign.encode(), f" {sign} ".encode())
    return _without_more_blanks(lines)


def _without_more_blanks(lines: bytes) -> bytes:
    codes = np.frombuffer(lines, np.uint8)
    is_blank = codes == SPACE
    goes = is_blank.copy()
    # of blanks side by side the last stays, but none before the end of a line
    goes[:-1] &= is_blank[1:] | (codes[1:] == LF)
    codes = codes[~goes]
    firsts = np.concatenate(([0], np.flatnonzero(codes[:-1] == LF) + 1))
    leading = firsts[codes[firsts] == SPACE]
    return (np.delete(codes, leading) if len(leading) else codes).tobytes()


Span = tuple[int, int]
Spans = list[Span]
_TOKEN = re.compile(r"\S+")


def target_tokenizer(corpus: Corpus) -> Callable[[str], Spans]:
    """How the targets of a corpus are cut into words: by the rule of `words` where there is text as written, and at
    blanks where the MT is there as tokens alone.
    """
    as_written = corpus.job is not None or TextRole.RAW_MT in corpus.texts
    return word_spans if as_written else token_spans


def token_spans(text: str) -> Spans:
    """Where each token begins and ends (exclusive) in a text with blanks between them."""
    return [found.span() for found in _TOKEN.finditer(text)]


def project_tags(tags: Sequence[int], places: Sequence[Span], others: Sequence[Span]) -> list[int]:
    """Tags of what stands at these places as tags of what stands at others in the same text: 1 where any that shares a
    character with it is 1. Places come in the order of the text.
    """
    found = [0] * len(others)
    ends, starts = [high for _, high in others], [low for low, _ in others]
    for (low, high), tag in zip(places, tags, strict=True):
        if tag:
            for other in range(bisect_left(ends, low + 1), bisect_left(starts, high)):
                found[other] = 1
    return found
