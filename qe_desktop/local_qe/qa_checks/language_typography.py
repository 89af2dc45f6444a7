"""Checks of the typography of languages: punctuation, such as French spaces, and decimal and grouping separators.

A number is reported only if the target copies it from the source and its separators cannot be right. This is certain
only for numbers with several separators and for decimal numbers with a unit. Versions, sections, dates and addresses
meet neither condition.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Set
from typing import NamedTuple

from qe_desktop.corpus.text import Span
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import (
    Check,
    ForeignMark,
    OtherSegments,
    QaIssue,
    SegmentPair,
    SegmentPairs,
    usual_deviations,
)

_CJK = r"\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"
_ARABIC = r"\u0620-\u064a\u066e-\u06d3\u06fa-\u06fc"


_SENTENCE_REST = r"[^?.!;…\"“”«»\u2028]{0,80}[)\]»”\"]{0,2}"
"""Pattern of the text between a letter of the target's script and the end mark, such as a name in another script."""
_AFTER_WORD = r"(?<=[\w)\]»”\"])"


class _Rule(NamedTuple):
    """Punctuation rule of a language: a pattern whose last matched group is the wrong mark, and a message.

    Texts that contain none of `wrong_marks` are not searched. The pattern does not match within addresses.
    """

    wrong_marks: str
    pattern: re.Pattern[str]
    reason: str
    excluded_regions: tuple[str, ...] = ()
    """Regions to which the rule does not apply."""
    correct_marks: Mapping[str, str] = {}
    """Correct marks for each wrong mark; empty if the wrong marks are not accepted as a convention."""


_CLOSING = {"¿": "?", "¡": "!"}


def _pairs_of_inverted_marks(pair: SegmentPair) -> Iterator[tuple[Span, str]]:
    for opening, closing in _CLOSING.items():
        if closing not in pair.mt:
            continue
        names = _marks_of_names(pair)
        ends = [match for match in _SENTENCE_END[closing].finditer(pair.mt) if match.start() not in names]
        if pair.mt.count(opening) < len(ends):
            offset = ends[-1].start()
            yield (offset, offset + 1), tr("the opening mark {mark} is missing", mark=opening)
    if sum(map(pair.mt.count, "¿¡")) > sum(map(pair.mt.count, "?!")):
        # a sentence may begin with one mark and end with the other
        opening = max("¿¡", key=lambda sign: pair.mt.count(sign) - pair.mt.count(_CLOSING[sign]))
        offset = pair.mt.rindex(opening)
        yield (offset, offset + 1), tr("the closing mark {mark} is missing", mark=_CLOSING[opening])


def _marks_of_names(pair: SegmentPair) -> set[int]:
    """Offsets in the MT of marks that belong to names of the source, such as the `!` in `Yahoo!`.

    A mark belongs to a name if a comma, a lower-case word or, as in `Yahoo! Mail`, a capitalized word follows.
    """
    names = {match.groups() for match in _NAME_WITH_MARK.finditer(pair.source)}
    return {match.end(1) - 1 for match in _NAME_WITH_MARK.finditer(pair.mt) if match.groups() in names}


_NAME_WITH_MARK = re.compile(r"(?<!\w)([^\W\d_]\w*[?!])(?=,|\s+[a-záéíóúüñ]|\s+([A-Z]\w*))")
_SENTENCE_END = {sign: re.compile(rf"(?<=[^\W_])[\"”»’)\]]?\{sign}+(?=$|[\s\"”»’)\]])") for sign in "?!"}
_FRENCH = _Rule(
    ":;!?",
    # an entity such as &lt; ends with a semicolon, too
    re.compile(
        r"(?:(?<![\w%&:/.\\-])[^\W\d_]{2,}(?:[-'’][^\W\d_]+)*|(?<=[^\W\d_]{2}[)\]]))"
        r"([;:!?])(?=\s|$)(?!\s*\S+\))"
    ),
    tr("French has a space before “{sign}”"),
    ("CA", "CH"),
)
_FRENCH_QUOTES = _Rule(
    "«»",
    re.compile(r"(«)(?=[^\W_])|(?<=[^\W_])(»)"),
    tr("French has spaces within « »"),
    ("CH",),
)
_GREEK = _Rule(
    "?",
    re.compile(rf"[\u0370-\u03ff\u1f00-\u1fff]{_SENTENCE_REST}{_AFTER_WORD}(\?)(?=\s|$|[)\]»”\"])"),
    tr("the Greek question mark is “;”"),
)
_ARABIC_QUESTION = _Rule(
    "?",
    re.compile(rf"[{_ARABIC}]{_SENTENCE_REST}{_AFTER_WORD}\s?(\?)(?=\s|$)"),
    tr("“{sign}” is a mark of another script"),
)
_ARABIC_MARKS = _Rule(
    ";,",
    re.compile(rf"(?<=[{_ARABIC}])\s?([;,])(?=\s|$)"),
    tr("“{sign}” is a mark of another script"),
)
_WIDE_MARKS = _Rule(
    "?!,.;:",
    re.compile(
        rf"(?<=[{_CJK}])([?!,.;:])(?=$|[\s{_CJK}」』）”])"
        # after a Latin letter or a closing bracket, only at the end of the text
        rf"|[{_CJK}][^?!.。？！\u2028]{{0,80}}"
        r"(?:(?<=[A-Za-z])(?<!Inc)(?<!Ltd)(?<!etc)(?<!Corp)|(?<=[)\]）」』”]))([?!.])(?=\s*$)"
    ),
    tr("“{sign}” is not the full-width mark of this language"),
    correct_marks={"?": "？", "!": "！", ",": "，、", ".": "。．", ";": "；", ":": "："},
)
_GERMAN_CLOSING = _Rule(
    "„",
    re.compile(r"„[^„“”\"]{1,200}([”\"])"),
    tr("a German quotation that begins with „ must end with “"),
)
_GERMAN_OPENING = _Rule(
    "”",
    re.compile(r"(?<![\w„])(“)[^„“”\"]{1,200}”"),
    tr("a German quotation begins with „, not with “"),
)
_RULES: dict[str, tuple[_Rule, ...]] = {
    "fr": (_FRENCH, _FRENCH_QUOTES),
    "el": (_GREEK,),
    "de": (_GERMAN_CLOSING, _GERMAN_OPENING),
    "zh": (_WIDE_MARKS,),
    "ja": (_WIDE_MARKS,),
    **dict.fromkeys(("ar", "fa", "ur", "ps", "ckb", "ug"), (_ARABIC_MARKS, _ARABIC_QUESTION)),
}
_RULE_FUNCTIONS: dict[str, Callable[[SegmentPair], Iterator[tuple[Span, str]]]] = {"es": _pairs_of_inverted_marks}


