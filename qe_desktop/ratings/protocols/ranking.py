"""Relative ranking of 2 to 5 outputs, as at WMT 2008 to 2016, and pairwise comparison (Läubli et al. 2018)."""

from __future__ import annotations

from qe_desktop.answers.ranking import PairwiseAnswer, RankingAnswer
from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.campaign import Campaign
from qe_desktop.ratings.protocols.protocol import Protocol, target_language_name


def _ranking_instructions(campaign: Campaign) -> tuple[str, ...]:
    language = target_language_name(campaign)
    return (
        tr(
            "You will see several translations of the same segment into {language}, labelled A, B and so on.",
            language=language,
        )
        if language
        else tr("You will see several translations of the same segment, labelled A, B and so on."),
        tr(
            "Rank every translation; 1 is best. Ties are allowed, and you need not use every rank. Ranks "
            "compare only the translations of the same segment."
        ),
    )


def _comparison_instructions(campaign: Campaign) -> tuple[str, ...]:
    language = target_language_name(campaign)
    return (
        tr("You will see two translations of the same segment into {language}, labelled A and B.", language=language)
        if language
        else tr("You will see two translations of the same segment, labelled A and B."),
        tr("Select the better translation, or “Tie” if both are equally good or bad."),
    )


RANK = Protocol(
    id="rank",
    title=tr("Ranking"),
    title_in_sentence=tr("ranking", "a protocol, within a name"),
    summary=tr("Two to five translations ranked from best to worst, ties allowed"),
    answers=(RankingAnswer(2, 5),),
    task_paragraphs=_ranking_instructions,
    # the median of 32,505 screens with five outputs at WMT16
    seconds=56.0,
)
PAIRWISE = Protocol(
    id="pairwise",
    title=tr("Pairwise comparison"),
    title_in_sentence=tr("pairwise comparison", "a protocol, within a name"),
    summary=tr("Two systems' translations: A is better, B is better, or they are tied"),
    answers=(PairwiseAnswer(),),
    task_paragraphs=_comparison_instructions,
)
