"""Two translations side by side: A better, B better, or a tie (Läubli et al. 2018)."""

from __future__ import annotations

from qe_desktop.answers.ranks import Choice
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import wording
from qe_desktop.ratings.protocols.protocol import Protocol
from qe_desktop.wording import tr


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    language = wording.target_of(campaign)
    return (
        tr("You will see two translations in {language} of the same segment, called A and B.", language=language)
        if language
        else tr("You will see two translations of the same segment, called A and B."),
        tr("Say which one is better, or that they are equally good or bad."),
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="pairwise",
    title=tr("Pairwise comparison"),
    within=tr("pairwise comparison", "a protocol, within a name"),
    summary=tr("Two systems' translations: A better, a tie, or B better"),
    answers=(Choice(),),
    paragraphs=_paragraphs,
    seconds=30.0,
)
