"""How numbers are written in the window: no zero before the point, a true minus sign, a dash for what is undefined."""

from __future__ import annotations

import math

from qe_desktop.report import DASH

MINUS = "−"
UP, DOWN = "↑", "↓"


def score_text(value: float, decimals: int) -> str:
    """A score.

    >>> score_text(0.2791, 3), score_text(-0.05, 3), score_text(1.0, 3), score_text(float("nan"), 3)
    ('.279', '−.050', '1.000', '–')
    """
    return DASH if math.isnan(value) else _bare(f"{value:.{decimals}f}")


def change_text(value: float, decimals: int) -> str:
    """A difference with its sign; one digit more where it would vanish, an arrow where that is not enough.

    >>> change_text(0.0031, 3), change_text(-0.00021, 3), change_text(1e-7, 3), change_text(0.0, 3)
    ('+.003', '−.0002', '↑', '')
    """
    if value == 0 or math.isnan(value):
        return ""
    for digits in (decimals, decimals + 1):
        if abs(round(value, digits)) > 0:
            return ("+" if value > 0 else "") + _bare(f"{value:.{digits}f}")
    return UP if value > 0 else DOWN


def signed_text(value: float, decimals: int) -> str:
    """A difference between systems with its sign, and 0 where there is none.

    >>> signed_text(0.0312, 3), signed_text(-0.0004, 3)
    ('+.031', '.000')
    """
    text = score_text(value, decimals)
    return f"+{text}" if round(value, decimals) > 0 else text


def p_text(p: float) -> str:
    """A p-value in the shortest usual form.

    >>> p_text(0.01349), p_text(0.0001), p_text(1.0)
    ('.013', '<.001', '1.000')
    """
    return "<.001" if p < 0.001 else score_text(p, 3)


def equals_p(p: float) -> str:
    """A p-value behind its letter: `= .013` or `< .001`."""
    return "< .001" if p < 0.001 else f"= {score_text(p, 3)}"


def interval_text(low: float, high: float, decimals: int) -> str:
    """An interval: `[.251, .309]`."""
    return f"[{score_text(low, decimals)}, {score_text(high, decimals)}]"


def _bare(text: str) -> str:
    number = text.lstrip("-")
    sign = MINUS if text.startswith("-") and number.strip("0.") else ""
    return sign + (number[1:] if number.startswith("0.") else number)
