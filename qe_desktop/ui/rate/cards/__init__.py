"""Cards that show an item, by answer type. For a new answer type, add its card class to `CARD_CLASSES`."""

from __future__ import annotations

from qe_desktop.answers.answer_type import AnswerType
from qe_desktop.answers.ranking import PairwiseAnswer, RankingAnswer
from qe_desktop.answers.scale import ScaleAnswer
from qe_desktop.ratings.protocols import Protocol
from qe_desktop.ui.rate.cards.item_card import ItemCard
from qe_desktop.ui.rate.cards.rank_all_card import RankAllCard
from qe_desktop.ui.rate.cards.ranking_card import PairwiseCard
from qe_desktop.ui.rate.cards.scale_card import ScaleCard

CARD_CLASSES: dict[type[AnswerType], type[ItemCard]] = {
    ScaleAnswer: ScaleCard,
    RankingAnswer: RankAllCard,
    PairwiseAnswer: PairwiseCard,
}


def card_class(protocol: Protocol) -> type[ItemCard]:
    """Return the card class for the answers of a protocol. Raises KeyError if none is registered."""
    return CARD_CLASSES[type(protocol.answers[0])]
