"""Highlighting styles for comparing the words of a translation with other texts: differences, edits, matches."""

from __future__ import annotations

from qe_desktop.levels.translations.diff_styles.marks import (
    DiffStyle,
    MarkingInput,
    MarkSign,
    MarkStyle,
    TextMark,
    TextMarks,
)
from qe_desktop.levels.translations.diff_styles.registry import DIFF_STYLES, NO_DIFF_STYLE, default_diff_style

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
