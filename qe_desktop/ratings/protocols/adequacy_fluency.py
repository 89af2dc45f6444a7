"""Fluency with only the translation in view, then adequacy against the source or reference."""

from __future__ import annotations

from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import scales, wording
from qe_desktop.ratings.protocols.protocol import Protocol


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return scales.fluency_for(campaign), scales.adequacy_for(campaign)


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    basis = wording.basis_of(campaign)
    verb = "come" if " and " in basis else "comes"
    return (
        f"You will see one translation{wording.in_target(campaign)} at a time and answer two questions about it.",
        "First, fluency: read only the translation and say how it sounds to a native speaker, whatever it may mean.",
        f"Then {basis} {verb} into view. Now adequacy: say how much of the meaning of "
        f"{wording.meaning_of(campaign)} is also in the translation, however well or badly it reads. You may still "
        "change fluency; it is noted that you did so later.",
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="adequacy-fluency",
    title="Adequacy and fluency",
    summary="Fluency with only the translation in view, then adequacy with the source or reference, each from 1 to 5",
    answers=(scales.fluency_scale(), scales.adequacy_scale()),
    worded=_scales,
    paragraphs=_paragraphs,
    target_first=True,
)
