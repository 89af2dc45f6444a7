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

_HAN = "\u3005-\u3007\u3041-\u3096\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_KATAKANA = "\u30a1-\u30fa\u30fc-\u30fe\u31f0-\u31ff\uff66-\uff9f"


@cache
def _word() -> re.Pattern[str]:
    marks = _ranges([code for code in range(sys.maxunicode + 1) if unicodedata.category(chr(code))[0] == "M"])
    letter = rf"(?:(?![{_HAN}{_KATAKANA}])[\w{marks}])"
    return re.compile(
        rf"[{_HAN}][{marks}]*|[{_KATAKANA}][{_KATAKANA}{marks}]*|{letter}+(?:['’]{letter}+)*|\S[{marks}]*"
    )


def _ranges(codes: list[int]) -> str:
    """A class of characters as ranges; those that are side by side differ from their number in the list by as much."""
    runs = ([code for _, code in run] for _, run in groupby(enumerate(codes), lambda pair: pair[1] - pair[0]))
    return "".join(f"{chr(run[0])}-{chr(run[-1])}" for run in runs)


def words_of(text: str) -> list[tuple[int, int]]:
    """Where each word of a text begins and ends (exclusive)."""
    return [found.span() for found in _word().finditer(text)]
