"""Adequacy and fluency from 1 to 5 (LDC 2002 for TIDES; Lavie et al. 2004, section 3.1).

The labels are those of the LDC; the second lines are the wording of Neubig, section 11.1.
"""

from __future__ import annotations

from qe_desktop.answers.scale import Anchor, Scale
from qe_desktop.ratings.campaign import Basis, Campaign
from qe_desktop.ratings.protocols.wording import target_of
from qe_desktop.wording import tr


def adequacy_scale(question: str = "") -> Scale:
    """How much of the meaning is in the translation, from 5 (all) to 1 (none); the question fits any campaign where
    none is given.
    """
    anchors = (
        Anchor(5, tr("All", "of the meaning"), tr("a perfect reflection of the content")),
        Anchor(4, tr("Most", "of the meaning")),
        Anchor(3, tr("Much", "of the meaning"), tr("the content is partially reflected or hard to understand")),
        Anchor(2, tr("Little", "of the meaning")),
        Anchor(1, tr("None", "of the meaning"), tr("the content is difficult to understand")),
    )
    question = question or tr("How much of the meaning of the source or reference is also in the translation?")
    return Scale("adequacy", tr("Adequacy"), question, 1, 5, anchors, term=tr("adequacy"))


def fluency_scale(language: str = "") -> Scale:
    """How the translation sounds to a native speaker, from 5 (flawless) to 1 (incomprehensible)."""
    labels = (
        tr("Flawless {language}", language=language) if language else tr("Flawless", "how a translation sounds"),
        tr("Good {language}", language=language) if language else tr("Good", "how a translation sounds"),
        tr("Non-native {language}", language=language) if language else tr("Non-native", "how a translation sounds"),
        tr("Disfluent {language}", language=language) if language else tr("Disfluent", "how a translation sounds"),
    )
    anchors = (
        Anchor(5, labels[0], tr("a native speaker could have written it")),
        Anchor(4, labels[1]),
        Anchor(3, labels[2], tr("slightly stilted")),
        Anchor(2, labels[3]),
        Anchor(1, tr("Incomprehensible"), tr("entirely ungrammatical")),
    )
    question = (
        tr("How does the translation sound to a native speaker of {language}?", language=language)
        if language
        else tr("How does the translation sound to a native speaker?")
    )
    return Scale("fluency", tr("Fluency"), question, 1, 5, anchors, term=tr("fluency"))


def adequacy_for(campaign: Campaign) -> Scale:
    """Adequacy against what the campaign shows."""
    return adequacy_scale(
        tr("How much of the meaning of the reference is also in the translation?")
        if campaign.basis is Basis.REFERENCE
        else tr("How much of the meaning of the source is also in the translation?")
    )


def fluency_for(campaign: Campaign) -> Scale:
    """Fluency in the campaign's target language."""
    return fluency_scale(target_of(campaign))
