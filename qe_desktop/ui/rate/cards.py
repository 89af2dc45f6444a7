"""The card in the window for each kind of answer. A new kind is a card, and a line here."""

from __future__ import annotations

from qe_desktop.answers.answer import Answer
from qe_desktop.answers.ranks import Choice, Ranks
from qe_desktop.answers.scale import Scale
from qe_desktop.ratings.protocols import Protocol
from qe_desktop.ui.rate.card import Card
from qe_desktop.ui.rate.ranks.pair_board import PairBoard
from qe_desktop.ui.rate.ranks.rank_board import RankBoard
from qe_desktop.ui.rate.scales.scale_card import ScaleCard

CARDS: dict[type[Answer], type[Card]] = {Scale: ScaleCard, Ranks: RankBoard, Choice: PairBoard}


def card_class(protocol: Protocol) -> type[Card]:
    """The card that asks for the answers of a protocol."""
    return CARDS[type(protocol.answers[0])]
