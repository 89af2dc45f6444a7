"""Check for words that are repeated immediately."""

from __future__ import annotations

import re
from collections.abc import Iterator
from operator import eq

from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_LETTERS = re.compile(r"[^\W\d_]+")
_REPEATED_WORD = re.compile(
    r"(?<![\w'’=.:/\\$%\[<-])([^\W\d_]+)(?:[ \u00a0\u202f]|[ \t]*\u2028[ \t]*)(?=\1(?![\w'’=/-]))"
)
"""Pattern of a word that is repeated after one space or a line break; several spaces separate columns of a table."""
_REPEATED_SOURCE_WORD = re.compile(r"(?<!\w)([^\W\d_]+)(?:[ \u00a0\u202f]|[ \t]*\u2028[ \t]*)(?=\1(?!\w))")
"""Pattern of a repeated word in a source, even in quotation marks or code."""
_QUOTES = frozenset("'\"`‘’“”„«»‚‹›「」『』")
_VALID_REPETITIONS = {
    "en": {"that", "had"},
    "fr": {"nous", "vous"},
    "de": {"die", "der", "das", "sie"},
    "nl": {"die", "dat"},
    "it": {"via", "piano", "man", "mano"},
}
"""Words that grammar allows twice in a row, by language."""
_REDUPLICATING_LANGUAGES = frozenset({
    "am", "az", "bn", "gu", "haw", "he", "hi", "hy", "id", "jv", "ka", "km", "kn", "lo", "mi", "ml", "mr", "ms", "my",
    "ne", "or", "pa", "sd", "si", "su", "sw", "ta", "te", "th", "ti", "tl", "tr", "ur", "vi",
})  # fmt: skip
"""Languages with reduplication, in which repeated words are not reported."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    words = _LETTERS.findall(pair.mt)
    if pair.target_language in _REDUPLICATING_LANGUAGES or not any(map(eq, words, words[1:])):
        return
    if _REPEATED_SOURCE_WORD.search(pair.source):
        # a repetition in the source justifies one in the target
        return
    valid_words = _VALID_REPETITIONS.get(pair.target_language, ())
    for match in _REPEATED_WORD.finditer(pair.mt):
        word = match[1]
        # capitals at the end of a line and at the beginning of the next are names in a list
        is_list, stop = word.isupper() and "\u2028" in match[0], match.end() + len(word)
        if word.lower() not in valid_words and not is_list and not _is_quotation(pair.mt, match.start(), stop):
            yield QaIssue((match.end(), stop), tr("“{word}” is repeated", word=word))


def _is_quotation(text: str, start: int, stop: int) -> bool:
    """Whether quotation marks enclose the range [start, stop) of a text, as in: the command “man man”."""
    before, after = text[max(0, start - 2) : start].rstrip()[-1:], text[stop : stop + 2].lstrip()[:1]
    return before in _QUOTES and after in _QUOTES


CHECK = Check.of_each(
    "doubled",
    tr("Repeated words"),
    tr(
        "A word that occurs twice in a row, unless the source also repeats a word or the target language allows the "
        "repetition."
    ),
    _find,
)
