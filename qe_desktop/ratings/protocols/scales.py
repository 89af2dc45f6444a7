"""Adequacy and fluency from 1 to 5 (LDC 2002 for TIDES; Lavie et al. 2004, section 3.1).

The labels are those of the LDC; the second lines are the wording of Neubig, section 11.1.
"""

from __future__ import annotations

from qe_desktop.answers.scale import Anchor, Scale
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols.wording import meaning_of, target_of


def adequacy_scale(basis: str = "the source or reference") -> Scale:
    """How much of the meaning of `basis` is in the translation, from 5 (all) to 1 (none)."""
    anchors = (
        Anchor(5, "All", "a perfect reflection of the content"),
        Anchor(4, "Most"),
        Anchor(3, "Much", "the content is partially reflected or hard to understand"),
        Anchor(2, "Little"),
        Anchor(1, "None", "the content is difficult to understand"),
    )
    question = f"How much of the meaning of {basis} is also in the translation?"
    return Scale("adequacy", "Adequacy", question, 1, 5, anchors)


def fluency_scale(language: str = "") -> Scale:
    """How the translation sounds to a native speaker, from 5 (flawless) to 1 (incomprehensible)."""
    of_language = f" {language}" if language else ""
    anchors = (
        Anchor(5, f"Flawless{of_language}", "a native speaker could have written it"),
        Anchor(4, f"Good{of_language}"),
        Anchor(3, f"Non-native{of_language}", "slightly stilted"),
        Anchor(2, f"Disfluent{of_language}"),
        Anchor(1, "Incomprehensible", "entirely ungrammatical"),
    )
    speaker = f"a native speaker of {language}" if language else "a native speaker"
    return Scale("fluency", "Fluency", f"How does the translation sound to {speaker}?", 1, 5, anchors)


def adequacy_for(campaign: Campaign) -> Scale:
    """Adequacy against what the campaign shows."""
    return adequacy_scale(meaning_of(campaign))


def fluency_for(campaign: Campaign) -> Scale:
    """Fluency in the campaign's target language."""
    return fluency_scale(target_of(campaign))
