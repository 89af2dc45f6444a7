"""Report on the results of manual evaluation, in every output format."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, ClassVar

from qe_desktop.i18n.messages import join_names, tr
from qe_desktop.ratings.aggregation.trueskill import RANK_RANGE_SHARE
from qe_desktop.ratings.agreement.ranking_kappa import WmtKappa
from qe_desktop.ratings.results.result_types import Estimate, RaterPage, RatingResults, SystemRanking
from qe_desktop.report.comparisons import p_column_note, signs_note
from qe_desktop.report.format_values import format_p, format_verdict
from qe_desktop.report.rating_json import (
    rating_notes,
    ratings_json,
    small_sample_notes,
    system_means_json,
    system_wins_json,
)
from qe_desktop.report.rating_measures import (
    ALPHAS,
    EXACT,
    FLEISS,
    KAPPAS,
    RANDOLPH,
    RANKING_MEASURES,
    REPEAT_MEASURES,
    WINS,
    WITHIN_ONE,
    is_within_one_meaningful,
)
from qe_desktop.report.render.svg import MAX_MATRIX_SYSTEMS, draw_matrix, matrix_legend, too_many_systems_text
from qe_desktop.report.render.tables import Cell, ReportColumn, Table, fit_columns, script_table
from qe_desktop.report.report_base import ReportBase
from qe_desktop.report.scores import settings_signature
from qe_desktop.significance import CORRECTION_LABELS, Correction

_WINS = ("expected-wins", "bradley-terry", "trueskill", "ignoring-ties", "half-ties")
"""Ranking statistics shown in tables."""
DECIMALS, P_DECIMALS = 3, 4
"""Number of decimals of statistics, and number of decimals of p-values."""
MAX_P_VALUE_SYSTEMS = 25
"""Maximum number of systems for which a terminal shows the p-value of each pair."""

_HEADINGS = {
    "raw": tr("raw"),
    "total": tr("total"),
    "total-z": tr("total-z"),
    **{name: figure.heading for name, figure in WINS.items() if figure.heading},
}
"""Translated column headings. Statistics without an entry have the same heading in every language."""


def rating_tables(results: RatingResults, width: int = 0) -> list[Table]:
    """Return all tables for display. Unless `width` is 0, the tables are adapted to a terminal of `width` columns."""
    tables = [systems_table(results)]
    for ranking in (results.scale_ranking, results.wins_ranking):
        if ranking is not None and len(ranking.systems) > 1:
            is_too_large = width and len(ranking.systems) > MAX_P_VALUE_SYSTEMS
            tables.append(win_count_table(results, ranking) if is_too_large else significance_table(results, ranking))
    if results.agreement or results.ranking_agreement is not None:
        tables.append(agreement_table(results))
    if results.raters:
        tables.append(raters_table(results))
    return [part for table in tables for part in fit_columns(table, width)] if width else tables


def systems_table(results: RatingResults, decimals: int = DECIMALS) -> Table:
    """Return a table with one row per system, best first: means, ranking statistics, cluster number and rank range."""
    names = _figure_names(results)
    cluster = {name: number + 1 for number, estimates in enumerate(results.clusters) for name in estimates}
    rows: list[tuple[Cell, ...]] = []
    for system in results.systems:
        estimates = system_means_json(results, system)
        values: dict[str, float | None] = {name: estimate.value for name, estimate in estimates.items()}
        if system.wins is not None:
            values |= system_wins_json(system.wins)
        rows.append(
            (
                system.name, system.n, *(values.get(name) for name in names), cluster.get(system.name),
                system.rank_low, system.rank_high,
            )
        )  # fmt: skip
    # scale names from files are not translated
    headings = [name if name in results.scales else _HEADINGS.get(name, name) for name in names]
    header = (tr("system"), "n", *headings, tr("cluster"), tr("rank-low"), tr("rank-high"))
    method = results.cluster_method
    clusters = (
        tr("clusters: {method}, of which each range covers {share:g} %", method=method, share=100 * RANK_RANGE_SHARE)
        if results.has_trueskill_clusters
        else tr("clusters: {method}, alpha {alpha:g}", method=method, alpha=results.options.alpha)
    )
    notes = (*([clusters] if results.clusters else []), *rating_notes(results))
    return Table(_title(results), header, tuple(rows), decimals, notes)


def _title(results: RatingResults) -> str:
    parts = []
    if results.scales:
        ratings = sum(system.scores.ratings for system in results.systems if system.scores is not None)
        scales = join_names([_with_span(results, name) for name in results.scales])
        parts.append(tr("{n:,} {n:rating|ratings} of {scales}", "", ratings, scales=scales))
    if results.has_rankings:
        judgements = sum(system.wins.judgements for system in results.systems if system.wins is not None) // 2
        parts.append(tr("{n:,} {n:pairwise judgement|pairwise judgements}", "", judgements))
    return tr("Systems: {content}", content=", ".join(parts))


def _with_span(results: RatingResults, scale: str) -> str:
    """Return the name and range of a scale: "adequacy (1–5)", or "score (values: 0.5–7)" if only values are known."""
    span = results.spans.get(scale)
    if span is None:
        return scale
    return f"{scale} ({span})" if span.known else tr("{scale} (values: {span})", scale=scale, span=span)


def _figure_names(results: RatingResults) -> list[str]:
    names = dict.fromkeys(name for system in results.systems for name in system_means_json(results, system))
    # with one scale, its own name duplicates "raw"
    result = [name for name in names if not (len(results.scales) == 1 and name in results.scales)]
    if results.has_rankings:
        result += [name for name in _WINS if name != "trueskill" or results.trueskill is not None]
    return result


def totals_table(results: RatingResults) -> Table:
    """Return a table for scripts with the statistics of each system, best first, and the intervals of means."""
    table = systems_table(results)
    means = [system_means_json(results, system) for system in results.systems]
    names = [
        name
        for name in _figure_names(results)
        if any(name in estimates and estimates[name].low is not None for estimates in means)
    ]
    columns = [ReportColumn(partial(_interval_of, name), name=(f"{name} low", f"{name} high")) for name in names]
    ends = script_table("", columns, means)
    rows = tuple((*row, *more) for row, more in zip(table.rows, ends.rows, strict=True))
    return Table("", (*table.header, *ends.header), rows)


def _interval_of(name: str, estimates: Mapping[str, Estimate]) -> tuple[float | None, float | None] | None:
    return (estimates[name].low, estimates[name].high) if name in estimates else None


def significance_table(results: RatingResults, ranking: SystemRanking) -> Table:
    """Return a table of the adjusted p-values of all pairs of systems; the best system comes first.

    The alternative hypothesis is that the system in the row is better than the system in the column. For sign tests, it
    is that the two systems differ.
    """
    verdicts, indices = ranking.verdicts, range(len(ranking.systems))
    rows = tuple(
        (name, *(format_verdict(verdicts.claim(row, column), P_DECIMALS) for column in indices))
        for row, name in enumerate(ranking.systems)
    )
    options = results.options
    differ = tr("significant: the system that beat the other more often is better")
    row_meaning = tr("significant: the system in the row is better than the system in the column")
    meaning = differ if ranking.two_sided else row_meaning
    remarks = (f"{signs_note(options.alpha, options.correction)}; {meaning}", *small_sample_notes(results))
    return Table(comparison_title(ranking), (tr("system"), *ranking.systems), rows, P_DECIMALS, remarks)


def p_table(ranking: SystemRanking, correction: Correction) -> Table:
    """Return a table of adjusted p-values for spreadsheets, best system first; a header names the correction."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *map(float, ranking.adjusted[index])) for index, name in enumerate(ranking.systems)
    )
    return Table(ranking.method, (f"system, {p_column_note(correction)}", *ranking.systems), rows)


