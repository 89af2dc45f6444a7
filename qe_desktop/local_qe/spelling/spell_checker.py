"""Spell checker of one language, with cached results, and the selection of the words that it checks.

Words are not checked if they contain digits or underscores, are in capitals, or consist of a single character or of
more than `MAX_WORD_CHARS` characters. Nor are words in a URL, an e-mail address, a path, a placeholder, a tag or an
entity, words next to an accelerator mark (`&`), or words after `%`. Hebrew abbreviations, and words that are also in
the source, are not checked either. Inline codes are not part of the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, Protocol

from qe_desktop.corpus.languages import parse_language
from qe_desktop.formats.bilingual.word_tokenization import word_spans
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.spelling.dictionaries import USER_FOLDER, PersonalWords, dictionary_folders, find_dictionary
from qe_desktop.local_qe.spelling.hunspell_process import HunspellProcess, is_installed

MAX_CACHED_WORDS = 200_000
"""Maximum number of cached results; if new results would exceed it, all earlier results are dropped first."""
MAX_SUGGESTIONS = 7
BLOCK_WORDS = 100
"""Number of words that are checked in one block; a check can be cancelled between blocks."""


class SpellingEngine(Protocol):
    """Dictionary that checks words and suggests corrections; calls may take seconds.

    All methods except `close` raise QeError if the dictionary fails.
    """

    def check(self, words: Sequence[Forms]) -> list[bool]:
        """Return, for each word, whether the dictionary has a form of it; `words` contains the forms of each word."""
        ...

    def suggest(self, word: str) -> tuple[str, ...]:
        """Return suggestions for a word, best first."""
        ...

    def close(self) -> None:
        """Release the dictionary."""
        ...


@dataclass(frozen=True, slots=True)
class Misspellings:
    """Spans of the misspelled words of a text, and the forms of the words that have not been checked yet."""

    spans: tuple[tuple[int, int], ...]
    unchecked: tuple[Forms, ...]


class SpellChecker:
    """Spell checker with cached results: `known_misspellings` returns at once; `check` may take a long time.

    `check` and `suggest` may be called from a background thread.
    """

    def __init__(self, name: str, engine: SpellingEngine, personal_words: PersonalWords) -> None:
        self.name = name
        """Name of the dictionary."""
        self._engine, self._personal_words = engine, personal_words
        self._cached_results: dict[Forms, bool] = {}

    def known_misspellings(self, words: Iterable[CheckedWord]) -> Misspellings:
        """Return the words that are misspelled according to the cached results, and the words still to be checked."""
        spans, unchecked = [], dict[Forms, None]()
        for word in words:
            is_known = self._cached_results.get(word.forms)
            if is_known is None:
                unchecked[word.forms] = None
            elif not is_known and word.word not in self._personal_words:
                spans.append((word.start, word.stop))
        return Misspellings(tuple(spans), tuple(unchecked))

    def check(self, words: Sequence[Forms], check_cancelled: Callable[[], object] | None = None) -> None:
        """Check words in blocks and cache the results; `words` contains the forms of each word.

        `check_cancelled` is called before each block; if it raises an exception, the results of earlier blocks remain
        cached. Raises QeError if the dictionary fails.
        """
        for first in range(0, len(words), BLOCK_WORDS):
            if check_cancelled is not None:
                check_cancelled()
            self._check_block(words[first : first + BLOCK_WORDS])

    def _check_block(self, words: Sequence[Forms]) -> None:
        results = dict(zip(words, self._engine.check(words), strict=True))
        # elisions such as l’homme, and genitives such as Anna’s, that the dictionary does not have as words
        parts = {forms: split_at_apostrophes(forms[0]) for forms, is_known in results.items() if not is_known}
        flat = list(dict.fromkeys((part,) for word_parts in parts.values() for part in word_parts))
        part_results = dict(zip(flat, self._engine.check(flat), strict=True)) if flat else {}
        for forms, word_parts in parts.items():
            results[forms] = bool(word_parts) and all(part_results[part,] for part in word_parts)
        if len(self._cached_results) + len(results) > MAX_CACHED_WORDS:
            self._cached_results = {}
        self._cached_results.update(results)

    def suggest(self, word: str) -> tuple[str, ...]:
        """Return at most `MAX_SUGGESTIONS` suggestions, best first. Raises QeError if the dictionary fails."""
        suggestions = self._engine.suggest(word.replace("’", "'"))
        if "’" in word:
            suggestions = tuple(suggestion.replace("'", "’") for suggestion in suggestions)
        return suggestions[:MAX_SUGGESTIONS]

    def add(self, word: str) -> None:
        """Add a word to the user's word list. Raises QeError if the list cannot be read or written."""
        self._personal_words.add(word)

    def close(self) -> None:
        """Close the dictionary."""
        self._engine.close()


