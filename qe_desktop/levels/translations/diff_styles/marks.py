"""Marks on the words of a translation that is compared with other texts, and character spans of its tokens."""

from __future__ import annotations

import enum
import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from qe_desktop.corpus.text import Span
from qe_desktop.metrics.text.tokenizers import Tokenizer
from qe_desktop.metrics.text.translation_metrics import DEFAULT_METRIC_SETTINGS, TranslationMetricSettings

if TYPE_CHECKING:
    from qe_desktop.metrics.ter.ter_edits import EditAlignment


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

    `other_words` are the corresponding words of the compared texts, whose 0-based indices are `text_indices`; for an
    n-gram, they are its words in the marked text. `count` is the number of words of an n-gram, a chunk or a run of
    missing words. `position` is a 1-based word position in the marked text, and `other_position` in the compared text.
    Unused fields keep their defaults.
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
    """Way of marking a translation that is compared with other texts: id, title, description and signs.

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
    """Return the marks of an alignment between a text's tokens and the tokens of the compared text at index `number`.

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


_ENTITIES = {'"': "&quot;", "&": "&amp;", "<": "&lt;", ">": "&gt;"}
"""Entities that some tokenizers decode, keyed by the decoded character."""


def token_char_spans(text: str, tokens: Sequence[str]) -> list[Span]:
    """Return the span of each token in the text, in the order of the tokens, without overlaps.

    If the tokenizer only lowercased letters, decoded entities or inserted spaces, each token covers its original
    characters. After other changes, a token covers only the characters that can be matched; unmatched tokens
    have empty spans.
    """
    return _match_characters(text, tokens) or _match_runs(text, tokens)


def _match_characters(text: str, tokens: Sequence[str]) -> list[Span] | None:
    """Return the spans of tokens, matched character by character; None if the tokens differ from the text."""
    spans: list[Span] = []
    joined_tokens = "".join(tokens)
    offset = read = 0
    for token in tokens:
        start = -1
        end = read + len(token)
        while read < end:
            while offset < len(text) and text[offset].isspace():
                offset += 1
            if offset == len(text):
                return None
            text_chars, token_chars = _consumed_chars(text, offset, joined_tokens, read)
            if not text_chars or read + token_chars > end:
                return None
            start = offset if start < 0 else start
            offset, read = offset + text_chars, read + token_chars
        spans.append((start, offset) if start >= 0 else (offset, offset))
    return spans if not text[offset:].strip() else None


def _consumed_chars(text: str, offset: int, flat: str, read: int) -> tuple[int, int]:
    """Return the lengths of the next match, in `text` at `offset` and in `flat` at `read`; (0, 0) if they differ.

    The match is one character of `text` or an entity.
    """
    entity = _ENTITIES.get(flat[read], "")
    if entity and text.startswith(entity, offset) and not flat.startswith(entity, read):
        return len(entity), 1
    for form in (text[offset], text[offset].lower()):
        if flat.startswith(form, read):
            return 1, len(form)
    return 0, 0


def _match_runs(text: str, tokens: Sequence[str]) -> list[Span]:
    """Return the spans of tokens, matched by the longest common runs of characters."""
    from difflib import SequenceMatcher

    text_forms = [(form, offset) for offset, character in enumerate(text) for form in _normalize_character(character)]
    token_forms = [
        (form, number)
        for number, token in enumerate(tokens)
        for character in token
        for form in _normalize_character(character)
    ]
    matcher = SequenceMatcher(None, [form for form, _ in text_forms], [form for form, _ in token_forms], autojunk=False)
    offsets: dict[int, list[int]] = {}
    for block in matcher.get_matching_blocks():
        for step in range(block.size):
            offsets.setdefault(token_forms[block.b + step][1], []).append(text_forms[block.a + step][1])
    spans: list[Span] = []
    last = 0
    for number in range(len(tokens)):
        token_offsets = offsets.get(number)
        start, end = (max(last, token_offsets[0]), max(last, token_offsets[-1] + 1)) if token_offsets else (last, last)
        spans.append((start, end))
        last = end
    return spans


def _normalize_character(character: str) -> str:
    return "".join(unicodedata.normalize("NFKC", character).lower().split())


_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u2e80-\u2fdf\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
    "\uf900-\ufaff\uff66-\uff9f\U00020000-\U0003ffff"
)
"""Character ranges of scripts without spaces between words: Thai, Lao, Burmese, Khmer, kana, Han."""
MAX_UNSPACED_WORD_CHARS = 10
"""Maximum number of characters of a word in a script without spaces; longer runs are sentences.

Runs that consist of katakana are words of any length.
"""
_UNSPACED_CHAR = re.compile(f"[{_UNSPACED}]")
_KATAKANA = re.compile("[\u30a0-\u30ff\uff66-\uff9f]+")


def paired_words(texts: Sequence[str]) -> list[list[Span]]:
    """Return the spans of the words of compared texts; punctuation marks are separate words.

    If any text has an untokenized sentence in a script without spaces, each character of such scripts is a word in all
    texts.
    """
    by_character = any(_is_sentence(token) for text in texts for token in text.split())
    return [list(_words(text, by_character)) for text in texts]


def _is_sentence(token: str) -> bool:
    if len(token) <= MAX_UNSPACED_WORD_CHARS or _KATAKANA.fullmatch(token):
        return False
    return len(_UNSPACED_CHAR.findall(token)) > MAX_UNSPACED_WORD_CHARS


def _words(text: str, by_character: bool) -> Iterator[Span]:
    for token in re.finditer(r"\S+", text):
        start, end = token.span()
        graphemes = list(_grapheme_spans(text, start, end))
        word_start: int | None = None
        for number, (first, last) in enumerate(graphemes):
            is_separate = _is_punctuation(text, graphemes, number) or (
                by_character and _UNSPACED_CHAR.match(text, first) is not None
            )
            if is_separate and word_start is not None:
                yield word_start, first
                word_start = None
            if is_separate:
                yield first, last
            elif word_start is None:
                word_start = first
        if word_start is not None:
            yield word_start, end


def _grapheme_spans(text: str, start: int, end: int) -> Iterator[Span]:
    """Yield the spans of graphemes: characters with their combining marks, joiners and joined characters."""
    first = start
    for offset in range(start + 1, end):
        if not (_joins(text[offset]) or text[offset - 1] == "\u200d"):
            yield first, offset
            first = offset
    if end > start:
        yield first, end


def _joins(character: str) -> bool:
    kind = unicodedata.category(character)
    return kind[0] == "M" or kind == "Cf" or "\U0001f3fb" <= character <= "\U0001f3ff"


def _is_punctuation(text: str, graphemes: Sequence[Span], number: int) -> bool:
    """Return whether the grapheme at index `number` is punctuation or a symbol.

    The result is False between letters or digits, as in "don't" and "3,5".
    """
    if unicodedata.category(text[graphemes[number][0]])[0] not in "PS":
        return False
    inside = 0 < number < len(graphemes) - 1
    return not (inside and all(text[graphemes[neighbour][0]].isalnum() for neighbour in (number - 1, number + 1)))
