"""HTML attributes of the texts of a corpus: language and direction."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from qe_desktop.corpus import Corpus
from qe_desktop.corpus.languages import (
    DIRECTION_SAMPLE,
    Direction,
    language_direction,
    majority_direction,
    parse_language,
)
from qe_desktop.escaping import escape_html
from qe_desktop.formats.bilingual.plain_lines import strip_codes

MAX_LANGUAGE_CHARS = 35
"""Maximum length of a language tag in the page (RFC 5646, section 4.4.1)."""


class TextAttributes:
    """HTML attributes of sources and of targets: language and direction.

    The direction of texts in an unknown language is determined from a sample.
    """

    def __init__(self, corpus: Corpus) -> None:
        self._corpus = corpus
        self._sample = range(0, corpus.size, max(1, corpus.size // DIRECTION_SAMPLE))
        self._sources: dict[str, str] = {}
        self._targets: dict[str, str] = {}

    def source_of(self, segment: int) -> str:
        """Return the attributes of the source of a segment."""
        corpus = self._corpus
        return self._attributes(self._sources, segment, corpus.source_language_of, corpus.source_line)

    def target_of(self, segment: int) -> str:
        """Return the attributes of the target of a segment."""
        corpus = self._corpus
        return self._attributes(self._targets, segment, corpus.target_language_of, corpus.mt_line)

    def _attributes(
        self, known: dict[str, str], segment: int, language_of: Callable[[int], str], line_of: Callable[[int], str]
    ) -> str:
        language = language_of(segment)
        if language not in known:
            sample = (number for number in self._sample if language_of(number) == language)
            known[language] = language_attributes(language, (strip_codes(line_of(number)) for number in sample))
        return known[language]


def language_attributes(language: str, sample: Iterable[str]) -> str:
    """Return the attributes of texts in a language: their direction and, if `language` is a language tag, `lang`.

    The direction of an unknown language is that of most letters in the sample.
    """
    direction = language_direction(language)
    if direction is Direction.NONE:
        direction = majority_direction(sample)
    named = bool(parse_language(language).language) and len(language) <= MAX_LANGUAGE_CHARS
    return f'lang="{escape_html(language.replace("_", "-"))}" dir="{direction}"' if named else f'dir="{direction}"'
