"""Checks of targets against the user's word lists: terms and forbidden words."""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterator, Sequence

from qe_desktop.escaping import elide
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.word_lists import (
    NO_WORD_LISTS,
    PhraseIndex,
    WordLists,
    normalize_word,
    split_words,
)

MAX_LISTED_CHARS = 80
"""Maximum length, in characters, of the list of target terms in a message."""
MIN_STEM_LETTERS, MAX_DROPPED_LETTERS, MAX_ADDED_LETTERS = 3, 2, 3
"""Limits for the recognition of inflected forms, in letters.

In order: minimum length of a stem, maximum number of letters removed from a lemma to get its stem, and maximum number
by which a form may be longer than its lemma.
"""
_MARKS = re.compile("[\u0300-\u036f]")
"""Pattern of the diacritics of Latin, Greek and Cyrillic letters; it does not match marks of other scripts."""


class StemmedWords:
    """Words of a text in which phrases are found by the stems of their words: “künstliche” matches “künstlichen”."""

    def __init__(self, text: str) -> None:
        self._words = _plain_words(text)

    def has(self, phrase: str) -> bool:
        """Return whether the text contains the words of a phrase consecutively, each in any inflected form."""
        phrase_words = _plain_words(phrase)
        last = len(self._words) - len(phrase_words)
        return bool(phrase_words) and any(self._has_at(start, phrase_words) for start in range(last + 1))

    def _has_at(self, start: int, phrase_words: Sequence[str]) -> bool:
        return all(_may_be_form_of(self._words[index], word) for index, word in enumerate(phrase_words, start))


def _may_be_form_of(word: str, lemma: str) -> bool:
    """Return whether a word begins with the stem of a lemma and is not much longer than the lemma.

    If the lemma is shorter than `MIN_STEM_LETTERS`, the word must equal it.
    """
    if len(lemma) < MIN_STEM_LETTERS:
        return word == lemma
    stem = lemma[: max(MIN_STEM_LETTERS, len(lemma) - MAX_DROPPED_LETTERS)]
    return len(word) <= len(lemma) + MAX_ADDED_LETTERS and word.startswith(stem)


def _plain_words(text: str) -> list[str]:
    """Return the case-folded words of a text, without Latin, Greek and Cyrillic diacritics."""
    decomposed = unicodedata.normalize("NFD", normalize_word(text).casefold())
    return split_words(unicodedata.normalize("NFC", _MARKS.sub("", decomposed)))


def terms_check(lists: WordLists) -> Check:
    """Return the check for the terms in `lists`; it finds nothing if there are none."""
    targets: defaultdict[str, list[str]] = defaultdict(list)
    for term in dict.fromkeys(lists.terms):
        targets[term.source].append(term.target)
    sources = list(targets)
    index = PhraseIndex(sources, inflected=True)
    folded = {source: [normalize_word(target).casefold() for target in names] for source, names in targets.items()}

    def has_target(mt: str, source: str) -> bool:
        """Return whether the MT contains a target term of a source term, possibly inflected or in a compound."""
        folded_mt = normalize_word(mt).casefold()
        if any(_has_term(target, folded_mt) for target in folded[source]):
            return True
        words = StemmedWords(mt)
        return any(words.has(target) for target in targets[source])

    def issues(pair: SegmentPair) -> Iterator[QaIssue]:
        seen: set[str] = set()
        for match in index.find(pair.source):
            source = sources[match.entry]
            if source in seen:
                continue
            seen.add(source)
            if has_target(pair.mt, source):
                continue
            listed = elide(", ".join(targets[source]), MAX_LISTED_CHARS)
            reason = tr("the term “{source}” should be translated as: {targets}", source=source, targets=listed)
            yield QaIssue((len(pair.mt), len(pair.mt)), reason)
            yield QaIssue(match.span, reason, True)

    return Check.of_each(
        "terms",
        tr("Terms"),
        tr(
            "A source term from your list whose target term is missing. Word endings are ignored, and so is case, "
            "except for source terms in capitals."
        ),
        issues,
        configure=terms_check,
    )


def _has_term(term: str, text: str) -> bool:
    """Return whether a text contains a term at the beginning or end of a word.

    In scripts without capitals, the term may be anywhere in the text, because words can have attached prefixes
    (Arabic, Hebrew) or are not separated by spaces.
    """
    start = text.find(term)
    while start >= 0:
        stop = start + len(term)
        if not _is_within_word(text, start) or not _is_within_word(text, stop):
            return True
        start = text.find(term, start + 1)
    return False


def _is_within_word(text: str, index: int) -> bool:
    """Return whether the characters before and at an index are in the same word, in a script with capitals."""
    return 0 < index < len(text) and all(
        sign.isalnum() and sign.upper() != sign for sign in text[index - 1 : index + 1]
    )


TERMS_CHECK = terms_check(NO_WORD_LISTS)


def forbidden_words_check(lists: WordLists) -> Check:
    """Return the check for the forbidden words in `lists`; it finds nothing if there are none."""
    index = PhraseIndex(lists.forbidden)

    def issues(pair: SegmentPair) -> Iterator[QaIssue]:
        for match in index.find(pair.mt):
            yield QaIssue(match.span, tr("“{word}” is a forbidden word", word=lists.forbidden[match.entry]))

    return Check.of_each(
        "forbidden",
        tr("Forbidden words"),
        tr("Words and phrases from your list of forbidden words. Case is ignored, except for entries in capitals."),
        issues,
        configure=forbidden_words_check,
    )


FORBIDDEN_WORDS_CHECK = forbidden_words_check(NO_WORD_LISTS)
