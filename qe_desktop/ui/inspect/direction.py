"""Which way the texts of a segment are drawn: as the person says, else as the language is written that a translator's
file names, else as most of their column runs.
"""

from __future__ import annotations

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.corpus.languages import direction_of_language
from qe_desktop.ui.settings import Settings

AUTO = "auto"


def direction_of(corpus: Corpus, role: TextRole, settings: Settings) -> str:
    """“ltr”, “rtl”, or “auto” where no text of that role says it."""
    source, target = _of_languages(corpus)
    if role is TextRole.SOURCE:
        return _chosen(settings.source_direction, source, corpus.text(role))
    return _chosen(settings.mt_direction, target, corpus.text(role))


def direction_of_translations(corpus: Corpus, settings: Settings) -> str:
    """That of the texts that stand side by side, which are all in one language."""
    columns = (corpus.text(TextRole.MT), *corpus.references.values(), *corpus.translations.values())
    column = next((column for column in columns if column is not None), None)
    return _chosen(settings.mt_direction, _of_languages(corpus)[1], column)


def _of_languages(corpus: Corpus) -> tuple[str, str]:
    """The directions of the languages of source and target that files name; “auto” where they do not."""
    named = corpus.languages if corpus.job is None else corpus.source_and_target()
    return str(direction_of_language(named[0])), str(direction_of_language(named[1]))


def _chosen(wanted: str, of_language: str, column: TextColumn | None) -> str:
    if wanted != AUTO:
        return wanted
    return of_language if of_language != AUTO or column is None else str(column.direction())
