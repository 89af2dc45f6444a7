"""Parser for numbers with digits of any script and any separators, and words that may spell out small numbers.

1,234.5 and 1.234,5 and 1 234,5 are equal. An ambiguous number has several values: 1.500 is 1500 or 1.5. Words are known
for the numbers from 3 to 20. Smaller numbers may also be expressed by articles, plurals and words such as “both”.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import pairwise

from qe_desktop.corpus.text import Span

_LETTER = "A-Za-zÀ-ɏͰ-ӿ"
_SEPARATORS = ".,'’٫٬．，\u00a0\u202f"
_NUMBER = re.compile(rf"\d+(?:[{_SEPARATORS}]\d+)*(?: \d{{3}}(?!\d))*(?:[.,]\d+(?!\d))?")
_BEGINS_IN_NAME = re.compile(f"[{_LETTER}]")
_PARTS = re.compile(r"\d+")
_DECIMAL_SEPARATORS = ".,٫．，"
_ROMAN = re.compile(r"(?<![\w'’])([IVXLC]+)(?:er|re|ère|ème|e)?(?![\w'’])")
_ROMAN_DIGITS = {"I": 1, "V": 5, "X": 10, "L": 50, "C": 100}
_FACTORS = (
    (1e3, "thousand|tausend|tsd|mille|mil|mila|tys|tis|тыс|тис|mii|tuhat|tusen|千|천|k"),
    (1e4, "万|萬|만"),
    (1e6, "million|mio|mln|mill|millon|millón|milion|milió|млн|миллион|мільйон|miljon|百万|m"),
    (1e8, "亿|億|억"),
    (1e9, "billion|bn|milliard|mrd|miliard|mld|млрд|миллиард|十亿|十億"),
    (1e12, "trillion|billion|billón|兆|万亿|трлн|bio"),
    (1e2, "hundred|hundert|百"),
)
_FACTORS_BY_WORD = {
    word: [times for times, words in _FACTORS if word in words.split("|")]
    for _, all in _FACTORS
    for word in all.split("|")
}
_FACTOR = re.compile("[\\s\u00a0-]?([^\\W\\d_]+)")
_MIN_INFLECTED_LETTERS = 4
"""Minimum number of letters of a multiplier that may have an ending, as in Millionen and миллиона."""
_ERAS = {"明治": 1867, "大正": 1911, "昭和": 1925, "平成": 1988, "令和": 2018}
"""Japanese eras, and the year before the first year of each."""
_MAX_JOINED_VALUES = 64
"""Maximum number of possible values of a number that is joined from several numbers."""
_MYRIADS = "兆亿億万萬千억만천"
"""Multipliers after which a number may continue, as in 1万2500."""
_TIME_SUFFIX = re.compile(r"[:.]?\d{0,2}\s?[ap]\.?\s?m\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class ParsedNumber:
    """Number in a text: its span and possible values; `parts` are its digit groups if they may be separate numbers."""

    span: Span
    values: frozenset[float]
    parts: tuple[int, ...]

    @property
    def min_value(self) -> float:
        """Smallest of the possible values."""
        return min(self.values)


@dataclass(frozen=True, slots=True)
class TextNumbers:
    """Numbers of a text, and the values of digits within names, such as A320 (`embedded`)."""

    numbers: tuple[ParsedNumber, ...]
    embedded: frozenset[float]


def find_numbers(text: str) -> TextNumbers:
    """Parse the numbers of a text."""
    numbers: list[ParsedNumber] = []
    embedded: set[float] = set()
    for match in _NUMBER.finditer(text):
        if match.start() and _BEGINS_IN_NAME.match(text[match.start() - 1]):
            embedded |= {float(int(part[:300])) for part in _PARTS.findall(match[0])}
        else:
            numbers += _numbers(text, *match.span())
    return TextNumbers(tuple(_chain_numbers(numbers, text)), frozenset(embedded))


def _chain_numbers(numbers: list[ParsedNumber], text: str) -> Iterator[ParsedNumber]:
    """Yield the numbers; consecutive ones that form a single number are joined: 1万2500 is 12,500."""
    pending: ParsedNumber | None = None
    for number in numbers:
        joins = pending is not None and number.span[0] == pending.span[1] + 1 and text[pending.span[1]] in _MYRIADS
        if pending is not None and joins and len(pending.values) * len(number.values) <= _MAX_JOINED_VALUES:
            # the values include those multiplied by the character after each number, so one of the sums is right
            sums = frozenset(left + right for left in pending.values for right in number.values)
            pending = ParsedNumber((pending.span[0], number.span[1]), sums, ())
            continue
        if pending is not None:
            yield pending
        pending = number
    if pending is not None:
        yield pending


def find_roman_numbers(text: str) -> set[float]:
    """Values of Roman numerals in a text."""
    return {_roman(numeral) for numeral in _ROMAN.findall(text)}


def _numbers(text: str, start: int, stop: int) -> Iterator[ParsedNumber]:
    parts = [(start + part.start(), start + part.end()) for part in _PARTS.finditer(text[start:stop])]
    groups = [text[begin:end] for begin, end in parts]
    signs = [text[end:begin] for (_, end), (begin, _) in pairwise(parts)]
    values = _values(groups, signs)
    integers = tuple(int(group) for group in groups if len(group) < 16)
    if values:
        yield ParsedNumber(
            (start, stop), _add_implied_values(values, text, start, stop), integers if len(groups) > 1 else ()
        )
        return
    for (begin, end), group in zip(parts, groups, strict=True):
        yield ParsedNumber((begin, end), _add_implied_values({float(int(group[:300]))}, text, begin, end), ())


def _values(groups: list[str], signs: list[str]) -> set[float]:
    """Possible values of groups of digits read as one number; empty if they must be several numbers.

    `signs` are the separators between the groups. Groups that would form a number too large for a float, such as those
    of a table column, are several numbers.
    """
    if not signs:
        return {float(int(groups[0][:300]))}
    values: set[float] = set()
    in_threes = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:])
    if in_threes and len(set(signs)) == 1:
        values.add(float("".join(map(_ascii_digits, groups))))
    in_twos = len(groups[0]) <= 2 and [len(group) for group in groups[1:]] == [2] * (len(groups) - 2) + [3]
    if in_twos and len(groups) > 2 and set(signs) == {","}:
        # Indian grouping: 1,00,000
        values.add(float("".join(map(_ascii_digits, groups))))
    before = signs[:-1]
    may_be_decimal = len(groups) == 2 or (
        len(groups[0]) <= 3
        and all(len(group) == 3 for group in groups[1:-1])
        and len(set(before)) == 1
        and before[0] != signs[-1]
    )
    if may_be_decimal and signs[-1] in _DECIMAL_SEPARATORS:
        values.add(float(f"{''.join(map(_ascii_digits, groups[:-1]))}.{_ascii_digits(groups[-1])}"))
    return set(filter(math.isfinite, values))


def _ascii_digits(group: str) -> str:
    """Convert digits of any script to ASCII digits."""
    return group if group.isascii() else "".join(str(int(digit)) for digit in group)


def _add_implied_values(values: set[float], text: str, start: int, end: int) -> frozenset[float]:
    """Return `values` and the values that the words around a number imply, as in 2.5 million, 3 pm and 令和5."""
    word = _FACTOR.match(text, end)
    if word is not None:
        values = values | {round(value * times, 6) for value in values for times in _multipliers(word[1].lower())}
    before = _ERAS.get(text[max(0, start - 2) : start])
    if before is not None:
        values = values | {value + before for value in values}
    if _TIME_SUFFIX.match(text, end):
        values = values | {value + 12 for value in values if value < 12}
        values |= {0.0, 24.0} if 12 in values else set()
    return frozenset(values)


def _multipliers(word: str) -> list[float]:
    """Possible multipliers that the word after a number stands for; empty if there are none.

    A multiplier may have an ending (Millionen). If it is not in ASCII letters, any letters may follow it.
    """
    for size in range(min(len(word), 9), 0, -1):
        begin = word[:size]
        if begin in _FACTORS_BY_WORD and (size == len(word) or size >= _MIN_INFLECTED_LETTERS or not begin.isascii()):
            return _FACTORS_BY_WORD[begin]
    return []


def _roman(text: str) -> float:
    digits = [_ROMAN_DIGITS[letter] for letter in text]
    pairs = zip(digits, [*digits[1:], 0], strict=True)
    return float(sum(-digit if digit < after else digit for digit, after in pairs))


MIN_SMALL_NUMBER, MAX_SMALL_NUMBER = 3, 20
"""Smallest and largest number with known words."""
_STEMS: dict[str, str] = {
    "de": "drei|dritt vier fünf|fuenf sechs|halb sieb acht neun zehn elf zwölf|zwoelf|dutzend|mittag|jahr dreizehn"
    " vierzehn|woche fünfzehn|viertel sechzehn siebzehn achtzehn|anderthalb|eineinhalb neunzehn zwanzig",
    "nl": "drie|derd vier|vierd|kwart vijf zes|half zeven acht negen tien elf twaalf|dozijn|middag|jaar dertien"
    " veertien|week|weken vijftien|kwartier zestien zeventien achttien|anderhalf negentien twintig",
    "en": "three|third|thrice|tripl|tri four|quart|quadr five|fifth six|half seven eigh nin ten|decade eleven"
    " twel|dozen|noon|midday|year thirteen fourteen|fortnight|week fifteen|quarter sixteen seventeen eighteen nineteen"
    " twent",
    "fr": "tr[oi]|tier quatr|quart cinq six|demi|semestr sept|semaine huit neuv|neuf di[xz]|décenn onz|onz"
    " douz|midi|an|année treiz quatorz|quinz|semaine quinz|quart seiz dix-sept|dix.sept dix.huit dix.neuf vingt",
    "es": "tres|tri|terc cuatr|cuart cinc|quint seis|sext|medi|semestre siet|sépt|seman och|octav nuev|noven|nono"
    " diez|déci|década once|undéc doc|duodéc|mediod|año trec catorc|quinc|seman quinc|cuart diecis"
    " diecis dieci dieci veint|vigés",
    "it": "tre|tri|terz quattr|quart cinq|quint sei|sest|mezz|semestr sett ott nov|non dieci|decim|decenn undici|undic"
    " dodic|dozzin|mezzog|ann tredic quattordic|settiman|quindic quindic|quart sedic diciass diciott diciann"
    " vent",
    "pt": "três|tri|terceir quatr|quart cinc|quint seis|sext|mei|semestre set|seman oit nov|non dez|décim|década"
    " onze|décim doze|dúzia|mei|ano treze cat|quat|quinz|seman quinze|quart dezes|dezass dezes|dezas|deza dezo"
    " deza|deze|dezen vint|vigés",
}
"""Stems of number words by language: for each number from 3 to 20 in order, stems separated by a bar.

