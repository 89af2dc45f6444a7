"""Results of raters as table rows, sentences and chart data: values, pace, repeats and quality-control items."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from qe_desktop.i18n.messages import tr
from qe_desktop.ratings.aggregation.scale_range import HistogramBins, ScaleRange
from qe_desktop.ratings.agreement.ranking_kappa import WmtKappa
from qe_desktop.ratings.agreement.rater_agreement import IntraRater
from qe_desktop.ratings.agreement.reliability import ControlTest, RaterReliability, RatingPace
from qe_desktop.ratings.results.distributions import RatingDistributions, RepeatPairs
from qe_desktop.ratings.results.result_types import RaterPage
from qe_desktop.report.format_values import format_duration, format_percent
from qe_desktop.ui.campaigns.results.plot_data import Histogram, PaceSeries, RepeatedPairs
from qe_desktop.ui.campaigns.results.statistic_columns import format_or_dash, format_statistic
from qe_desktop.ui.scores.number_format import format_p_relation
from qe_desktop.ui.widgets.plots.interval_plot_data import IntervalPlotData, IntervalRow
from qe_desktop.ui.widgets.tables.table_model import TableCell, TableColumn, number_column, table_row, text_column

MAX_PLOT_RATERS = 40
"""Maximum number of raters in one chart."""
NAME_COLUMN = TableColumn(tr("Rater"), exported_headers=("rater",))
NOTES_COLUMN = TableColumn(
    tr("Notes"), tr("Unusual patterns; they do not affect the results"), is_wide=True, exported_headers=("notes",)
)
SCALE_COLUMNS = (
    NAME_COLUMN,
    number_column(
        tr("Ratings"),
        tr("Number of ratings, including repeats and quality-control items but not training"),
        lambda figures: f"{figures.n:,}",
        "ratings",
    ),
    number_column(tr("Mean"), tr("Mean of all values"), lambda figures: format_statistic(figures.mean, 2), "mean"),
    number_column(
        tr("SD"),
        tr("Standard deviation: how far values typically are from their mean"),
        lambda figures: (
            TableCell("–", tr("Only one rating")) if figures.sd is None else format_statistic(figures.sd, 2)
        ),
        "sd",
    ),
    number_column(tr("s/item"), tr("Median active seconds"), lambda figures: _pace_cell(figures.pace)),
    number_column(
        tr("Repeats"),
        tr("Proportion of repeated items that got the same value both times"),
        lambda figures: _repeats_cell(figures.repeats),
        "repeats",
    ),
    number_column(
        tr("Vs. others"),
        tr("Correlation with the mean of the other raters: 1 is the same pattern, 0 no relation, −1 the opposite"),
        lambda figures: _agreement_cell(figures),
        "vs. others",
    ),
    number_column(
        tr("Run", "of equal values"),
        tr("Longest run of equal values"),
        lambda figures: TableCell(
            f"{figures.longest_run:,}",
            tr("{value:g} occurs {n} {n:time|times} in a row", "", figures.longest_run, value=figures.run_value),
        ),
        "run",
    ),
    text_column(
        tr("Quality control"),
        tr("Whether degraded translations got significantly lower values than the originals"),
        lambda figures: _control_cell(figures.control),
        "quality control",
    ),
    NOTES_COLUMN,
)
RANK_COLUMNS = (
    NAME_COLUMN,
    number_column(tr("Items"), tr("Items ranked"), lambda figures: f"{figures.screens:,}", "items"),
    number_column(tr("Judgements"), tr("Pairwise judgements"), lambda figures: f"{figures.judgements:,}", "judgements"),
    number_column(
        tr("Ties"),
        tr("Proportion of judgements with equal ranks"),
        lambda figures: _percent_or_dash(figures.ties),
        "ties",
    ),
    number_column(tr("s/item"), tr("Median active seconds"), lambda figures: _pace_cell(figures.pace)),
    number_column(
        tr("κ on repeats"),
        tr("Intra-annotator agreement on repeated outputs"),
        lambda figures: _intra_cell(figures.intra),
    ),
    number_column(
        tr("Vs. others"),
        tr("Proportion of other raters' judgements that agree with the rater's on the same outputs"),
        lambda figures: TableCell(
            _percent_or_dash(figures.agreement_with_others),
            tr("Over {n:,} {n:pair|pairs} of judgements", "", figures.shared),
        ),
        "vs. others",
    ),
    NOTES_COLUMN,
)
CONTROL_VERDICTS = {
    True: ("✓ ", tr("passed"), "ok"),
    False: ("✗ ", tr("failed"), "error"),
    None: ("", tr("too few"), "muted"),
}
"""Sign, text and colour for each outcome of a rater's quality control; None: too few quality-control items."""