def _find_punctuation(pairs: SegmentPairs) -> Iterator[tuple[int, QaIssue]]:
    conventions = _usual_signs((pair.mt, pair.target_language) for pair in pairs if pair.is_raw)
    for pair in pairs:
        for issue in _issues(pair, conventions):
            yield pair.segment, issue


def _find_punctuation_in_segment(pair: SegmentPair, other_segments: OtherSegments) -> Iterator[QaIssue]:
    return _issues(pair, other_segments.conventions.foreign_marks)


def usual_signs_of_texts(
    pairs: Iterable[tuple[str, str]], languages: Iterable[tuple[str, str]]
) -> frozenset[ForeignMark]:
    """Marks of other scripts that are conventions of the targets, given the languages of each pair."""
    return _usual_signs((mt, language) for (_, mt), (_, language) in zip(pairs, languages, strict=False))


def _usual_signs(texts: Iterable[tuple[str, str]]) -> frozenset[ForeignMark]:
    counts: Counter[ForeignMark] = Counter()
    totals: Counter[ForeignMark] = Counter()
    for text, language in texts:
        for rule in _RULES.get(language, ()):
            wrong = (
                {match[match.lastindex or 0] for match in rule.pattern.finditer(text)}
                if rule.correct_marks
                else frozenset()
            )
            counts.update((language, sign) for sign in wrong)
            totals.update(
                (language, sign)
                for sign, right in rule.correct_marks.items()
                if sign in wrong or any(mark in text for mark in right)
            )
    return usual_deviations(counts, totals)


def _issues(pair: SegmentPair, conventions: Set[ForeignMark]) -> Iterator[QaIssue]:
    if not pair.is_raw:
        return
    mt = pair.mt
    for rule in _RULES.get(pair.target_language, ()):
        if pair.target_region in rule.excluded_regions or not any(sign in mt for sign in rule.wrong_marks):
            continue
        for match in rule.pattern.finditer(mt):
            group = match.lastindex or 0
            if rule.correct_marks and (pair.target_language, match[group]) in conventions:
                continue
            yield QaIssue(match.span(group), rule.reason.replace("{sign}", match[group]))
    rule_function = _RULE_FUNCTIONS.get(pair.target_language)
    if rule_function is not None:
        for span, reason in rule_function(pair):
            yield QaIssue(span, reason)


LANGUAGE_PUNCTUATION_CHECK = Check(
    "punctuation",
    tr("Language-specific punctuation"),
    tr(
        "French punctuation without a space before it, Spanish questions or exclamations without ¿ or ¡, and German "
        "quotation marks that do not match. Punctuation marks of another script: question marks in Greek, and question "
        "marks, commas and semicolons in Arabic, Persian and Urdu. In Chinese and Japanese, all punctuation marks of "
        "another script, unless they are common in the targets."
    ),
    _find_punctuation,
    _find_punctuation_in_segment,
)


