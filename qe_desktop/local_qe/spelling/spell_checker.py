"""Spell checker of one language: a dictionary, the user's words, and cached results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from qe_desktop.corpus.languages import parse_language
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.spelling.checked_words import UNSPACED_LANGUAGES, CheckedWord, Forms, split_at_apostrophes
from qe_desktop.local_qe.spelling.dictionary_search import USER_FOLDER, dictionary_folders, find_dictionary
from qe_desktop.local_qe.spelling.hunspell_process import HunspellProcess, is_installed
from qe_desktop.local_qe.spelling.personal_words import PersonalWords

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


def open_checker(language: str, data_folder: Path) -> SpellChecker | str:
    """Open the spell checker for a language, or return why spell checking is unavailable.

    May take a second with a large dictionary. Raises QeError if the dictionary or the user's word list cannot be read.
    """
    reason = unavailable_reason(language)
    if reason:
        return reason
    dictionary = find_dictionary(language, dictionary_folders(data_folder))
    if dictionary is None:
        return tr(
            "Spell checking is off: there is no Hunspell dictionary for {language}. Put the .aff and .dic "
            "files of a dictionary into {folder}, then reopen your translation.",
            language=language, folder=data_folder / USER_FOLDER,
        )  # fmt: skip
    personal_words = PersonalWords(data_folder, language)
    return SpellChecker(dictionary.name, HunspellProcess(dictionary.path), personal_words)
