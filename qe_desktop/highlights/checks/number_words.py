"""Whether a text may have a number as words: “forty-two” for 42, “hundertfünf” for 105, “two dozen” for 24."""

from __future__ import annotations

import re
from functools import cache

_WITHIN: dict[int, str] = {
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
"""Words that stand within longer ones too, where a language writes a number as one: zweiundvierzig."""
_BEGINNING: dict[int, str] = {
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
"""Words that others begin with: forty-two, quarantadue."""
_WHOLE: dict[int, str] = {
    20: "venti",
    100: "cent|cents|cien|cento|cem|sută|sute|sto|сто",
    1000: "mille|mil|mila|mie|mii",
}
"""Words that are found as they are alone, for too many others begin so."""
_DOZEN = "dozen|dutzend|douzaine|docena|dozzin|dúzia|dozijn|dussin|tucet|tuzin|дюжин"


def may_spell(text: str, value: float) -> bool:
    """Whether words of a text may be this whole number: there is one for its greatest part, whatever the language."""
    whole = int(value)
    if whole != value or not 20 <= whole < 1_000_000:
        return False
    parts = [1000 if whole >= 1000 else 100 if whole >= 100 else whole // 10 * 10]
    if 1100 <= whole < 2000:
        # nineteen hundred
        parts.append(100)
    return any(_pattern(part).search(text) for part in parts) or (whole % 12 == 0 and _dozen().search(text) is not None)


@cache
def _pattern(part: int) -> re.Pattern[str]:
    within, beginning = _any(_WITHIN[part]), _any(_BEGINNING[part])
    whole = rf"|\b{_any(_WHOLE[part])}\b" if part in _WHOLE else ""
    return re.compile(rf"{within}|\b{beginning}{whole}", re.IGNORECASE)


@cache
def _dozen() -> re.Pattern[str]:
    return re.compile(rf"\b{_any(_DOZEN)}", re.IGNORECASE)


def _any(words: str) -> str:
    return f"(?:{words})"
