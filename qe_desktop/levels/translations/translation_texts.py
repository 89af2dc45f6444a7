"""Which texts of a corpus are translations, and which they are scored against."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.levels.level import Selection
from qe_desktop.metrics.text.tokenized_pairs import TokenizedText, Vocabulary

MT_SYSTEM = "MT"
"""What the translation is called that tags belong to, where no system's name is known."""
ALL_REFERENCES = ""
"""The name of all references together."""


def reference_key(name: str) -> LayerKey:
    """One reference, or all of them."""
    return LayerKey(Provenance.GOLD, name, Kind.TRANSLATION)


def system_key(name: str) -> LayerKey:
    """The translation by a system."""
    return LayerKey(Provenance.SYSTEM, name, Kind.TRANSLATION)


def translations_of(corpus: Corpus) -> Mapping[str, TextColumn]:
    """All translations by system; the MT as well where it is none of theirs."""
    written = corpus.text(TextRole.RAW_MT)
    mt = corpus.text(TextRole.MT) if written is None else written
    if mt is None or any(_same(mt, column) for column in corpus.translations.values()):
        return corpus.translations
    return {MT_SYSTEM: mt, **corpus.translations}


# asked at every turn of the window; texts never change, and few are kept for it when they are closed
@lru_cache(maxsize=8)
def _same(one: TextColumn, other: TextColumn) -> bool:
    if one is other or len(one) != len(other):
        return one is other
    return all(one.raw(segment) == other.raw(segment) for segment in range(len(one)))


def scored_references(taken: Selection) -> tuple[TextColumn, ...]:
    """The references that are scored against, in their order."""
    found = taken.view.corpus.references
    return tuple(found.values()) if taken.reference.name == ALL_REFERENCES else (found[taken.reference.name],)


class ScoredTexts:
    """The texts that are scored, to be cut into tokens, each way once: of all segments, or of one `segment` alone."""

    def __init__(self, taken: Selection, segment: int | None = None) -> None:
        self._columns = translations_of(taken.view.corpus)
        self._segment = segment
        self._vocabulary = Vocabulary()
        self.references = tuple(self._text(column) for column in scored_references(taken))

    def translation(self, name: str) -> TokenizedText:
        """A system's; each call makes it anew, so that one system's tokens can go before the next are made."""
        return self._text(self._columns[name])

    def _text(self, column: TextColumn) -> TokenizedText:
        return TokenizedText(
            list(column.lines()) if self._segment is None else [column[self._segment]], self._vocabulary
        )
