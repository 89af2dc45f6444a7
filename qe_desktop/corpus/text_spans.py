"""Ranges of characters in a text, such as those of tokens, highlighted words or differences from another text.

Tokenizers separate punctuation from words by spaces, and replace some characters: " becomes `&quot;`, a hyphen within a
word becomes `@-@`, and both „ and “ become ". Raw text and tokens match if they are equal after spaces are removed and
these characters, case and Unicode variants are normalized. If they match, the position of each token is certain;
otherwise, no positions are returned.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cache

from qe_desktop.corpus.corpus import EOS, Corpus, TextRole

TokenSpans = tuple[tuple[int, int], ...]
"""Start and stop (exclusive) of each token, in characters."""
MAX_ALIGNED_CHARS = 20_000
"""Maximum number of characters of a text that is compared character by character; longer texts take too long."""
_ESCAPES = {
    "&quot;": '"', "&apos;": "'", "&lt;": "<", "&gt;": ">", "&#91;": "[", "&#93;": "]", "&#124;": "|", "&bar;": "|",
    "&bra;": "[", "&ket;": "]", "&#39;": "'", "&#34;": '"',
    # replaced last, so that `&amp;lt;` becomes `&lt;`, not `<`
    "&amp;": "&",
}  # fmt: skip
"""Escapes used by any version of the Moses tokenizer, with the characters that they stand for."""
_BRACKETS = {
    "-LRB-": "(", "-RRB-": ")", "-LSB-": "[", "-RSB-": "]", "-LCB-": "{", "-RCB-": "}", "``": '"', "''": '"',
}  # fmt: skip
"""Penn Treebank escapes for brackets and quotes, with the characters that they stand for."""
_EQUIVALENT_CHARS = {
    **dict.fromkeys("„“”‟«»″〝〞〟", '"'),
    **dict.fromkeys("‘’‚‛‹›`´′ʼ", "'"),
    **dict.fromkeys("‐‑‒–—―−", "-"),
}


def token_offsets(tokens: Sequence[str], text: str) -> TokenSpans | None:
    """Return the position of each token in a raw (detokenized) text; None if it does not consist of these tokens.

    Escapes, quotes, hyphens, case and Unicode variants are normalized if necessary, unless the text is longer than
    `MAX_ALIGNED_CHARS`. Positions are in text order. They overlap only if several tokens share a character: for
    example, the tokens `. . .` share an ellipsis character.
    """
    offsets = _find_exact_tokens(tokens, text)
    if offsets is not None:
        return offsets
    unescaped = [unescape_token(token) for token in tokens]
    offsets = _find_exact_tokens(unescaped, text)
    if offsets is not None or len(text) > MAX_ALIGNED_CHARS:
        return offsets
    for variant in (unescaped, [_BRACKETS.get(token, token) for token in unescaped]):
        offsets = _match_folded(variant, *_normalized_characters(text))
        if offsets is not None:
            return offsets
    return None


def _find_exact_tokens(tokens: Sequence[str], text: str) -> TokenSpans | None:
    spans, end = [], 0
    for token in tokens:
        start = text.find(token, end)
        if start < 0 or (start > end and not text[end:start].isspace()):
            return None
        end = start + len(token)
        spans.append((start, end))
    return None if text[end:].strip() else tuple(spans)


def unescape_token(token: str) -> str:
    """Replace the escapes of the Moses tokenizer in a token with the original characters."""
    if len(token) == 3 and token[0] == token[2] == "@":
        return token[1]
    if "&" in token:
        for escape, sign in _ESCAPES.items():
            token = token.replace(escape, sign)
    return token


def _normalized_characters(text: str) -> tuple[str, list[int]]:
    """Normalize a text and remove its spaces; also return the offset in `text` of each resulting character."""
    folded = [_fold(character) for character in text]
    return "".join(folded), [index for index, letter in enumerate(folded) for _ in letter]


@cache
def _fold(character: str) -> str:
    """Case-fold and normalize a character; the result is empty for spaces, control and invisible characters."""
    folded = unicodedata.normalize("NFKD", _EQUIVALENT_CHARS.get(character, character)).casefold()
    return "".join(letter for letter in folded if unicodedata.category(letter) not in ("Zs", "Zl", "Zp", "Cc", "Cf"))


def _match_folded(tokens: Sequence[str], folded_text: str, offsets: Sequence[int]) -> TokenSpans | None:
    spans, end = [], 0
    for token in tokens:
        folded_token = "".join(map(_fold, token))
        if not folded_token or not folded_text.startswith(folded_token, end):
            return None
        end += len(folded_token)
        spans.append((offsets[end - len(folded_token)], offsets[end - 1] + 1))
    return None if end < len(folded_text) else tuple(spans)


RAW_ROLES = {
    TextRole.SOURCE: TextRole.RAW_SOURCE,
    TextRole.MT: TextRole.RAW_MT,
    TextRole.POST_EDIT: TextRole.RAW_POST_EDIT,
}
"""Roles of raw texts, by the role of the tokenized text."""


@dataclass(frozen=True, slots=True)
class DisplayText:
    """Displayed `text` of a segment, and the positions of its tagged words.

    `token_spans[i]` is the start and stop (exclusive) of word i in characters; words are in text order.

    If `has_ending_tag` is true, there is one more tag than words; it stands for missing words at the end (`<EOS>`). If
    `is_unaligned` is true, there is a raw text, but the tokens are displayed because the two do not match.
    """

    text: str
    token_spans: TokenSpans
    has_ending_tag: bool = False
    is_unaligned: bool = False

    @classmethod
    def of_tokens(cls, tokens: Sequence[str], *, ending: bool = False, unaligned: bool = False) -> DisplayText:
        """Build a display text from tokens joined by spaces."""
        spans, at = [], 0
        for token in tokens:
            spans.append((at, at + len(token)))
            at += len(token) + 1
        return cls(" ".join(tokens), tuple(spans), ending, unaligned)

    @property
    def words(self) -> list[str]:
        """Tagged words of the displayed text."""
        return [self.text[start:end] for start, end in self.token_spans]


def display_text(corpus: Corpus, role: TextRole, segment: int) -> DisplayText:
    """Display text of a segment: the raw text if the tokens match it, else the tokens; empty if there are no tokens."""
    tokens = corpus.tokens(role, segment)
    ending = role is TextRole.MT and bool(tokens) and tokens[-1] == EOS
    if ending:
        tokens.pop()
    column = corpus.texts.get(RAW_ROLES[role]) if role in RAW_ROLES else None
    if column is None:
        return DisplayText.of_tokens(tokens, ending=ending)
    text = column[segment]
    spans = token_offsets(tokens, text)
    if spans is None:
        return DisplayText.of_tokens(tokens, ending=ending, unaligned=True)
    return DisplayText(text, spans, ending)


_COMBINATION_LABELS = {"any": "any of {names}", "majority": "most of {names}", "all": "all of {names}"}
"""Descriptions of combined layers, by `VotingRule` value; not localized, because they are written to files."""


@dataclass(frozen=True, slots=True)
class HighlightSpan:
    """Highlighted range of characters; `end` is exclusive.

    `strong` is true if all layers agree. Other ranges are drawn less prominently.
    """

    start: int
    end: int
    strong: bool = True


@dataclass(frozen=True, slots=True)
class DisplayedHighlights:
    """Highlighted ranges of the MT, and the layers that determined them.

    `names` are the names of the layers. `agreement` is the required agreement of layers, a `VotingRule` value; it is
    empty for a single layer. `spans` are sorted and disjoint; None if the highlighted words were not recorded.
    """

    names: tuple[str, ...] = ()
    agreement: str = ""
    spans: tuple[HighlightSpan, ...] | None = ()

    @property
    def layer_label(self) -> str:
        """Description of the layers, as written to files, such as “any of A, B”; empty if there are no layers."""
        return _COMBINATION_LABELS.get(self.agreement, "{names}").format(names=", ".join(self.names))


NO_HIGHLIGHTS = DisplayedHighlights()


def highlight_spans(
    text: str, tokens: Sequence[str], marks: Sequence[int], strong: int = 1
) -> tuple[HighlightSpan, ...]:
    """Find the ranges that tokens with a mark other than 0 occupy in a text.

    The ranges of adjacent tokens with equal marks are joined. A range is strong if its mark is at least `strong`.
    Tokens that do not occur in the text are skipped.
    """
    spans: list[HighlightSpan] = []
    last = 0
    for token_span, mark in zip(_token_positions(text, tokens), marks, strict=False):
        if token_span is None:
            continue
        # several tokens may share one character, which is highlighted once
        start, end = max(token_span[0], spans[-1].end if spans else 0), token_span[1]
        if mark and last == mark:
            spans[-1] = HighlightSpan(spans[-1].start, max(start, end), spans[-1].strong)
        elif mark and start >= end:
            # no new range, because the previous one covers the token; the next token may still extend that range
            continue
        elif mark:
            spans.append(HighlightSpan(start, end, mark >= strong))
        last = mark
    return tuple(spans)


def _token_positions(text: str, tokens: Sequence[str]) -> Iterator[tuple[int, int] | None]:
    spans = token_offsets(tokens, text)
    if spans is not None:
        yield from spans
        return
    last = 0
    for token in tokens:
        start = text.find(token, last)
        yield None if start < 0 else (start, start + len(token))
        last = last if start < 0 else start + len(token)


CharSpan = tuple[int, int]
"""Start and stop (exclusive) of a range of a text, in characters."""

_NON_WHITESPACE = re.compile(r"\S+")
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff]")


def differing_spans(text: str, other_text: str) -> list[CharSpan]:
    """Ranges of `text` that differ from `other_text`; neighbouring ranges are joined across the space between them.

    >>> differing_spans("Der Hund bellt.", "Der Hase bellt!")
    [(4, 8), (14, 15)]
    """
    units, other_units = _units(text), _units(other_text)
    # no junk heuristic for frequent words
    matcher = SequenceMatcher(
        None, [text[a:b] for a, b in units], [other_text[a:b] for a, b in other_units], autojunk=False
    )
    return [
        (units[first][0], units[last - 1][1])
        for kind, first, last, _, _ in matcher.get_opcodes()
        if kind != "equal" and last > first
    ]


def _units(text: str) -> list[CharSpan]:
    """Split a text into words; split punctuation around words, and scripts without spaces, into characters."""
    units: list[CharSpan] = []
    for match in _NON_WHITESPACE.finditer(text):
        begin, end = match.span()
        first, last = begin, end
        while first < last and _is_punctuation(text[first]):
            first += 1
        while last > first and _is_punctuation(text[last - 1]):
            last -= 1
        units += [(index, index + 1) for index in range(begin, first)]
        if _UNSPACED.search(text, first, last):
            units += [(index, index + 1) for index in range(first, last)]
        elif last > first:
            units.append((first, last))
        units += [(index, index + 1) for index in range(last, end)]
    return units


def _is_punctuation(character: str) -> bool:
    return unicodedata.category(character).startswith(("P", "S"))
