"""Questions to the user about a file: the meaning of its lines, its numbers and its scores."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from qe_desktop.i18n.messages import tr


class LineUnit(enum.Enum):
    """Unit that each line represents, in a file whose lines have at most one tag or number each."""

    SEGMENTS = "one segment a line"
    TOKENS = "one token a line"
    """One token per line; an empty line ends a segment."""

    @property
    def display_name(self) -> str:
        """Localized name."""
        return tr("one segment per line") if self is LineUnit.SEGMENTS else tr("one token per line")


class ProbabilityOf(enum.Enum):
    """Tag whose probabilities a file contains: BAD or OK."""

    BAD = "P(BAD)"
    OK = "P(OK)"

    @property
    def display_name(self) -> str:
        """Localized name."""
        return self.value


class ScoreDirection(enum.Enum):
    """Direction of a metric's scores: whether higher or lower scores are better."""

    MORE = 1
    LESS = -1

    @property
    def display_name(self) -> str:
        """Localized name."""
        return tr("higher is better") if self is ScoreDirection.MORE else tr("lower is better")


AnswerValue = LineUnit | ProbabilityOf | ScoreDirection
QuestionType = type[LineUnit] | type[ProbabilityOf] | type[ScoreDirection]


@dataclass(frozen=True, slots=True)
class QuestionAnswers:
    """User's answers to the questions about a file; None for a question that has not been answered."""

    line_unit: LineUnit | None = None
    probability_of: ProbabilityOf | None = None
    score_direction: ScoreDirection | None = None

    def with_answer(self, answer: AnswerValue) -> QuestionAnswers:
        """Return a copy with one answer added or replaced."""
        if isinstance(answer, ScoreDirection):
            return replace(self, score_direction=answer)
        return replace(self, line_unit=answer) if isinstance(answer, LineUnit) else replace(self, probability_of=answer)

    def answer_to(self, question: QuestionType) -> AnswerValue | None:
        """Answer to one question; None if it has not been answered."""
        return (
            self.line_unit
            if question is LineUnit
            else self.probability_of
            if question is ProbabilityOf
            else self.score_direction
        )


NO_ANSWERS = QuestionAnswers()
"""Default: no question has been answered."""


@dataclass(frozen=True, slots=True)
class Ambiguity:
    """Question about a file's content; `default` is the default answer, or None if there is no default."""

    question: QuestionType
    default: AnswerValue | None = None
