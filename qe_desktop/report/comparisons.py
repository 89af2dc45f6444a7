"""A comparison of systems as JSON and as tables: for each metric the ranking, and the matrix of p-values."""

from __future__ import annotations

from typing import Any

from qe_desktop.report.scores import number
from qe_desktop.report.tables import Cell, Table
from qe_desktop.significance import Comparison, MetricComparison, halves

STRONG, WEAK, NONE, SELF = "●", "◐", "○", "·"


def comparison_json(comparison: Comparison) -> dict[str, Any]:
    """The command line's contract; p is uncorrected, "significant" is after correction."""
    options = comparison.options
    first = comparison.metrics[0]
    return {
        "systems": [comparison.systems[place] for place in first.order],
        "segments": comparison.segments,
        "test": options.test,
        "rounds": options.rounds,
        "exact": comparison.exact,
        "seed": options.seed,
        "unit": options.unit,
        "units": comparison.units,
        "correction": options.correction,
        "alpha": options.alpha,
        "metrics": {one.metric.name: _metric_json(comparison.systems, one) for one in comparison.metrics},
        "notes": notes(comparison),
    }


def _metric_json(names: tuple[str, ...], one: MetricComparison) -> dict[str, Any]:
    order = [int(place) for place in one.order]
    return {
        "scores": {names[place]: number(one.scores[place]) for place in order},
        "p": {names[a]: {names[b]: float(one.p[a, b]) for b in order if b != a} for a in order},
        "p-error": {names[a]: {names[b]: float(one.error[a, b]) for b in order if b != a} for a in order},
        "significant": {names[a]: [names[b] for b in order if one.beats[a, b]] for a in order},
        "d": number(one.d),
        "d_top": number(one.d_top),
        "d_bottom": number(one.d_bottom),
    }


def notes(comparison: Comparison) -> list[str]:
    """What a reader of the numbers must know."""
    found = []
    if comparison.exact:
        found.append(f"All {comparison.rounds:,} swaps were enumerated, so p is exact.")
    for one in comparison.metrics:
        undefined = [name for name, value in zip(comparison.systems, one.scores, strict=True) if value != value]
        if undefined:
            found.append(f"{one.metric.name} of {', '.join(undefined)}: {one.metric.reason}")
    options, systems = comparison.options, len(comparison.systems)
    top, bottom = halves(systems, options.top)
    found.append(
        f"d_top is over the {top} best systems, d_bottom over the other {bottom}; each is corrected for its own pairs."
    )
    least = 1 / (comparison.rounds + 1)
    pairs = systems * (systems - 1) // 2
    if not comparison.exact and options.correction != "none" and least * pairs > options.alpha:
        found.append(
            f"{comparison.rounds:,} rounds are too few: the least p, {least:.4g}, stays above alpha when corrected for "
            f"{pairs} pairs."
        )
    return found


def glyph(one: MetricComparison, left: int, right: int) -> str:
    """The sign of a cell: ● corrected p < .01, ◐ < alpha (both significant), ○ not significant, · the same system."""
    if left == right:
        return SELF
    if not (one.beats[left, right] or one.beats[right, left]):
        return NONE
    return STRONG if one.adjusted[left, right] < 0.01 else WEAK


def p_text(p: float, decimals: int) -> str:
    """A p-value with fixed decimals; one that is not 0 is never shown as 0."""
    least = 10.0**-decimals
    return f"<{least:.{decimals}f}" if 0 < p < least / 2 else f"{p:.{decimals}f}"


def pairs_table(comparison: Comparison) -> Table:
    """All pairs of all metrics as one long table for scripts, at full precision; the better system stands first."""
    header = ("metric", "system", "other", "score", "other score", "p", "p-error", "adjusted", "significant")
    rows: list[tuple[Cell, ...]] = []
    for one in comparison.metrics:
        order = [int(place) for place in one.order]
        for rank, left in enumerate(order):
            for right in order[rank + 1 :]:
                rows.append(
                    (
                        one.metric.name,
                        comparison.systems[left],
                        comparison.systems[right],
                        float(one.scores[left]),
                        float(one.scores[right]),
                        float(one.p[left, right]),
                        float(one.error[left, right]),
                        float(one.adjusted[left, right]),
                        "yes" if one.beats[left, right] else "no",
                    )
                )
    return Table("", header, tuple(rows))


def matrix_table(comparison: Comparison, metric: str, decimals: int = 4) -> Table:
    """p of each pair, systems best first; the sign after p tells what is significant after correction."""
    one = comparison.of(metric)
    order = [int(place) for place in one.order]
    names = comparison.systems
    rows: list[tuple[Cell, ...]] = []
    for left in order:
        cells = [
            "" if left == right else f"{p_text(one.p[left, right], decimals)} {glyph(one, left, right)}"
            for right in order
        ]
        rows.append((names[left], float(one.scores[left]), *cells))
    options = comparison.options
    title = (
        f"{metric}: p of {options.test} by {options.unit}, "
        f"{comparison.rounds:,} {'swaps (all)' if comparison.exact else 'rounds'}, seed {options.seed}"
    )
    after = "uncorrected" if options.correction == "none" else f"after {options.correction.capitalize()} correction"
    said = f"● p < .01, ◐ p ≤ {options.alpha:g} {after}; ○ not significant; p in the table is uncorrected"
    error = "" if comparison.exact else f"Monte-Carlo error of p: ±{one.error.max():.4f} at most"
    d = Table("", ("",), ((one.d,), (one.d_top,), (one.d_bottom,)), 3).cells()
    coefficients = f"d = {d[0][0]}, d_top = {d[1][0]}, d_bottom = {d[2][0]}"
    remarks = tuple(remark for remark in (said, error, coefficients) if remark)
    return Table(title, ("system", "score", *(names[place] for place in order)), tuple(rows), decimals, remarks)


def matrix_tsv(comparison: Comparison, metric: str) -> str:
    """The matrix of uncorrected p as TSV, systems best first, for spreadsheets."""
    one = comparison.of(metric)
    order = [int(place) for place in one.order]
    names = comparison.systems
    rows = tuple(
        (names[a], float(one.scores[a]), *(None if a == b else float(one.p[a, b]) for b in order)) for a in order
    )
    return Table("", (metric, "score", *(names[place] for place in order)), rows).tsv()
