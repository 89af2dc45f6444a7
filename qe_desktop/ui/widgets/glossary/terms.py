"""Definitions of the terms of the program, shown on hover and in the glossary (Shift+F1)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from qe_desktop.i18n.messages import tr
from qe_desktop.ui.widgets.glossary.evaluation_terms import (
    EVALUATION_TERMS,
    FILE_TERMS,
    PHRASE_TERMS,
    POST_EDITING_TERMS,
    QE_TERMS,
    REVIEW_TERMS,
    STUDY_TERMS,
)
from qe_desktop.ui.widgets.glossary.glossary_term import REVIEW, SCORES, TAGS, GlossaryTerm
from qe_desktop.ui.widgets.glossary.rating_terms import RATING_TERMS

_TERM_LIST = (
    GlossaryTerm(
        "bad",
        "BAD",
        tr("The word is wrong or should not be there: it needs attention. It is marked in orange and underlined."),
        TAGS,
    ),
    GlossaryTerm(
        "flagged",
        tr("flagged word"),
        tr(
            "A word of the MT that QE systems or QA checks mark as probably wrong. If there are several systems, words "
            "that all of them mark are shaded and underlined; other flagged words have a dashed line, or a dotted one "
            "in the target. Editing the target never changes flags."
        ),
        TAGS,
    ),
    *QE_TERMS,
    GlossaryTerm("ok", "OK", tr("The word is correct. It is not marked."), TAGS),
    GlossaryTerm("tag", tr("tag"), tr("The label OK or BAD of a word or gap in the MT, or of a source word."), TAGS),
    GlossaryTerm(
        "gap",
        tr("gap"),
        tr("A position before, between or after words. Where words are missing, it is BAD and has a small triangle."),
        TAGS,
    ),
    GlossaryTerm(
        "gold",
        tr("gold"),
        tr(
            "The reference tags or scores, usually from annotators or from a post-edit. Systems are evaluated "
            "against them. Without gold, all marks are predictions, which cannot be called right or wrong."
        ),
        TAGS,
    ),
    GlossaryTerm("hit", tr("hit"), tr("System and gold both say BAD: a true positive. Drawn as a solid bar."), TAGS),
    GlossaryTerm(
        "false-alarm",
        tr("false alarm"),
        tr("The system says BAD, the gold says OK: a false positive. Drawn as a dashed bar."),
        TAGS,
    ),
    GlossaryTerm(
        "miss",
        tr("miss"),
        tr("The gold says BAD, the system says OK: a false negative. Drawn as an open dotted frame."),
        TAGS,
    ),
    GlossaryTerm(
        "disputed",
        "≠",
        tr(
            "The number of words or gaps of a segment whose tags differ between layers (gold, systems or users). "
            "Segments with many such words or gaps are worth reading."
        ),
        TAGS,
    ),
    GlossaryTerm(
        "probability",
        "P(BAD)",
        tr("A system's probability, from 0 to 1, that a word is BAD. The higher it is, the stronger the word's shade."),
        TAGS,
    ),
    GlossaryTerm(
        "threshold",
        tr("threshold"),
        tr(
            "The P(BAD) above which a word counts as BAD. A lower threshold marks more words, including more "
            "correct ones. If a system has P(BAD), View above the list has a slider that sets the threshold."
        ),
        TAGS,
    ),
    GlossaryTerm(
        "agreement",
        tr("voting rule (agreement of systems)"),
        tr(
            "Without gold, a word is marked if enough of the systems tag it BAD: any of them (union), a majority, or "
            "all (intersection). Words that all systems tag BAD are shaded and underlined; other marked words have a "
            "dashed line, or a dotted one in the target."
        ),
        TAGS,
    ),
    GlossaryTerm(
        "aligned",
        tr("aligned words"),
        tr(
            "Words of source, MT and post-edit that correspond to each other. Words aligned with the word at the "
            "cursor, or under the mouse pointer, have a blue background."
        ),
        TAGS,
    ),
    GlossaryTerm("edited", tr("edited tag"), tr("A tag changed in this program. Its word has a blue corner."), TAGS),
    GlossaryTerm(
        "layer",
        tr("layer"),
        tr(
            "All tags or scores of the gold, of one system or of one annotator. System output is never changed; edits "
            "go to the gold or to an annotation layer. Edit ▸ Close layer… removes a layer from the window, but not "
            "from its file."
        ),
        TAGS,
    ),
    *EVALUATION_TERMS,
    GlossaryTerm(
        "project",
        tr("project"),
        tr("A file or a database on a server that contains texts, tags, campaigns, ratings, edits and their history."),
        REVIEW,
    ),
    GlossaryTerm(
        "command-palette",
        tr("command palette"),
        tr(
            "A window that lists the commands of the current area. Type part of a name to find a command, then press "
            "Enter to run it."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "segment", tr("segment"), tr("A unit of source text with its translation, usually a sentence."), REVIEW
    ),
    GlossaryTerm(
        "mt",
        tr("MT"),
        tr(
            "The machine translation to evaluate, as it was loaded. If a bilingual file does not contain it, the "
            "target in the file is shown as MT. This target may have been edited, or come from a translation memory."
        ),
        REVIEW,
    ),
    GlossaryTerm("post-edit", tr("post-edit"), tr("The MT as corrected by a translator."), REVIEW),
    GlossaryTerm(
        "reference",
        tr("reference"),
        tr("A human translation that the MT is compared with. Other translations may be correct, too."),
        REVIEW,
    ),
    GlossaryTerm(
        "replaced",
        tr("substituted"),
        tr("A word of the post-edit that replaces a word of the MT. It has a dashed underline."),
        REVIEW,
    ),
    GlossaryTerm(
        "new",
        tr("inserted"),
        tr("A word of the post-edit with no counterpart in the MT. It has a double underline."),
        REVIEW,
    ),
    GlossaryTerm(
        "removed", tr("deleted"), tr("A word of the MT that is not in the post-edit. It is struck through."), REVIEW
    ),
    GlossaryTerm(
        "taken-out",
        tr("removed"),
        tr("Words of the MT that are not in the edited target or the post-edit. They are struck through."),
        REVIEW,
    ),
    GlossaryTerm(
        "put-in",
        tr("added"),
        tr("Words of the edited target or the post-edit that are not in the MT. They are underlined."),
        REVIEW,
    ),
    GlossaryTerm(
        "moved",
        tr("moved"),
        tr(
            "Words of the MT that were moved in the edited target or the post-edit. Both positions are violet, and "
            "the one in the MT is struck through."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "code",
        tr("inline code"),
        tr(
            "Markup in the text of a file, such as bold type or a link; a “tag” in many CAT tools. It is shown as"
            " a chip with its number and is not part of any word."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "checked",
        tr("QA check result"),
        tr(
            "A part of the current target that a QA check reports. It has a wavy underline; the reason is shown "
            "under the target and on hover."
        ),
        REVIEW,
    ),
    *REVIEW_TERMS,
    *FILE_TERMS,
    GlossaryTerm("found", tr("search match"), tr("Text that matches the search field. It has a thin frame."), REVIEW),
    GlossaryTerm(
        "hter",
        "HTER",
        tr(
            "How much of a translation was changed: the number of edits divided by the number of words in the "
            "post-edit. An edit inserts, deletes or substitutes a word, or moves one or more words. Letter case is "
            "ignored, although a word changed only in case is marked as edited. 0: unchanged; 1: as many edits as "
            "words in the post-edit."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "score",
        tr("segment score"),
        tr(
            "One number for a whole segment. Whether higher is better depends on the score: for HTER lower is "
            "better, for ratings higher."
        ),
        SCORES,
    ),
    GlossaryTerm(
        "error",
        tr("prediction error"),
        tr("The system's score minus the gold score: above 0, the system's score is too high."),
        SCORES,
    ),
    GlossaryTerm(
        "precision",
        tr("precision and recall"),
        tr(
            "Precision: the share of the words tagged BAD that are BAD in the gold. Recall: the share of the gold's "
            "BAD words that are tagged BAD. Tagging every word BAD gives full recall but low precision."
        ),
        SCORES,
    ),
    *PHRASE_TERMS,
    GlossaryTerm(
        "significant",
        tr("significant"),
        tr(
            "A difference between two systems is significant if one as large would be rare between equal systems "
            "(p ≤ α). Not significant does not mean equal; small corpora rarely show a significant difference."
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
            "Two ways to compute an interval from resampled segments. The percentile bootstrap takes the range of the "
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
            "significantly better (for TrueSkill, the ranks come from resampled ratings). Cluster: systems whose order "
            "is uncertain. All of them are significantly better than the systems in lower clusters."
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
            "Tags made by a rule, which a good metric ranks below every system. Optimistic: few tags are BAD, nine out "
            "of ten of them correctly. Pessimistic: nine out of ten tags are BAD, regardless of the gold. Random: each "
            "tag is BAD with a probability equal to the share of BAD in the gold."
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
        tr("approximate randomization, trials, seed"),
        tr(
            "A significance test. In many trials, outputs of two systems are exchanged at random; p is the share of "
            "trials whose difference is at least as large as the observed one. The same seed gives the same trials."
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
    *STUDY_TERMS,
    *POST_EDITING_TERMS,
    *RATING_TERMS,
)
TERMS: Mapping[str, GlossaryTerm] = MappingProxyType({term.id: term for term in _TERM_LIST})
"""All terms except the metrics, by their ids, in display order."""


def term_meaning(id: str) -> str:
    """Return the meaning of a term. Raises KeyError if the term is unknown."""
    return TERMS[id].text
