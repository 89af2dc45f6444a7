"""Number formats of the user interface: no leading zero, true minus sign, dash for undefined values."""

from __future__ import annotations

import math

from qe_desktop.report import DASH
from qe_desktop.report.format_values import round_short_p

MINUS = "−"
PROBABILITY_DECIMALS = 2
UP, DOWN = "↑", "↓"


def format_score(value: float, decimals: int) -> str:
    """Format a score without a leading zero; NaN becomes a dash.

    >>> format_score(0.2791, 3), format_score(-0.05, 3), format_score(1.0, 3), format_score(float("nan"), 3)
    ('.279', '−.050', '1.000', '–')
    """
    return DASH if math.isnan(value) else _strip_leading_zero(f"{value:.{decimals}f}")


def format_probability(value: float) -> str:
    """Format a probability such as P(BAD), or a threshold for it.

    >>> format_probability(0.564), format_probability(1.0)
    ('.56', '1.00')
    """
    return format_score(value, PROBABILITY_DECIMALS)


def format_change(value: float, decimals: int) -> str:
    """Format a change with its sign; empty for 0 and NaN.

    A change that would be rounded to 0 gets one more decimal. If that is not enough, it is shown as an arrow.

    >>> format_change(0.0031, 3), format_change(-0.00021, 3), format_change(1e-7, 3), format_change(0.0, 3)
    ('+.003', '−.0002', '↑', '')
    """
    if value == 0 or math.isnan(value):
        return ""
    for digits in (decimals, decimals + 1):
        if abs(round(value, digits)) > 0:
            return ("+" if value > 0 else "") + _strip_leading_zero(f"{value:.{digits}f}")
    return UP if value > 0 else DOWN


def format_signed(value: float, decimals: int) -> str:
    """Format a difference with its sign; a difference that is rounded to 0 has no sign.

    >>> format_signed(0.0312, 3), format_signed(-0.0004, 3)
    ('+.031', '.000')
    """
    text = format_score(value, decimals)
    return f"+{text}" if round(value, decimals) > 0 else text


def format_p(p: float) -> str:
    """Format a p-value with three decimals; values below .001 become `<.001`, and NaN becomes a dash.

    A p-value that would be rounded to or past a usual significance threshold has up to three significant digits. If
    these are not enough, the threshold is shown after `<` or `>`.

    >>> format_p(0.01349), format_p(0.0001), format_p(1.0), format_p(0.0099), format_p(0.05), format_p(0.0502)
    ('.013', '<.001', '1.000', '.0099', '.050', '.0502')
    >>> format_p(0.009999), format_p(0.0500001), format_p(float("nan"))
    ('<.01', '>.05', '–')
    """
    return "".join(_rounded_p(p))


def format_p_relation(p: float) -> str:
    """Format a p-value with a relation sign, to be shown after the letter p: `= .013` or `< .001`."""
    relation, number = _rounded_p(p)
    return f"{relation or '='} {number}"


def _rounded_p(p: float) -> tuple[str, str]:
    """Return a relation sign ("<", ">", or "" for equality), and the rounded p-value or a threshold."""
    relation, number = round_short_p(p)
    return relation, _strip_leading_zero(number) or DASH


def format_interval(low: float, high: float, decimals: int) -> str:
    """Format an interval: `[.251, .309]`."""
    return f"[{format_score(low, decimals)}, {format_score(high, decimals)}]"


def format_ranks(best: int, worst: int) -> str:
    """Format a range of ranks.

    >>> format_ranks(1, 1), format_ranks(2, 3)
    ('1', '2–3')
    """
    return str(best) if best == worst else f"{best}–{worst}"


def _strip_leading_zero(text: str) -> str:
    number = text.lstrip("-")
    sign = MINUS if text.startswith("-") and number.strip("0.") else ""
    return sign + (number[1:] if number.startswith("0.") else number)