def unavailable_reason(language: str) -> str:
    """Return why a language cannot be spell-checked, or an empty string if it can be.

    Whether there is a dictionary for the language is not considered.
    """
    if not is_installed():
        return tr("Spell checking is off: the spell checker (package chunspell) is not installed.")
    tag = parse_language(language)
    if not tag.language:
        return tr("Spell checking is off: the target language is unknown.")
    if tag.language in UNSPACED_LANGUAGES:
        return tr("Spell checking is off: this language ({language}) has no spaces between words.", language=language)
    return ""


def missing_dictionary_reason(language: str, data_folder: Path) -> str:
    """Return why spell checking is unavailable for a language, or an empty string if there is a dictionary for it."""
    reason = unavailable_reason(language)
    if not reason and find_dictionary(language, dictionary_folders(data_folder)) is None:
        return _no_dictionary_text(language, data_folder)
    return reason


def _no_dictionary_text(language: str, data_folder: Path) -> str:
    return tr(
        "Spell checking is off: there is no Hunspell dictionary for {language}. Put the .aff and .dic "
        "files of a dictionary into {folder}, then reopen your translation.",
        language=language, folder=data_folder / USER_FOLDER,
    )  # fmt: skip


def open_checker(language: str, data_folder: Path) -> SpellChecker | str:
    """Open the spell checker for a language, or return why spell checking is unavailable.

    May take a second with a large dictionary. Raises QeError if the dictionary or the user's word list cannot be read.
    """
    reason = unavailable_reason(language)
    if reason:
        return reason
    dictionary = find_dictionary(language, dictionary_folders(data_folder))
    if dictionary is None:
        return _no_dictionary_text(language, data_folder)
    personal_words = PersonalWords(data_folder, language)
    return SpellChecker(dictionary.name, HunspellProcess(dictionary.path), personal_words)


UNSPACED_LANGUAGES = frozenset(("zh", "yue", "ja", "th", "lo", "km", "my"))
"""Languages written without spaces between words; their tokens cannot be looked up in a dictionary."""
SOFT_HYPHEN = "\u00ad"
"""Character that marks where a word may be divided at the end of a line."""
MAX_WORD_CHARS = 80
"""Maximum length of a checked word in characters."""
MAX_CHAIN_CHARS = 120
"""Maximum length, in characters, of a chain of hyphenated words that is looked up as one word."""
MAX_CACHED_FORMS = 1 << 15
"""Maximum number of cached results of `_forms`."""
Forms = tuple[str, ...]
_NO_SPAN = (sys.maxsize, sys.maxsize)
_APOSTROPHES = re.compile("['’]")
_HYPHENS = ("-", "\u2010", "\u2011")
_HYPHEN_CHARS = "".join(_HYPHENS)
# each repetition ends at a character that begins the pattern again, so that time is linear
_MARKUP = re.compile(
    r"\{[^{}\s]*\}"  # {name}, ${name}, {{name}}
    r"|%\([^()%\s]*\)[a-zA-Z]?"  # %(name)s
    r"|%[-+#0-9.$*]*(?:ll|[hlLqjzt])?[a-zA-Z](?![a-zA-Z])"  # %s, %-5.2f, %1$s
    r"|\$[A-Za-z]\w*"  # $name
    r"|</?[A-Za-z][^<>]*>"  # <b>, <a href="…">
    r"|&#?[A-Za-z0-9]{1,32};"  # &nbsp;
)
_ABBREVIATION = re.compile('(?<=[א-ת])(?:["״](?=[א-ת])|׳)')
"""Pattern of a Hebrew abbreviation mark: gershayim between letters, as in צה״ל, or a geresh after a letter.

Gershayim may also be written as an ASCII quotation mark.
"""
_EXEMPT_INDICATOR = re.compile(r"[{%$<&@/\\]|www\.|:")
"""Pattern that matches within every span exempt from checking; a text without a match has no exempt spans."""
_NON_SPACE_RUN = re.compile(r"\S+")
_ADDRESS = re.compile(r"://|@|\bwww\.|^mailto:|\\\\|^[~/.]?/|^[A-Za-z]:\\")
"""Pattern by which text without spaces is recognized as a URL, an e-mail address or a path."""


class CheckedWord(NamedTuple):
    """Word to check: its position [start, stop) in the text, and the forms to look up in the dictionary.

    The word is known if the dictionary has one of the forms. The first form is the word itself. Further forms have
    ASCII apostrophes, or a hyphen before or after the word. The last form may be the whole chain of hyphenated words
    that contains the word.
    """

    start: int
    stop: int
    forms: Forms

    @property
    def word(self) -> str:
        """Word without its soft hyphens."""
        return self.forms[0]


def words_to_ignore(source: str) -> frozenset[str]:
    """Return the case-folded words of a source; these words are not checked in the target."""
    spans = _join_at_soft_hyphens(source, word_spans(source))
    return frozenset(source[start:stop].replace(SOFT_HYPHEN, "").casefold() for start, stop in spans)


