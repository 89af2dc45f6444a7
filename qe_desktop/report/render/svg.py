"""SVG building blocks, and the significance matrix that is drawn with them."""

from __future__ import annotations

import math
import textwrap
import unicodedata
from collections.abc import Container, Sequence
from itertools import count

from qe_desktop.escaping import elide, escape_html
from qe_desktop.i18n.messages import tr
from qe_desktop.report.format_values import format_p
from qe_desktop.significance import (
    CORRECTION_LABELS,
    Comparison,
    Correction,
    PairVerdict,
    PairVerdicts,
    SignificanceLevel,
    get_test,
    sign_meanings,
)

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


CELL_SIDE_PX = 34
"""Side of a cell, in pixels."""
MAX_NAME_CHARS = 28
"""Maximum number of characters of a system name; longer names are elided in the middle."""
MAX_MATRIX_SYSTEMS = 60
"""Maximum number of systems in a plotted matrix; a larger matrix would be unreadable and its file huge."""
_SHADES = {
    SignificanceLevel.STRONG: "#3b6ea8",
    SignificanceLevel.WEAK: "#a9c4e4",
    SignificanceLevel.NOT_SIGNIFICANT: "#ffffff",
}
_TEXT_COLORS = {SignificanceLevel.STRONG: "#ffffff"}


def matrix_svg(comparison: Comparison, metric: str, title: str) -> str:
    """Return the significance matrix for one metric of a comparison as SVG, with the best system first."""
    order = [int(index) for index in comparison.of(metric).order]
    return draw_matrix(comparison.systems, comparison.verdicts(metric), order, title, _comparison_legend(comparison))


def matrix_or_title(comparison: Comparison, metric: str, title: str) -> str:
    """Like `matrix_svg`, but return an SVG with the title and a message if there are too many systems."""
    if len(comparison.systems) > MAX_MATRIX_SYSTEMS:
        return too_many_systems_text(title)
    return matrix_svg(comparison, metric, title)


def too_many_systems_text(title: str) -> str:
    """Return the SVG message that replaces a matrix if there are too many systems."""
    sign = tr("The matrix is not plotted for more than {n} systems.", "", MAX_MATRIX_SYSTEMS)
    return svg_page(
        title,
        max(text_width_px(title), text_width_px(sign)) + 4,
        2 * LINE_HEIGHT_PX + 6,
        [svg_text(0, 2 * LINE_HEIGHT_PX, sign)],
    )


def draw_matrix(
    systems: Sequence[str], verdicts: PairVerdicts, order: Sequence[int], title: str, legend: Sequence[str]
) -> str:
    """Return a significance matrix as SVG, with the lines of `legend` below it.

    `order` is the order of rows and columns, as indices into `systems`. A cell is filled if the system in its row is
    significantly better than the system in its column.
    """
    names = [elide(systems[index], MAX_NAME_CHARS) for index in order]
    side = max(map(text_width_px, names), default=0.0) + 8
    top = LINE_HEIGHT_PX + 10 + side
    width = max(side + CELL_SIDE_PX * len(order) + 2, *(text_width_px(line) + 4 for line in (title, *legend)))
    height = top + CELL_SIDE_PX * len(order) + 12 + LINE_HEIGHT_PX * len(legend)
    parts = []
    for row, name in enumerate(names):
        middle = top + CELL_SIDE_PX * row + CELL_SIDE_PX / 2
        parts.append(svg_text(side - 6, middle + 4, name, anchor="end"))
        across = side + CELL_SIDE_PX * row + CELL_SIDE_PX / 2
        parts.append(svg_text(across + 4, top - 6, name, transform=f"rotate(-90 {across + 4:g} {top - 6:g})"))
    for row, left in enumerate(order):
        for column, right in enumerate(order):
            verdict = verdicts.pair(left, right)
            parts.append(
                _matrix_cell(
                    side + CELL_SIDE_PX * column, top + CELL_SIDE_PX * row, verdict, is_better=verdict.better == left
                )
            )
    below = top + CELL_SIDE_PX * len(order) + 8
    parts += [svg_text(0, below + LINE_HEIGHT_PX * (index + 1) - 4, line) for index, line in enumerate(legend)]
    return svg_page(title, width, height, parts)


def _matrix_cell(x: float, y: float, verdict: PairVerdict, *, is_better: bool) -> str:
    level = verdict.level
    # the mirrored cell is redundant, so only the better system's row is filled
    shade = _SHADES.get(level, "#eeeeee") if is_better or not level.is_significant else "#ffffff"
    colour = _TEXT_COLORS.get(level, TEXT_COLOR) if is_better else TEXT_COLOR
    sign = level.sign if is_better or not level.is_significant else ""
    box = f'<rect x="{x:g}" y="{y:g}" width="{CELL_SIDE_PX}" height="{CELL_SIDE_PX}" fill="{shade}" stroke="#8a8f98"/>'
    p = (
        ""
        if verdict.adjusted != verdict.adjusted
        else f"<title>p = {escape_html(format_p(verdict.adjusted, 4))}</title>"
    )
    text = svg_text(x + CELL_SIDE_PX / 2, y + CELL_SIDE_PX / 2 + 4, sign, anchor="middle", colour=colour)
    return f"<g>{p}{box}{text}</g>"


def _comparison_legend(comparison: Comparison) -> list[str]:
    """Return the lines of the legend: the meanings of the signs, the meaning of filled cells, and the test."""
    options = comparison.options
    test, correction, rounds = get_test(options.test).title, CORRECTION_LABELS[options.correction], comparison.rounds
    if comparison.exact:
        computation = tr(
            "{test}, exact: all {n:,} {n:permutation|permutations}; {correction}.",
            "", rounds, test=test, correction=correction,
        )  # fmt: skip
    elif rounds:
        computation = tr(
            "{test}, {n:,} {n:trial|trials}, seed {seed}; {correction}.",
            "", rounds, test=test, seed=options.seed, correction=correction,
        )  # fmt: skip
    else:
        computation = tr("{test}, in closed form; {correction}.", test=test, correction=correction)
    return matrix_legend(options.alpha, options.correction, computation)


def matrix_legend(alpha: float, correction: Correction, computation: str) -> list[str]:
    """Return the lines of a legend: signs, filled cells, and `computation`, which describes how p was computed."""
    filled = tr("Blue cells: the system in the row is significantly better than the system in the column.")
    return [describe_signs(alpha, correction), filled, computation]


def describe_signs(alpha: float, correction: Correction) -> str:
    """Return one line with the meanings of the signs in a significance matrix."""
    return ", ".join(f"{level.sign} {text}" for level, text in sign_meanings(alpha, correction).items())
