"""Check for numbers and units of the MT that differ from those of the source."""

from __future__ import annotations

import re
from collections import defaultdict, deque
from collections.abc import Iterator, Mapping
from functools import cache

from qe_desktop.corpus.text import Span
from qe_desktop.i18n.messages import tr
from qe_desktop.local_qe.qa_checks.check import Check, QaIssue, SegmentPair
from qe_desktop.local_qe.qa_checks.number_parsing import (
    MAX_SMALL_NUMBER,
    MIN_SMALL_NUMBER,
    ParsedNumber,
    TextNumbers,
    are_words_known,
    find_numbers,
    find_roman_numbers,
    has_word,
    may_be_date_or_time,
)

_DIRECTION_MARKS = "\u200e\u200f\u061c\u2066-\u2069"
_MINUS = re.compile(rf"(?:^|(?<=[\s(\[=:,;\"'“„«{_DIRECTION_MARKS}]))(?<!\d\s)[-−][{_DIRECTION_MARKS}]?(?=\d)")
"""Pattern of a minus sign; hyphens, and dashes in ranges, do not match."""
_ANY_MINUS_BEFORE, _ANY_MINUS_AFTER = (
    re.compile(rf"[-−–‐‑－][{_DIRECTION_MARKS}\s]?$"),
    re.compile(rf"[{_DIRECTION_MARKS}]?[-−–]"),
)
_MINUS_WORD = re.compile(
    "minus|negativ|negatív|moins|menos|meno|mínus|минус|мінус|miinus|mínusz|eksi|âm|below|unter|零下|负|負|マイナス|영하|마이너스"
    "|ناقص|منفی|سالب|תחת|מינוס|ऋण|शून्य से नीचे|ลบ",
    re.IGNORECASE,
)
"""Pattern of words that stand for a minus sign."""


def _has_minus(text: str) -> bool:
    return _MINUS.search(text) is not None


def _sign_issues(
    pair: SegmentPair, matched: Mapping[int, int], source: tuple[ParsedNumber, ...], mt: tuple[ParsedNumber, ...]
) -> Iterator[QaIssue]:
    """Yield an issue for each pair of matched numbers of which only one has a minus sign.

    `matched` maps indices in `mt` to indices in `source`. Yield nothing if the text without minus signs has a word that
    may stand for one.
    """
    in_source, in_mt = [{match.end() for match in _MINUS.finditer(text)} for text in (pair.source, pair.mt)]
    if _MINUS_WORD.search(pair.mt if in_source else pair.source):
        return
    for mt_index, source_index in matched.items():
        span, source_span = mt[mt_index].span, source[source_index].span
        if source_span[0] in in_source and not _has_sign(pair.mt, span):
            yield QaIssue(span, tr("the minus sign of {number} is missing", number=pair.source[slice(*source_span)]))
        elif span[0] in in_mt and not _has_sign(pair.source, source_span):
            yield QaIssue((span[0] - 1, span[1]), tr("this number has no minus sign in the source"))


def _has_sign(text: str, number: Span) -> bool:
    """Whether a number may have a minus sign: any dash before it or, as in right-to-left text, after it."""
    before = text[max(0, number[0] - 2) : number[0]]
    after = text[number[1] : number[1] + 2]
    return bool(_ANY_MINUS_BEFORE.search(before) or _ANY_MINUS_AFTER.match(after))