_COMMA_LANGUAGES = frozenset((
    "az", "be", "bg", "bs", "ca", "cs", "da", "de", "el", "et", "eu", "fi", "fr", "gl", "hr", "hu", "hy", "id", "is",
    "it", "ka", "kk", "ky", "lt", "lv", "mk", "nb", "nl", "nn", "no", "pl", "pt", "ro", "ru", "sk", "sl", "sq", "sr",
    "sv", "tr", "uk", "uz", "vi",
))  # fmt: skip
"""Languages with a decimal comma. Spanish is left out, because Spain uses a comma and Mexico a point."""
_SPACE_LANGUAGES = frozenset((
    "be", "bg", "cs", "et", "fi", "fr", "hu", "hy", "ka", "kk", "ky", "lt", "lv", "nb", "nn", "no", "pl", "ru", "sk",
    "sq", "sv", "uk", "uz",
))  # fmt: skip
"""Languages with a decimal comma in which a no-break space separates groups of digits."""
_POINT_LANGUAGES = frozenset(("en", "zh", "ja", "ko", "th", "he", "hi", "bn", "ta", "te", "mr", "gu", "ms", "cy", "ga"))
_POINT_REGIONS = frozenset(("CH", "LI"))
"""Regions that use a decimal point although the language has a decimal comma."""
_AMBIGUOUS_REGIONS = frozenset(("ZA",))
"""Regions that use a decimal comma as well as a decimal point, although the language has a decimal point."""
_SEPARATED = re.compile(r"\d[.,]\d")
_UNIT = (
    r"(?=[\s\u00a0\u202f]?(?:%|€|\$|£|°|(?:mm|cm|km|kg|mg|ml|GHz|MHz|kB|KB|MB|GB|TB|ms)(?![^\W_])"
    # in "A-Anschluss", A does not mean ampere
    r"|[mglsVWA](?![^\W_]|-)))"
)
_BEFORE, _AFTER = r"(?<![\w.,:/+-])", r"(?![\w]|[.,:/-]\w)"
_WRONG_NUMBERS = {
    # grouped with a decimal part, grouped several times, decimal with a unit
    ",": re.compile(
        rf"{_BEFORE}(?:\d{{1,3}}(?:,\d{{3}})+\.\d+{_AFTER}|\d{{1,3}}(?:,\d{{3}}){{2,}}{_AFTER}|\d+\.(?:\d{{1,2}}|\d{{4,}}){_AFTER}{_UNIT})"
    ),
    ".": re.compile(
        rf"{_BEFORE}(?:\d{{1,3}}(?:\.\d{{3}})+,\d+{_AFTER}|\d{{1,3}}(?:\.\d{{3}}){{2,}}{_AFTER}|\d+,(?:\d{{1,2}}|\d{{4,}}){_AFTER}{_UNIT})"
    ),
}
"""Patterns of numbers with wrong separators, by decimal separator; no version, section, date or address matches."""


def decimal_separator(language: str, region: str) -> str:
    """Decimal separator of a language in a region: a comma or a point; empty if it is unknown or not fixed."""
    if language in _COMMA_LANGUAGES:
        return "." if region in _POINT_REGIONS else ","
    return "." if language in _POINT_LANGUAGES and region not in _AMBIGUOUS_REGIONS else ""


def _find_separators(pair: SegmentPair) -> Iterator[QaIssue]:
    """Yield an issue for each number that is copied from the source and whose separators cannot be right."""
    decimal = decimal_separator(pair.target_language, pair.target_region)
    if not decimal or not pair.is_raw or _SEPARATED.search(pair.mt) is None:
        return
    for match in _WRONG_NUMBERS[decimal].finditer(pair.mt):
        if match[0] in pair.source and not _is_address(match[0]):
            corrected = match[0].translate(
                _SEPARATORS[decimal, _grouping_separator(decimal, pair.target_language, pair.target_region)]
            )
            reason = tr("{number} is written {other} in this language", number=match[0], other=corrected)
            yield QaIssue(match.span(), reason)


def _grouping_separator(decimal: str, language: str, region: str) -> str:
    """Separator of groups of digits: an apostrophe, a no-break space, or else a comma or point.

    The apostrophe is used in Switzerland and Liechtenstein, in languages that have a decimal comma elsewhere. The comma
    or point is the one that is not the decimal separator (`decimal`).
    """
    if region in _POINT_REGIONS and language in _COMMA_LANGUAGES:
        return "’"
    if language in _SPACE_LANGUAGES:
        return "\u00a0"
    return "." if decimal == "," else ","


def _is_address(number: str) -> bool:
    """Whether a number may be an IP address: four numbers from 0 to 255 without leading zeros."""
    groups = number.split(".")
    return len(groups) == 4 and all(group in _BYTES for group in groups)


_BYTES = frozenset(map(str, range(256)))
_SEPARATORS = {
    (decimal, group): str.maketrans({"." if decimal == "," else ",": decimal, decimal: group})
    for decimal in ".," for group in (".", ",", "’", "\u00a0")
}  # fmt: skip
"""Tables for `str.translate` that correct a number, by the correct decimal separator and grouping separator."""
NUMBER_SEPARATORS_CHECK = Check.of_each(
    "separators",
    tr("Decimal and grouping separators"),
    tr(
        "A number copied from the source with the decimal or grouping separators of another language, such as "
        "1,234.50 or 2.5 % in German."
    ),
    _find_separators,
)
