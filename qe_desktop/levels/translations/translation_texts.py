"""Translations and references of a corpus."""

from __future__ import annotations

from collections.abc import Mapping

from qe_desktop.corpus import Corpus, Kind, LayerKey, Provenance, TextColumn, TextRole
from qe_desktop.corpus.corpus import is_same_text, mt_system_name
from qe_desktop.levels.level import Selection
from qe_desktop.metrics.text.tokenized_pairs import TokenizedText, Vocabulary

ALL_REFERENCES = ""
"""Name that stands for all references together."""


def reference_key(name: str) -> LayerKey:
    """Return the key of one reference, or of all references (`ALL_REFERENCES`)."""
    return LayerKey(Provenance.GOLD, name, Kind.TRANSLATION)


def system_key(name: str) -> LayerKey:
    """Return the key of a system's translation."""
    return LayerKey(Provenance.SYSTEM, name, Kind.TRANSLATION)


def translations_of(corpus: Corpus) -> Mapping[str, TextColumn]:
    """Return all translations by system, including the MT unless it is identical to a system's translation."""
    raw_mt = corpus.text(TextRole.RAW_MT)
    mt = corpus.text(TextRole.MT) if raw_mt is None else raw_mt
    if mt is None or any(is_same_text(mt, column) for column in corpus.translations.values()):
        return corpus.translations
    return {mt_system_name(corpus): mt, **corpus.translations}


def scored_references(selection: Selection) -> tuple[TextColumn, ...]:
    """Return the selected reference, or all references in the order of the corpus if all are selected."""
    references = selection.view.corpus.references
    return (
        tuple(references.values())
        if selection.reference.name == ALL_REFERENCES
        else (references[selection.reference.name],)
    )


class ScoredTexts:
    """References and translations of all segments or of one `segment`; each text is tokenized once per tokenizer."""

    def __init__(self, selection: Selection, segment: int | None = None) -> None:
        self._columns = translations_of(selection.view.corpus)
        self._segment = segment
        self._vocabulary = Vocabulary()
        self.references = tuple(self._text(column) for column in scored_references(selection))

    def translation(self, name: str) -> TokenizedText:
        """Return a new `TokenizedText` of a system's translation; it is not cached, so that its tokens can be freed."""
        return self._text(self._columns[name])

    def _text(self, column: TextColumn) -> TokenizedText:
        return TokenizedText(
            list(column.lines()) if self._segment is None else [column[self._segment]], self._vocabulary
        )
