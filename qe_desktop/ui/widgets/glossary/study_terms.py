"""Definitions of the terms of studies and of the signature below results."""

from __future__ import annotations

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.glossary.glossary_term import SCORES, GlossaryTerm

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
