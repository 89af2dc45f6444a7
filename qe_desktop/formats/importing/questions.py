"""What a file cannot tell by itself, and a person is asked: how its lines, its numbers and its scores are meant."""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace

from qe_desktop.wording import tr


class Lines(enum.Enum):
    """What a line is, where no line has more than one tag or number."""

    SEGMENTS = "one segment a line"
    TOKENS = "one token a line"
    """An empty line ends a segment."""

    @property
    def shown(self) -> str:
        """How people read it."""
        return tr("one segment a line") if self is Lines.SEGMENTS else tr("one token a line")


class Numbers(enum.Enum):
    """What numbers of tokens are probabilities of."""

    BAD = "P(BAD)"
    OK = "P(OK)"

    @property
    def shown(self) -> str:
        """How people read it."""
        return self.value


class Better(enum.Enum):
    """Which scores of a metric are the better ones."""

    MORE = 1
    LESS = -1

    @property
    def shown(self) -> str:
        """How people read it."""
        return tr("more is better") if self is Better.MORE else tr("less is better")


Answer = Lines | Numbers | Better
Question = type[Lines] | type[Numbers] | type[Better]


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person said of a file; None where nobody was asked."""

    lines: Lines | None = None
    numbers: Numbers | None = None
    better: Better | None = None

    def with_(self, said: Answer) -> Answers:
        """These answers, and one more."""
        if isinstance(said, Better):
            return replace(self, better=said)
        return replace(self, lines=said) if isinstance(said, Lines) else replace(self, numbers=said)

    def to(self, question: Question) -> Answer | None:
        """The answer to one question."""
        return self.lines if question is Lines else self.numbers if question is Numbers else self.better


UNASKED = Answers()
"""Nothing was said."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question that a file's content raises, and what `held` if nobody says otherwise; None where it must be said."""

    question: Question
    held: Answer | None = None
