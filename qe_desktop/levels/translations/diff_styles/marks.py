"""What marks the words of a translation beside other texts, as values: where, how it is drawn, and what it means."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from qe_desktop.metrics.tokenizers import Cut
from qe_desktop.metrics.translations import USUAL, Settings


class Form(enum.Enum):
    """How a mark is drawn; each differs from all others by shape, and not by colour alone.

    Lines under and through words, a tick between two, a bracket around a run, and shades in four steps with dots.
    """

    DASHED = enum.auto()
    DOUBLE = enum.auto()
    WAVED = enum.auto()
    DOTTED = enum.auto()
    SOLID = enum.auto()
    STRUCK = enum.auto()
    TICK = enum.auto()
    BRACKET = enum.auto()
    FRAME = enum.auto()
    STEP_1 = enum.auto()
    STEP_2 = enum.auto()
    STEP_3 = enum.auto()
    STEP_4 = enum.auto()


@dataclass(frozen=True, slots=True)
class Sign:
    """A form as one way of marking uses it; `text` is what a legend calls it, in a word or two."""

    form: Form
    text: str


@dataclass(frozen=True, slots=True)
class Mark:
    """A sign on the characters of a text from `start` to before `end`; on the place between two where these are equal.

    `other` are the words that it is about, of the texts numbered in `texts` (from 0, among those that were marked
    against); `number` is what it counts, such as the words of an n-gram, `here` and `there` places from 1 of words in
    the text and in the other one. What a mark does not speak of is left as it is.
    """

    start: int
    end: int
    sign: Sign
    other: str = ""
    texts: tuple[int, ...] = ()
    number: int = 0
    here: int = 0
    there: int = 0


@dataclass(frozen=True, slots=True)
class Against:
    """One segment: a text, the others that it is marked against, and the language of all (ISO 639-1, or nothing).

    `settings` say how metrics cut them.
    """

    text: str
    others: tuple[str, ...]
    language: str = ""
    settings: Settings = USUAL

    @property
    def cut(self) -> Cut:
        """The tokens of BLEU, as they are written."""
        return Cut(self.settings.tokenizer)


Marks = tuple[Mark, ...]


@dataclass(frozen=True, slots=True)
class Marking:
    """A way of marking: its name for programs, its title for people and what it shows, and the signs it uses.

    `marks` gives the marks of one segment, by their places; it is pure, and any thread may ask it. `say` words a mark,
    given the names of the other texts. `metrics` are those that it explains: names, or how names begin.
    """

    name: str
    title: str
    about: str
    signs: tuple[Sign, ...]
    marks: Callable[[Against], Marks]
    say: Callable[[Mark, Sequence[str]], str]
    metrics: tuple[str, ...] = ()

    def explains(self, metric: str) -> bool:
        """Whether it shows what a metric counts."""
        return metric.startswith(self.metrics) if self.metrics else False


def in_order(marks: Sequence[Mark]) -> Marks:
    """Marks by where they stand."""
    return tuple(sorted(marks, key=lambda mark: (mark.start, mark.end)))


def of_nearest(count: Callable[[str, str], int], against: Against) -> int:
    """The number of the other text that `count` gives the least for, the first of equals."""
    if len(against.others) < 2:
        return 0
    counts = [count(against.text, other) for other in against.others]
    return counts.index(min(counts))
