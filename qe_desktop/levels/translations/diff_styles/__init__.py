"""Styles that mark how the words of a translation differ from other texts or match them."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.i18n.messages import tr
from qe_desktop.levels.translations.diff_styles.edit_styles import DIFFERENCE_STYLE, EDIT_STYLE
from qe_desktop.levels.translations.diff_styles.marks import (
    DiffStyle,
    MarkingInput,
    MarkSign,
    MarkStyle,
    TextMark,
    TextMarks,
)
from qe_desktop.levels.translations.diff_styles.match_styles import CHUNK_STYLE, NGRAM_STYLE, UNIGRAM_STYLE


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
"""Diff styles by name, in display order. To add a style, add it to this dictionary."""


def default_diff_style(metric: str) -> DiffStyle:
    """Return the first diff style that explains a metric, or the word differences if none does."""
    return next((marking for marking in DIFF_STYLES.values() if marking.explains(metric)), DIFFERENCE_STYLE)


__all__ = [
    "DIFF_STYLES",
    "NO_DIFF_STYLE",
    "DiffStyle",
    "MarkSign",
    "MarkStyle",
    "MarkingInput",
    "TextMark",
    "TextMarks",
    "default_diff_style",
]
