"""Fluency and adequacy from 1 to 5, together or alone (LDC 2002 for TIDES; Lavie et al. 2004, section 3.1).

If both are judged, fluency comes first, with only the translation displayed, then adequacy with the source or
reference. The labels of the scale values are those of the LDC; the descriptions below the labels are from Neubig,
section 11.1.
"""

from __future__ import annotations

from qe_desktop.answers.scale import Anchor, ScaleAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign, EvaluationBasis
from qe_desktop.ratings.protocols.protocol import Protocol, one_at_a_time_sentence, target_language_name


def _adequacy(campaign: Campaign | None = None) -> ScaleAnswer:
    """Return the adequacy scale, from 5 (all of the meaning) to 1 (none). The question depends on `campaign.basis`."""
    anchors = (
        Anchor(5, tr("All", "of the meaning"), tr("a perfect reflection of the content")),
        Anchor(4, tr("Most", "of the meaning")),
        Anchor(3, tr("Much", "of the meaning"), tr("the content is partially reflected or hard to understand")),
        Anchor(2, tr("Little", "of the meaning")),
        Anchor(1, tr("None", "of the meaning"), tr("the content is difficult to understand")),
    )
    if campaign is None:
        question = tr("How much of the meaning of the source or reference is also in the translation?")
    elif campaign.basis is EvaluationBasis.REFERENCE:
        question = tr("How much of the meaning of the reference is also in the translation?")
    else:
        question = tr("How much of the meaning of the source is also in the translation?")
    return ScaleAnswer("adequacy", tr("Adequacy"), question, 1, 5, anchors, term=tr("adequacy"))


def _fluency(campaign: Campaign | None = None) -> ScaleAnswer:
    """Return the scale for fluency as judged by a native speaker, from 5 (flawless) to 1 (incomprehensible)."""
    language = "" if campaign is None else target_language_name(campaign)
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
    return ScaleAnswer("fluency", tr("Fluency"), question, 1, 5, anchors, term=tr("fluency"))


def _two_scale_instructions(campaign: Campaign) -> tuple[str, ...]:
    language = target_language_name(campaign)
    return (
        tr("You will see one translation in {language} at a time and answer two questions about it.", language=language)
        if language
        else tr("You will see one translation at a time and answer two questions about it."),
        tr(
            "First, rate fluency: read only the translation and rate how it sounds to a native speaker, "
            "regardless of its meaning."
        ),
        " ".join(_adequacy_sentences(campaign.basis)),
    )


def _adequacy_sentences(basis: EvaluationBasis) -> tuple[str, ...]:
    """Return the instructions for adequacy, which is rated after fluency."""
    change_note = tr("You may still change the fluency rating; such changes are recorded.")
    if basis is EvaluationBasis.REFERENCE:
        task = tr(
            "Rate adequacy: how much of the meaning of the reference is also in the translation, "
            "regardless of how well it reads."
        )
        return tr("After the fluency rating, the reference is displayed."), task, change_note
    task = tr(
        "Rate adequacy: how much of the meaning of the source is also in the translation, regardless of "
        "how well it reads."
    )
    if basis is EvaluationBasis.SOURCE:
        return tr("After the fluency rating, the source is displayed."), task, change_note
    return tr("After the fluency rating, source and reference are displayed."), task, change_note


def _adequacy_only_instructions(campaign: Campaign) -> tuple[str, ...]:
    return (
        one_at_a_time_sentence(campaign),
        tr(
            "Rate how much of the meaning of the reference is also in the translation. Ignore how well it "
            "reads as long as it can be understood."
        )
        if campaign.basis is EvaluationBasis.REFERENCE
        else tr(
            "Rate how much of the meaning of the source is also in the translation. Ignore how well it reads "
            "as long as it can be understood."
        ),
    )


def _fluency_only_instructions(campaign: Campaign) -> tuple[str, ...]:
    language = target_language_name(campaign)
    return (
        tr("You will see one text in {language} at a time, without its source.", language=language)
        if language
        else tr("You will see one text at a time, without its source."),
        tr("Rate how natural each text sounds to a native speaker. Ignore whether its content is correct or complete."),
    )


ADEQUACY_FLUENCY = Protocol(
    id="adequacy-fluency",
    title=tr("Adequacy and fluency"),
    title_in_sentence=tr("adequacy and fluency", "a protocol, within a name"),
    summary=tr(
        "Fluency with only the translation displayed, then adequacy with the source or reference, each from 1 to 5"
    ),
    answers=(_fluency(), _adequacy()),
    campaign_scales=lambda campaign: (_fluency(campaign), _adequacy(campaign)),
    task_paragraphs=_two_scale_instructions,
    target_first=True,
)
ADEQUACY = Protocol(
    id="adequacy",
    title=tr("Adequacy"),
    title_in_sentence=tr("adequacy", "a protocol, within a name"),
    summary=tr("How much of the meaning is in the translation, from 1 to 5"),
    answers=(_adequacy(),),
    campaign_scales=lambda campaign: (_adequacy(campaign),),
    task_paragraphs=_adequacy_only_instructions,
)
FLUENCY = Protocol(
    id="fluency",
    title=tr("Fluency"),
    title_in_sentence=tr("fluency", "a protocol, within a name"),
    summary=tr("How the translation sounds to a native speaker, from 1 to 5; only the translation is displayed"),
    answers=(_fluency(),),
    campaign_scales=lambda campaign: (_fluency(campaign),),
    task_paragraphs=_fluency_only_instructions,
    target_only=True,
)
