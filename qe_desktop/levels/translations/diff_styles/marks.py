"""Marks on the words of a translation that is compared with other texts: position, style and meaning."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qe_desktop.corpus.text import Span
from qe_desktop.metrics.text.tokenizers import Tokenizer
from qe_desktop.metrics.text.translation_metrics import DEFAULT_METRIC_SETTINGS, TranslationMetricSettings

if TYPE_CHECKING:
    from qe_desktop.metrics.ter.ter_alignment import EditAlignment


class MarkStyle(enum.Enum):
    """Drawing style of a mark; styles differ in shape, not only in colour.

    The styles are underlines, a strikethrough, a tick between words, a bracket below a run of words, a frame, and four
    shades with dots or a bar.
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
    """Mark style with its meaning in one diff style; `label` is its short text in the legend."""

    style: MarkStyle
    label: str


@dataclass(frozen=True, slots=True)
class TextMark:
    """Sign on the characters from `start` to `end` (exclusive) of a text, or before `start` if `end` equals `start`.

    `other_words` are the corresponding words of the compared texts, whose 0-based indices are `text_indices`. `count`
    is the number of words of an n-gram, a chunk or a run of missing words. `position` is a 1-based word position in the
    marked text, and `other_position` in the compared text. Unused fields keep their defaults.
    """

    start: int
    end: int
    sign: MarkSign
    other_words: str = ""
    text_indices: tuple[int, ...] = ()
    count: int = 0
    position: int = 0
    other_position: int = 0


@dataclass(frozen=True, slots=True)
class MarkingInput:
    """Text of one segment, the texts to compare it with, and their language (ISO 639-1; empty if unknown).

    `settings` specify the tokenization of the metrics.
    """

    text: str
    other_texts: tuple[str, ...]
    language: str = ""
    settings: TranslationMetricSettings = DEFAULT_METRIC_SETTINGS

    @property
    def bleu_tokenizer(self) -> Tokenizer:
        """Return the tokenizer of BLEU, without lowercasing or stemming."""
        return Tokenizer(self.settings.tokenizer)


TextMarks = tuple[TextMark, ...]


@dataclass(frozen=True, slots=True)
class DiffStyle:
    """Diff style with its id, title, description and signs.

    `marks` returns the marks of one segment, sorted by position. It is pure and thread-safe, and raises QeError if the
    tokenizer in the settings cannot be used. `describe` describes a mark, given the names of the other texts. `metrics`
    are names, or prefixes of names, of the metrics that the style explains.
    """

    name: str
    title: str
    description: str
    signs: tuple[MarkSign, ...]
    marks: Callable[[MarkingInput], TextMarks]
    describe: Callable[[TextMark, Sequence[str]], str]
    metrics: tuple[str, ...] = ()

    def explains(self, metric: str) -> bool:
        """Return whether this style explains a metric: whether the metric's name starts with one of `metrics`."""
        return metric.startswith(self.metrics) if self.metrics else False


def sort_marks(marks: Sequence[TextMark]) -> TextMarks:
    """Sort marks by position."""
    return tuple(sorted(marks, key=lambda mark: (mark.start, mark.end)))


def nearest_text_index(count: Callable[[str, str], int], marking_input: MarkingInput) -> int:
    """Return the index of the compared text with the lowest `count`, the first in a tie; 0 if there are no texts.

    `count` returns the number of differences between the text and a compared text.
    """
    if len(marking_input.other_texts) < 2:
        return 0
    counts = [count(marking_input.text, candidate) for candidate in marking_input.other_texts]
    return counts.index(min(counts))


MAX_ALIGNED_TOKENS = 2000
"""Maximum number of tokens of a text to align; aligning more is too slow for interactive use."""


@dataclass(frozen=True, slots=True)
class StepSigns:
    """Signs for substituted, extra, missing and moved words."""

    replaced: MarkSign
    surplus: MarkSign
    missing: MarkSign
    moved: MarkSign | None = None


def step_marks(
    alignment: EditAlignment,
    text: str,
    text_spans: Sequence[Span],
    compared_text: str,
    compared_spans: Sequence[Span],
    number: int,
    signs: StepSigns,
) -> list[TextMark]:
    """Return the marks of an alignment between the tokens of a text and those of the compared text at index `number`.

    `text_spans` and `compared_spans` are the character spans of the tokens. Adjacent missing words form one mark. It is
    placed after the word that precedes them in the text once all shifts are applied.
    """
    marks: list[TextMark] = []
    after, missing = 0, list[int]()
    for step in alignment.steps:
        index, compared_index = step.mt, step.post_edit
        if index is None:
            assert compared_index is not None
            missing.append(compared_index)
            continue
        if missing:
            marks.append(_missing_mark(missing, after, compared_text, compared_spans, number, signs.missing))
            missing = []
        start, end = text_spans[index]
        after = end
        compared_number, word = (
            (0, "")
            if compared_index is None
            else (compared_index + 1, compared_text[slice(*compared_spans[compared_index])])
        )
        if step.is_moved and signs.moved is not None:
            marks.append(
                TextMark(start, end, signs.moved, word, (number,), position=index + 1, other_position=compared_number)
            )
        if compared_index is None:
            marks.append(TextMark(start, end, signs.surplus, "", (number,), position=index + 1))
        elif step.operation == "substitution":
            marks.append(
                TextMark(
                    start, end, signs.replaced, word, (number,), position=index + 1, other_position=compared_number
                )
            )
    if missing:
        marks.append(_missing_mark(missing, after, compared_text, compared_spans, number, signs.missing))
    return marks


def _missing_mark(
    indices: list[int], after: int, compared_text: str, compared_spans: Sequence[Span], number: int, sign: MarkSign
) -> TextMark:
    words = compared_text[compared_spans[indices[0]][0] : compared_spans[indices[-1]][1]]
    return TextMark(after, after, sign, words, (number,), len(indices), other_position=indices[0] + 1)
