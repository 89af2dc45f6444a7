"""SVG building blocks: pages, text with an estimated width, axis ticks, and colours.

Text and lines are dark on a white background, both in print and on web pages.
"""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Container, Sequence
from itertools import count

from qe_desktop.escaping import escape_html

LINE_HEIGHT_PX, FONT_SIZE_PX = 16, 12
"""Line height and font size, in pixels."""
LETTER_WIDTH_EM = 0.62
"""Upper estimate of the width of a letter, relative to the font size."""
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
"""Semantic colours, the same as in the light theme of the user interface."""


def svg_page(title: str, width: float, height: float, parts: Sequence[str]) -> str:
    """Return an SVG page with a wrapped title at the top; `parts` must leave room for the title."""
    content = [
        svg_text(0, LINE_HEIGHT_PX * (index + 1) - 4, line, weight="600")
        for index, line in enumerate(wrap_lines(title, width))
    ]
    inside = "\n".join([*content, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="{FONT_SIZE_PX}" role="img" '
        f'aria-label="{escape_html(title)}">\n<rect width="100%" height="100%" fill="#ffffff"/>\n{inside}\n</svg>\n'
    )


def svg_file_name(stem: str, used: Container[str]) -> str:
    """Return an SVG file name that is not in `used`: `stem`, a number if necessary, and the suffix."""
    names = (f"{stem}.svg" if number == 1 else f"{stem}-{number}.svg" for number in count(1))
    return next(name for name in names if name not in used)


def svg_text(
    x: float,
    y: float,
    text: str,
    *,
    anchor: str = "start",
    weight: str = "",
    transform: str = "",
    colour: str = TEXT_COLOR,
) -> str:
    """Return an SVG text element for one line of text, which is escaped; `transform` is an SVG transform."""
    more = (f' font-weight="{weight}"' if weight else "") + (f' transform="{transform}"' if transform else "")
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}"{more}>{escape_html(text)}</text>'


def text_width_px(text: str) -> float:
    """Return an upper estimate of the width of a line of text, in pixels."""
    return sum(
        FONT_SIZE_PX if unicodedata.east_asian_width(char) in "WF" else FONT_SIZE_PX * LETTER_WIDTH_EM for char in text
    )


def wrap_lines(text: str, width: float) -> list[str]:
    """Wrap text to lines of a maximum width in pixels; an empty text has no lines."""
    characters = max(1, int(len(text) * width / max(1.0, text_width_px(text))))
    return textwrap.wrap(text, characters) if text else []


MAX_TICKS = 8
"""Default maximum number of intervals between the ticks of an axis."""


def axis_ticks(
    low: float, high: float, max_intervals: int = MAX_TICKS, *, integers: bool = False
) -> list[tuple[float, str]]:
    """Return the ticks of an axis from `low` to `high`, with their labels.

    Ticks are multiples of 1, 2 or 5 times a power of ten, with at most `max_intervals` intervals between them. If
    `integers` is true, all ticks are integers. An empty range has one tick, at `low`.
    """
    if not high > low:
        return [(low, f"{low:g}")]
    min_step = (high - low) / max_intervals
    power = 10.0 ** math.floor(math.log10(min_step))
    step = next(factor * power for factor in (1, 2, 5, 10) if factor * power >= min_step * (1 - 1e-9))
    if integers:
        step = max(1.0, step)
    decimals = max(0, -math.floor(math.log10(step) + 1e-9))
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    return [(number * step, _format_tick(number * step, decimals)) for number in range(first, last + 1)]


def _format_tick(number: float, decimals: int) -> str:
    text = f"{abs(number):.{decimals}f}"
    return f"−{text}" if number < 0 and text.strip("0.") else text
