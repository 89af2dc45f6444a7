"""Formatting of durations, times, shares and p-values for display."""

from __future__ import annotations

import math
import time
from datetime import datetime

from qe_desktop.i18n.messages import tr
from qe_desktop.significance import PairVerdict, SignificanceLevel


def format_duration(seconds: float) -> str:
    """Format a duration in seconds, rounded for readability.

    >>> format_duration(12.4), format_duration(95), format_duration(5400), format_duration(36000)
    ('12 s', '1 min 35 s', '1 h 30 min', '10 h')
    >>> format_duration(9.97), format_duration(59.7)
    ('10 s', '1 min')
    """
    if round(seconds) < 60:
        is_rounded = round(seconds, 1) >= 10
        return tr("{seconds:.0f} s", seconds=seconds) if is_rounded else tr("{seconds:.1f} s", seconds=seconds)
    minutes, remaining_seconds = divmod(round(seconds), 60)
    if minutes < 10 and remaining_seconds:
        return tr("{minutes} min {seconds} s", minutes=minutes, seconds=remaining_seconds)
    hours, minutes = divmod(round(seconds / 60), 60)
    if not hours:
        return tr("{minutes} min", minutes=minutes)
    return tr("{hours} h {minutes} min", hours=hours, minutes=minutes) if minutes else tr("{hours} h", hours=hours)


def format_moment(at: float) -> str:
    """Format a Unix time as local time, to the minute."""
    return datetime.fromtimestamp(at).strftime("%Y-%m-%d %H:%M")


def format_age(at: float, now: float | None = None) -> str:
    """Format the time that has passed since `at` (Unix time).

    >>> format_age(0, 30), format_age(0, 3700), format_age(0, 200000)
    ('just now', '1 h ago', '2 days ago')
    """
    past = (time.time() if now is None else now) - at
    if past < 60:
        return tr("just now")
    if past < 3600:
        return tr("{minutes} min ago", minutes=int(past // 60))
    if past < 86_400:
        return tr("{hours} h ago", hours=int(past // 3600))
    return tr("{n} {n:day|days} ago", "", int(past // 86_400))


def format_percent(share: float) -> str:
    """Format a share as a percentage.

    >>> format_percent(0.4567), format_percent(1.0)
    ('46 %', '100 %')
    """
    return tr("{percent:.0f} %", percent=100 * share)


def format_verdict(verdict: PairVerdict, decimals: int) -> str:
    """Format a cell of a matrix: the adjusted p-value and the significance sign.

    On the diagonal and for an untested pair, the cell contains only the sign.
    """
    if verdict.level is SignificanceLevel.SAME_SYSTEM or verdict.level is SignificanceLevel.UNTESTED:
        return verdict.level.sign
    return f"{format_p(verdict.adjusted, decimals)} {verdict.level.sign}"


P_THRESHOLDS = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1)
"""Significance levels at which a rounded p-value must not contradict the sign next to it."""
MAX_P_DECIMALS = 6


def format_p(p: float, decimals: int) -> str:
    """Format a p-value with `decimals` decimals, or more if it would be rounded to or past one of `P_THRESHOLDS`.

    At most `MAX_P_DECIMALS` decimals are shown. A positive p is never shown as 0, and NaN is shown as a dash.

    >>> format_p(0.0312, 3), format_p(0.0496, 3), format_p(0.05, 3), format_p(0.0000312, 3)
    ('0.031', '0.0496', '0.050', '<0.001')
    >>> format_p(0.0009999, 3), format_p(0.05000001, 3)
    ('<0.001', '>0.05')
    """
    if math.isnan(p):
        return "–"
    smallest = 10.0**-decimals
    return f"<{smallest:.{decimals}f}" if 0 < p < smallest / 2 else "".join(round_p(p, decimals, MAX_P_DECIMALS))


MIN_P, P_DECIMALS = 0.001, 3
"""Smallest p-value that is shown as a number, and usual number of decimals of p-values."""
MAX_P_DIGITS = 3
"""Maximum number of significant digits used to distinguish a p-value from a usual significance threshold."""


def round_short_p(p: float) -> tuple[str, str]:
    """Round p to three decimals or, if `round_p` needs more near a threshold, up to three significant digits.

    Return a relation sign ("<", ">", or "" for equality), and the number or a threshold, which is .001 for any
    smaller p. Both are empty for NaN.

    >>> round_short_p(0.0123), round_short_p(0.02497), round_short_p(0.0001)
    (('', '0.012'), ('<', '0.025'), ('<', '0.001'))
    """
    if math.isnan(p):
        return "", ""
    if p < MIN_P:
        return "<", f"{MIN_P:g}"
    return round_p(p, P_DECIMALS, MAX_P_DIGITS - 1 - math.floor(math.log10(p)))


def round_p(p: float, decimals: int, max_decimals: int) -> tuple[str, str]:
    """Round p to `decimals` decimals, or to more if it would be rounded to or past one of `P_THRESHOLDS`.

    Return a sign and a number. The sign is empty unless `max_decimals` decimals are not enough; in that case, the
    number is the threshold, and the sign ("<" or ">") states on which side of the threshold p is.
    """
    for digits in range(decimals, max(decimals, max_decimals) + 1):
        text = f"{p:.{digits}f}"
        crossed = [limit for limit in P_THRESHOLDS if _side(p, limit) != _side(float(text), limit)]
        if not crossed:
            return "", text
    return "<" if p < crossed[0] else ">", f"{crossed[0]:g}"


def _side(p: float, limit: float) -> tuple[bool, bool]:
    return p < limit, p > limit
