"""Checks for typing errors, such as surplus spaces or words that are repeated immediately."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from operator import eq

from qe_desktop.formats.bilingual.plain_lines import LINE_BREAK
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair

_SPACE_RUN = re.compile("(?<=\\S)[ \u00a0\u202f]{2,}(?=\\S)")
_SPACE_BEFORE_MARK = re.compile(
    r"(?<=[^\s,.;:!?])[ \u00a0\u202f]([,.!?](?=[\s\"”»)\]]|$)|,(?=[^\W\d_])|[:;](?=[\s\"”»\]]|$))"
)
_SPACE_BEFORE_WIDE_MARK = re.compile("(?<=\\S)[ \u00a0\u202f\u3000]([。、，．；：！？])")
_MARKS_WITHOUT_SPACE = frozenset(",.")
"""Characters that have no space before them in any language."""
_SPACES = " \t\u00a0\u202f\u3000"
"""Spaces and tabs that are checked at the start and end of a text; line breaks have a separate check."""
_SPACED_PUNCTUATION_LANGUAGES = frozenset({"fr", "br"})
"""Languages with a space before ; : ! and ?."""


def _find_spaces(pair: SegmentPair) -> Iterator[QaIssue]:
    if not pair.is_raw:
        return
    mt, source = pair.mt, pair.source
    if not _SPACE_RUN.search(source):
        for match in _SPACE_RUN.finditer(mt):
            yield QaIssue((match.start(), match.start()), tr("several spaces in a row"))
    yield from _space_before_issues(pair)
    if pair.is_source_raw and source.strip() and mt.strip():
        if mt[0] in _SPACES and not source[0].isspace():
            yield QaIssue((0, 0), tr("a leading space that is not in the source"))
        if mt[-1] in _SPACES and not source[-1].isspace():
            yield QaIssue((len(mt), len(mt)), tr("a trailing space that is not in the source"))
        if source[0] in _SPACES and not mt[0].isspace() and not _is_wide(mt[0]):
            yield QaIssue((0, 0), tr("the leading space of the source is missing from the target"))
        if source[-1] in _SPACES and not mt[-1].isspace() and not _is_wide(mt[-1]):
            yield QaIssue((len(mt), len(mt)), tr("the trailing space of the source is missing from the target"))


def _is_wide(sign: str) -> bool:
    """Return whether a character is full-width, as in Chinese and Japanese; such characters need no adjacent space."""
    return unicodedata.east_asian_width(sign) in ("W", "F")


def _space_before_issues(pair: SegmentPair) -> Iterator[QaIssue]:
    source_signs: set[str] | None = None
    for pattern in (_SPACE_BEFORE_MARK, _SPACE_BEFORE_WIDE_MARK):
        for match in pattern.finditer(pair.mt):
            sign = match[1]
            # some characters depend on the language; if it is unknown, they are not checked
            if (
                pattern is _SPACE_BEFORE_MARK
                and sign not in _MARKS_WITHOUT_SPACE
                and (not pair.target_language or pair.target_language in _SPACED_PUNCTUATION_LANGUAGES)
            ):
                continue
            if source_signs is None:
                source_signs = {source_match[1] for source_match in _SPACE_BEFORE_MARK.finditer(pair.source)}
            if sign not in source_signs:
                yield QaIssue(match.span(1), tr("a space before “{sign}”", sign=sign))


SPACES_CHECK = Check.of_each(
    "spaces",
    tr("Spaces"),
    tr(
        "Several spaces in a row, or a space before punctuation. If the target language is French, Breton or unknown, "
        "a space before punctuation is reported only for commas and full stops. Also a leading or trailing space in "
        "only one of source and target."
    ),
    _find_spaces,
)


_ESCAPES = (r"\r\n", r"\n", r"\t")


def line_break_issues(source: str, mt: str) -> Iterator[QaIssue]:
    """Yield an issue for each line break that only one of the texts has at its beginning or end."""
    if mt.startswith(LINE_BREAK) is not source.startswith(LINE_BREAK):
        yield QaIssue((0, 0), tr("only one of source and target begins with a line break"))
    if mt.endswith(LINE_BREAK) is not source.endswith(LINE_BREAK):
        yield QaIssue((len(mt), len(mt)), tr("only one of source and target ends with a line break"))


def _find_line_breaks(pair: SegmentPair) -> Iterator[QaIssue]:
    source, mt = pair.source, pair.mt
    # breaks of PO targets are checked by the rules of gettext
    if pair.file_format != "po" and pair.file_format:
        yield from line_break_issues(source, mt)
    if "\\" not in source and "\\" not in mt:
        return
    for escape in _ESCAPES:
        if mt.startswith(escape) is not source.startswith(escape):
            yield QaIssue((0, 0), tr("only one of source and target begins with {escape}", escape=escape))
            break
    for escape in _ESCAPES:
        if mt.endswith(escape) is not source.endswith(escape):
            yield QaIssue((len(mt), len(mt)), tr("only one of source and target ends with {escape}", escape=escape))
            break


LINE_BREAKS_CHECK = Check.of_each(
    "line-breaks",
    tr("Leading and trailing line breaks"),
    tr(r"A line break, or the escape \n or \t, at the beginning or end of only one of source and target."),
    _find_line_breaks,
)


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


def _find_repeated_words(pair: SegmentPair) -> Iterator[QaIssue]:
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


REPEATED_WORDS_CHECK = Check.of_each(
    "doubled",
    tr("Repeated words"),
    tr(
        "A word that occurs twice in a row, unless the source also repeats a word or the target language allows the "
        "repetition."
    ),
    _find_repeated_words,
)
