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
    SIGNIFICANCE_TERMS,
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
            "A word of the MT that QE systems or QA checks mark as probably wrong; it is shaded and underlined. Words "
            "that only some of several QE systems mark have a dashed line, or a dotted one in the target. Flags "
            "belong to the MT and stay the same when you edit the target."
        ),
        TAGS,
    ),
    *QE_TERMS,
    GlossaryTerm("ok", "OK", tr("The word is correct. It is not marked."), TAGS),
    GlossaryTerm(
        "tag",
        tr("tag"),
        tr(
            "The label OK or BAD of a word or gap in the MT, or of a source word. Numbers of tags, and of hits and "
            "misses, include punctuation marks and, if the files tag it, the end of the text (¶)."
        ),
        TAGS,
    ),
    GlossaryTerm(
        "gap",
        tr("gap"),
        tr(
            "A position before, between or after words. If words are missing there, the gap is BAD and has a small "
            "triangle."
        ),
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
        tr("The system says BAD, the gold says OK: a false positive. Drawn as a striped bar."),
        TAGS,
    ),
    GlossaryTerm(
        "miss",
        tr("miss"),
        tr("The gold says BAD, the system says OK: a false negative. Drawn as an open frame."),
        TAGS,
    ),
    GlossaryTerm(
        "agreed-ok",
        tr("thin line"),
        tr(
            "System and gold both say OK: a true negative. Without gold, the system says OK. Drawn as a thin grey line."
        ),
        TAGS,
    ),
    GlossaryTerm(
        "disputed",
        tr("≠ (disagreement)"),
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
            "correct ones. If a system has P(BAD), you can set the threshold with the slider in “View”, above the list."
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
    GlossaryTerm(
        "text-end",
        tr("¶ (end of the text)"),
        tr("The position after the last word, “<EOS>” in tag files. Its tag says whether words are missing there."),
        TAGS,
    ),
    GlossaryTerm(
        "word-cursor",
        tr("word cursor"),
        tr(
            "The frame around a word of the text, dashed while another part of the window has the focus. The arrow "
            "keys move it. A line describes the word: at the bottom of the window or, while the target is edited, "
            "below the target."
        ),
        TAGS,
    ),
    GlossaryTerm("edited", tr("edited tag"), tr("A tag changed in this program. Its word has a blue corner."), TAGS),
    GlossaryTerm(
        "layer",
        tr("layer"),
        tr(
            "All tags or scores from one origin: the gold, one QE system, the QA checks or one annotator. System "
            "output is never changed; edits go to the gold or to an annotation layer. Edit ▸ Close layer… removes a "
            "layer from the window, but not from its file."
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
        "access-key",
        tr("access key"),
        tr(
            "A letter that activates a menu item or a button from the keyboard. In the texts of software, a sign "
            "before the letter marks it, as in &File or _File. A QA check reports targets that have none or several."
        ),
        REVIEW,
    ),
    GlossaryTerm(
        "hter",
        "HTER",
        tr(
            "How much of a translation was changed: the number of edits divided by the number of words in the "
            "post-edit. An edit inserts, deletes or substitutes a word, or moves one or more words. Letter case is "
            "ignored, although a word changed only in case is marked as edited. A punctuation mark counts as a word. "
            "0: unchanged; 1: as many edits as words in the post-edit."
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
    *SIGNIFICANCE_TERMS,
    *STUDY_TERMS,
    *POST_EDITING_TERMS,
    *RATING_TERMS,
)
TERMS: Mapping[str, GlossaryTerm] = MappingProxyType({term.id: term for term in _TERM_LIST})
"""All terms except the metrics, by their ids, in display order."""


def term_meaning(id: str) -> str:
    """Return the meaning of a term. Raises KeyError if the term is unknown."""
    return TERMS[id].text
