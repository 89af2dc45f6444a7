"""Adequacy alone."""

from __future__ import annotations

from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.campaign import Basis, Campaign
from qe_desktop.ratings.protocols import scales, wording
from qe_desktop.ratings.protocols.protocol import Protocol
from qe_desktop.wording import tr


def _scales(campaign: Campaign) -> tuple[Scale, ...]:
    return (scales.adequacy_for(campaign),)


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    return (
        wording.one_at_a_time(campaign),
        tr(
            "Say how much of the meaning of the reference is also in the translation. How well it reads does not count "
            "as long as it can be understood."
        )
        if campaign.basis is Basis.REFERENCE
        else tr(
            "Say how much of the meaning of the source is also in the translation. How well it reads does not count as "
            "long as it can be understood."
        ),
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="adequacy",
    title=tr("Adequacy"),
    within=tr("adequacy", "a protocol, within a name"),
    summary=tr("How much of the meaning is in the translation, from 1 to 5"),
    answers=(scales.adequacy_scale(),),
    worded=_scales,
    paragraphs=_paragraphs,
)
