"""Texts for a campaign: texts of the open corpus, and translations added from files."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import overload

from qe_desktop.corpus import Corpus, Documents, QeError, SourceLocation, TextColumn, TextRole
from qe_desktop.corpus.corpus import distinct_name, mt_system_name
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.assignment.design_validation import is_reference
from qe_desktop.ratings.campaign import Passage

TranslationSource = Mapping[str, Sequence[str]]
"""Translations, keyed by system, with one text per segment."""

SAMPLE_LINES = 200
"""Approximate number of segments that interactive checks compare with the reference."""


class LazyLines(Sequence[str]):
    """Lines of a text column; a line is decoded when it is accessed."""

    def __init__(self, column: TextColumn) -> None:
        self.column = column

    def __len__(self) -> int:
        return len(self.column)

    @overload
    def __getitem__(self, index: int) -> str: ...
    @overload
    def __getitem__(self, index: slice) -> list[str]: ...
    def __getitem__(self, index: int | slice) -> str | list[str]:
        if isinstance(index, slice):
            return [self.column[segment] for segment in range(*index.indices(len(self)))]
        return self.column[index]


@dataclass(frozen=True, slots=True, eq=False)
class CampaignTexts:
    """Texts from which a campaign is created. Raw texts are preferred to tokenized texts."""

    size: int
    source: Sequence[str] | None = None
    reference: Sequence[str] | None = None
    documents: Documents | None = None
    translations: TranslationSource = field(default_factory=dict)
    human: TranslationSource = field(default_factory=dict)
    """Human translations, which can be rated together with the systems' translations, for comparison."""
    name: str = ""
    languages: tuple[str, str] = ("", "")
    added: frozenset[str] = frozenset()
    """Systems whose translations were added from files."""

    @classmethod
    def of_corpus(cls, corpus: Corpus) -> CampaignTexts:
        """Return the texts of a corpus."""

        def lines(*roles: TextRole) -> LazyLines | None:
            match = next((column for role in roles if (column := corpus.text(role)) is not None), None)
            return None if match is None else LazyLines(match)

        mt = lines(TextRole.RAW_MT, TextRole.MT)
        reference, edited = lines(TextRole.REFERENCE), lines(TextRole.RAW_POST_EDIT, TextRole.POST_EDIT)
        human = {
            distinct_name(name, text.column, corpus.translations): text
            for name, text in (("reference", reference), ("post-edit", edited))
            if text is not None
        }
        source_language, target_language = corpus.source_and_target()
        return cls(
            corpus.size,
            lines(TextRole.RAW_SOURCE, TextRole.SOURCE),
            # a post-edit counts as correct, so it can replace a missing reference
            reference if reference is not None else edited,
            corpus.documents,
            {
                **({mt_system_name(corpus): mt} if mt is not None else {}),
                **{system: LazyLines(translation) for system, translation in corpus.translations.items()},
            },
            {name: text for name, text in human.items() if name not in corpus.translations},
            corpus.name,
            (source_language, target_language),
        )

    def outputs(self) -> dict[str, Sequence[str]]:
        """Return all translations that can be rated, keyed by name; human translations come after those of systems."""
        return {**self.translations, **self.human}

    def is_reference(self, name: str) -> bool:
        """Return whether the translation `name` seems to be identical to the reference, based on a sample."""
        translation = self.outputs().get(name)
        if translation is None or self.reference is None:
            return False
        sample = range(0, self.size, max(1, self.size // SAMPLE_LINES))
        return is_reference(translation, {segment: self.reference[segment] for segment in sample})

    def with_translation(self, name: str, lines: Sequence[str]) -> CampaignTexts:
        """Return a copy of these texts in which the translation by system `name` is added or replaced."""
        return replace(self, translations={**self.translations, name: lines}, added=self.added | {name})

    def passages(self, segments: Iterable[int]) -> tuple[Passage, ...]:
        """Return the source, the reference and the document name of each segment; missing texts are empty."""
        return tuple(
            Passage(
                segment,
                self.source[segment] if self.source is not None else "",
                self.reference[segment] if self.reference is not None else "",
                self.documents.name(segment) if self.documents is not None else "",
            )
            for segment in segments
        )


def read_translation(path: Path, size: int) -> tuple[str, LazyLines]:
    """Read a translation from a plain text file with one segment per line; return the system name and the lines.

    The system is named after the file. Raises QeError if the file cannot be read, is not UTF-8, or does not have
    `size` lines.
    """
    from qe_desktop.formats import read_text, system_name

    column = read_text(path)
    if len(column) != size:
        raise QeError(
            tr(
                "the file has {n:,} {n:line|lines}, but there are {size:,} {size:segment|segments}",
                "",
                len(column),
                size=size,
            ),
            hint=tr("Select a file with one segment per line, in corpus order."),
            place=SourceLocation(path.name),
        )
    return system_name(path), LazyLines(column)
