"""Words in a text as written, by one rule: Unicode letters, digits and their marks make words, all else stands alone.

Where scripts write no blanks, characters tell (after UAX 29, word boundaries): each Han and each hiragana sign is a
word, katakana are one as long as they last. Thai, Lao and Khmer are cut at blanks alone. An apostrophe between letters
is part of a word.
"""

from __future__ import annotations

import re
import sys
import unicodedata
from functools import cache
from itertools import groupby

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


def is_special(sign: str) -> bool:
    """Whether the short rule does not hold for texts with this character."""
    return not sign.isascii() and (ord(sign) >= _BASIC_END or _special().match(sign) is not None)


def words_of(text: str) -> list[tuple[int, int]]:
    """Where each word of a text begins and ends (exclusive)."""
    return [found.span() for found in _rule(text).finditer(text)]


def tokenised(text: str) -> str:
    """The words of a text with a blank between them."""
    return " ".join(_rule(text).findall(text))
