"""The words of many texts at once, by the rule of `words`.

Where no text has signs that are words by themselves, or marks, the rule is short: what is neither a blank nor part of
a word gets a blank on either side. The bytes of a block of texts are gone through once for each such sign in it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.text import LF, SPACE
from qe_desktop.formats.bilingual.text_columns import blocks_of, written_column
from qe_desktop.formats.bilingual.words import is_special, tokenised

_OFTEN = b" \n0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Blanks and parts of words, of which nothing is to be asked."""
_APOSTROPHES = "'’"
_ALONE = re.compile(f"[{_APOSTROPHES}](?:(?<!\\w.)|(?!\\w))", re.DOTALL)
"""An apostrophe that is no part of a word."""
_WORD = re.compile(r"\w")


def tokenised_column(texts: Sequence[str]) -> TextColumn:
    """Texts with a blank between their words, one a line."""
    return words_column(written_column(texts))


def words_column(written: TextColumn) -> TextColumn:
    """The same of texts that are there on lines (`written_column`)."""
    return TextColumn.from_bytes(b"".join(map(_block, blocks_of(written))))


def _block(lines: bytes) -> bytes:
    signs = _signs(lines)
    special = "".join([sign for sign in signs if is_special(sign)])
    if not special:
        return _cut(lines, signs)
    has_special = re.compile(f"[{re.escape(special)}]").search
    texts = lines.decode().split("\n")
    is_plain = [has_special(text) is None for text in texts]
    # a text that is cut by itself leaves its line empty
    plain = [text if is_common else "" for text, is_common in zip(texts, is_plain, strict=True)]
    cut = zip(texts, _cut("\n".join(plain).encode(), signs - set(special)).split(b"\n"), is_plain, strict=True)
    return b"\n".join([line if is_common else tokenised(text).encode() for text, line, is_common in cut])


def _signs(lines: bytes) -> set[str]:
    """All characters of a text but those that need no question."""
    return set(lines.translate(None, _OFTEN).decode())


def _cut(lines: bytes, signs: set[str]) -> bytes:
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
