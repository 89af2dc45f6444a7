"""System statistics as table columns: group, header, description and format."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from qe_desktop.i18n.messages import join_localized, sentence_case, tr
from qe_desktop.ratings.aggregation.scale_range import ScaleRange
from qe_desktop.ratings.protocols import scale_title
from qe_desktop.ratings.results.result_types import TOTAL, Estimate, RatingResults, SystemResult, SystemScaleScores
from qe_desktop.report.rating_measures import COUNTS, WINS, StatisticLabel, win_statistic
from qe_desktop.ui.scores.number_format import format_interval, format_score

Z_PREFIX = "z "
BASIS, MEAN_RATING, MEAN_Z_SCORE = tr("Basis"), tr("Mean rating"), tr("Mean z-score")
WIN_RATE, ESTIMATED_SKILL = tr("Win rate"), tr("Estimated skill")
SEGMENTS = "segments"
LONG_SCALE_MEAN = 10.0
"""Absolute value above which statistics are shown with fewer decimals, for example on long scales."""
_WINS = {
    **dict.fromkeys(("expected-wins", "at-least-as-good", "strictly-better", "ignoring-ties", "half-ties"), WIN_RATE),
    **dict.fromkeys(("trueskill", "bradley-terry"), ESTIMATED_SKILL),
}
"""Maps each statistic of pairwise judgements to its column group, in display order."""


@dataclass(frozen=True, slots=True)
class StatisticColumn:
    """Table column with one statistic of every system and, if available, the confidence intervals.

    `name` is used in sentences. In the table, `header` is below the name of the column group, `group`. `is_count`:
    whether the statistic is a count, which is not used to compare systems. `is_from_judgements`: whether the statistic
    comes from pairwise judgements rather than from scales.
    """

    key: str
    name: str
    group: str
    header: str
    description: str
    estimate: Callable[[SystemResult], Estimate | None]
    is_count: bool = False
    is_from_judgements: bool = False
    limits: tuple[float, float] | None = None
    """Lowest and highest possible value; None if they are unknown or the statistic is unbounded."""

    @property
    def title(self) -> str:
        """Title of a chart of the statistic."""
        return join_localized(": ", (self.group, self.header))

    def value(self, system: SystemResult) -> float | None:
        """Return the value of the statistic for a system; None if the system has no value."""
        estimate = self.estimate(system)
        return None if estimate is None else estimate.value

    def has_values(self, results: RatingResults) -> bool:
        """Return whether at least one system has a value."""
        return any(self.value(system) is not None for system in results.systems)

    def problem(self, results: RatingResults) -> str:
        """Return the first known reason why a system has no value or interval; empty if there is none."""
        estimates = map(self.estimate, results.systems)
        return next((estimate.problem for estimate in estimates if estimate is not None and estimate.problem), "")

    def text(self, system: SystemResult, decimals: int) -> str:
        """Return the formatted value for the table; a dash if the system has no value."""
        value = self.value(system)
        if value is None:
            return format_or_dash(None)
        return f"{value:,.0f}" if self.is_count else format_statistic(value, decimals)

    def interval(self, system: SystemResult) -> tuple[float, float] | None:
        """Return the confidence interval of the statistic for a system; None if the system has no interval."""
        estimate = self.estimate(system)
        if estimate is None or estimate.low is None or estimate.high is None:
            return None
        return estimate.low, estimate.high

    def describe(self, system: SystemResult, decimals: int) -> str:
        """Return a description of the value, with its confidence interval or, if known, the reason for its absence."""
        value, bounds = self.text(system, decimals), self.interval(system)
        if bounds is None:
            estimate = self.estimate(system)
            if estimate is not None and estimate.problem:
                return tr(
                    "{system}: {figure} {value}; {problem}",
                    system=system.name, figure=self.name, value=value, problem=estimate.problem,
                )  # fmt: skip
            return f"{system.name}: {self.name} {value}"
        interval = format_statistic_interval(*bounds, decimals)
        return tr(
            "{system}: {figure} {value}, 95 % interval {interval}",
            system=system.name, figure=self.name, value=value, interval=interval,
        )  # fmt: skip


def format_or_dash(value: float | None, decimals: int = 3) -> str:
    """Format a score; return a dash for None."""
    return format_score(float("nan") if value is None else value, decimals)


def format_statistic(value: float, decimals: int) -> str:
    """Format a statistic, with at most two decimals if its absolute value exceeds `LONG_SCALE_MEAN`.

    >>> format_statistic(0.2791, 3), format_statistic(3.4567, 3), format_statistic(75.96875, 3)
    ('.279', '3.457', '75.97')
    """
    return format_score(value, min(decimals, 2) if abs(value) > LONG_SCALE_MEAN else decimals)


def format_statistic_interval(low: float, high: float, decimals: int) -> str:
    """Format an interval, with at most two decimals if an end exceeds `LONG_SCALE_MEAN` in absolute value."""
    return format_interval(low, high, min(decimals, 2) if max(abs(low), abs(high)) > LONG_SCALE_MEAN else decimals)


def statistic_columns(results: RatingResults) -> list[StatisticColumn]:
    """Return, in display order, the columns with values and the columns whose lack of values has a known reason.

    The order is: counts, scales, pairwise judgements.
    """
    columns: list[StatisticColumn] = []
    if results.scales:
        columns += _scale_columns(results)
    if results.has_rankings:
        counts = [_win_column(name, figure, BASIS, is_count=True) for name, figure in COUNTS.items()]
        columns += [*counts, *(_win_column(name, WINS[name], group) for name, group in _WINS.items())]
    # the counts form one group
    columns.sort(key=lambda column: not column.is_count)
    return [column for column in columns if column.has_values(results) or column.problem(results)]


def main_column(results: RatingResults) -> StatisticColumn | None:
    """Return the column by which the systems are sorted: the first one whose values never increase from row to row.

    Counts are not considered. If there is no such column, return the first column, or None if there are no columns.
    """
    columns = {
        column.key: column
        for column in statistic_columns(results)
        if not column.is_count and column.has_values(results)
    }
    if results.scales:
        keys = [key for name in (TOTAL, *results.scales) for key in (name, f"{Z_PREFIX}{name}")]
    else:
        keys = ["trueskill", "expected-wins"]
    present = [columns[key] for key in keys if key in columns]
    for column in present:
        values = [value for system in results.systems if (value := column.value(system)) is not None]
        if all(first >= second for first, second in pairwise(values)):
            return column
    return next(iter(present or columns.values()), None)


def _scale_columns(results: RatingResults) -> list[StatisticColumn]:
    segments = _from_scores(lambda scores: Estimate(scores.segments))
    ratings = _from_scores(lambda scores: Estimate(scores.ratings))
    names = (TOTAL, *results.scales)
    return [
        StatisticColumn(SEGMENTS, tr("segments"), BASIS, tr("Segments"), tr("Segments rated"), segments, is_count=True),
        StatisticColumn(
            "ratings", tr("ratings"), BASIS, tr("Ratings"), tr("Number of ratings"), ratings, is_count=True
        ),
        # raw means first, then standardized scores
        *(_mean_column(name, results.spans.get(name)) for name in names),
        *(_z_column(name) for name in names),
    ]


def _from_scores(get: Callable[[SystemScaleScores], Estimate | None]) -> Callable[[SystemResult], Estimate | None]:
    """Return a function that applies `get` to a system's scores on scales, or returns None if there are no scores."""
    return lambda system: None if system.scores is None else get(system.scores)


