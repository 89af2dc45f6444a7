"""Registry of diff styles. To add one, add a module and a line in this file."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles.marks import DiffStyle, MarkingInput, TextMark, TextMarks
from qe_desktop.levels.translations.diff_styles.meteor_chunks import CHUNK_STYLE
from qe_desktop.levels.translations.diff_styles.ngram_matches import NGRAM_STYLE
from qe_desktop.levels.translations.diff_styles.ter_edits import EDIT_STYLE
from qe_desktop.levels.translations.diff_styles.unigram_matches import UNIGRAM_STYLE
from qe_desktop.levels.translations.diff_styles.word_differences import DIFFERENCE_STYLE


def _no_marks(against: MarkingInput) -> TextMarks:
    return ()


def _no_description(mark: TextMark, names: Sequence[str]) -> str:
    return ""


NO_DIFF_STYLE = DiffStyle("nothing", tr("none"), tr("Plain text without marks"), (), _no_marks, _no_description)

DIFF_STYLES = {
    marking.name: marking
    for marking in (
        DIFFERENCE_STYLE,
        EDIT_STYLE,
        NGRAM_STYLE,
        UNIGRAM_STYLE,
        CHUNK_STYLE,
        NO_DIFF_STYLE,
    )
}
"""Diff styles by name, in display order."""


def default_diff_style(metric: str) -> DiffStyle:
    """Return the first diff style that explains a metric, or the word differences if none does."""
    return next((marking for marking in DIFF_STYLES.values() if marking.explains(metric)), DIFFERENCE_STYLE)
