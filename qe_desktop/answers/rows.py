"""What an answer is turned into: rows of ratings, of a screen of which only the owner knows what it showed."""

from __future__ import annotations

from typing import NamedTuple, Protocol

from qe_desktop.answers.history import ScreenState, Step
from qe_desktop.corpus import ItemRole, Pair, Score


class About(NamedTuple):
    """What a screen showed, and why: only a campaign's owner knows.

    `outputs` are the systems of each output in the order shown, several where their outputs are identical; `roles`
    says of each whether it was degraded or a reference, and is empty where nothing says so. `campaign` is the uid of
    the campaign, with the mark of blind ratings where the systems go by letters.
    """

    campaign: str
    screen: str
    rater: str
    segment: str
    outputs: tuple[tuple[str, ...], ...]
    roles: tuple[ItemRole, ...] = ()
    role: ItemRole = ItemRole.SYSTEM


class Rows(Protocol):
    """Where kinds of answers put what they come to; `unfinished` counts answers that are begun and not whole."""

    unfinished: int
    scores: list[Score]
    pairs: list[Pair]

    def flags_of(self, state: ScreenState, step: Step) -> int:
        """Whether a value was given with only the translation in view, or changed later."""