def checked_words(
    text: str, ignored: frozenset[str] = frozenset(), spans: Sequence[tuple[int, int]] | None = None
) -> list[CheckedWord]:
    """Return the words to check in a text, in text order; no addresses, paths, markup, abbreviations or capitals.

    `ignored` contains case-folded words that are not checked. `spans` is the result of `word_spans` for the text; if
    None, it is computed.
    """
    words: list[CheckedWord] = []
    exempt = _exempt_spans(text)
    exempt_start, exempt_stop = next(exempt, _NO_SPAN)
    has_abbreviation = _ABBREVIATION.search(text) is not None
    for start, stop in _join_at_soft_hyphens(text, word_spans(text) if spans is None else spans):
        while exempt_stop <= start:
            exempt_start, exempt_stop = next(exempt, _NO_SPAN)
        if exempt_start < stop or stop - start > MAX_WORD_CHARS:
            continue
        if has_abbreviation and any(_ABBREVIATION.match(text, at) for at in (max(0, start - 1), stop)):
            continue
        word = text[start:stop].replace(SOFT_HYPHEN, "")
        forms = _forms(text[start - 1 : start] if start else "", word, text[stop : stop + 2])
        if forms is None or word.casefold() in ignored:
            continue
        if forms[-1].strip(_HYPHEN_CHARS) != forms[-1]:
            # the word is next to a hyphen
            forms = (*forms, *_chain(text, start, stop))
        words.append(CheckedWord(start, stop, forms))
    return words


def _join_at_soft_hyphens(text: str, spans: Sequence[tuple[int, int]]) -> Sequence[tuple[int, int]]:
    """Return the spans of words, where the parts of a word before and after a soft hyphen form one span."""
    if SOFT_HYPHEN not in text:
        return spans
    joined: list[tuple[int, int]] = []
    for start, stop in spans:
        is_hyphen = text[start:stop].strip(SOFT_HYPHEN) == ""
        if joined and joined[-1][1] == start and (is_hyphen or text[start - 1] == SOFT_HYPHEN):
            joined[-1] = joined[-1][0], stop
        else:
            joined.append((start, stop))
    return joined


@lru_cache(maxsize=MAX_CACHED_FORMS)
def _forms(before: str, word: str, after: str) -> Forms | None:
    """Return the forms of a word, or None if the word is not to be checked.

    `before` is the character before the word, and `after` contains the two characters after it.
    """
    if not _is_checkable(word) or before in ("&", "%") or (after[:1] == "&" and after[1:].isalpha()):
        return None
    forms = [word]
    if "’" in word:
        forms.append(word.replace("’", "'"))
    if before in _HYPHENS:
        forms.append(f"-{word}")
    if after[:1] in _HYPHENS:
        forms.append(f"{word}-")
    return tuple(forms)


def _is_checkable(word: str) -> bool:  # two letters or more, not all in capitals, no digits, no underscores
    if len(word) < 2 or word.isupper() or "_" in word:
        return False
    # apostrophes and marks are part of words
    return word.isalpha() or (any(map(str.isalpha, word)) and not any(map(str.isnumeric, word)))


def _exempt_spans(text: str) -> Iterator[tuple[int, int]]:
    """Yield disjoint spans of addresses, paths and markup, in text order; words in them are not checked."""
    if _EXEMPT_INDICATOR.search(text) is None:
        return
    spans = [match.span() for match in _NON_SPACE_RUN.finditer(text) if _ADDRESS.search(match[0]) is not None]
    spans += [match.span() for match in _MARKUP.finditer(text)]
    end = 0
    for start, stop in sorted(spans):
        if stop > end:
            yield max(start, end), stop
            end = stop


def _chain(text: str, start: int, stop: int) -> list[str]:
    """Return a list with the chain of hyphenated words that contains a word.

    The list is empty if the chain is longer than `MAX_CHAIN_CHARS` or consists of the word alone.
    """
    first, last = start, stop
    while first > 0 and stop - first <= MAX_CHAIN_CHARS and (text[first - 1].isalpha() or text[first - 1] in _HYPHENS):
        first -= 1
    while last < len(text) and last - start <= MAX_CHAIN_CHARS and (text[last].isalpha() or text[last] in _HYPHENS):
        last += 1
    chain = text[first:last].strip(_HYPHEN_CHARS)
    return [chain] if len(chain) <= MAX_CHAIN_CHARS and chain != text[start:stop] else []


def split_at_apostrophes(word: str) -> list[str]:
    """Split a word at its apostrophes; return the parts of more than two letters, such as `homme` from `l’homme`.

    The result is empty if the word has no apostrophe.
    """
    parts = _APOSTROPHES.split(word)
    return [part for part in parts if len(part) > 2] if len(parts) > 1 else []
