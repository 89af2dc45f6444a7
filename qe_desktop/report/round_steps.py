"""Round numbers along an axis, and how they are written."""

from __future__ import annotations

import math

MOST = 8
"""Numbers along an axis at the most."""


def round_steps(low: float, high: float, most: int = MOST, *, whole: bool = False) -> list[tuple[float, str]]:
    """Multiples of 1, 2 or 5 of a power of ten between two numbers, as few as show the range, with their texts.

    `whole`: no number between whole ones.
    """
    if not high > low:
        return [(low, f"{low:g}")]
    least = (high - low) / most
    power = 10.0 ** math.floor(math.log10(least))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= least * (1 - 1e-9))
    if whole:
        step = max(1.0, step)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(count * step, _written(count * step, decimals)) for count in range(first, last + 1)]


def _written(number: float, decimals: int) -> str:
    text = f"{abs(number):.{decimals}f}"
    return f"−{text}" if number < 0 and text.strip("0.") else text
