"""Ways of marking the words of a translation beside other texts: differences, edits, matches."""

from __future__ import annotations

from qe_desktop.levels.translations.markings.marks import Against, Form, Mark, Marking, Marks, Sign
from qe_desktop.levels.translations.markings.registry import MARKINGS, NOTHING, usual_marking

__all__ = ["MARKINGS", "NOTHING", "Against", "Form", "Mark", "Marking", "Marks", "Sign", "usual_marking"]
