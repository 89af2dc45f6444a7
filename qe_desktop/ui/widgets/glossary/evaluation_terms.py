"""Definitions of the terms of quality estimation, views, reviews, post-edits, files, checks and studies."""

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


STUDY_TERMS = (
    GlossaryTerm(
        "differentials",
        tr("score differences (differentials)"),
        tr(
            "The difference between the scores of two systems, which Lavie et al. 2004 call a differential. Pearson's "
            "r over all pairs of systems compares a metric's differences with those of human scores."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "recall-weight",
        tr("recall weight"),
        tr(
            "The share of recall in the unigram F-score: 0 is precision only, .5 is F1, 1 is recall only. Fmean uses "
            ".9. The chart shows with which weight the F-score agrees best with human scores."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "signature",
        tr("signature"),
        tr(
            "The last line of the notes: program, version and the settings that reproduce the results, each as "
            "name:value. “aggregation:pooled”: the tags of all segments are counted together. “undefined:null”: "
            "undefined scores are null in JSON. “F1-of-absent-class:0”: F1 of a class that neither gold nor system "
            "has is 0. “differentials:ahead”: in a score difference, the score of the system with the lower human "
            "score is subtracted. “overshoot:keep”: a data set keeps the segment that takes it past its error rate. "
            "“mixing:many”: the errors of a data set can come from all systems. “mode:fast” is the analytic mode, "
            "“mode:full” the simulation."
        ),
        SCORES,
    ),
)
"""Terms of studies, and the signature."""


QE_TERMS = (
    GlossaryTerm(
        "quality-estimation",
        tr("quality estimation (QE)"),
        tr("Predicting, without a reference, how good a machine translation is or which of its words are wrong."),
        TAGS,
    ),
    GlossaryTerm(
        "qe-system",
        tr("QE system"),
        tr(
            "A program that predicts which words of the MT are wrong, or how good a segment is. Its name comes from "
            "the file with its predictions."
        ),
        TAGS,
    ),
)
"""Terms of quality estimation."""
REVIEW_TERMS = (
    GlossaryTerm(
        "confirmed",
        tr("confirmed"),
        tr("Status of a segment whose target is final, whether it was edited or not."),
        REVIEW,
    ),
    GlossaryTerm(
        "reviewed",
        tr("reviewed"),
        tr(
            "A segment whose tags or target you edited, or that you confirmed, even without a change. If post-edits "
            "come from files, every segment counts as reviewed."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "rejected",
        tr("rejected"),
        tr(
            "Status of a segment whose translation is unusable and was not corrected. It does not count as post-edited."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "unfinished",
        tr("unfinished"),
        tr("A segment that is open or edited: it is not confirmed, rejected or locked in its file."),
        REVIEW,
    ),
)
"""Terms of the statuses of segments."""
POST_EDITING_TERMS = (
    GlossaryTerm(
        "pooled-hter",
        tr("mean and pooled HTER"),
        tr(
            "Mean HTER: the HTER of each segment, at most 1, averaged, so that short and long segments count alike. "
            "Pooled HTER: all edits divided by all words of the post-edits, so that long segments count more."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "gain-over-random",
        tr("gain over random"),
        tr(
            "The edited share of the flagged text minus that of the same number of random flags in the same segments. "
            "If its whole interval is above 0, the flags point to edits better than random flags do."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "missed-edits",
        tr("missed edits"),
        tr(
            "The share of all edits that would not have been made if the segments that a QE system rates best had "
            "been skipped. The lower the share, the more safely these segments can be skipped."
        ),
        SCORES,
    ),
)
"""Terms of the analysis of post-edits."""
