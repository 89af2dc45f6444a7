"""Definitions of the terms of quality estimation, of the review of segments, and of the analysis of post-edits."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.glossary.glossary_term import REVIEW, SCORES, TAGS, GlossaryTerm

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
