"""Direct assessment from 0 to 100 with a slider that starts unset (Graham et al. 2013; WMT 2017 to 2021)."""

from __future__ import annotations

from qe_desktop.answers.scale import Anchor, Scale
from qe_desktop.ratings.campaign import Basis, Campaign
from qe_desktop.ratings.protocols import wording
from qe_desktop.ratings.protocols.protocol import Protocol
from qe_desktop.wording import tr


def _scale(statement: str) -> Scale:
    """WMT's statement and the two ends of its scale.

    WMT writes “the black text” and “the gray text”; here both are named, because colours change with the theme.
    """
    anchors = (Anchor(100, tr("Perfectly")), Anchor(0, tr("Not at all")))
    return Scale("score", tr("Score"), statement, 0, 100, anchors, slider=True, term=tr("score"))


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return (_scale(_statement(wording.target_of(campaign), by_reference=campaign.basis is Basis.REFERENCE)),)


def _statement(language: str, *, by_reference: bool) -> str:
    if by_reference and language:
        return tr("The translation adequately expresses the meaning of the reference in {language}.", language=language)
    if by_reference:
        return tr("The translation adequately expresses the meaning of the reference.")
    if language:
        return tr("The translation adequately expresses the meaning of the source in {language}.", language=language)
    return tr("The translation adequately expresses the meaning of the source.")


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    return (
        _task(wording.target_of(campaign), by_reference=campaign.basis is Basis.REFERENCE),
        tr(
            "Say how far you agree, from 0 (not at all) to 100 (perfectly). Use the whole scale; any value may be "
            "given."
        ),
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


def _task(language: str, *, by_reference: bool) -> str:
    if by_reference and language:
        return tr(
            "You will see one translation in {language} at a time, and a statement: that it adequately expresses the "
            "meaning of the reference.",
            language=language,
        )
    if by_reference:
        return tr(
            "You will see one translation at a time, and a statement: that it adequately expresses the meaning of the "
            "reference."
        )
    if language:
        return tr(
            "You will see one translation in {language} at a time, and a statement: that it adequately expresses the "
            "meaning of the source.",
            language=language,
        )
    return tr(
        "You will see one translation at a time, and a statement: that it adequately expresses the meaning of the "
        "source."
    )


PROTOCOL = Protocol(
    id="direct-assessment",
    title=tr("Direct assessment"),
    within=tr("direct assessment", "a protocol, within a name"),
    summary=tr("How far the translation expresses the meaning, from 0 to 100 with a slider"),
    answers=(_scale(tr("The translation adequately expresses the meaning of the source or reference.")),),
    worded=_scales,
    paragraphs=_paragraphs,
)
