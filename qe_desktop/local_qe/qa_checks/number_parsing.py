"""Parser for numbers with digits of any script and any separators: 1,234.5 and 1.234,5 and 1 234,5 are equal.

An ambiguous number has several values: 1.500 is 1500 or 1.5.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
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
    """Join consecutive numbers that form a single number: 1万2500 is 12,500."""
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
