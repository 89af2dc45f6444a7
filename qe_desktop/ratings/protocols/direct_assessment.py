"""Direct assessment from 0 to 100 with a slider that starts unset (Graham et al. 2013; WMT 2017 to 2021)."""

from __future__ import annotations

from qe_desktop.answers.scale import Anchor, ScaleAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign, EvaluationBasis
from qe_desktop.ratings.protocols.protocol import Protocol, target_language_name


def _scale(statement: str) -> ScaleAnswer:
    """Return the rating scale for a WMT-style statement, with a label at each end.

    The statement at WMT refers to “the black text” and “the gray text”. `statement` should name the two texts instead,
    because colors depend on the theme.
    """
    anchors = (Anchor(100, tr("Perfectly")), Anchor(0, tr("Not at all")))
    return ScaleAnswer("score", tr("Score"), statement, 0, 100, anchors, has_slider=True, term=tr("score"))


def _statement(campaign: Campaign) -> str:
    language, by_reference = target_language_name(campaign), campaign.basis is EvaluationBasis.REFERENCE
    if by_reference and language:
        return tr("The translation in {language} adequately expresses the meaning of the reference.", language=language)
    if by_reference:
        return tr("The translation adequately expresses the meaning of the reference.")
    if language:
        return tr("The translation in {language} adequately expresses the meaning of the source.", language=language)
    return tr("The translation adequately expresses the meaning of the source.")


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    return (
        _task(campaign),
        tr(
            "Rate how far you agree, from 0 (not at all) to 100 (perfectly). Use the whole scale; you may "
            "use any value."
        ),
    )


def _task(campaign: Campaign) -> str:
    language, by_reference = target_language_name(campaign), campaign.basis is EvaluationBasis.REFERENCE
    if by_reference and language:
        return tr(
            "You will see one translation in {language} at a time, with the statement that it adequately "
            "expresses the meaning of the reference.",
            language=language,
        )
    if by_reference:
        return tr(
            "You will see one translation at a time, with the statement that it adequately expresses the "
            "meaning of the reference."
        )
    if language:
        return tr(
            "You will see one translation in {language} at a time, with the statement that it adequately "
            "expresses the meaning of the source.",
            language=language,
        )
    return tr(
        "You will see one translation at a time, with the statement that it adequately expresses the meaning "
        "of the source."
    )


DIRECT_ASSESSMENT = Protocol(
    id="direct-assessment",
    title=tr("Direct assessment"),
    title_in_sentence=tr("direct assessment", "a protocol, within a name"),
    summary=tr("How well the translation expresses the meaning, from 0 to 100 with a slider"),
    answers=(_scale(tr("The translation adequately expresses the meaning of the source or reference.")),),
    campaign_scales=lambda campaign: (_scale(_statement(campaign)),),
    task_paragraphs=_paragraphs,
)