def win_count_table(results: RatingResults, ranking: SystemRanking) -> Table:
    """Return a table that counts, for each system, the significantly worse and the significantly better systems.

    It replaces the table of p-values if the latter would be too large.
    """
    wins, losses = ranking.beats.sum(axis=1).tolist(), ranking.beats.sum(axis=0).tolist()
    note = tr(
        "numbers of systems that are significantly worse or better than a system (alpha {alpha:g}); JSON output has "
        "the unadjusted p-value of each pair",
        alpha=results.options.alpha,
    )
    rows = tuple(zip(ranking.systems, wins, losses, strict=True))
    header = (tr("system"), tr("better than"), tr("worse than"))
    return Table(comparison_title(ranking), header, rows, notes=(note, *small_sample_notes(results)))


def comparison_title(ranking: SystemRanking) -> str:
    """Return the title of a system comparison."""
    return tr("Significance: {method}", method=ranking.method)


def agreement_table(results: RatingResults) -> Table:
    """Return a table of all agreement measures; undefined values are shown as a dash."""
    rows: list[tuple[Cell, ...]] = []
    for name, agreement in results.agreement.items():
        measures = [(ALPHAS[level], estimate) for level, estimate in agreement.krippendorff.items()]
        measures += [(KAPPAS[weights], estimate) for weights, estimate in agreement.cohen.items()]
        measures += [(FLEISS, agreement.fleiss), (RANDOLPH, agreement.randolph)]
        rows += [(name, label.table, estimate.value, estimate.n) for label, estimate in measures]
        rows += [(name, EXACT.table, agreement.exact, agreement.units)]
        if is_within_one_meaningful(results.spans.get(name)):
            rows += [(name, WITHIN_ONE.table, agreement.within_one, agreement.units)]
        repeated_ratings = results.intra.get(name)
        if repeated_ratings is not None and repeated_ratings.n:
            repeated = {
                "exact": repeated_ratings.exact,
                "distance": repeated_ratings.mean_abs_difference,
                "ordinal": repeated_ratings.ordinal.value,
            }
            rows += [(name, REPEAT_MEASURES[key].table, value, repeated_ratings.n) for key, value in repeated.items()]
    ranking_agreement = results.ranking_agreement
    if ranking_agreement is not None:
        for key, measure in RANKING_MEASURES.items():
            kappa: WmtKappa = getattr(ranking_agreement, key)
            rows.append((tr("rankings"), measure.table, kappa.kappa, kappa.comparable))
    return Table(tr("Agreement"), (tr("scale"), tr("measure"), tr("value"), "n"), tuple(rows), DECIMALS)


