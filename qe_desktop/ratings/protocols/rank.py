"""Ranking of 2 to 5 systems, as at WMT 2008 to 2016."""

from __future__ import annotations

from qe_desktop.answers.ranks import Ranks
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols import wording
from qe_desktop.ratings.protocols.protocol import Protocol
from qe_desktop.wording import tr


def _paragraphs(campaign: Campaign) -> tuple[str, ...]:
    language = wording.target_of(campaign)
    return (
        tr("You will see up to five translations in {language} of the same segment, called A to E.", language=language)
        if language
        else tr("You will see up to five translations of the same segment, called A to E."),
        tr(
            "Give each a rank: 1 is the best. Translations that are equally good may have the same rank, and ranks may "
            "be left out. All must have a rank before the item is done. Ranks compare only what is on the screen."
        ),
        f"{wording.basis_sentence(campaign)} {wording.context_sentence(campaign)}",
        wording.closing_sentence(),
    )


PROTOCOL = Protocol(
    id="rank",
    title=tr("Ranking"),
    within=tr("ranking", "a protocol, within a name"),
    summary=tr("Two to five systems' translations from best to worst, ties allowed"),
    answers=(Ranks(2, 5),),
    paragraphs=_paragraphs,
    # the median of 32,505 screens with five outputs at WMT16
    seconds=56.0,
)
