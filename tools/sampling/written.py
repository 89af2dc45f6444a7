"""Texts as people write them, from the tokens in which they were authored."""

from __future__ import annotations

from collections.abc import Sequence

CLOSING = frozenset([".", ",", ":", ";", "?", "!", ")", "]", "“", "”", "'s", "。", "、"])
"""Tokens that stand at the word before them; “ closes what „ opens."""
OPENING = frozenset(["„", "(", "["])
"""Tokens that stand at the word behind them."""
UNSPACED = frozenset({"ja"})
"""Languages that write no blanks between their words."""


def as_written(tokens: Sequence[str], language: str) -> str:
    """The tokens as a text of a language, with blanks where people write them."""
    if language in UNSPACED:
        return "".join(tokens)
    text, open_quote, blank = "", False, False
    for token in tokens:
        closes = token in CLOSING or (token == '"' and open_quote)
        text += (" " if blank and not closes else "") + token
        if token == '"':
            open_quote = not open_quote
        blank = token not in OPENING and not (token == '"' and open_quote)
    return text
