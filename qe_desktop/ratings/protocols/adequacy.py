"""Adequacy alone."""

from __future__ import annotations

from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import scales, wording
from qe_desktop.ratings.protocols.protocol import Protocol


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return (scales.adequacy_for(campaign),)


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    return (
        f"You will see one translation{wording.in_target(campaign)} at a time.",
        f"Say how much of the meaning of {wording.meaning_of(campaign)} is also in the translation. How well it reads "
        "does not count as long as it can be understood.",
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="adequacy",
    title="Adequacy",
    summary="How much of the meaning is in the translation, from 1 to 5",
    answers=(scales.adequacy_scale(),),
    worded=_scales,
    paragraphs=_paragraphs,
)
