"""Detokenization of hand-written tokens."""

from __future__ import annotations

from collections.abc import Sequence

CLOSING = frozenset([".", ",", ":", ";", "?", "!", ")", "]", "“", "”", "'s", "。", "、"])
"""Tokens attached to the word before them; “ is the closing quotation mark for „."""
OPENING = frozenset(["„", "(", "["])
"""Tokens attached to the word after them."""
UNSPACED = frozenset({"ja"})
"""Languages written without spaces between words."""


def as_written(tokens: Sequence[str], language: str) -> str:
    """Return the tokens as a detokenized text of a language; `"` opens and closes quotations alternately."""
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
