"""What a file cannot tell by itself, and a person is asked: how its lines and its numbers are meant."""

from __future__ import annotations

import enum
from dataclasses import dataclass

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


@dataclass(frozen=True, slots=True)
class Answers:
    """What a person said of a file; None where nobody was asked."""

    lines: Lines | None = None
    numbers: Numbers | None = None

    def with_(self, said: Lines | Numbers) -> Answers:
        """These answers, and one more."""
        return Answers(said, self.numbers) if isinstance(said, Lines) else Answers(self.lines, said)

    def to(self, question: type[Lines] | type[Numbers]) -> Lines | Numbers | None:
        """The answer to one question."""
        return self.lines if question is Lines else self.numbers


UNASKED = Answers()
"""Nothing was said."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """A question that a file's content raises, and what `held` if nobody says otherwise; None where it must be said."""

    question: type[Lines] | type[Numbers]
    held: Lines | Numbers | None = None
