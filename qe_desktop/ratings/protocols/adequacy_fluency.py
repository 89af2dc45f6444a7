"""Fluency with only the translation in view, then adequacy against the source or reference."""

from __future__ import annotations

from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.campaign import Basis, Campaign
from qe_desktop.ratings.protocols import scales, wording
from qe_desktop.ratings.protocols.protocol import Protocol
from qe_desktop.wording import tr


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return scales.fluency_for(campaign), scales.adequacy_for(campaign)


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    language = wording.target_of(campaign)
    return (
        tr("You will see one translation in {language} at a time and answer two questions about it.", language=language)
        if language
        else tr("You will see one translation at a time and answer two questions about it."),
        tr(
            "First, fluency: read only the translation and say how it sounds to a native speaker, whatever it may mean."
        ),
        " ".join(_then(campaign.basis)),
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


def _then(basis: Basis) -> tuple[str, ...]:
    """The sentences about adequacy, the second step."""
    later = tr("You may still change fluency; it is noted that you did so later.")
    if basis is Basis.REFERENCE:
        asked = tr(
            "Now adequacy: say how much of the meaning of the reference is also in the translation, however well or "
            "badly it reads."
        )
        return tr("Then the reference comes into view."), asked, later
    asked = tr(
        "Now adequacy: say how much of the meaning of the source is also in the translation, however well or badly it "
        "reads."
    )
    if basis is Basis.SOURCE:
        return tr("Then the source comes into view."), asked, later
    return tr("Then the source and the reference come into view."), asked, later


PROTOCOL = Protocol(
    id="adequacy-fluency",
    title=tr("Adequacy and fluency"),
    within=tr("adequacy and fluency", "a protocol, within a name"),
    summary=tr(
        "Fluency with only the translation in view, then adequacy with the source or reference, each from 1 to 5"
    ),
    answers=(scales.fluency_scale(), scales.adequacy_scale()),
    worded=_scales,
    paragraphs=_paragraphs,
    target_first=True,
)