def raters_table(results: RatingResults) -> Table:
    """Return a table with a row per rater and scale, and a row for each rater's rankings; notes list unusual values."""
    rows = tuple(row for page in results.raters for row in _rater_rows(page))
    header = (
        tr("rater"), tr("scale", "over the column of scales"), "n", tr("mean"), tr("sd"), tr("longest run"),
        tr("seconds"), tr("agreement with others"), tr("quality control p"),
    )  # fmt: skip
    remarks = (f"{page.name}: {'; '.join(page.remarks)}" for page in results.raters if page.remarks)
    return Table(tr("Raters"), header, rows, decimals=2, notes=(*_rater_notes(results), *remarks), key_columns=2)


def _rater_notes(results: RatingResults) -> list[str]:
    """Return notes that explain column headings; optional columns are explained only if a row has a value there."""
    scales = [scale for page in results.raters for scale in page.scales.values()]
    notes = [tr("sd: standard deviation. Longest run: equal values in succession. Seconds: median time per item.")]
    if any(scale.with_others is not None for scale in scales):
        notes.append(tr("Agreement with others on a scale: Pearson's r with the mean of the other raters."))
    if any(page.rankings is not None for page in results.raters):
        notes.append(tr("Agreement with others on rankings: share of pairs that another rater judged equally."))
    if any(scale.control is not None for scale in scales):
        notes.append(
            tr(
                "Quality control p: one-sided paired t-test of whether the rater gave degraded outputs lower values "
                "than the original outputs."
            )
        )
    return notes


def _rater_rows(page: RaterPage) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for name, scale in page.scales.items():
        control = scale.control.paired_t if scale.control is not None else None
        rows.append(
            (
                page.name, name, scale.n, scale.mean, scale.sd, scale.longest_run,
                scale.pace.median if scale.pace is not None else None, scale.with_others,
                None if control is None else format_p(control, P_DECIMALS),
            )
        )  # fmt: skip
    if page.rankings is not None:
        ranked = page.rankings
        seconds = ranked.pace.median if ranked.pace is not None else None
        rows.append(
            (
                page.name,
                tr("rankings"),
                ranked.judgements,
                None,
                None,
                None,
                seconds,
                ranked.agreement_with_others,
                None,
            )
        )
    return rows


@dataclass(frozen=True, slots=True, eq=False)
class RatingsReport(ReportBase):
    """Report on rating results and on conflicts between rating files.

    Unless `width` is 0, tables are adapted to a terminal of `width` columns.
    """

    results: RatingResults
    conflicts: Sequence[str] = ()
    width: int = 0
    heading: ClassVar[str] = tr("Ratings")

    @property
    def signature(self) -> str:
        """One-line signature with the settings needed to reproduce the numbers."""
        options = self.results.options
        runs = {} if self.results.trueskill is None else {"runs": self.results.trueskill.runs}
        parts = {
            "seed": options.seed, **runs, "rounds": options.rounds, "alpha": options.alpha,
            "standardise": options.standardise, "correction": options.correction, "repeats": options.repeats,
        }  # fmt: skip
        return settings_signature("ratings", parts)

    def content(self) -> dict[str, Any]:
        """Return all results as a dictionary for the JSON."""
        return ratings_json(self.results)

    def json(self) -> dict[str, Any]:
        """Return the JSON object that the command line writes. Undefined values are null; notes explain them."""
        # a dataclass with slots is a new class, which super() without arguments does not know
        return {**super(RatingsReport, self).json(), **({"conflicts": list(self.conflicts)} if self.conflicts else {})}

    def notes(self) -> list[str]:
        """Return the notes on the results."""
        return rating_notes(self.results)

    def tables(self) -> list[Table]:
        """Return the tables of systems, significance, agreement and raters, with the signature below the last table."""
        *first_tables, last = rating_tables(self.results, self.width)
        return [*first_tables, last.with_notes(self.signature)]

    def columns(self) -> list[Table]:
        """Return one table for scripts, with a row for each system."""
        return [totals_table(self.results)]

    def pictures(self) -> list[str]:
        """Return the significance matrix of each comparison as SVG, or a message if there are too many systems."""
        rankings = (self.results.scale_ranking, self.results.wins_ranking)
        return [self._matrix(ranking) for ranking in rankings if ranking is not None and len(ranking.systems) > 1]

    def _matrix(self, ranking: SystemRanking) -> str:
        title, options = comparison_title(ranking), self.results.options
        if len(ranking.systems) > MAX_MATRIX_SYSTEMS:
            return too_many_systems_text(title)
        legend = matrix_legend(options.alpha, options.correction, CORRECTION_LABELS[options.correction])
        return draw_matrix(ranking.systems, ranking.verdicts, range(len(ranking.systems)), title, legend)
