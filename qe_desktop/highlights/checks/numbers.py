"""Numbers and units of the MT that are not those of the source."""

from __future__ import annotations

import re
from collections.abc import Iterator

from qe_desktop.highlights.checks.check import Check, Found, Pair
from qe_desktop.highlights.checks.number_values import Number, Numbers, numbers_in, roman_numbers_in
from qe_desktop.highlights.checks.number_words import may_spell
from qe_desktop.highlights.checks.units import may_have_unit, money_of, unit_of
from qe_desktop.wording import tr

SPELLED = 20
"""Whole numbers up to this are often written as words on one side, and so are round ones."""
_RUN = re.compile(r"\d+")
_HAN = re.compile("[〇一二三四五六七八九十百千]")
"""Numbers that Chinese and Japanese write as words."""


def _find(pair: Pair) -> Iterator[Found]:
    runs = sorted(_RUN.findall(pair.mt))
    if runs == sorted(_RUN.findall(pair.source)) and not (runs and may_have_unit(pair.mt)):
        return
    source, mt = numbers_in(pair.source), numbers_in(pair.mt)
    matched = _matched(source, mt)
    extra = [place for place in range(len(mt.found)) if place not in matched]
    missing = [place for place in range(len(source.found)) if place not in matched.values()]
    if extra or missing:
        of_source, of_mt = _held(source, pair.source), _held(mt, pair.mt)
        extra = [place for place in extra if not _there(mt.found[place], of_source)]
        missing = [place for place in missing if not _there(source.found[place], of_mt)]
        extra = [place for place in extra if not may_spell(pair.source, mt.found[place].least)]
        missing = [place for place in missing if not may_spell(pair.mt, source.found[place].least)]
    if extra and missing:
        yield from _others(pair, source, mt, extra, missing)
    else:
        yield from _one_sided(pair, source, mt, extra, missing)
    for here, there in matched.items():
        yield from _units(pair, source.found[there], mt.found[here])


def _matched(source: Numbers, mt: Numbers) -> dict[int, int]:
    """Which numbers of the MT are which of the source, each once, in their order."""
    matched: dict[int, int] = {}
    free = dict(enumerate(source.found))
    for place, number in enumerate(mt.found):
        there = next((other for other, one in free.items() if one.values & number.values), None)
        if there is not None:
            matched[place] = there
            del free[there]
    return matched


def _held(numbers: Numbers, text: str) -> set[float]:
    """All values that a side has in any way: as numbers or their parts, in names, as Roman numerals."""
    parts = {float(part) for one in numbers.found for part in one.parts}
    return parts | roman_numbers_in(text) | numbers.beside.union(*(one.values for one in numbers.found))


def _there(number: Number, held: set[float]) -> bool:
    """Whether a side has a number in some other way: again, in parts, in a name, or as the end of a year."""
    if number.values & held or (number.parts and all(float(part) in held for part in number.parts)):
        return True
    years = {value % 100 for value in held if 1000 <= value < 2100}
    return any(value in years or (1000 <= value < 2100 and value % 100 in held) for value in number.values)


def _others(pair: Pair, source: Numbers, mt: Numbers, extra: list[int], missing: list[int]) -> Iterator[Found]:
    held = ", ".join(_written(pair.source, source.found[place]) for place in missing)
    for place in extra:
        shown = _written(pair.mt, mt.found[place])
        reason = tr("the source has {numbers} and not {number}", numbers=held, number=shown)
        yield Found(mt.found[place].span, reason)
    for place in missing:
        yield Found(source.found[place].span, tr("missing in the MT"), True)


def _one_sided(pair: Pair, source: Numbers, mt: Numbers, extra: list[int], missing: list[int]) -> Iterator[Found]:
    for place in extra:
        if not _may_be_spelled(mt.found[place]) and not _HAN.search(pair.source):
            shown = _written(pair.mt, mt.found[place])
            yield Found(mt.found[place].span, tr("the source has no {number}", number=shown))
    for place in missing:
        number = source.found[place]
        if not _may_be_spelled(number) and not _HAN.search(pair.mt):
            shown = _written(pair.source, number)
            yield Found((len(pair.mt), len(pair.mt)), tr("{number} of the source is missing", number=shown))
            yield Found(number.span, tr("missing in the MT"), True)


def _may_be_spelled(number: Number) -> bool:
    """Whether any text may have a number as words that no check knows: small and round ones."""
    least = number.least
    if least <= SPELLED or least >= 1e15:
        return least <= SPELLED
    whole = int(least)
    return whole == least and whole % 10 ** (len(str(whole)) - 1) == 0


def _units(pair: Pair, source: Number, mt: Number) -> Iterator[Found]:
    for of in (unit_of, money_of):
        there, here = of(pair.source, source.span), of(pair.mt, mt.span)
        if there is not None and here is not None and there[0] != here[0]:
            low, high = here[1]
            reason = tr("the source has {unit} and not {other}", unit=there[0], other=pair.mt[low:high])
            yield Found(here[1], reason)


def _written(text: str, number: Number) -> str:
    return text[slice(*number.span)]


CHECK = Check.of_each(
    "numbers",
    tr("Numbers and units"),
    tr(
        "A number that the source has not, one that is missing, and another unit or currency. How digits are grouped "
        "does not matter, and numbers may be written as words."
    ),
    _find,
)
