"""The kinds of answers by the fields of their events."""

from __future__ import annotations

from qe_desktop.answers.answer import Answer
from qe_desktop.answers.events import RANKS
from qe_desktop.answers.ranks import Ranks
from qe_desktop.answers.scale import Scale

_BY_FIELD: dict[str, type[Answer]] = {RANKS: Ranks}


def kind_of(field: str) -> type[Answer]:
    """The kind of answer that events of a field give, also in journals of protocols that nobody here knows."""
    return _BY_FIELD.get(field, Scale)