def rater_cells(columns: Sequence[TableColumn], page: RaterPage, figures: object | None) -> tuple[TableCell, ...]:
    """Return the table cells of a rater.

    `figures` are the rater's statistics for a scale or for rankings; None if the rater has no ratings of that kind.
    """
    name, notes = TableCell(page.name), "; ".join(page.remarks)
    if figures is None:
        ranked = tr("{rater} ranked no items", rater=page.name)
        nothing = ranked if columns is RANK_COLUMNS else tr("{rater} rated no items on this scale", rater=page.name)
        return (name, *(TableCell("–", nothing) for _ in columns[1:]))
    return (name, *table_row(columns, figures), TableCell(notes, notes, "warning" if notes else ""))


def describe_rater(page: RaterPage, scale: str) -> str:
    """Return a description of a rater and of the rater's ratings on a scale; empty if there is nothing to report."""
    return " ".join(_sentences(page, page.scales.get(scale)))


def _sentences(page: RaterPage, reliability: RaterReliability | None) -> Iterator[str]:
    if reliability is not None:
        tied = int((reliability.histogram == reliability.histogram.max(initial=0)).sum())
        share = format_percent(reliability.share)
        if reliability.bins.by_value and tied > 1:
            yield tr(
                "{n:,} {n:rating|ratings}; several values share the highest frequency ({share} each).",
                "", reliability.n, share=share,
            )  # fmt: skip
        else:
            yield tr(
                "{n:,} {n:rating|ratings}; the most frequent value is {value:g} ({share}).",
                "", reliability.n, share=share, value=reliability.most_frequent,
            )  # fmt: skip
        if reliability.control is not None:
            control = reliability.control
            if control.passes is None:
                yield tr("Quality control: {verdict}.", verdict=control.verdict)
            else:
                yield tr("Quality control {verdict}.", verdict=control.verdict)
        if reliability.unmatched:
            yield tr(
                "{n:,} {n:repeat or quality-control item|repeat or quality-control items} cannot be compared because "
                "{n:its original was|their originals were} not rated.",
                "", reliability.unmatched,
            )  # fmt: skip
        repeats = reliability.repeats
        if repeats is not None and repeats.rmse is not None:
            distance = format_statistic(repeats.rmse, 2)
            yield tr("Repeated ratings typically differ from first ratings by {distance}.", distance=distance)
        elif repeats is None or repeats.problem:
            yield tr("The rater rated no item twice, so consistency is unknown.")
    if page.rankings is not None and page.rankings.intra.problem:
        yield tr("Intra-annotator agreement is undefined. {problem}", problem=page.rankings.intra.problem)
    if page.skipped:
        yield tr("{n:,} {n:item|items} skipped.", "", page.skipped)
    if page.changed_after_reveal:
        yield tr(
            "{n:,} {n:rating of fluency was|ratings of fluency were} changed after the source or reference was shown.",
            "", page.changed_after_reveal,
        )  # fmt: skip


def value_histogram(reliability: RaterReliability | None, scale: str) -> Histogram | str:
    """Return a histogram of a rater's values on a scale, or a message if there are no values."""
    if reliability is None or not reliability.n:
        return tr("No ratings on this scale.")
    return Histogram(scale, reliability.bins.edges, reliability.histogram, _ticks(reliability.bins))


def agreement_with_others(pages: Sequence[RaterPage]) -> IntervalPlotData | str:
    """Return a chart of the proportion of other raters' judgements with which each rater agrees.

    Return a message if no proportion is known. Only the first `MAX_PLOT_RATERS` raters are included.
    """
    rows = []
    for page in pages[:MAX_PLOT_RATERS]:
        rankings = page.rankings
        if rankings is not None and rankings.agreement_with_others is not None:
            value = format_or_dash(rankings.agreement_with_others)
            tip = tr(
                "{rater}: {value} over {n:,} {n:pair|pairs} of judgements",
                "", rankings.shared, rater=page.name, value=value,
            )  # fmt: skip
            rows.append(IntervalRow(page.name, rankings.agreement_with_others, description=tip))
    if not rows:
        return tr("No two raters judged the same outputs.")
    low = min(0.0, *(row.value for row in rows))
    title = tr("proportion of other raters' judgements that agree with the rater's")
    return IntervalPlotData(title, tuple(rows), bounds=(low, 1.0), has_zero_line=True)


def pace_series(shapes: RatingDistributions, rater: str) -> PaceSeries | str:
    """Return a rater's seconds per item in rating order, or a message if no times are known."""
    seconds = shapes.seconds_by_rater.get(rater)
    if seconds is None or not len(seconds):
        return tr("The ratings have no times, so the pace is unknown.")
    return PaceSeries(tr("items in rating order"), seconds, float(np.median(seconds)))


