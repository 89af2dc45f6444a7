"""Terms of the evaluation view, of files and of checks, for the glossary."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.glossary.glossary_term import REVIEW, SCORES, TAGS, GlossaryTerm

EVALUATION_TERMS = (
    GlossaryTerm(
        "evaluation",
        tr("Evaluation (view)"),
        tr(
            "The view that shows a bilingual file with its gold, the tags of all layers, hits and misses. Without it, "
            "a bilingual file is shown for translators: source, target and flagged words. Other files are always "
            "shown for evaluation."
        ),
        TAGS,
    ),
    GlossaryTerm(
        "positive-class",
        tr("positive class"),
        tr(
            "The tag that a system is meant to find, here BAD. Hits, false alarms, misses, precision and recall refer "
            "to this tag."
        ),
        TAGS,
    ),
)
"""Terms of the evaluation of tags."""
FILE_TERMS = (
    GlossaryTerm(
        "corpus",
        tr("corpus"),
        tr("All texts, tags and scores that are open together, segment by segment. It may come from several files."),
        REVIEW,
    ),
    GlossaryTerm(
        "tsv",
        tr("TSV, CSV"),
        tr(
            "Plain text files with a table: one line per row, whose cells are separated by tabs (TSV) or commas (CSV). "
            "Spreadsheet programs open them."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "msgfmt",
        tr("PO rules (msgfmt)"),
        tr(
            "A QA check of PO files. It reports what msgfmt, the program of GNU gettext that compiles them, rejects: "
            "wrong format strings, plural forms and line breaks."
        ),
        REVIEW,
    ),
)
"""Terms of files and of their checks."""
PHRASE_TERMS = (
    GlossaryTerm(
        "phrase-metrics",
        tr("phrase metrics (phr-)"),
        tr(
            "Metrics whose names begin with phr- compare phrases instead of words. A phrase is a span of adjacent "
            "words with the same tag, OK or BAD."
        ),
        SCORES,
    ),
)
"""Terms of metrics of tags."""