_INFIX_WORDS: dict[int, str] = {
    20: "zwanzig|twintig|tjugo|двадцят|двадцат|dvacet",
    30: "dreißig|dreissig|dertig|trettio|тридцат|тридцят|třicet",
    40: "vierzig|veertig|fyrtio|сорок|čtyřicet",
    50: "fünfzig|vijftig|femtio|пятьдесят|п'ятдесят|п’ятдесят|padesát",
    60: "sechzig|zestig|sextio|шестьдесят|шістдесят|šedesát",
    70: "siebzig|zeventig|sjuttio|семьдесят|сімдесят|sedmdesát",
    80: "achtzig|tachtig|åttio|восемьдесят|вісімдесят|osmdesát",
    90: "neunzig|negentig|nittio|девяносто|дев'яносто|дев’яносто|devadesát",
    100: "hundert|honderd|hundra",
    1000: "tausend|duizend|tusen|tusind",
}
"""Stems of number words, by value, that may occur anywhere within a compound word: zweiundvierzig."""
_PREFIX_WORDS: dict[int, str] = {
    20: "twent|vingt|veinte|veinti|ventun|ventidu|ventitr|ventiquattr|venticinqu|ventisei|ventisett|ventott|ventinov"
    "|vinte|douăzeci|dwadzie",
    30: "thirt|trent|treinta|trinta|treizeci|trzydzie",
    40: "fort|quarant|cuarenta|quarenta|patruzeci|czterdzie",
    50: "fift|cinquant|cincuenta|cinquenta|cincizeci|pięćdzie",
    60: "sixt|soixant|sesenta|sessant|șaizeci|sześćdzie",
    70: "sevent|soixant|septant|setenta|settant|șaptezeci|siedemdzie",
    80: "eight|quatre-vingt|octant|huitant|ochenta|ottant|oitenta|optzeci|osiemdzie",
    90: "ninet|quatre-vingt|nonant|noventa|novant|nouăzeci|dziewięćdzie",
    100: "hundred|ciento|duecent|trecent|doscient|trescient|duzent|trezent|двест|трист",
    1000: "thousand|duemila|tremila|tysi|tisíc|тысяч|тисяч",
}
"""Beginnings of number words, by value, including compounds: forty-two, quarantadue."""
_WHOLE_WORDS: dict[int, str] = {
    20: "venti",
    100: "cent|cents|cien|cento|cem|sută|sute|sto|сто",
    1000: "mille|mil|mila|mie|mii",
}
"""Number words, by value, matched only as whole words, because many other words begin with the same letters."""
_DOZEN = "dozen|dutzend|douzaine|docena|dozzin|dúzia|dozijn|dussin|tucet|tuzin|дюжин"


