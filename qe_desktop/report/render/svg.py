"""What every SVG of ours is written of: the page around it, texts of a width that is known before they are drawn, inks.

Pictures are for print and pages alike: dark on a white ground of their own, whatever stands around them.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Sequence

from qe_desktop.escaping import escape_html

LINE_HEIGHT_PX, FONT_SIZE_PX = 16, 12
"""Height of a line and of its letters, in pixels."""
LETTER_WIDTH_EM = 0.62
"""Width of a letter beside its height, on the wide side."""
TEXT_COLOR = "#1b1d20"
TOKEN_COLORS = {
    "text": "#1b1f27",
    "muted": "#5a6372",
    "border": "#d5d9e0",
    "surface": "#ffffff",
    "accent": "#0b63b0",
    "ok": "#0b63b0",
    "positive": "#0b63b0",
    "bad": "#b84700",
    "negative": "#b84700",
    "miss": "#6b3fa0",
    "false_alarm": "#8a6a00",
}
"""The colours of meanings, as the light theme of the window has them."""


def svg_page(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    """A picture with its title at the top, in as many lines as it takes, and what else is drawn on it."""
    shown = [
        svg_text(0, LINE_HEIGHT_PX * (place + 1) - 4, line, weight="600")
        for place, line in enumerate(wrap_lines(title, width))
    ]
    inside = "\n".join([*shown, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="{FONT_SIZE_PX}" role="img" '
        f'aria-label="{escape_html(title)}">\n<rect width="100%" height="100%" fill="#ffffff"/>\n{inside}\n</svg>\n'
    )


def svg_text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "", turn: str = "", colour: str = TEXT_COLOR
) -> str:
    """A line of text, letter for letter."""
    more = (f' font-weight="{weight}"' if weight else "") + (f' transform="{turn}"' if turn else "")
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}"{more}>{escape_html(text)}</text>'


def text_width_px(text: str) -> float:
    """Pixels that a line takes at the most."""
    return sum(
        FONT_SIZE_PX if unicodedata.east_asian_width(one) in "WF" else FONT_SIZE_PX * LETTER_WIDTH_EM for one in text
    )


def wrap_lines(text: str, width: float) -> list[str]:
    """A text in lines that are no wider."""
    letters = max(1, int(len(text) * width / max(1.0, text_width_px(text))))
    return textwrap.wrap(text, letters) if text else []


MAX_TICKS = 8
"""Numbers along an axis at the most."""


def axis_ticks(low: float, high: float, most: int = MAX_TICKS, *, whole: bool = False) -> list[tuple[float, str]]:
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
    return [(count * step, _format_tick(count * step, decimals)) for count in range(first, last + 1)]


def _format_tick(number: float, decimals: int) -> str:
    text = f"{abs(number):.{decimals}f}"
    return f"−{text}" if number < 0 and text.strip("0.") else text
