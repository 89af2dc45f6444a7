"""A segment's text as people read it, with the places of its words: as written where that is known, else its tokens."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from qe_desktop.corpus.aligned import Places, places_of
from qe_desktop.corpus.corpus import EOS, Corpus, TextRole

AS_WRITTEN = {
    TextRole.SOURCE: TextRole.RAW_SOURCE,
    TextRole.MT: TextRole.RAW_MT,
    TextRole.POST_EDIT: TextRole.RAW_POST_EDIT,
}
"""Where a text stands as it was written, by the text of its tokens."""


@dataclass(frozen=True, slots=True)
class Written:
    """A segment's `text`, and where in it each word stands that carries a tag: `places[i]` begins and ends (exclusive)
    in characters, in the order of the text.

    `ending` says that one more tag stands for what is missing behind the last word (`<EOS>`, which is no word).
    `unaligned` says that the text is there as it was written but is not what the tokens spell, so that these are shown.
    """

    text: str
    places: Places
    ending: bool = False
    unaligned: bool = False

    @classmethod
    def of_tokens(cls, tokens: Sequence[str], *, ending: bool = False, unaligned: bool = False) -> Written:
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


def written(corpus: Corpus, role: TextRole, segment: int) -> Written:
    """A segment's text as it is shown; an empty one without such a text."""
    tokens = corpus.tokens(role, segment)
    ending = role is TextRole.MT and bool(tokens) and tokens[-1] == EOS
    if ending:
        tokens.pop()
    column = corpus.texts.get(AS_WRITTEN[role]) if role in AS_WRITTEN else None
    if column is None:
        return Written.of_tokens(tokens, ending=ending)
    text = column[segment]
    places = places_of(tokens, text)
    if places is None:
        return Written.of_tokens(tokens, ending=ending, unaligned=True)
    return Written(text, places, ending)
