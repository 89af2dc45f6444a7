"""Definitions of the terms of quality estimation, reviews, post-edits, files, checks, studies and significance."""

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
        tr("All texts, tags and scores that are open together, segment by segment. They may come from several files."),
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
            "A QA check of PO files. It reports what msgfmt, the GNU gettext program that compiles PO files, rejects: "
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
            ".9. The chart “Recall weight” shows at which weight the F-score agrees best with human scores."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "signature",
        tr("signature"),
        tr(
            "A line of the notes: program, version and the settings that reproduce the results, each as name:value. "
            "“tags:words”: tags of words, including that of “<EOS>” if the files have it, but not of gaps. "
            "“edited-segments:0”: no tags were edited in the program. “aggregation:pooled”: the tags of all segments "
            "are counted together, except for SeqCor, which is a mean over segments. “undefined:null”: "
            "undefined scores are null in JSON. “F1-of-absent-class:0”: F1 of a class that neither gold nor system "
            "has is 0. “differentials:ahead”: in a score difference, the score of the system with the lower human "
            "score is subtracted. “overshoot:keep”: a data set keeps the segment with which it exceeds its error rate. "
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
SIGNIFICANCE_TERMS = (
    GlossaryTerm(
        "significant",
        tr("significant"),
        tr(
            "A difference between two systems is significant if differences of this size would be rare between equal "
            "systems (p ≤ α). Not significant does not mean equal; small corpora rarely show a significant difference."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "interval",
        tr("interval, bootstrap"),
        tr(
            "A range, in brackets, that shows how uncertain a score is: the wider, the less certain. The bootstrap "
            "computes it from segments that are resampled at random. Over many corpora of the same kind, about 95 % "
            "of the 95 % intervals contain the true score."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "run",
        tr("run"),
        tr("One repetition of a computation with random numbers, for example with one bootstrap resample."),
        SCORES,
    ),
    GlossaryTerm(
        "bca",
        tr("percentile and BCa bootstrap"),
        tr(
            "Two ways to compute an interval from resampled segments (1,000 resamples, or 200 if there are more than "
            "100,000 segments or documents). The percentile bootstrap takes the range of the "
            "middle 95 % of the resampled scores. BCa (Efron 1987) adjusts that range to correct for bias and skewness."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "repeated-sampling",
        tr("repeated sampling, data set, sample size"),
        tr(
            "A study of how small a difference in error rate a metric detects. A data set is the gold with errors of "
            "the systems in randomly selected segments. The sample size is the number of data sets with each error "
            "rate; a t-test compares the scores of two samples."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "rank-range",
        tr("rank range and cluster"),
        tr(
            "Rank range: the best and the worst rank that a system may have. It can rank above any system that is not "
            "significantly better (for TrueSkill, the ranks come from resampled ratings). Cluster: the systems between "
            "two lines. Every system above a line is significantly better than every system below it (for TrueSkill, "
            "their rank ranges do not overlap). Two systems in a cluster can differ significantly, too."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "effect",
        tr("effect of a segment"),
        tr(
            "How much a segment contributes to the difference in score between two systems. It is half the amount "
            "by which the difference would change if the systems swapped their outputs for the segment, because a "
            "swap takes the contribution from one system and gives it to the other. For means, such as accuracy, the "
            "effects add up to the difference; for other metrics, such as MCC, they add up to a different value."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "discriminative-power",
        tr("discriminative power (d, d_top, d_bottom)"),
        tr(
            "The share of system pairs that a metric separates significantly: among all systems (d), among the top "
            "systems (d_top) and among the bottom systems (d_bottom). With a higher value, the metric distinguishes "
            "more systems on the same data. Use it to select a metric; it does not show whether the metric agrees with "
            "human scores. A range in brackets below a value shows how much d may vary with the random trials."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "trivial-baseline",
        tr("trivial baseline (optimistic, pessimistic, random)"),
        tr(
            "Tags generated by a simple rule. A good metric ranks them below every system. Optimistic: few tags are "
            "BAD, and nine out of ten of these are BAD in the gold. Pessimistic: nine out of ten tags are BAD, "
            "regardless of the gold. Random: each tag is BAD with a probability equal to the share of BAD in the gold."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "precision-of-flags",
        tr("precision of flags, P(E|H)"),
        tr(
            "The share of the flagged text that was edited. It is compared with the share for the same number of "
            "random flags in the same segments. P(H|E), the recall, is the share of the edited text that was flagged. "
            "E is edited, H is highlighted (flagged)."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "lift",
        tr("lift, Λ"),
        tr(
            "The ratio of two rates. Λ E: the edit rate of flagged text divided by that of other "
            "text. Λ H: the flag rate of edited text divided by that of other text. A lift of 1 is no better than "
            "random."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "tokenizer",
        tr("tokenizer"),
        tr(
            "The method, named as in sacreBLEU, that splits texts into words for BLEU and other word metrics. "
            "Scores with different tokenizers cannot be compared."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "approximate-randomization",
        tr("approximate randomization, permuted segments, trials, seed"),
        tr(
            "A significance test. In many trials, segments are permuted: the outputs of two systems for a segment are "
            "exchanged at random. p is the share of trials whose difference is at least as large as the observed one. "
            "The number after ± is the standard error of p. The same seed gives the same trials."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "exact-test",
        tr("exact test"),
        tr(
            "A test that enumerates all permutations instead of sampling them; possible only for few segments or "
            "documents. Its p does not depend on a seed."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "perm-both",
        tr("PERM-BOTH, Williams and rank-sum tests"),
        tr(
            "PERM-BOTH and the Williams test compare how well two metrics agree with human scores. PERM-BOTH (Deutsch "
            "et al. 2021) exchanges the scores of the two metrics at random; the Williams test compares their "
            "correlations with human scores. The rank-sum test (Wilcoxon, Mann–Whitney) compares the ranks of the "
            "ratings of two systems."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "correction",
        tr("significance level α, correction (Bonferroni, Holm)"),
        tr(
            "A difference is significant if its p is at most α. If many pairs are tested, some can be significant by "
            "chance, so p can be corrected. Bonferroni multiplies p by the number of tests; Holm is less conservative. "
            "Both limit the probability of any false positive to α."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "adjusted-p",
        tr("adjusted p, unadjusted p"),
        tr(
            "Unadjusted p comes from the test of one pair. Adjusted p is corrected for the number of tests, by "
            "Bonferroni or Holm. Adjusted p is compared with α and shown in the matrix."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "pairwise-accuracy",
        tr("pairwise accuracy and SPA"),
        tr(
            "Pairwise accuracy is the share of system pairs that a metric orders as human scores do. Soft pairwise "
            "accuracy (SPA) also compares how certain the metric and the human scores are. acc*eq is the accuracy for "
            "pairs of translations of a segment, with tie calibration."
        ),
        SCORES,
    ),
)
"""Terms of significance tests, intervals, ranks and discriminative power, and the tokenizer."""