def repeated_pairs(
    shapes: RatingDistributions, rater: str, scale: str, span: ScaleRange | None = None
) -> RepeatedPairs | str:
    """Return a rater's first and second values of repeated items, or a message if there are no repeated items."""
    pairs = shapes.repeats.get((rater, scale))
    if pairs is None:
        return tr("This rater rated no item twice.")
    return RepeatedPairs(tr("repeats"), pairs.first, pairs.repeated, _bounds(pairs, span))


def control_pairs(
    shapes: RatingDistributions, rater: str, scale: str, span: ScaleRange | None = None
) -> RepeatedPairs | str:
    """Return a rater's values for original outputs and their degraded versions, or a message if there are no pairs."""
    pairs = shapes.controls.get((rater, scale))
    if pairs is None:
        return tr("This rater did not rate both an original and its degraded version.")
    sides = (tr("original"), tr("degraded"))
    return RepeatedPairs(tr("quality control"), pairs.first, pairs.repeated, _bounds(pairs, span), sides)


def control_caption(reliability: RaterReliability | None) -> str:
    """Return the caption of the quality-control chart, with the results of two significance tests.

    Return an empty string if there are no quality-control items.
    """
    control = None if reliability is None else reliability.control
    if control is None:
        return ""
    paired, ranked = control.paired_t, control.mann_whitney
    tests = (
        tr("paired t-test undefined") if paired is None else tr("paired t-test p {p}", p=format_p_relation(paired)),
        tr("Mann–Whitney undefined") if ranked is None else tr("Mann–Whitney p {p}", p=format_p_relation(ranked)),
    )
    return tr(
        "{n:,} {n:quality-control item|quality-control items}: {tests}. Below the line, the degraded translation has "
        "the lower value, as expected.",
        "", control.n, tests=", ".join(tests),
    )  # fmt: skip


def _pace_cell(pace: RatingPace | None) -> TableCell:
    if pace is None:
        return TableCell("–", tr("The ratings have no times"))
    tip = tr(
        "Median {median} of {n:,} measured {n:time|times}; {share} under {limit:g} s",
        "", pace.n, median=format_duration(pace.median), share=format_percent(pace.too_fast), limit=pace.limit,
    )  # fmt: skip
    return TableCell(f"{pace.median:.1f}" if pace.median < 100 else f"{pace.median:.0f}", tip)


def _repeats_cell(repeats: IntraRater | None) -> TableCell:
    if repeats is None or repeats.exact is None:
        return TableCell("–", tr("No item was rated twice"))
    share = format_percent(repeats.exact)
    return TableCell(
        share,
        tr("{share} of {n:,} {n:repeat|repeats} got the same value as the first rating", "", repeats.n, share=share),
    )


def _control_cell(control: ControlTest | None) -> TableCell:
    if control is None:
        return TableCell("–", tr("No quality-control items"), "muted")
    sign, text, token = CONTROL_VERDICTS[control.passes]
    return TableCell(f"{sign}{text}", control.verdict, token)


def _intra_cell(intra: WmtKappa) -> TableCell:
    agreed = tr(
        "{agree:,} of {n:,} {n:pair of judgements agrees|pairs of judgements agree}", "", intra.comparable,
        agree=intra.agree,
    )  # fmt: skip
    return TableCell(format_or_dash(intra.kappa), intra.problem or agreed)


def _percent_or_dash(share: float | None) -> str:
    return "–" if share is None else format_percent(share)


def _agreement_cell(reliability: RaterReliability) -> TableCell:
    if reliability.with_others is None:
        return TableCell("–", tr("Too few shared items, or constant values"))
    tip = tr("r = {r} over {n:,} {n:item|items}", "", reliability.shared, r=format_or_dash(reliability.with_others))
    return TableCell(format_or_dash(reliability.with_others, 2), tip)


def _bounds(pairs: RepeatPairs, span: ScaleRange | None) -> tuple[float, float]:
    low = float(min(pairs.first.min(), pairs.repeated.min()))
    high = float(max(pairs.first.max(), pairs.repeated.max()))
    if span is not None and span.low <= low and high <= span.high:
        low, high = span.low, span.high
    return (low, high) if high > low else (low - 0.5, high + 0.5)


def _ticks(bins: HistogramBins) -> tuple[tuple[float, str], ...]:
    if bins.by_value:
        return tuple((float(value), f"{value:g}") for value in bins.centres)
    step = max(1, len(bins) // 4)
    return tuple((float(edge), f"{edge:g}") for edge in bins.edges[::step])
