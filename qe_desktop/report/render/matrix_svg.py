"""A significance matrix as a vector picture with its legend, for papers and pages."""

from __future__ import annotations

from collections.abc import Sequence

from qe_desktop.outgoing import elided, html_text
from qe_desktop.report.p_values import p_text
from qe_desktop.report.svg import INK, LINE, svg_page, svg_text, width_of
from qe_desktop.significance import CALLED, Comparison, Correction, Sureness, Verdict, Verdicts, meanings, procedure
from qe_desktop.wording import tr

CELL = 34
"""Side of a cell, in pixels."""
LONGEST = 28
"""Characters of a name; longer ones lose their middle."""
MOST_DRAWN = 60
"""Systems of a matrix that a page draws: beyond, nobody can read it, and the page would be a hundred megabytes."""
_SHADES = {Sureness.STRONG: "#3b6ea8", Sureness.WEAK: "#a9c4e4", Sureness.NOT: "#ffffff"}
_TEXT = {Sureness.STRONG: "#ffffff"}


def matrix_svg(comparison: Comparison, metric: str, title: str) -> str:
    """The matrix of a metric; rows and columns stand best first."""
    order = [int(place) for place in comparison.of(metric).order]
    return drawn_matrix(comparison.systems, comparison.verdicts(metric), order, title, _legend(comparison))


def matrix_for_page(comparison: Comparison, metric: str, title: str) -> str:
    """The same, or of too many systems its title alone, and why."""
    if len(comparison.systems) > MOST_DRAWN:
        return words_for_page(title)
    return matrix_svg(comparison, metric, title)


def words_for_page(title: str) -> str:
    """What stands in place of a matrix of too many systems."""
    said = tr("The matrix of more than {n} systems is not drawn here.", "", MOST_DRAWN)
    return svg_page(title, max(width_of(title), width_of(said)) + 4, 2 * LINE + 6, [svg_text(0, 2 * LINE, said)])


def drawn_matrix(
    systems: Sequence[str], verdicts: Verdicts, order: Sequence[int], title: str, legend: Sequence[str]
) -> str:
    """Rows and columns in an order; a cell is shaded where its row is significantly better than its column."""
    names = [elided(systems[place], LONGEST) for place in order]
    side = max(map(width_of, names), default=0.0) + 8
    top = LINE + 10 + side
    width = max(side + CELL * len(order) + 2, *(width_of(line) + 4 for line in (title, *legend)))
    height = top + CELL * len(order) + 12 + LINE * len(legend)
    parts = []
    for row, name in enumerate(names):
        middle = top + CELL * row + CELL / 2
        parts.append(svg_text(side - 6, middle + 4, name, anchor="end"))
        across = side + CELL * row + CELL / 2
        parts.append(svg_text(across + 4, top - 6, name, turn=f"rotate(-90 {across + 4:g} {top - 6:g})"))
    for row, left in enumerate(order):
        for column, right in enumerate(order):
            verdict = verdicts.pair(left, right)
            parts.append(_cell(side + CELL * column, top + CELL * row, verdict, ahead=verdict.better == left))
    below = top + CELL * len(order) + 8
    parts += [svg_text(0, below + LINE * (place + 1) - 4, line) for place, line in enumerate(legend)]
    return svg_page(title, width, height, parts)


def _cell(x: float, y: float, verdict: Verdict, *, ahead: bool) -> str:
    sureness = verdict.sureness
    # the other half of a pair says the same, so only the better system's row is shaded
    shade = _SHADES.get(sureness, "#eeeeee") if ahead or not sureness.significant else "#ffffff"
    colour = _TEXT.get(sureness, INK) if ahead else INK
    said = sureness.sign if ahead or not sureness.significant else ""
    box = f'<rect x="{x:g}" y="{y:g}" width="{CELL}" height="{CELL}" fill="{shade}" stroke="#8a8f98"/>'
    p = "" if verdict.judged != verdict.judged else f"<title>p = {html_text(p_text(verdict.judged, 4))}</title>"
    return f"<g>{p}{box}{svg_text(x + CELL / 2, y + CELL / 2 + 4, said, anchor='middle', colour=colour)}</g>"


def _legend(comparison: Comparison) -> list[str]:
    """What signs and filled cells mean, and how they were tested, a line each."""
    options = comparison.options
    test = procedure(options.test).title
    made = tr("{test}, in closed form; {correction}.", test=test, correction=CALLED[options.correction])
    if comparison.rounds:
        made = tr(
            "{test}, {n:,} {n:round|rounds}, seed {seed}; {correction}.",
            "", comparison.rounds, test=test, seed=options.seed, correction=CALLED[options.correction],
        )  # fmt: skip
    return legend_of(options.alpha, options.correction, made)


def legend_of(alpha: float, correction: Correction, made: str) -> list[str]:
    """What signs and filled cells mean, and last how the systems were tested."""
    signs = ", ".join(f"{level.sign} {text}" for level, text in meanings(alpha, correction).items())
    filled = tr("Filled cells: the system of the row is significantly better than that of the column.")
    return [signs, filled, made]
