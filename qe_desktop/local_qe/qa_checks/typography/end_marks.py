"""Punctuation marks that end a text, by kind, and the conventions of a job: marks that its targets usually have."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

from qe_desktop.local_qe.qa_checks.check import EndMarks, Marks, usual_deviations
from qe_desktop.local_qe.qa_checks.text_shape import ENTITY

STOP, QUESTION, EXCLAMATION, COLON, DOTS = ".", "?", "!", ":", "…"
KINDS = {
    **dict.fromkeys(".。．｡।۔։።᠃᭟", STOP), **dict.fromkeys("?？؟՞፧⁇⁈", QUESTION),
    **dict.fromkeys("!！՜‼⁉", EXCLAMATION), **dict.fromkeys(":：፦", COLON), "…": DOTS,
}  # fmt: skip
"""Kinds of marks by character."""
_GREEK_QUESTION = ";\u037e"
MAX_ENTITY_CHARS = 34
_ENDS_WITH_ENTITY = re.compile(f"{ENTITY}$")
_ARMENIAN_STOPS = ("։", ":")
_ARMENIAN_QUESTION, _ARMENIAN_PAUSE = "՞", "՝"
_QUOTES = frozenset("\"'”“„’‘‚»«›‹」』「『")
CLOSING = " \t\u00a0\u202f\u2028\u3000\"'”“’‘»«›‹」』】)）]］}>*_"
"""Characters that may follow the last mark of a sentence."""


def end_mark(text: str, language: str) -> str:
    """Kind of the mark that ends a text, ignoring closing quotation marks and brackets; empty if none or if quoted."""
    ended = text.rstrip(CLOSING)
    last = ended[-1:]
    if last and last in _GREEK_QUESTION and language == "el":
        return "" if _ENDS_WITH_ENTITY.search(ended[-MAX_ENTITY_CHARS:]) else QUESTION
    if language == "hy":
        return _armenian_mark(ended)
    if text[len(ended) : len(ended) + 1] in _QUOTES and ended[-2:-1] in _QUOTES:
        # the mark itself is quoted
        return ""
    if last == "." and ended.endswith("..."):
        return DOTS
    return KINDS.get(last, "")


def _armenian_mark(text: str) -> str:
    """Kind of the mark of the last sentence; a question has its mark on a word, and a colon may stand for a stop."""
    sentence = max(text.rfind(stop, 0, -1) for stop in _ARMENIAN_STOPS) + 1
    if _ARMENIAN_QUESTION in text[sentence:]:
        return QUESTION
    return STOP if text.endswith(_ARMENIAN_STOPS) else KINDS.get(text[-1:], "")


def end_marks(source: str, mt: str, source_language: str, language: str) -> Marks:
    """Kinds of the marks that end a source and its target; equal if the marks correspond in these languages."""
    last = source[-1:]
    if last == mt[-1:] and last in "?!:" and last:
        return last, last
    source_mark, mt_mark = end_mark(source, source_language), end_mark(mt, language)
    if source_mark == COLON and language == "hy" and mt.rstrip(CLOSING).endswith(_ARMENIAN_PAUSE):
        return source_mark, source_mark
    if (source_mark == QUESTION and _may_ask(mt, language)) or (
        mt_mark == QUESTION and _may_ask(source, source_language)
    ):
        return QUESTION, QUESTION
    quoted = {QUESTION, EXCLAMATION}
    if source_mark in quoted and _is_quoted(source) and not _is_quoted(mt):
        source_mark = _mark_of_sentence(mt_mark)
    elif mt_mark in quoted and _is_quoted(mt) and not _is_quoted(source):
        mt_mark = _mark_of_sentence(source_mark)
    return source_mark, mt_mark


def _mark_of_sentence(other: str) -> str:
    """Mark of a sentence that ends with a quoted question or exclamation, given the mark of the other text.

    The sentence ends with a full stop that is left out: He asked, “Why?” – „Warum?“, fragte er.
    """
    return other if other == STOP else ""


def _is_quoted(text: str) -> bool:
    """Whether the last mark of a text is followed by a closing quotation mark."""
    ended = text.rstrip(CLOSING)
    return not _QUOTES.isdisjoint(text[len(ended) :])


def _may_ask(text: str, language: str) -> bool:
    """Whether a text may be a question without a question mark, as in Japanese; か ends other sentences, too."""
    return language == "ja" and text.rstrip(CLOSING).removesuffix("。").endswith("か")


def usual_marks(marks: Iterable[EndMarks]) -> frozenset[EndMarks]:
    """Conventions among the marks of all segments, such as a full stop in targets whose source has none."""
    counts = Counter(marks)
    by_source: Counter[tuple[str, str]] = Counter()
    for (language, (source, _)), count in counts.items():
        by_source[language, source] += count
    deviations = {key: count for key, count in counts.items() if key[1][0] != key[1][1]}
    return usual_deviations(deviations, {key: by_source[key[0], key[1][0]] for key in deviations})


def usual_marks_of_texts(pairs: Iterable[tuple[str, str]], languages: Iterable[tuple[str, str]]) -> frozenset[EndMarks]:
    """Conventions among pairs of source and target, given the languages of each; empty targets are skipped."""

    def marks() -> Iterator[EndMarks]:
        for (source, mt), (source_language, language) in zip(pairs, languages, strict=False):
            if mt.strip():
                yield language, end_marks(source, mt, source_language, language)

    return usual_marks(marks())