def _mean_column(name: str, span: ScaleRange | None) -> StatisticColumn:
    name_in_text, header = name, scale_title(name)
    description = tr("Mean {scale} over raters, then over segments", scale=name)
    if name == TOTAL:
        # scales have their own names; only the name of the total is defined here
        is_known = span is not None and span.known
        name_in_text = tr("total ({span})", span=span) if is_known else tr("total")
        header = tr("Total, {span}", span=span) if is_known else tr("Total")
        description = tr("Adequacy + fluency (Lavie et al. 2004)")
    estimate = _from_scores(lambda scores: scores.raw.get(name))
    limits = (span.low, span.high) if span is not None and span.known else None
    return StatisticColumn(
        name, name_in_text, MEAN_RATING, header, _with_scale_ends(description, span), estimate, limits=limits
    )


def _z_column(name: str) -> StatisticColumn:
    name_in_text, header = f"z {name}", scale_title(name)
    description = tr("{scale}, adjusted for strict and lenient raters; 0 is each rater's mean", scale=header)
    if name == TOTAL:
        name_in_text, header, description = (
            tr("z total"),
            tr("Total"),
            tr("Total, adjusted for strict and lenient raters; 0 is each rater's mean"),
        )
    estimate = _from_scores(lambda scores: scores.z.get(name))
    return StatisticColumn(f"{Z_PREFIX}{name}", name_in_text, MEAN_Z_SCORE, header, description, estimate)


def _win_column(name: str, figure: StatisticLabel, group: str, *, is_count: bool = False) -> StatisticColumn:
    def estimate(system: SystemResult) -> Estimate | None:
        return None if system.wins is None else Estimate(win_statistic(system.wins, name))

    header = sentence_case(figure.title)
    limits = (0.0, 1.0) if group == WIN_RATE else None
    return StatisticColumn(
        name,
        figure.title,
        group,
        header,
        figure.description,
        estimate,
        is_count,
        is_from_judgements=True,
        limits=limits,
    )


def _with_scale_ends(description: str, span: ScaleRange | None) -> str:
    """Return a description followed by the ends of the scale or, if unknown, the range of the observed values."""
    if span is None:
        return description
    if span.known:
        return tr("{about}; scale {low:g} to {high:g}", about=description, low=span.low, high=span.high)
    return tr("{about}; observed values from {low:g} to {high:g}", about=description, low=span.low, high=span.high)