The stems include words for spans of time that equal a number of hours, days or months, such as “fortnight”.
"""
_COMPOUNDING = frozenset(("de", "nl"))
"""Languages in which a number word may be within a compound."""
_DATE_OR_TIME_BEFORE = re.compile(r"\d\s?[/:.–-]\s?$")
_DATE_OR_TIME_AFTER = re.compile(r"\s?[/:.–-]\s?\d|\s?[ap]\.?\s?m\b|\s?(?:Uhr|h|o['’]clock)\b", re.IGNORECASE)


def are_words_known(language: str) -> bool:
    """Whether the words for small numbers are known in a language."""
    return language in _STEMS


def has_word(text: str, number: int, language: str) -> bool:
    """Whether a text may contain a word for a number from 3 to 20 in a language whose number words are known."""
    return _pattern(number, language).search(text) is not None


def may_be_date_or_time(text: str, start: int, stop: int) -> bool:
    """Whether the number at [start, stop) may belong to a date, time, range or version, as in 5/12 and 3:30.

    True also for a number with a leading zero.
    """
    before = _DATE_OR_TIME_BEFORE.search(text, max(0, start - 4), start)
    return text[start] == "0" or before is not None or _DATE_OR_TIME_AFTER.match(text, stop) is not None


@cache
def _pattern(number: int, language: str) -> re.Pattern[str]:
    stems = _STEMS[language].split(" ")[number - MIN_SMALL_NUMBER]
    return re.compile(f"(?:{stems})" if language in _COMPOUNDING else rf"\b(?:{stems})", re.IGNORECASE)
