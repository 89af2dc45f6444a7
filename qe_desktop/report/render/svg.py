"""What every SVG of ours is written of: the page around it, texts of a width that is known before they are drawn, inks.

Pictures are for print and pages alike: dark on a white ground of their own, whatever stands around them.
"""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Sequence

from qe_desktop.outgoing import html_text

LINE, SIZE = 16, 12
"""Height of a line and of its letters, in pixels."""
LETTER = 0.62
"""Width of a letter beside its height, on the wide side."""
INK = "#1b1d20"
INKS = {
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
        svg_text(0, LINE * (place + 1) - 4, line, weight="600") for place, line in enumerate(lines_of(title, width))
    ]
    inside = "\n".join([*shown, *parts])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width:g}" height="{height:g}" '
        f'viewBox="0 0 {width:g} {height:g}" font-family="sans-serif" font-size="{SIZE}" role="img" '
        f'aria-label="{html_text(title)}">\n<rect width="100%" height="100%" fill="#ffffff"/>\n{inside}\n</svg>\n'
    )


def svg_text(
    x: float, y: float, text: str, *, anchor: str = "start", weight: str = "", turn: str = "", colour: str = INK
) -> str:
    """A line of text, letter for letter."""
    more = (f' font-weight="{weight}"' if weight else "") + (f' transform="{turn}"' if turn else "")
    return f'<text x="{x:g}" y="{y:g}" fill="{colour}" text-anchor="{anchor}"{more}>{html_text(text)}</text>'


def width_of(text: str) -> float:
    """Pixels that a line takes at the most."""
    return sum(SIZE if unicodedata.east_asian_width(one) in "WF" else SIZE * LETTER for one in text)


def lines_of(text: str, width: float) -> list[str]:
    """A text in lines that are no wider."""
    letters = max(1, int(len(text) * width / max(1.0, width_of(text))))
    return textwrap.wrap(text, letters) if text else []
