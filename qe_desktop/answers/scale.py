"""Answers on a scale: one integer for the single output of a screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from qe_desktop.answers.answer_type import AnswerType
from qe_desktop.answers.event_history import EventValue, JudgementStep, ScreenState
from qe_desktop.corpus import ItemRole, QeError, Score
from qe_desktop.i18n.messages import tr

if TYPE_CHECKING:
    from qe_desktop.answers.answer_type import RatingContext, RatingSink


_SCREEN_ROLES = (ItemRole.TRAINING, ItemRole.REPEAT)
"""Roles of a screen that take precedence over the roles of its outputs."""


@dataclass(frozen=True, slots=True)
class Anchor:
    """Description of a scale value; `label` is the text in the protocol, and `meaning` is an optional second line."""

    value: int
    label: str
    meaning: str = ""


@dataclass(frozen=True, slots=True)
class ScaleAnswer(AnswerType):
    """Question that is answered with an integer from `min_value` to `max_value`, using keys, buttons or a slider.

    A slider is unset until the rater moves it. Anchors are ordered best first. `name` is the `field` of the rating
    events, `title` is the heading, and `term` is the name of the scale within a sentence (default: `name`).
    """

    name: str
    title: str
    question: str
    min_value: int
    max_value: int
    anchors: tuple[Anchor, ...]
    has_slider: bool = False
    term: str = ""

    @property
    def sentence_name(self) -> str:
        """Name of the scale within a sentence."""
        return self.term or self.name

    def label(self, value: float) -> str:
        """Label of the anchor of a value; empty if the value has no anchor."""
        return next((anchor.label for anchor in self.anchors if anchor.value == value), "")

    @property
    def outputs(self) -> tuple[int, int]:
        """Minimum and maximum number of outputs on a screen: always one."""
        return 1, 1

    @property
    def integer_range(self) -> tuple[int, int]:
        """Smallest and largest value of the scale, as integers."""
        return self.min_value, self.max_value

    @property
    def span(self) -> tuple[float, float]:
        """Smallest and largest value of the scale, as floats."""
        return float(self.min_value), float(self.max_value)

    @property
    def summary(self) -> str:
        """Range of the scale as text, such as 1–5."""
        return f"{self.min_value}–{self.max_value}"

    def problem(self, value: EventValue, outputs: int) -> str:
        """Noun phrase that describes an invalid value; empty for a valid value or None, which removes the rating."""
        if value is None or self._is_valid(value):
            return ""
        return tr(
            "value of {scale} that is not an integer from {low} to {high}",
            scale=self.sentence_name, low=self.min_value, high=self.max_value,
        )  # fmt: skip

    def validate(self, value: EventValue, outputs: int) -> float | None:
        """Validate and return a value as a float; None removes the rating. Raises QeError if the value is invalid."""
        if value is None:
            return None
        if isinstance(value, int | float) and self._is_valid(value):
            return float(value)
        hint = tr("Enter an integer from {low} to {high}.", low=self.min_value, high=self.max_value)
        raise QeError(
            tr("{value} is not a valid value for {scale}", value=repr(value), scale=self.sentence_name), hint=hint
        )

    def is_complete(self, value: EventValue) -> bool:
        """Return whether `value` is not None."""
        return value is not None

    def completion_hint(self, value: EventValue, outputs: int) -> str:
        """Text that says that the rating is missing."""
        return tr("{scale} missing", scale=self.sentence_name)

    def describe_change(self, value: EventValue, before: EventValue) -> str:
        """Description of the new rating, such as “fluency 4” or “fluency 4 (was 3)”, or a note that it was removed."""
        if value is None:
            return tr("{scale}: rating removed", scale=self.sentence_name)
        number = f"{value:g}" if isinstance(value, float | int) else value
        if isinstance(before, float | int) and before != value:
            return tr("{scale} {value} (was {before})", scale=self.sentence_name, value=number, before=f"{before:g}")
        return tr("{scale} {value}", scale=self.sentence_name, value=number)

    @classmethod
    def add_rows(cls, rows: RatingSink, context: RatingContext, state: ScreenState, step: JudgementStep) -> None:
        """Add a rating for each system that produced the output; add none if the value is not a number."""
        event, role = step.event, context.role
        if not isinstance(event.value, float | int):
            return
        if context.roles and role not in _SCREEN_ROLES:
            role = context.roles[0]
        flags = rows.flags_of(state, step)
        for system in context.outputs[0]:
            rows.scores.append(
                Score(
                    context.rater, system, context.segment, event.field, event.value, role, state.started_at,
                    state.seconds,
                    flags, context.campaign, event.uid,
                )
            )  # fmt: skip

    def _is_valid(self, value: EventValue) -> bool:
        if not isinstance(value, int | float) or isinstance(value, bool):
            return False
        # NaN and infinity are not in the range
        return self.min_value <= value <= self.max_value and float(value).is_integer()
