"""Words for the numbers from 3 to 20, by which a text may spell out a small number.

Numbers below 3 are not included: articles, plurals and words such as “both” may stand for them.
"""

from __future__ import annotations

import re
from functools import cache

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
