"""Which way the texts of a segment are drawn: as the person says, else as most of their column runs."""

from __future__ import annotations

from qe_desktop.corpus import Corpus, TextColumn, TextRole
from qe_desktop.ui.settings import Settings

AUTO = "auto"


def direction_of(corpus: Corpus, role: TextRole, settings: Settings) -> str:
    """“ltr”, “rtl”, or “auto” where no text of that role says it."""
    if role is TextRole.SOURCE:
        return _chosen(settings.source_direction, corpus.text(role))
    return _chosen(settings.mt_direction, corpus.text(role))


def direction_of_translations(corpus: Corpus, settings: Settings) -> str:
    """That of the texts that stand side by side, which are all in one language."""
    columns = (corpus.text(TextRole.MT), *corpus.references.values(), *corpus.translations.values())
    return _chosen(settings.mt_direction, next((column for column in columns if column is not None), None))


def _chosen(wanted: str, column: TextColumn | None) -> str:
    return wanted if wanted != AUTO or column is None else str(column.direction())
