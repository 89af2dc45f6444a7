"""What a kind of answer is: what a screen asks for, and all that has to be known of it."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING, ClassVar, NamedTuple, Protocol

from qe_desktop.answers.event_history import EventValue, JudgementStep, ScreenState
from qe_desktop.corpus import ItemRole, PairwiseJudgement, Score

if TYPE_CHECKING:
    pass  # REMOVED


class AnswerType(ABC):
    """One thing that a screen asks for: how it is checked, how it is said, and what ratings it comes to.

    `name` is the field of its events; the last value that was not undone holds. `judges_pairs` says that it comes to
    pairwise judgements, and not to values on a scale.
    """

    __slots__ = ()
    name: str
    judges_pairs: ClassVar[bool] = False

    @property
    def called(self) -> str:
        """What sentences call it."""
        return self.name

    @property
    @abstractmethod
    def outputs(self) -> tuple[int, int]:
        """The least and the most outputs on a screen that asks for it."""

    @property
    @abstractmethod
    def takes(self) -> tuple[int, int]:
        """The least and the greatest whole number in a value: what a server holds raters to."""

    @property
    def span(self) -> tuple[float, float] | None:
        """From where to where its ratings go; None where they are no values."""
        return None

    @property
    @abstractmethod
    def facts(self) -> str:
        """What it is, in a word or two, for whoever chooses a protocol."""

    @abstractmethod
    def problem(self, value: EventValue, outputs: int) -> str:
        """What is wrong with the value of an event, for a screen of so many outputs; empty where nothing is."""

    @abstractmethod
    def checked(self, value: EventValue, outputs: int) -> EventValue:
        """The value as it is kept; a QeError says what is wrong with it."""

    @abstractmethod
    def is_whole(self, value: EventValue) -> bool:
        """Whether a screen on which this value holds needs nothing more."""

    @abstractmethod
    def missing(self, value: EventValue, outputs: int) -> str:
        """What a screen of so many outputs still needs, in words, where the value that holds is not whole."""

    @abstractmethod
    def said(self, value: EventValue, before: EventValue) -> str:
        """A judgement in words, such as “fluency 4” or “rank 2 for C”; `before` is what held until then."""

    @classmethod
    @abstractmethod
    def add_rows(cls, rows: RatingSink, about: RatingContext, state: ScreenState, step: JudgementStep) -> None:
        """Add the ratings that the judgement of a screen comes to."""


class RatingContext(NamedTuple):
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


class RatingSink(Protocol):
    """Where kinds of answers put what they come to; `unfinished` counts answers that are begun and not whole."""

    unfinished: int
    scores: list[Score]
    pairs: list[PairwiseJudgement]

    def flags_of(self, state: ScreenState, step: JudgementStep) -> int:
        """Whether a value was given with only the translation in view, or changed later."""
