"""The figures of systems as columns: what each is called, what it means, and how it is written."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

from qe_desktop.ratings.findings import TOTAL, Estimate, Results, SystemResult, SystemWins
from qe_desktop.ratings.scale_span import Span
from qe_desktop.ui.scores.figures import interval_text, score_text
from qe_desktop.wording import tr

Value = Callable[[SystemResult], float | None]
Z = "z "
LARGE = 10.0
"""Means beyond this are of a long scale, where fewer digits after the point say as much."""


@dataclass(frozen=True, slots=True)
class FigureColumn:
    """One figure of every system. `estimate` gives its interval where it has one; `whole` figures are counts."""

    key: str
    header: str
    about: str
    value: Value
    estimate: Callable[[SystemResult], Estimate | None] | None = None
    whole: bool = False
    scored: bool = True
    """Whether systems can be compared by it; counts cannot."""

    def text(self, system: SystemResult, decimals: int) -> str:
        """The figure as the table shows it."""
        value = self.value(system)
        if value is None:
            return score_text(float("nan"), decimals)
        return f"{value:,.0f}" if self.whole else figure_text(value, decimals)

    def interval(self, system: SystemResult) -> tuple[float, float] | None:
        """The figure's interval, or None."""
        found = None if self.estimate is None else self.estimate(system)
        if found is None or found.low is None or found.high is None:
            return None
        return found.low, found.high

    def said(self, system: SystemResult, decimals: int) -> str:
        """The figure in words, with its interval where it has one."""
        value, found = self.text(system, decimals), self.interval(system)
        if found is None:
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
        columns += _win_columns(results)
    return columns


def main_column(results: Results) -> str:
    """The key of the column that the order of the systems comes from: the first by which they stand best first."""
    columns = {column.key: column for column in columns_of(results) if column.scored}
    if results.scales:
        wanted = [key for name in (TOTAL, *results.scales) for key in (name, f"{Z}{name}")]
    else:
        wanted = ["trueskill", "expected-wins"]
    there = [key for key in wanted if key in columns]
    for key in there:
        values = [value for system in results.systems if (value := columns[key].value(system)) is not None]
        if all(one >= other for one, other in pairwise(values)):
            return key
    return there[0] if there else next(iter(columns), "")


def _scale_columns(results: Results) -> list[FigureColumn]:
    columns = [
        FigureColumn("segments", tr("segments"), tr("Segments rated"), _segments, whole=True, scored=False),
        FigureColumn("ratings", tr("ratings"), tr("Ratings given"), _ratings, whole=True, scored=False),
    ]
    for name in (*results.scales, TOTAL):
        for standard in (False, True):
            column = _estimate_column(name, results.spans.get(name), standard=standard)
            if any(column.value(system) is not None for system in results.systems):
                columns.append(column)
    # means first, then what was standardised
    return sorted(columns, key=lambda column: column.key.startswith(Z))


def _estimate_column(name: str, span: Span | None, *, standard: bool) -> FigureColumn:
    def estimate(system: SystemResult) -> Estimate | None:
        if system.scores is None:
            return None
        return (system.scores.z if standard else system.scores.raw).get(name)

    def value(system: SystemResult) -> float | None:
        found = estimate(system)
        return None if found is None else found.value

    # scales have names of their own, the total is ours
    if name == TOTAL and not standard:
        header = tr("total {span}", span=span) if span is not None and span.known else tr("total")
        about = _spanning(tr("Adequacy + fluency (Lavie et al. 2004)"), span)
        return FigureColumn(name, header, about, value, estimate)
    if name == TOTAL:
        about = tr("Total in standard deviations of each rater from that rater’s own mean")
        return FigureColumn(f"{Z}{name}", tr("z total"), about, value, estimate)
    if standard:
        about = tr("{scale} in standard deviations of each rater from that rater’s own mean", scale=name.capitalize())
        return FigureColumn(f"{Z}{name}", f"z {name}", about, value, estimate)
    about = _spanning(tr("Mean {scale} over segments, each the mean over raters", scale=name), span)
    return FigureColumn(name, name, about, value, estimate)


def _spanning(about: str, span: Span | None) -> str:
    """What a figure is, with the ends of its scale."""
    if span is None:
        return about
    if span.known:
        return tr("{about}, from {low:g} to {high:g}", about=about, low=span.low, high=span.high)
    return tr("{about}; the values given go from {low:g} to {high:g}", about=about, low=span.low, high=span.high)


def _win_columns(results: Results) -> list[FigureColumn]:
    def of(part: Callable[[SystemWins], float | None]) -> Value:
        return lambda system: None if system.wins is None else part(system.wins)

    rows: list[tuple[str, str, str, Callable[[SystemWins], float | None]]] = [
        (
            "at-least",
            tr("≥ others"),
            tr("Share not worse (WMT 2008–2010); rewards ties"),
            lambda w: w.at_least_as_good,
        ),
        ("strictly", tr("> others"), tr("Share better; a tie counts like a loss"), lambda w: w.strictly_better),
        ("ignoring", tr("no ties"), tr("Wins among wins and losses (Bojar et al. 2011)"), lambda w: w.ignoring_ties),
        ("half", tr("half ties"), tr("Share better, a tie counting half"), lambda w: w.half_ties),
        (
            "expected-wins",
            tr("expected wins"),
            tr("Mean share of wins against each other system (Koehn 2012)"),
            lambda w: w.expected_wins,
        ),
        (
            "bradley-terry",
            "Bradley–Terry",
            tr("Log strength: e to the difference of two is the odds of a win"),
            lambda w: w.bradley_terry,
        ),
        ("trueskill", "TrueSkill", tr("Mean skill over bootstrap runs, as WMT computed it"), lambda w: w.trueskill),
    ]
    counts: list[tuple[str, str, str, Callable[[SystemWins], float | None]]] = [
        ("judgements", tr("judgements"), tr("Pairwise judgements"), lambda w: w.judgements),
        ("wins", tr("wins"), tr("Judgements in which it was better"), lambda w: w.wins),
        ("ties", tr("ties"), tr("Judgements in which it was as good"), lambda w: w.ties),
        ("losses", tr("losses"), tr("Judgements in which it was worse"), lambda w: w.losses),
    ]
    columns = [
        FigureColumn(key, header, about, of(part), whole=True, scored=False) for key, header, about, part in counts
    ]
    columns += [FigureColumn(key, header, about, of(part)) for key, header, about, part in rows]
    return [column for column in columns if any(column.value(system) is not None for system in results.systems)]


def _segments(system: SystemResult) -> float | None:
    return None if system.scores is None else float(system.scores.segments)


def _ratings(system: SystemResult) -> float | None:
    return None if system.scores is None else float(system.scores.ratings)
