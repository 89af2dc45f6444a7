"""Where the tokens of a text stand in the text as it was written.

Tokenisers part words by blanks and write some signs otherwise: `&quot;` for ", `@-@` for a hyphen within a word, " for
both „ and “. Written text and tokens are held to be the same where nothing else sets them apart: without blanks and
with all such signs written in one way, they are one string. Then each token's place is certain; else none is given.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from functools import cache

Places = tuple[tuple[int, int], ...]
"""Where each token begins and ends (exclusive), in characters."""
LONGEST = 20_000
"""Characters of a text at the most whose signs are looked at one by one; nobody would wait for more."""
_ESCAPES = {
    "&quot;": '"', "&apos;": "'", "&lt;": "<", "&gt;": ">", "&#91;": "[", "&#93;": "]", "&#124;": "|", "&bar;": "|",
    "&bra;": "[", "&ket;": "]", "&#39;": "'", "&#34;": '"',
    # the last one, so that what it uncovers stays
    "&amp;": "&",
}  # fmt: skip
"""What the tokeniser of Moses writes for signs that mean something to it, in all its versions."""
_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
"""What the Penn treebank writes for brackets and quotes."""
_ALIKE = {
    **dict.fromkeys("„“”‟«»″〝〞〟", '"'),
    **dict.fromkeys("‘’‚‛‹›`´′ʼ", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}


def places_of(tokens: Sequence[str], text: str) -> Places | None:
    """Where each token stands in a text as written; None where the text does not consist of these tokens.

    Places come in the order of the text. They share a character only where several tokens stand for it, as `. . .` do
    for an ellipsis.
    """
    found = _as_they_are(tokens, text)
    if found is not None:
        return found
    plain = [unescaped(token) for token in tokens]
    found = _as_they_are(plain, text)
    if found is not None or len(text) > LONGEST:
        return found
    for tried in (plain, [_BRACKETS.get(token, token) for token in plain]):
        found = _folded(tried, *_signs(text))
        if found is not None:
            return found
    return None


def _as_they_are(tokens: Sequence[str], text: str) -> Places | None:
    places, at = [], 0
    for token in tokens:
        start = text.find(token, at)
        if start < 0 or (start > at and not text[at:start].isspace()):
            return None
        at = start + len(token)
        places.append((start, at))
    return None if text[at:].strip() else tuple(places)


def unescaped(token: str) -> str:
    """A token as it is written: without what the tokeniser of Moses writes for signs that mean something to it."""
    if len(token) == 3 and token[0] == token[2] == "@":
        return token[1]
    if "&" in token:
        for escape, sign in _ESCAPES.items():
            token = token.replace(escape, sign)
    return token


def _signs(text: str) -> tuple[str, list[int]]:
    """A text without blanks and with alike signs written in one way, and where in the text each of its signs stands."""
    folded = [_fold(character) for character in text]
    return "".join(folded), [place for place, one in enumerate(folded) for _ in one]


@cache
def _fold(character: str) -> str:
    """A character without regard to its case and form; nothing for blanks and for what is not seen."""
    kept = (one for one in unicodedata.normalize("NFKD", _ALIKE.get(character, character)).casefold())
    return "".join(one for one in kept if unicodedata.category(one) not in ("Zs", "Zl", "Zp", "Cc", "Cf"))


def _folded(tokens: Sequence[str], signs: str, where: Sequence[int]) -> Places | None:
    places, at = [], 0
    for token in tokens:
        wanted = "".join(map(_fold, token))
        if not wanted or not signs.startswith(wanted, at):
            return None
        at += len(wanted)
        places.append((where[at - len(wanted)], where[at - 1] + 1))
    return None if at < len(signs) else tuple(places)
