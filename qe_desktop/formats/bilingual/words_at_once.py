"""The words of many texts at once, by the rule of `words`: most texts have letters of a byte or two and plain signs."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from qe_desktop.corpus import TextColumn
from qe_desktop.corpus.text import LF, SPACE
from qe_desktop.formats.bilingual.words import tokenised

_BLOCK = 1 << 14
"""Texts that are looked at in one go."""
_UNCOMMON = re.compile(
    "[^\x00-\x7f\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u02af\u03a3-\u03f5\u0400-\u0481\u048a-\u052f\u05d0-\u05ea]"
)
"""What is neither ASCII nor a letter that is part of a word like those of ASCII."""
_BLANK, _WORD, _SIGN, _APOSTROPHE, _END = range(5)
_KINDS = np.full(256, _SIGN, np.uint8)
_KINDS[[9, 11, 12, 13, 28, 29, 30, 31, SPACE]] = _BLANK
_KINDS[[*b"0123456789_ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"]] = _WORD
_KINDS[128:] = _WORD
_KINDS[LF], _KINDS[ord("'")] = _END, _APOSTROPHE


def tokenised_column(texts: Sequence[str]) -> TextColumn:
    """Texts with a blank between their words, one a line."""
    return TextColumn.from_bytes(b"".join(_block(texts[low : low + _BLOCK]) for low in range(0, len(texts), _BLOCK)))


def _block(texts: Sequence[str]) -> bytes:
    # a text that was cut already comes out as it is: nothing is to be cut within what stands alone
    common = [text.isascii() or _UNCOMMON.search(text) is None for text in texts]
    plain = [text if is_common else "" for text, is_common in zip(texts, common, strict=True)]
    joined = "".join([f"{text}\n" for text in plain])
    if joined.count("\n") != len(plain):
        joined = "".join([text.replace("\n", " ") + "\n" for text in plain])
    cut = _cut(np.frombuffer(joined.encode(), np.uint8))
    if all(common):
        return cut
    lines = zip(texts, cut.split(b"\n"), common, strict=False)
    return b"".join([(line if is_common else tokenised(text).encode()) + b"\n" for text, line, is_common in lines])


def _cut(signs: NDArray[np.uint8]) -> bytes:
    """Lines with one blank between their words, and none before the first or behind the last."""
    kinds = _KINDS[signs]
    inner = np.flatnonzero(kinds[1:-1] == _APOSTROPHE) + 1
    within = inner[(kinds[inner - 1] == _WORD) & (kinds[inner + 1] == _WORD)]
    kinds[kinds == _APOSTROPHE] = _SIGN
    kinds[within] = _WORD
    before = np.empty_like(kinds)
    before[:1], before[1:] = _END, kinds[:-1]
    behind = np.empty_like(kinds)
    behind[-1:], behind[:-1] = _END, kinds[1:]
    is_blank = kinds == _BLANK
    # of blanks side by side only the first stays, and none at the ends of a line
    goes = is_blank & ((before == _BLANK) | (before == _END))
    # at the end of a line, what is left of a run of blanks is known only when the run is one blank
    goes |= is_blank & (behind == _END)
    put = ((kinds == _SIGN) & ((before == _WORD) | (before == _SIGN))) | ((kinds == _WORD) & (before == _SIGN))
    out = np.where(is_blank, np.uint8(SPACE), signs)
    places = np.flatnonzero(put)
    out = np.insert(out, places, np.uint8(SPACE))
    keep = np.insert(~goes, places, True)
    lines = out[keep].tobytes()
    return lines if b" \n" not in lines else re.sub(b" +\n", b"\n", lines)
