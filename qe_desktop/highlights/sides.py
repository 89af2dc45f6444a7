"""Source or MT of a corpus as text that can be read: as written where that is there, and where its tokens stand in it.

Tokens belong to the text as written where both have the same letters but for blanks, with Moses' `&quot;` and `@-@`
undone. Where a segment's do not, its tokens stand for its text, with blanks between them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.corpus import EOS, Corpus, Kind, TextColumn, TextRole

Span = tuple[int, int]
"""Where something begins in a text, and where it ends (exclusive)."""
_ESCAPED = {
    "&#124;": "|", "&lt;": "<", "&gt;": ">", "&apos;": "'", "&quot;": '"', "&#91;": "[", "&#93;": "]", "@-@": "-",
}  # fmt: skip
_WRITTEN = {TextRole.SOURCE: TextRole.RAW_SOURCE, TextRole.MT: TextRole.RAW_MT}


@dataclass(frozen=True, slots=True, eq=False)
class Side:
    """Lines of text, one a segment, which of them are as written, and the column of tokens (None where there is none).

    `tokens` are those that tags belong to; without them there is only a text.
    """

    lines: list[str]
    written: list[bool]
    tokens: TextColumn | None

    @classmethod
    def of(cls, corpus: Corpus, role: TextRole) -> Side | None:
        """The source or the MT of a corpus; None where it has neither tokens nor a text as written."""
        tokens, written = corpus.texts.get(role), corpus.texts.get(_WRITTEN[role])
        if tokens is None:
            return None if written is None else cls(list(written.lines()), [True] * len(written), None)
        cut = [undone(line) for line in tokens.lines()]
        if written is None:
            return cls(cut, [False] * len(cut), tokens)
        lines = list(written.lines())
        fits = [_letters(line) == _letters(words) for line, words in zip(lines, cut, strict=True)]
        return cls([line if fit else words for line, words, fit in zip(lines, cut, fits, strict=True)], fits, tokens)

    def places(self, segment: int) -> list[Span]:
        """Where each token stands in the segment's line; that of `<EOS>` is the point behind all others."""
        if self.tokens is None:
            return []
        line = self.lines[segment]
        letters = [place for place, sign in enumerate(line) if not sign.isspace()]
        found: list[Span] = []
        at = 0
        for token in self.tokens.tokens(segment):
            size = 0 if token == EOS else len("".join(_plain(token).split()))
            inside = letters[at : at + size]
            found.append((inside[0], inside[-1] + 1) if inside else (len(line), len(line)))
            at += size
        return found

    def tagged(self, segment: int, span: Span) -> tuple[Kind, range]:
        """What a span of the line lies on: tokens of which it covers a letter, or else the gap that it points into."""
        return lies_on(self.places(segment), self.lines[segment], span)


def lies_on(places: Sequence[Span], line: str, span: Span) -> tuple[Kind, range]:
    """Of tokens at these places of a line: those that a span covers a letter of, or else the gap that it points into.

    Blanks at the ends of a span count for nothing.
    """
    low, high = span
    low += len(line[low:high]) - len(line[low:high].lstrip())
    high -= len(line[low:high]) - len(line[low:high].rstrip())
    inside = [token for token, (begin, end) in enumerate(places) if begin < high and low < end and low < high]
    if inside:
        return Kind.WORDS, range(inside[0], inside[-1] + 1)
    gap = sum(1 for begin, end in places if begin < end and end <= low)
    return Kind.GAPS, range(gap, gap + 1)


def undone(line: str) -> str:
    """A line of tokens without what Moses' tokeniser writes for signs of its own, and without an `<EOS>` at its end."""
    if line.endswith(EOS):
        line = line.removesuffix(EOS).rstrip()
    if "&" not in line and "@-@" not in line:
        return line
    return " ".join(_plain(token) for token in line.split(" "))


def _plain(token: str) -> str:
    if "&" not in token and token != "@-@":
        return token
    if token in _ESCAPED:
        return _ESCAPED[token]
    for written, sign in _ESCAPED.items():
        if written.startswith("&"):
            token = token.replace(written, sign)
    return token.replace("&amp;", "&")


def _letters(line: str) -> str:
    return "".join(line.split())
