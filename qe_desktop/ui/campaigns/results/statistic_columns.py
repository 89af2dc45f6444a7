"""The figures of systems as columns: what each is called, what it means, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from qe_desktop.ratings.findings import TOTAL, Estimate, Results, SystemResult
from qe_desktop.ratings.scale_span import Span
from qe_desktop.report.names import COUNTS, WINS, Figure, of_wins
from qe_desktop.ui.scores.figures import interval_text, score_text
from qe_desktop.wording import sentence_case, tr

Z = "z "
LARGE = 10.0
"""Means beyond this are of a long scale, where fewer digits after the point say as much."""
_WINS = (
    "at-least-as-good", "strictly-better", "ignoring-ties", "half-ties", "expected-wins", "bradley-terry", "trueskill",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """One figure of every system, with its interval where it has one. A `count` is whole, and compares no systems.

    `judged`: it comes from judgements, not from values on scales.
    """

    key: str
    header: str
    about: str
    estimate: Callable[[SystemResult], Estimate | None]
    count: bool = False
    judged: bool = False

    def value(self, system: SystemResult) -> float | None:
        """The figure of a system, or None."""
        found = self.estimate(system)
        return None if found is None else found.value

    def text(self, system: SystemResult, decimals: int) -> str:
        """The figure as the table shows it."""
        value = self.value(system)
        if value is None:
            return known(None)
        return f"{value:,.0f}" if self.count else figure_text(value, decimals)

    def interval(self, system: SystemResult) -> tuple[float, float] | None:
        """The figure's interval, or None."""
        found = self.estimate(system)
        if found is None or found.low is None or found.high is None:
            return None
        return found.low, found.high

    def said(self, system: SystemResult, decimals: int) -> str:
        """The figure in words, with its interval where it has one."""
        value, found = self.text(system, decimals), self.interval(system)
        if found is None:
            estimate = self.estimate(system)
            if estimate is not None and estimate.problem:
                return tr(
                    "{system}: {figure} {value}; {problem}",
                    system=system.name, figure=self.header, value=value, problem=estimate.problem,
                )  # fmt: skip
            return f"{system.name}: {self.header} {value}"
        interval = interval_of(*found, decimals)
        return tr(
            "{system}: {figure} {value}, 95 % interval {interval}",
            system=system.name, figure=self.header, value=value, interval=interval,
        )  # fmt: skip


def known(value: float | None, decimals: int = 3) -> str:
    """A figure, or a dash where there is none."""
    return score_text(float("nan") if value is None else value, decimals)


def figure_text(value: float, decimals: int) -> str:
    """A figure with the digits that its size leaves room for.

    >>> figure_text(0.2791, 3), figure_text(3.4567, 3), figure_text(75.96875, 3)
    ('.279', '3.457', '75.97')
    """
    return score_text(value, min(decimals, 2) if abs(value) > LARGE else decimals)


def interval_of(low: float, high: float, decimals: int) -> str:
    """An interval with the digits of its larger end."""
    return interval_text(low, high, min(decimals, 2) if max(abs(low), abs(high)) > LARGE else decimals)


def columns_of(results: Results) -> list[FigureColumn]:
    """The columns that these results fill, in the order shown: scales, then judgements."""
    columns: list[FigureColumn] = []
    if results.scales:
        columns += _scale_columns(results)
    if results.ranked:
        counts = [_win_column(name, figure, count=True) for name, figure in COUNTS.items()]
        columns += [*counts, *(_win_column(name, WINS[name]) for name in _WINS)]
    return [column for column in columns if any(column.value(system) is not None for system in results.systems)]


def main_column(results: Results) -> FigureColumn | None:
    """The column that the order of the systems comes from: the first by which they stand best first."""
    columns = {column.key: column for column in columns_of(results) if not column.count}
    if results.scales:
        wanted = [key for name in (TOTAL, *results.scales) for key in (name, f"{Z}{name}")]
    else:
        wanted = ["trueskill", "expected-wins"]
    there = [columns[key] for key in wanted if key in columns]
    for column in there:
        values = [value for system in results.systems if (value := column.value(system)) is not None]
        if all(one >= other for one, other in pairwise(values)):
            return column
    return next(iter(there or columns.values()), None)


def _scale_columns(results: Results) -> list[FigureColumn]:
    def segments(system: SystemResult) -> Estimate | None:
        return None if system.scores is None else Estimate(system.scores.segments)

    def ratings(system: SystemResult) -> Estimate | None:
        return None if system.scores is None else Estimate(system.scores.ratings)

    names = (*results.scales, TOTAL)
    return [
        FigureColumn("segments", tr("segments"), tr("Segments rated"), segments, count=True),
        FigureColumn("ratings", tr("ratings"), tr("Ratings given"), ratings, count=True),
        # means first, then what was standardised
        *(_mean_column(name, results.spans.get(name)) for name in names),
        *(_z_column(name) for name in names),
    ]


def _mean_column(name: str, span: Span | None) -> FigureColumn:
    def estimate(system: SystemResult) -> Estimate | None:
        return None if system.scores is None else system.scores.raw.get(name)

    if name != TOTAL:
        about = _spanning(tr("Mean {scale} over segments, each the mean over raters", scale=name), span)
        return FigureColumn(name, name, about, estimate)
    # scales have names of their own, the total is ours
    header = tr("total {span}", span=span) if span is not None and span.known else tr("total")
    return FigureColumn(name, header, _spanning(tr("Adequacy + fluency (Lavie et al. 2004)"), span), estimate)


def _z_column(name: str) -> FigureColumn:
    def estimate(system: SystemResult) -> Estimate | None:
        return None if system.scores is None else system.scores.z.get(name)

    if name == TOTAL:
        about = tr("Total in standard deviations of each rater from that rater’s own mean")
        return FigureColumn(f"{Z}{name}", tr("z total"), about, estimate)
    about = tr("{scale} in standard deviations of each rater from that rater’s own mean", scale=sentence_case(name))
    return FigureColumn(f"{Z}{name}", f"z {name}", about, estimate)


def _win_column(name: str, figure: Figure, *, count: bool = False) -> FigureColumn:
    def estimate(system: SystemResult) -> Estimate | None:
        return None if system.wins is None else Estimate(of_wins(system.wins, name))

    return FigureColumn(name, figure.title, figure.about, estimate, count, judged=True)


def _spanning(about: str, span: Span | None) -> str:
    """What a figure is, with the ends of its scale."""
    if span is None:
        return about
    if span.known:
        return tr("{about}, from {low:g} to {high:g}", about=about, low=span.low, high=span.high)
    return tr("{about}; the values given go from {low:g} to {high:g}", about=about, low=span.low, high=span.high)
