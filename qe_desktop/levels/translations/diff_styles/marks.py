"""What marks the words of a translation beside other texts, as values: where, how it is drawn, and what it means."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qe_desktop.levels.translations.diff_styles.token_spans import Span
from qe_desktop.metrics.text.tokenizers import Tokenizer
from qe_desktop.metrics.text.translation_metrics import DEFAULT_METRIC_SETTINGS, TranslationMetricSettings

if TYPE_CHECKING:
    from qe_desktop.metrics.ter.ter_alignment import EditAlignment


class MarkStyle(enum.Enum):
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
class MarkSign:
    """A form as one way of marking uses it; `text` is what a legend calls it, in a word or two."""

    form: MarkStyle
    text: str


@dataclass(frozen=True, slots=True)
class TextMark:
    """A sign on the characters of a text from `start` to before `end`; on the place between two where these are equal.

    `other` are the words that it is about, of the texts numbered in `texts` (from 0, among those that were marked
    against); `number` is what it counts, such as the words of an n-gram, `here` and `there` places from 1 of words in
    the text and in the other one. What a mark does not speak of is left as it is.
    """

    start: int
    end: int
    sign: MarkSign
    other: str = ""
    texts: tuple[int, ...] = ()
    number: int = 0
    here: int = 0
    there: int = 0


@dataclass(frozen=True, slots=True)
class MarkingInput:
    """One segment: a text, the others that it is marked against, and the language of all (ISO 639-1, or nothing).

    `settings` say how metrics cut them.
    """

    text: str
    others: tuple[str, ...]
    language: str = ""
    settings: TranslationMetricSettings = DEFAULT_METRIC_SETTINGS

    @property
    def cut(self) -> Tokenizer:
        """The tokens of BLEU, as they are written."""
        return Tokenizer(self.settings.tokenizer)


TextMarks = tuple[TextMark, ...]


@dataclass(frozen=True, slots=True)
class DiffStyle:
    """A way of marking: its name for programs, its title for people and what it shows, and the signs it uses.

    `marks` gives the marks of one segment, by their places; it is pure, and any thread may ask it. `say` words a mark,
    given the names of the other texts. `metrics` are those that it explains: names, or how names begin.
    """

    name: str
    title: str
    about: str
    signs: tuple[MarkSign, ...]
    marks: Callable[[MarkingInput], TextMarks]
    say: Callable[[TextMark, Sequence[str]], str]
    metrics: tuple[str, ...] = ()

    def explains(self, metric: str) -> bool:
        """Whether it shows what a metric counts."""
        return metric.startswith(self.metrics) if self.metrics else False


def sort_marks(marks: Sequence[TextMark]) -> TextMarks:
    """Marks by where they stand."""
    return tuple(sorted(marks, key=lambda mark: (mark.start, mark.end)))


def nearest_text_index(count: Callable[[str, str], int], against: MarkingInput) -> int:
    """The number of the other text that `count` gives the least for, the first of equals."""
    if len(against.others) < 2:
        return 0
    counts = [count(against.text, other) for other in against.others]
    return counts.index(min(counts))


MAX_ALIGNED_TOKENS = 2000
"""Tokens of one text at the most; the alignment of more is not worth waiting for while one walks through segments."""


@dataclass(frozen=True, slots=True)
class StepSigns:
    """What stands for a word in the place of another, one too many, one that is missing, and one that was moved."""

    replaced: MarkSign
    surplus: MarkSign
    missing: MarkSign
    moved: MarkSign | None = None


def step_marks(
    alignment: EditAlignment,
    text: str,
    ours: Sequence[Span],
    other: str,
    theirs: Sequence[Span],
    number: int,
    signs: StepSigns,
) -> list[TextMark]:
    """The marks of an alignment of the tokens of a text with those of another, which has this number among the others.

    Words that are missing side by side are one mark, behind the word that they follow once all shifts are made.
    """
    found: list[TextMark] = []
    after, missing = 0, list[int]()
    for step in alignment.steps:
        here, there = step.mt, step.post_edit
        if here is None:
            assert there is not None
            missing.append(there)
            continue
        if missing:
            found.append(_missing(missing, after, other, theirs, number, signs.missing))
            missing = []
        start, end = ours[here]
        after = end
        place, word = (0, "") if there is None else (there + 1, other[slice(*theirs[there])])
        if step.moved and signs.moved is not None:
            found.append(TextMark(start, end, signs.moved, word, (number,), here=here + 1, there=place))
        if there is None:
            found.append(TextMark(start, end, signs.surplus, "", (number,), here=here + 1))
        elif step.operation == "substitution":
            found.append(TextMark(start, end, signs.replaced, word, (number,), here=here + 1, there=place))
    if missing:
        found.append(_missing(missing, after, other, theirs, number, signs.missing))
    return found


def _missing(
    places: list[int], after: int, other: str, theirs: Sequence[Span], number: int, sign: MarkSign
) -> TextMark:
    words = other[theirs[places[0]][0] : theirs[places[-1]][1]]
    return TextMark(after, after, sign, words, (number,), len(places), there=places[0] + 1)
