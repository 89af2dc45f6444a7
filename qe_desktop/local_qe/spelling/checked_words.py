"""Selection of the words to spell-check in a target, as split by `word_tokenization`.

Words are not checked if they contain digits or underscores, are in capitals, or consist of a single character or of
more than `MAX_WORD_CHARS` characters. Nor are words in a URL, an e-mail address, a path, a placeholder, a tag or an
entity, words next to an accelerator mark (`&`), or words after `%`. Hebrew abbreviations, and words that are also in
the source, are not checked either. Inline codes are not part of the text.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from qe_desktop.formats.bilingual.word_tokenization import word_spans

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
    """Return the words to check in a text, in text order.

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
            # next to a hyphen
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


def _is_checkable(word: str) -> bool:
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
