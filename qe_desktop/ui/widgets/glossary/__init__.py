"""Definitions of the terms of the program, shown on hover and in the glossary (Shift+F1)."""

from qe_desktop.ui.widgets.glossary.glossary_term import METRICS, RATINGS, GlossaryTerm, matching_terms, metric_terms
from qe_desktop.ui.widgets.glossary.terms import TERMS, term_meaning

__all__ = ["METRICS", "RATINGS", "TERMS", "GlossaryTerm", "matching_terms", "metric_terms", "term_meaning"]
