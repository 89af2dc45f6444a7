"""Which n-grams of one segment match a reference: what a score's numbers are made of, to be shown in its words."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from qe_desktop.metrics.texts import Cutting, Translated


@dataclass(frozen=True, slots=True)
class MatchingNgram:
    """Tokens of the system from `first` to before `end` that stand in a reference as well, in this order.

    `references` are the numbers, from 0, of those that have them. `counted` is False where the system says them more
    often than any one reference does, and this is one too many: earlier ones count first.
    """

    first: int
    end: int
    references: tuple[int, ...]
    counted: bool

    @property
    def length(self) -> int:
        """How many tokens it has."""
        return self.end - self.first


@dataclass(frozen=True, slots=True)
class MatchingNgrams:
    """The tokens of one segment of a system and its references, and which n-grams match, shorter ones first."""

    tokens: tuple[str, ...]
    references: tuple[tuple[str, ...], ...]
    matches: tuple[MatchingNgram, ...]

    def counted(self, length: int) -> int:
        """How many n-grams of this length count as matches, which is what BLEU sums."""
        return sum(match.counted for match in self.matches if match.length == length)


def matching_ngrams(beside: Translated, segment: int, cutting: Cutting, longest: int = 4) -> MatchingNgrams:
    """The n-grams of 1 to `longest` tokens of a segment of the system that a reference has as well."""
    tokens, *references = cutting([text.lines[segment] for text in (beside.system, *beside.references)])
    matches = []
    for length in range(1, longest + 1):
        counts = [Counter(_ngrams(reference, length)) for reference in references]
        said: Counter[tuple[str, ...]] = Counter()
        for first, ngram in enumerate(_ngrams(tokens, length)):
            having = tuple(number for number, count in enumerate(counts) if ngram in count)
            if having:
                said[ngram] += 1
                counted = said[ngram] <= max(counts[number][ngram] for number in having)
                matches.append(MatchingNgram(first, first + length, having, counted))
    return MatchingNgrams(tuple(tokens), tuple(map(tuple, references)), tuple(matches))


def _ngrams(tokens: list[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(tokens[first : first + length]) for first in range(len(tokens) - length + 1)]
