"""Answers on a scale: one whole number for the one output of a screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qe_desktop.answers.answer_type import AnswerType
from qe_desktop.answers.event_history import EventValue, JudgementStep, ScreenState
from qe_desktop.corpus import ItemRole, QeError, Score
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.answers.answer_type import RatingContext, RatingSink


_OF_SCREENS = (ItemRole.TRAINING, ItemRole.REPEAT)
"""Roles that a rating has by its screen, whatever output the screen showed."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """A value of a scale in words: `label` as the protocol has it, `meaning` a second line where there is one."""

    value: int
    label: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class ScaleAnswer(AnswerType):
    """One question and its values `low`..`high`; whole numbers, chosen by key or button, or with a slider.

    A slider starts unset: there is no value until the rater gives one. Anchors stand best first. `name` is what events
    call the scale, `title` what stands over it, `term` what sentences call it; its name where there is none.
    """

    name: str
    title: str
    question: str
    low: int
    high: int
    anchors: tuple[Anchor, ...]
    slider: bool = False
    term: str = ""

    @property
    def called(self) -> str:
        """What sentences call it."""
        return self.term or self.name

    def label(self, value: float) -> str:
        """The anchor's label of a value; empty where it has none."""
        return next((anchor.label for anchor in self.anchors if anchor.value == value), "")

    @property
    def outputs(self) -> tuple[int, int]:
        """One at a time."""
        return 1, 1

    @property
    def takes(self) -> tuple[int, int]:
        """Its ends."""
        return self.low, self.high

    @property
    def span(self) -> tuple[float, float]:
        """Its ends."""
        return float(self.low), float(self.high)

    @property
    def facts(self) -> str:
        """Its ends."""
        return f"{self.low}–{self.high}"

    def problem(self, value: EventValue, outputs: int) -> str:
        """What is wrong with a value; None takes one away."""
        if value is None or self._holds(value):
            return ""
        return tr("a {scale} that is no whole number {low}–{high}", scale=self.called, low=self.low, high=self.high)

    def checked(self, value: EventValue, outputs: int) -> float | None:
        """The value as a number; None takes one away."""
        if value is None:
            return None
        if isinstance(value, int | float) and self._holds(value):
            return float(value)
        hint = tr("Give a whole number {low} to {high}.", low=self.low, high=self.high)
        raise QeError(tr("{value} is no value of {scale}", value=repr(value), scale=self.called), hint=hint)

    def is_whole(self, value: EventValue) -> bool:
        """Whether there is a value."""
        return value is not None

    def missing(self, value: EventValue, outputs: int) -> str:
        """That there is no value."""
        return tr("{scale} is not rated", scale=self.called)

    def said(self, value: EventValue, before: EventValue) -> str:
        """The scale with its value."""
        if value is None:
            return tr("{scale} taken away", scale=self.called)
        number = f"{value:g}" if isinstance(value, float | int) else value
        return tr("{scale} {value}", scale=self.called, value=number)

    @classmethod
    def add_rows(cls, rows: RatingSink, about: RatingContext, state: ScreenState, step: JudgementStep) -> None:
        """Add one rating for each system of the output."""
        event, role = step.event, about.role
        if not isinstance(event.value, float | int):
            return
        if about.roles and role not in _OF_SCREENS:
            role = about.roles[0]
        flags = rows.flags_of(state, step)
        for system in about.outputs[0]:
            rows.scores.append(
                Score(
                    about.rater, system, about.segment, event.field, event.value, role, state.began, state.seconds,
                    flags, about.campaign, event.uid,
                )
            )  # fmt: skip

    def _holds(self, value: EventValue) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        # what is no number, or has no end, is not between the two
        return self.low <= value <= self.high and float(value).is_integer()