class NumberWords:
    """Search for number words in a text; the results are cached."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._cache: dict[int, bool] = {}

    def may_spell(self, value: float) -> bool:
        """Whether the text may spell out a number in any of the known languages.

        This is assumed if the text contains a word for thousand (1000 and above), for hundred (100 to 999) or for the
        tens of the number (20 to 99). A word for hundred is also sufficient for 1100 to 1999, and a word for dozen for
        multiples of 12. The result is always False for numbers other than integers from 20 to 999,999.
        """
        # numbers with hundreds of digits may be infinite
        if not 20 <= value < 1_000_000 or value != int(value):
            return False
        integer = int(value)
        parts = [1000 if integer >= 1000 else 100 if integer >= 100 else integer // 10 * 10]
        if 1100 <= integer < 2000:
            # nineteen hundred
            parts.append(100)
        if integer % 12 == 0:
            parts.append(12)
        return any(map(self._has, parts))

    def _has(self, part: int) -> bool:
        if part not in self._cache:
            pattern = _dozen() if part == 12 else _pattern(part)
            self._cache[part] = pattern.search(self._text) is not None
        return self._cache[part]


@cache
def _pattern(part: int) -> re.Pattern[str]:
    infix_pattern, beginning = _regex_group(_INFIX_WORDS[part]), _regex_group(_PREFIX_WORDS[part])
    word_pattern = rf"|\b{_regex_group(_WHOLE_WORDS[part])}\b" if part in _WHOLE_WORDS else ""
    return re.compile(rf"{infix_pattern}|\b{beginning}{word_pattern}", re.IGNORECASE)


@cache
def _dozen() -> re.Pattern[str]:
    return re.compile(rf"\b{_regex_group(_DOZEN)}", re.IGNORECASE)


def _regex_group(words: str) -> str:
    return f"(?:{words})"


_UNIT_ALIASES = {
    "％": "%", "км/ч": "km/h", "км": "km", "см": "cm", "мм": "mm", "кг": "kg", "мг": "mg", "ГБ": "GB", "МБ": "MB",
    "КБ": "KB", "кВт": "kW", "МВт": "MW", "ГГц": "GHz", "МГц": "MHz", "мл": "ml", "kB": "KB", "mL": "ml", "℃": "°C",
    "℉": "°F", "kph": "km/h", "Go": "GB", "Mo": "MB", "Ko": "KB",
    "㎞": "km", "㎝": "cm", "㎜": "mm", "㎏": "kg", "㎎": "mg", "٪": "%", "μm": "µm",
    "г": "g", "м": "m", "л": "l", "L": "l", "ℓ": "l", "㎖": "ml", "㎾": "kW", "㎐": "Hz",
}  # fmt: skip
_UNITS = (
    "%", "‰", "°C", "°F", "km/h", "mph", "km", "cm", "mm", "nm", "µm", "kg", "mg", "ml", "cl", "GHz", "MHz", "kHz",
    "GB", "MB", "KB", "TB", "kWh", "MWh", "kW", "MW", "GW", "mW", "kV", "mV", "mA", "hPa", "kPa", "MPa", "dB", "ft",
    "lb", "oz", "g", "m", "l", "W", "V", "Hz", "mAh", "Wh",
)  # fmt: skip
_CURRENCY_SYMBOLS = "$€£¥￥₹₽₩₪₺₴"
_CURRENCY_ALIASES = {"￥": "¥"}
_UNIT = re.compile(
    r"[\s\u00a0\u202f]?("
    + "|".join(sorted(map(re.escape, {*_UNITS, *_UNIT_ALIASES}), key=len, reverse=True))
    + r")(?![^\W\d_]|/)"
)
_CURRENCY_BEFORE = re.compile(rf"([{_CURRENCY_SYMBOLS}])[\s\u00a0\u202f]?$")
_CURRENCY_AFTER = re.compile(rf"[\s\u00a0\u202f]?([{_CURRENCY_SYMBOLS}])")
_NUMBER_WITH_UNIT = re.compile(rf"\d(?:{_UNIT.pattern})|[{_CURRENCY_SYMBOLS}]")


def may_have_unit(text: str) -> bool:
    """Whether a text may contain a number with a unit, or a currency symbol."""
    return _NUMBER_WITH_UNIT.search(text) is not None


def unit_after(text: str, number: Span) -> tuple[str, Span] | None:
    """Return the normalized unit after a number and the span of the unit; None if there is no unit."""
    match = _UNIT.match(text, number[1])
    return None if match is None else (_UNIT_ALIASES.get(match[1], match[1]), match.span(1))


def currency_near(text: str, number: Span) -> tuple[str, Span] | None:
    """Return the currency symbol before or after a number and the span of the symbol; None if there is no symbol."""
    start = max(0, number[0] - 2)
    match = _CURRENCY_BEFORE.search(text[start : number[0]])
    if match is not None:
        return _CURRENCY_ALIASES.get(match[1], match[1]), (start + match.start(1), start + match.end(1))
    after = _CURRENCY_AFTER.match(text, number[1])
    return None if after is None else (_CURRENCY_ALIASES.get(after[1], after[1]), after.span(1))


_RUN = re.compile(r"\d+")
_HAN = re.compile("[〇一二三四五六七八九十百千]")
"""Pattern of numerals with which Chinese and Japanese spell out numbers."""


def _find(pair: SegmentPair) -> Iterator[QaIssue]:
    runs = sorted(_RUN.findall(pair.mt))
    may_differ = runs and (may_have_unit(pair.mt) or _has_minus(pair.mt) is not _has_minus(pair.source))
    if runs == sorted(_RUN.findall(pair.source)) and not may_differ:
        return
    source, mt = find_numbers(pair.source), find_numbers(pair.mt)
    matched = _match_numbers(source, mt)
    extra = [index for index in range(len(mt.numbers)) if index not in matched]
    used = set(matched.values())
    missing = [index for index in range(len(source.numbers)) if index not in used]
    if extra or missing:
        in_source, in_mt = _SideValues(source, pair.source), _SideValues(mt, pair.mt)
        extra = [index for index in extra if not in_source.has(mt.numbers[index])]
        missing = [index for index in missing if not in_mt.has(source.numbers[index])]
    if extra and missing:
        yield from _unmatched_numbers(pair, source, mt, extra, missing)
    else:
        yield from _one_sided_issues(pair, source, mt, extra, missing)
    for mt_index, source_index in matched.items():
        yield from _units(pair, source.numbers[source_index], mt.numbers[mt_index])
    if _has_minus(pair.mt) is not _has_minus(pair.source):
        yield from _sign_issues(pair, matched, source.numbers, mt.numbers)


def _match_numbers(source: TextNumbers, mt: TextNumbers) -> dict[int, int]:
    """Match each MT number to the first unmatched source number with which it shares a possible value.

    Return the index of the matching source number by index of the MT number.
    """
    matched: dict[int, int] = {}
    used: set[int] = set()
    free: defaultdict[float, deque[int]] = defaultdict(deque)
    for index, number in enumerate(source.numbers):
        for value in number.values:
            free[value].append(index)
    for mt_index, number in enumerate(mt.numbers):
        candidates = []
        for value in number.values & free.keys():
            indices = free[value]
            while indices and indices[0] in used:
                indices.popleft()
            if indices:
                candidates.append(indices[0])
        if candidates:
            matched[mt_index] = min(candidates)
            used.add(matched[mt_index])
    return matched


class _SideValues:
    """Numeric values in a source or MT, whether written in digits, in names, as Roman numerals or in words."""

    def __init__(self, numbers: TextNumbers, text: str) -> None:
        parts = {float(part) for number in numbers.numbers for part in number.parts}
        values = parts | find_roman_numbers(text)
        self._values = values | numbers.embedded.union(*(number.values for number in numbers.numbers))
        self._years = {value % 100 for value in self._values if 1000 <= value < 2100}
        """Last two digits of the values that may be years."""
        self._words = NumberWords(text)

    def has(self, number: ParsedNumber) -> bool:
        """Whether the text contains a number, or may spell it out (see `NumberWords.may_spell`).

        The number may be in digits, as separate parts, in a name, or as a Roman numeral. Of two years, one may be
        shortened to its last two digits.
        """
        values, years = self._values, self._years
        if number.values & values or (number.parts and all(float(part) in values for part in number.parts)):
            return True
        if any(value in years or (1000 <= value < 2100 and value % 100 in values) for value in number.values):
            return True
        return self._words.may_spell(number.min_value)


def _unmatched_numbers(
    pair: SegmentPair, source: TextNumbers, mt: TextNumbers, extra: list[int], missing: list[int]
) -> Iterator[QaIssue]:
    missing_list = ", ".join(_quote_number(pair.source, source.numbers[index]) for index in missing)
    extra_list = ", ".join(_quote_number(pair.mt, mt.numbers[index]) for index in extra)
    reason = tr("the source has {numbers}, not {number}", numbers=missing_list, number=extra_list)
    for index in extra:
        yield QaIssue(mt.numbers[index].span, reason)
    for index in missing:
        yield QaIssue(source.numbers[index].span, tr("missing from the target"), True)


def _one_sided_issues(
    pair: SegmentPair, source: TextNumbers, mt: TextNumbers, extra: list[int], missing: list[int]
) -> Iterator[QaIssue]:
    for index in extra:
        if not _may_be_spelled(mt.numbers[index]) and not _HAN.search(pair.source):
            quoted = _quote_number(pair.mt, mt.numbers[index])
            yield QaIssue(mt.numbers[index].span, tr("{number} is not in the source", number=quoted))
    for index in missing:
        number = source.numbers[index]
        if (not _may_be_spelled(number) or _is_small_missing(pair, number)) and not _HAN.search(pair.mt):
            quoted = _quote_number(pair.source, number)
            yield QaIssue((len(pair.mt), len(pair.mt)), tr("{number} is missing from the target", number=quoted))
            yield QaIssue(number.span, tr("missing from the target"), True)


def _may_be_spelled(number: ParsedNumber) -> bool:
    """Whether a number is small or round, so that a text may spell it out in words unknown to the check."""
    value = number.min_value
    if value <= MAX_SMALL_NUMBER or value >= 1e15:
        return value <= MAX_SMALL_NUMBER
    integer = int(value)
    return integer == value and integer % 10 ** (len(str(integer)) - 1) == 0


def _is_small_missing(pair: SegmentPair, number: ParsedNumber) -> bool:
    """Whether the MT, which lacks the digits of a small number, does not spell it out either; False if not known."""
    value, language = number.min_value, pair.target_language
    if len(number.values) > 1 or value != int(value) or not MIN_SMALL_NUMBER <= value <= MAX_SMALL_NUMBER:
        return False
    if not are_words_known(language) or may_be_date_or_time(pair.source, *number.span):
        return False
    return not has_word(pair.mt, int(value), language)


def _units(pair: SegmentPair, source: ParsedNumber, mt: ParsedNumber) -> Iterator[QaIssue]:
    in_source, in_mt = unit_after(pair.source, source.span), unit_after(pair.mt, mt.span)
    if in_source is not None and in_mt is not None and in_source[0] != in_mt[0]:
        unit, mt_text = pair.source[slice(*in_source[1])], pair.mt[slice(*in_mt[1])]
        yield QaIssue(in_mt[1], tr("the source has the unit {unit}, not {other}", unit=unit, other=mt_text))
    in_source, in_mt = currency_near(pair.source, source.span), currency_near(pair.mt, mt.span)
    if in_source is not None and in_mt is not None and in_source[0] != in_mt[0]:
        sign, mt_text = pair.source[slice(*in_source[1])], pair.mt[slice(*in_mt[1])]
        yield QaIssue(in_mt[1], tr("the source has the currency {sign}, not {other}", sign=sign, other=mt_text))


def _quote_number(text: str, number: ParsedNumber) -> str:
    return text[slice(*number.span)]


CHECK = Check.of_each(
    "numbers",
    tr("Numbers and units"),
    tr(
        "Numbers missing from the target, numbers that are not in the source, and minus signs, units or currencies "
        "that differ. Digit grouping is ignored, and numbers may be spelled out. A number below 3 or a round "
        "number such as 300 is reported as missing only if another number is in its place. A whole number from 3 to 20 "
        "is also reported if the target contains neither its digits nor its word. For this, the target must be in "
        "German, English, French, Spanish, Italian, Portuguese or Dutch."
    ),
    _find,
)
