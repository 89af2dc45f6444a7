"""Base class of answer types, which validate and describe the answers to a question and convert them to ratings."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, NamedTuple, Protocol

from qe_desktop.answers.event_history import EventValue, JudgementStep, ScreenState
from qe_desktop.corpus import ItemRole, PairwiseJudgement, Score


class AnswerType(ABC):
    """Base class of answer types.

    `name` is the `field` of the rating events that contain the answers; the last answer that was not undone counts.
    `judges_pairs` is true for pairwise judgements and false for values on a scale.
    """

    __slots__ = ()
    name: str
    judges_pairs: ClassVar[bool] = False

    @property
    def sentence_name(self) -> str:
        """Name of the answer type within a sentence, such as “fluency”."""
        return self.name

    @property
    @abstractmethod
    def outputs(self) -> tuple[int, int]:
        """Minimum and maximum number of outputs on a screen with this question."""

    @property
    @abstractmethod
    def integer_range(self) -> tuple[int, int]:
        """Smallest and largest integer that an answer may contain; database servers enforce this range."""

    @property
    def span(self) -> tuple[float, float] | None:
        """Range of the ratings; None if they are not values on a scale."""
        return None

    @property
    @abstractmethod
    def summary(self) -> str:
        """Summary in one or two words, displayed on the card of each protocol that uses this answer type."""

    @abstractmethod
    def problem(self, value: EventValue, outputs: int) -> str:
        """Noun phrase that describes an invalid value on a screen with `outputs` outputs; empty for a valid value."""

    @abstractmethod
    def validate(self, value: EventValue, outputs: int) -> EventValue:
        """Validate a value and return it in the form to be stored. Raises QeError if it is invalid."""

    @abstractmethod
    def is_complete(self, value: EventValue) -> bool:
        """Return whether a value is a complete answer of this type."""

    @abstractmethod
    def completion_hint(self, value: EventValue, outputs: int) -> str:
        """Text that asks the rater to complete the answer `value` on a screen with `outputs` outputs."""

    @abstractmethod
    def describe_change(self, value: EventValue, before: EventValue) -> str:
        """Description of a new value, such as “fluency 4” or “rank 2 for C”; `before` is the previous value."""

    @classmethod
    @abstractmethod
    def add_rows(cls, rows: RatingSink, context: RatingContext, state: ScreenState, step: JudgementStep) -> None:
        """Add to `rows` the ratings that result from a judgement of a screen."""


class RatingContext(NamedTuple):
    """Content and role of a screen, known only to the owner of a campaign.

    `outputs` lists, in the order shown, the systems that produced each output. `roles` are the roles of the outputs,
    such as degraded or reference; empty if unknown. `campaign` is the uid of the campaign, with the suffix
    `BLIND_SUFFIX` if `outputs` contains letters instead of the names of systems.
    """

    campaign: str
    screen: str
    rater: str
    segment: str
    outputs: tuple[tuple[str, ...], ...]
    roles: tuple[ItemRole, ...] = ()
    role: ItemRole = ItemRole.SYSTEM


class RatingSink(Protocol):
    """Collector of ratings; `unfinished` counts answers that are incomplete."""

    unfinished: int
    scores: list[Score]
    pairs: list[PairwiseJudgement]

    def flags_of(self, state: ScreenState, step: JudgementStep) -> int:
        """Return the `RatingFlag` of a judgement; 0 if it has none.

        Only judgements on the scale that is rated while only the translation is visible have a flag. It states whether
        the judgement was made before or after the source or reference was revealed.
        """
