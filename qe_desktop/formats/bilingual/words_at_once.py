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
from qe_desktop.formats.bilingual.words import is_special, tokenised

_BLOCK = 1 << 14
"""Texts that are looked at in one go."""
_OFTEN = b" \n0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
"""Blanks and parts of words, of which nothing is to be asked."""
_APOSTROPHES = "'’"
_ALONE = re.compile(f"[{_APOSTROPHES}](?:(?<!\\w.)|(?!\\w))", re.DOTALL)
"""An apostrophe that is no part of a word."""
_WORD = re.compile(r"\w")


def tokenised_column(texts: Sequence[str]) -> TextColumn:
    """Texts with a blank between their words, one a line."""
    return TextColumn.from_bytes(b"".join([_block(texts[low : low + _BLOCK]) for low in range(0, len(texts), _BLOCK)]))


def joined_lines(texts: Sequence[str]) -> str:
    """Texts, each with a line break behind it."""
    return "\n".join([*texts, ""])


def _block(texts: Sequence[str]) -> bytes:
    lines = joined_lines(texts).encode()
    signs = _signs(lines)
    special = "".join([sign for sign in signs if is_special(sign)])
    if not special:
        return _cut(lines if lines.count(b"\n") == len(texts) else _on_lines(texts), signs)
    has_special = re.compile(f"[{re.escape(special)}]").search
    is_plain = [has_special(text) is None for text in texts]
    # a text that is cut by itself leaves its line empty
    plain = [text if is_common else "" for text, is_common in zip(texts, is_plain, strict=True)]
    cut = zip(texts, _cut(_on_lines(plain), signs - set(special)).split(b"\n"), is_plain, strict=False)
    return b"".join([(line if is_common else tokenised(text).encode()) + b"\n" for text, line, is_common in cut])


def _signs(lines: bytes) -> set[str]:
    """All characters of a text but those that need no question."""
    return set(lines.translate(None, _OFTEN).decode())


def _on_lines(texts: Sequence[str]) -> bytes:
    return joined_lines([text.replace("\n", " ") for text in texts]).encode()


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
