"""Positions of tokens in the detokenized text.

Tokenizers split words at spaces and rewrite some characters: `&quot;` for ", `@-@` for a hyphen within a word, " for
both „ and “. Raw text and tokens match if they are equal without spaces and with these characters normalized. Then the
position of each token is certain; otherwise none is returned.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from qe_desktop.corpus.corpus import EOS, Corpus, TextRole

TokenSpans = tuple[tuple[int, int], ...]
"""Where each token begins and ends (exclusive), in characters."""
MAX_ALIGNED_CHARS = 20_000
"""Maximum number of characters of a text that is compared character by character, for speed."""
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
_EQUIVALENT_CHARS = {
    **dict.fromkeys("„“”‟«»″〝〞〟", '"'),
    **dict.fromkeys("‘’‚‛‹›`´′ʼ", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}


def token_offsets(tokens: Sequence[str], text: str) -> TokenSpans | None:
    """Where each token stands in a text as written; None where the text does not consist of these tokens.

    Places come in the order of the text. They share a character only where several tokens stand for it, as `. . .` do
    for an ellipsis.
    """
    found = _as_they_are(tokens, text)
    if found is not None:
        return found
    plain = [unescape_token(token) for token in tokens]
    found = _as_they_are(plain, text)
    if found is not None or len(text) > MAX_ALIGNED_CHARS:
        return found
    for tried in (plain, [_BRACKETS.get(token, token) for token in plain]):
        found = _match_folded(tried, *_signs(text))
        if found is not None:
            return found
    return None


def _as_they_are(tokens: Sequence[str], text: str) -> TokenSpans | None:
    places, at = [], 0
    for token in tokens:
        start = text.find(token, at)
        if start < 0 or (start > at and not text[at:start].isspace()):
            return None
        at = start + len(token)
        places.append((start, at))
    return None if text[at:].strip() else tuple(places)


def unescape_token(token: str) -> str:
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
    kept = (one for one in unicodedata.normalize("NFKD", _EQUIVALENT_CHARS.get(character, character)).casefold())
    return "".join(one for one in kept if unicodedata.category(one) not in ("Zs", "Zl", "Zp", "Cc", "Cf"))


def _match_folded(tokens: Sequence[str], signs: str, where: Sequence[int]) -> TokenSpans | None:
    places, at = [], 0
    for token in tokens:
        wanted = "".join(map(_fold, token))
        if not wanted or not signs.startswith(wanted, at):
            return None
        at += len(wanted)
        places.append((where[at - len(wanted)], where[at - 1] + 1))
    return None if at < len(signs) else tuple(places)


RAW_ROLES = {
    TextRole.SOURCE: TextRole.RAW_SOURCE,
    TextRole.MT: TextRole.RAW_MT,
    TextRole.POST_EDIT: TextRole.RAW_POST_EDIT,
}
"""Where a text stands as it was written, by the text of its tokens."""


@dataclass(frozen=True, slots=True)
class DisplayText:
    """A segment's `text` and the positions of its tagged words: `places[i]` is (start, exclusive stop) in characters,
    in the order of the text.

    `ending`: one more tag follows the last word, for missing words at the end (`<EOS>`). `unaligned`: there is a raw
    text, but it differs from the tokens, so the tokens are displayed.
    """

    text: str
    places: TokenSpans
    ending: bool = False
    unaligned: bool = False

    @classmethod
    def of_tokens(cls, tokens: Sequence[str], *, ending: bool = False, unaligned: bool = False) -> DisplayText:
        """Tokens with blanks between them."""
        places, at = [], 0
        for token in tokens:
            places.append((at, at + len(token)))
            at += len(token) + 1
        return cls(" ".join(tokens), tuple(places), ending, unaligned)

    @property
    def words(self) -> list[str]:
        """The words as they are written."""
        return [self.text[start:end] for start, end in self.places]


def display_text(corpus: Corpus, role: TextRole, segment: int) -> DisplayText:
    """A segment's text as it is shown; an empty one without such a text."""
    tokens = corpus.tokens(role, segment)
    ending = role is TextRole.MT and bool(tokens) and tokens[-1] == EOS
    if ending:
        tokens.pop()
    column = corpus.texts.get(RAW_ROLES[role]) if role in RAW_ROLES else None
    if column is None:
        return DisplayText.of_tokens(tokens, ending=ending)
    text = column[segment]
    places = token_offsets(tokens, text)
    if places is None:
        return DisplayText.of_tokens(tokens, ending=ending, unaligned=True)
    return DisplayText(text, places, ending)
