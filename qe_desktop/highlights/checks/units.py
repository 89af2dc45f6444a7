"""Units and currencies beside a number, as symbols that languages share."""

from __future__ import annotations

import re

from qe_desktop.highlights.sides import Span

_SAME = {
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
_MONEY = "$€£¥￥₹₽₩₪₺₴"
_SAME_MONEY = {"￥": "¥"}
_UNIT = re.compile(
    r"[\s\u00a0\u202f]?("
    + "|".join(sorted(map(re.escape, {*_UNITS, *_SAME}), key=len, reverse=True))
    + r")(?![^\W\d_]|/)"
)
_BEFORE = re.compile(rf"([{_MONEY}])[\s\u00a0\u202f]?$")
_BEHIND = re.compile(rf"[\s\u00a0\u202f]?([{_MONEY}])")
_NEAR = re.compile(rf"\d(?:{_UNIT.pattern})|[{_MONEY}]")


def may_have_unit(text: str) -> bool:
    """Whether a unit may stand beside any number of a text."""
    return _NEAR.search(text) is not None


def unit_of(text: str, number: Span) -> tuple[str, Span] | None:
    """The unit that stands behind a number, by one name, and where it stands."""
    found = _UNIT.match(text, number[1])
    return None if found is None else (_SAME.get(found[1], found[1]), found.span(1))


def money_of(text: str, number: Span) -> tuple[str, Span] | None:
    """The sign of a currency that stands before or behind a number, and where."""
    low = max(0, number[0] - 2)
    found = _BEFORE.search(text[low : number[0]])
    if found is not None:
        return _SAME_MONEY.get(found[1], found[1]), (low + found.start(1), low + found.end(1))
    behind = _BEHIND.match(text, number[1])
    return None if behind is None else (_SAME_MONEY.get(behind[1], behind[1]), behind.span(1))
