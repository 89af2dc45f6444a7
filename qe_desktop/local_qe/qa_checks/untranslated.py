"""Check for words that are left untranslated."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, OtherSegments, QaIssue, SegmentPair, SegmentPairs

MIN_WORD_LETTERS = 4
"""Minimum number of letters of a word."""
_LETTER = "A-Za-zÀ-ÖØ-öø-ɏͰ-ԯ"
"""Letters of scripts with capital letters, which indicate names."""
_RUN = re.compile(f"[{_LETTER}]{{{MIN_WORD_LETTERS},}}")
_WORD = re.compile(
    rf"(?<![{_LETTER}\d@#/.\\&$%<_-])[{_LETTER}]+(?:['’][{_LETTER}]+)?(?![{_LETTER}\d_@/\\>]|[.-][{_LETTER}\d])"
)
_NAME = re.compile(r"(?<!\S)(\S+)\s+$")


def _find(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
    left: list[tuple[int, int, int, str]] = []
    own: set[str] = set()
    for pair in pairs:
        words = checkable_words(pair.mt)
        kept = words & checkable_words(pair.source)
        own |= words - kept
        if any(map(str.islower, kept)):
            left += [(pair.segment, *match.span(), match[0]) for match in _untranslated_words(pair)]
    return ((segment, _message(low, high, word)) for segment, low, high, word in left if word not in own)


def _at(pair: SegmentPair, others: OtherSegments) -> Iterator[QaIssue]:
    for match in _untranslated_words(pair):
        if not others.is_target_only_word(match[0]):
            yield _message(*match.span(), match[0])


def _message(low: int, high: int, word: str) -> QaIssue:
    return QaIssue((low, high), tr("“{word}” is the same as in the source", word=word))


def checkable_words(text: str) -> set[str]:
    """Words of a text that are long enough to be checked."""
    return set(_RUN.findall(text))


def _untranslated_words(pair: SegmentPair) -> Iterator[re.Match[str]]:
    source_words = {match[0] for match in _WORD.finditer(pair.source) if _is_common(match[0])}
    for match in _WORD.finditer(pair.mt) if source_words else ():
        if match[0] in source_words and not _ends_a_name(pair, match):
            yield match


def _ends_a_name(pair: SegmentPair, word: re.Match[str]) -> bool:
    """Whether a word follows a capitalized one, as in the source: Calosoma sycophanta."""
    before = _NAME.search(pair.mt, max(0, word.start() - 40), word.start())
    return before is not None and before[1][:1].isupper() and f"{before[1]} {word[0]}" in pair.source


def _is_common(word: str) -> bool:
    """Whether a word is not a name, abbreviation or code: lower-case letters, and enough of them."""
    return len(word) >= MIN_WORD_LETTERS and word.islower()


CHECK = Check(
    "untranslated",
    tr("Untranslated words"),
    tr(
        "A word of at least four lower-case letters that is in both source and MT, unless it ends a name, or "
        "another segment has it in the MT but not in the source."
    ),
    _find,
    _at,
)


CANCEL_CHECK_INTERVAL = 512
"""Segments between two cancellation checks."""


def find_target_only_words(corpus: Corpus, watch: Callable[[], object] = lambda: None) -> frozenset[str]:
    """Find words that any segment has in the loaded MT but not in the source; none if either text is missing."""
    texts = corpus.texts
    mt = texts.get(TextRole.RAW_MT, texts.get(TextRole.MT))
    source = texts.get(TextRole.RAW_SOURCE, texts.get(TextRole.SOURCE))
    words: set[str] = set()
    if mt is None or source is None:
        return frozenset()
    for segment in range(corpus.size):
        if not segment % CANCEL_CHECK_INTERVAL:
            watch()
        words |= checkable_words(mt[segment]) - checkable_words(source[segment])
    return frozenset(words)
