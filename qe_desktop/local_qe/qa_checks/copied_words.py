"""Words that are in both source and MT, with evidence from all segments on whether they should be translated.

Names of commands and options, and other code, are the same in every language. In a text, they are quoted, contain
characters such as the hyphens and the equals sign in `--sort=name`, or begin a line of a list. Other words should be
translated if far more segments translate them than copy them (`MIN_TRANSLATED_RATIO`). Cognates are exempt, because
they are correct translations.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

from qe_desktop.corpus import Corpus, TextRole
from qe_desktop.local_qe.qa_checks.text_shape import CASED_LETTERS

MIN_WORD_LETTERS = 4
"""Minimum number of letters of a checked word."""
_LETTER_RUN = re.compile(f"[{CASED_LETTERS}]{{{MIN_WORD_LETTERS},}}")
_QUOTED = re.compile(r"(?<!\w)(['\"`‘“„«‚»])([^'\"`‘’“”„«»‚‛\u2028]{1,80})['\"`’”“«»‘](?!\w)")
"""Pattern of quoted text; apostrophes within words do not count."""
_CODE = re.compile(
    r"(?<!\S)(?:\[?-{1,2}\]?[A-Za-z][^\s,;]*|[^\s,;]*[=/\\_<>{}|$~^*@#+][^\s,;]*|[^\s,;]*[\[(][^\s,;]*|\w+\.\w[^\s,;]*)"
)
"""Pattern of a token of code, such as an option, an assignment, a path, or a name with an underscore."""
_NAME = rf"[{CASED_LETTERS}][\w.-]*+"
_LIST_ITEM_NAME = re.compile(rf"(?:^|\u2028)[ \t*]*+((?:{_NAME},?[ ]){{0,4}}?{_NAME})(?=,?[ \t]{{2,}}\S|\u2028)")
"""Pattern of a name that begins a line of a list, followed by spaces and an explanation, or by a line break."""
_CODE_INDICATOR = re.compile(r"['\"`‘“„«\[\]{}=/\\_<>|$~^*@#+(-]|\u2028|  |\.\w")
MIN_TRANSLATED_RATIO = 3
"""Number of segments that translate a word per segment that copies it; above this, the word is usually translated."""
CANCEL_CHECK_INTERVAL = 512
"""Number of segments between two cancellation checks."""
_ROMANCE = frozenset(("fr", "es", "pt", "gl", "ca", "oc", "it", "ro"))
_RELATED_LANGUAGES = (
    _ROMANCE | {"en"},
    frozenset(("nl", "af", "da", "sv", "nb", "nn", "no", "en")),
    frozenset(("cs", "sk")),
    frozenset(("sl", "hr", "bs", "sr")),
    frozenset(("ru", "uk", "be")),
    frozenset(("bg", "mk")),
    frozenset(("id", "ms")),
)
"""Groups of languages that share many spellings, such as “information” in English, French and Danish."""
_ENGLISH_SPELLING = re.compile(r"[kw]|sh|gh|ee|oo|(?:ing|ed|y)$")
"""Pattern of English spellings that Romance languages have only in loanwords."""
_ENGLISH_AND_GERMAN_WORDS = (
    "abnormal abrupt absolute absurd administrative aggressive alternative analog arrogant axial banal beige "
    "bilateral bitter blind blond brutal circa cool defensive dental diagonal digital dimensional diverse "
    "dominant elegant emotional existent expansive explosive extra extreme fair fatal final floral formal frontal "
    "fundamental global golden horizontal human ideal illegal impulsive informative innovative insolvent "
    "instrumental intelligent intensive international inverse irrelevant latent lateral legal liberal linear live "
    "loyal marginal massive maximal mental mild minimal minus moderate modern modular monumental multinational "
    "naive narrative national native negative neutral normal normative offensive offline okay online operative "
    "optimal optional oral orange original oval parallel passive permanent plus positive primitive private "
    "progressive prominent prompt proportional qualitative quantitative quasi radial rational real regional "
    "relative relevant robust sang sank sentimental separate sexy smart sprang subversive suggestive super "
    "tolerant total transparent trivial universal vegan viral vital warm wild"
)
_ENGLISH_AND_GERMAN = frozenset(_ENGLISH_AND_GERMAN_WORDS.split())
"""Words in lower case with the same spelling and meaning in English and German."""


def checkable_words(text: str) -> set[str]:
    """Words of a text that are long enough to be checked."""
    return set(_LETTER_RUN.findall(text))


def code_words(text: str) -> set[str]:
    """Words of a text that are in quotation marks, in tokens of code, or in a name that begins a line of a list."""
    if not _CODE_INDICATOR.search(text):
        return set()
    code = [match[2] for match in _QUOTED.finditer(text)]
    code += [match[0] for match in _CODE.finditer(text)]
    code += [match[1] for match in _LIST_ITEM_NAME.finditer(text)]
    return set(_LETTER_RUN.findall(" ".join(code)))


def share_spellings(source_language: str, language: str) -> bool:
    """Whether two languages share many spellings, so that a single copied word may be a correct translation."""
    return any(source_language in group and language in group for group in _RELATED_LANGUAGES)


def is_foreign(word: str, source_language: str, language: str) -> bool:
    """Whether a word copied from English into a Romance language has a spelling that is unusual in that language.

    False for all other pairs of languages.
    """
    return source_language == "en" and language in _ROMANCE and _ENGLISH_SPELLING.search(word) is not None


def is_cognate(word: str, source_language: str, language: str) -> bool:
    """Whether a copied word is known to have the same spelling and meaning in both languages."""
    return {source_language, language} == {"en", "de"} and word in _ENGLISH_AND_GERMAN


@dataclass(frozen=True, slots=True)
class CopiedWords:
    """Words of all segments, classified by their use.

    `target_only` are words that occur in an MT but not in its source, and therefore belong to the target language.
    `code` are words that a source uses as code. `translated` are words that are usually translated
    (`MIN_TRANSLATED_RATIO`).
    """

    target_only: frozenset[str] = frozenset()
    code: frozenset[str] = frozenset()
    translated: frozenset[str] = frozenset()

    def may_be_copied(self, word: str) -> bool:
        """Whether a word can be correct if it is copied unchanged from source to MT."""
        return word in self.target_only or word in self.code


class CopiedWordCounter:
    """Collector of the evidence for `CopiedWords`, segment by segment."""

    def __init__(self) -> None:
        self._target_only: set[str] = set()
        self._code: set[str] = set()
        self._translated: Counter[str] = Counter()
        self._copied: Counter[str] = Counter()

    def add(self, source: str, mt: str) -> set[str]:
        """Add a segment; return its words that are long enough to be checked and are in both source and MT."""
        mt_words, source_words = checkable_words(mt), checkable_words(source)
        common = mt_words & source_words
        self._target_only |= mt_words - common
        self._translated.update(source_words - common)
        if common:
            self._copied.update(common)
            # code words are needed only from segments with copied words
            self._code |= code_words(source)
        return common

    def result(self) -> CopiedWords:
        """Evidence from the segments added so far."""
        copied = self._copied
        translated = frozenset(
            word
            for word, count in self._translated.items()
            if word in copied and count > MIN_TRANSLATED_RATIO * copied[word]
        )
        return CopiedWords(frozenset(self._target_only), frozenset(self._code), translated)


def loaded_pairs(corpus: Corpus) -> Iterator[tuple[str, str]]:
    """Yield the loaded source and MT of each segment, raw if available; nothing if the corpus lacks source or MT."""
    texts = corpus.texts
    mt = texts.get(TextRole.RAW_MT, texts.get(TextRole.MT))
    source = texts.get(TextRole.RAW_SOURCE, texts.get(TextRole.SOURCE))
    if mt is not None and source is not None:
        yield from zip(source.lines(), mt.lines(), strict=True)


def collect_copied_words(pairs: Iterable[tuple[str, str]], check_cancelled: Callable[[], object]) -> CopiedWords:
    """Collect evidence from pairs of source and MT; an exception raised by `check_cancelled` stops the collection."""
    counter = CopiedWordCounter()
    for number, (source, mt) in enumerate(pairs):
        if not number % CANCEL_CHECK_INTERVAL:
            check_cancelled()
        counter.add(source, mt)
    return counter.result()
