"""Dates and times in the cells of a workbook: numbers whose format says so, as ISO 8601 (ECMA-376, part 1, 18.8.30)."""

from __future__ import annotations

import datetime
import enum
import re
from decimal import Decimal, InvalidOperation

_DATES = frozenset((*range(14, 18), *range(27, 32), 36, *range(50, 55), 57, 58))
_TIMES = frozenset((*range(18, 22), *range(32, 36), 45, 47, 55, 56))
_BOTH = 22
_NOT_SHOWN = re.compile(r'"[^"]*"|\\.|_.|\*.|\[[^\]]*\]')
"""Parts of a format that are text, blanks, colours, conditions and languages."""
_ELAPSED = re.compile(r"\[(?:h+|m+|s+)\]", re.IGNORECASE)
_FRACTION = re.compile("s[.,]0+")
_DAY = 86_400
_LAST = 2_958_465
"""The number of 9999-12-31."""
_MISSING = 60
"""The number of 1900-02-29, a day that only spreadsheets have."""


class DateKind(enum.Enum):
    """What a format shows of a number: a day, a time, or both."""

    DATE = "date"
    TIME = "time"
    BOTH = "both"


def kind_of_format(number: int, code: str | None) -> DateKind | None:
    """What a format shows, by its number and, for one of a workbook's own, its code; None for other numbers.

    Times that were taken (`[h]:mm`) are numbers: they are no time of a day.
    """
    if code is None:
        if number == _BOTH:
            return DateKind.BOTH
        return DateKind.DATE if number in _DATES else DateKind.TIME if number in _TIMES else None
    if _ELAPSED.search(code):
        return None
    # what is shown of numbers that are not negative
    shown = _NOT_SHOWN.sub("", code).partition(";")[0].lower()
    if "general" in shown or (any(sign in shown for sign in "0#?@") and not _FRACTION.search(shown)):
        return None
    has_time = any(sign in shown for sign in "hs")
    has_date = any(sign in shown for sign in "dy") or ("m" in shown and not has_time)
    if not has_date:
        return DateKind.TIME if has_time else None
    return DateKind.BOTH if has_time else DateKind.DATE


def date_text(value: str, kind: DateKind, *, from_1904: bool) -> str:
    """The day or the time of a number as ISO 8601, to the second; the number itself where it is none of either.

    >>> date_text("45413", DateKind.DATE, from_1904=False)
    '2024-05-01'
    >>> date_text("45413.75", DateKind.BOTH, from_1904=False)
    '2024-05-01T18:00:00'
    >>> date_text("0.5", DateKind.TIME, from_1904=False)
    '12:00:00'
    """
    try:
        seconds = int((Decimal(value) * _DAY).to_integral_value())
    except (InvalidOperation, ValueError, OverflowError):
        return value
    day, rest = divmod(seconds, _DAY)
    if not 0 <= day <= _LAST - 1462 * from_1904:
        return value
    time = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}"
    if kind is DateKind.TIME and day == 0:
        return time
    if not from_1904 and day in (0, _MISSING):
        return value
    first = datetime.date(1904, 1, 1) if from_1904 else datetime.date(1899, 12, 31 if day < _MISSING else 30)
    date = (first + datetime.timedelta(days=day)).isoformat()
    return date if kind is DateKind.DATE and not rest else f"{date}T{time}"
