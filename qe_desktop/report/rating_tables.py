"""The results of manual evaluation as tables: systems, significance, agreement, raters."""

from __future__ import annotations

from qe_desktop.ratings.agreement.ranking_agreement import WmtKappa
from qe_desktop.ratings.findings import Ranking, RaterPage, Results
from qe_desktop.report.comparisons import signs_note, which_p
from qe_desktop.report.names import (
    ALPHAS,
    EXACT,
    FLEISS,
    KAPPAS,
    RANDOLPH,
    RANKED,
    REPEATED,
    WINS,
    WITHIN_ONE,
    tells_one_apart,
)
from qe_desktop.report.p_values import p_text, verdict_text
from qe_desktop.report.ratings import figures, judged, little, notes
from qe_desktop.report.tables import Cell, Table
from qe_desktop.report.widths import fitted
from qe_desktop.significance import Correction
from qe_desktop.wording import listed, tr

_WINS = ("expected-wins", "bradley-terry", "trueskill", "ignoring-ties", "half-ties")
"""The figures of rankings that a table has room for."""
MOST_COMPARED = 25
"""Systems up to which a terminal shows p of each pair."""

_HEADINGS = {
    "raw": tr("raw"),
    "total": tr("total"),
    "total-z": tr("total-z"),
    **{name: figure.heading for name, figure in WINS.items() if figure.heading},
}
"""What people read over figures that are words; the others have names that are the same in every language."""


def rating_tables(results: Results, width: int = 0) -> list[Table]:
    """All tables for reading; with a `width`, as a terminal of so many columns can show them."""
    found = [systems_table(results)]
    for ranking in (results.scale_ranking, results.wins_ranking):
        if ranking is not None and len(ranking.systems) > 1:
            many = width and len(ranking.systems) > MOST_COMPARED
            found.append(beaten_table(results, ranking) if many else significance_table(results, ranking))
    if results.agreement or results.ranking_agreement is not None:
        found.append(agreement_table(results))
    if results.raters:
        found.append(raters_table(results))
    return [part for table in found for part in fitted(table, width)] if width else found


def systems_table(results: Results, decimals: int = 3) -> Table:
    """One row a system, best first, with all its figures and the number of its cluster."""
    names = _figure_names(results)
    cluster = {name: place + 1 for place, held in enumerate(results.clusters) for name in held}
    rows: list[tuple[Cell, ...]] = []
    for system in results.systems:
        held = figures(results, system)
        values: dict[str, float | None] = {name: one.value for name, one in held.items()}
        if system.wins is not None:
            values |= judged(system.wins)
        rows.append(
            (
                system.name, system.n, *(values.get(name) for name in names), cluster.get(system.name),
                system.rank_low, system.rank_high,
            )
        )  # fmt: skip
    # what a file calls its scales stays as it is
    worded = [name if name in results.scales else _HEADINGS.get(name, name) for name in names]
    header = (tr("system"), "n", *worded, tr("cluster"), tr("rank-low"), tr("rank-high"))
    clusters = tr("clusters: {method}, alpha {alpha:g}", method=results.clusters_by, alpha=results.options.alpha)
    return Table(_title(results), header, tuple(rows), decimals, (clusters, *notes(results)))


def _title(results: Results) -> str:
    what = []
    if results.scales:
        ratings = sum(system.scores.ratings for system in results.systems if system.scores is not None)
        scales = listed([_with_span(results, name) for name in results.scales])
        what.append(tr("{n:,} {n:rating|ratings} of {scales}", "", ratings, scales=scales))
    if results.ranked:
        judgements = sum(system.wins.judgements for system in results.systems if system.wins is not None) // 2
        what.append(tr("{n:,} {n:pairwise judgement|pairwise judgements}", "", judgements))
    return tr("Systems: {content}", content=", ".join(what))


def _with_span(results: Results, scale: str) -> str:
    """A scale with its span: adequacy (1–5), or score (values given: 0.5–7) where no scale in use fits."""
    span = results.spans.get(scale)
    if span is None:
        return scale
    return f"{scale} ({span})" if span.known else tr("{scale} (values given: {span})", scale=scale, span=span)


def _figure_names(results: Results) -> list[str]:
    names = dict.fromkeys(name for system in results.systems for name in figures(results, system))
    # with one scale its own name says the same as raw
    found = [name for name in names if not (len(results.scales) == 1 and name in results.scales)]
    if results.ranked:
        found += [name for name in _WINS if name != "trueskill" or results.trueskill is not None]
    return found


def totals_table(results: Results) -> Table:
    """The figures of each system with their intervals, for scripts (`tsv`): one row a system, best first."""
    table = systems_table(results)
    names = [
        name for name in _figure_names(results)
        if any((one := figures(results, system).get(name)) and one.low is not None for system in results.systems)
    ]  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for row, system in zip(table.rows, results.systems, strict=True):
        held = [figures(results, system).get(name) for name in names]
        rows.append((*row, *(end for one in held for end in ((one.low, one.high) if one else (None, None)))))
    header = (*table.header, *(f"{name} {end}" for name in names for end in ("low", "high")))
    return Table("", header, tuple(rows))


def significance_table(results: Results, ranking: Ranking, decimals: int = 4) -> Table:
    """Judged p of each pair, systems best first: the row is better than the column (or, sign test, they differ)."""
    verdicts, places = ranking.verdicts, range(len(ranking.systems))
    rows = tuple(
        (name, *(verdict_text(verdicts.claim(row, column), decimals) for column in places))
        for row, name in enumerate(ranking.systems)
    )
    options = results.options
    differ = tr("significant: they differ, and the one with more wins is better")
    said = differ if ranking.two_sided else tr("significant: the row beats the column")
    remarks = (f"{signs_note(options.alpha, options.correction)}; {said}", *little(results))
    return Table(compared(ranking), (tr("system"), *ranking.systems), rows, decimals, remarks)


def p_table(ranking: Ranking, correction: Correction) -> Table:
    """Judged p of every two systems, best first, for spreadsheets (`tsv`); the first header says which p it is."""
    rows: tuple[tuple[Cell, ...], ...] = tuple(
        (name, *map(float, ranking.adjusted[place])) for place, name in enumerate(ranking.systems)
    )
    return Table(ranking.method, (f"system, {which_p(correction)}", *ranking.systems), rows)


def beaten_table(results: Results, ranking: Ranking) -> Table:
    """How many systems each is significantly better and worse than, for many systems."""
    wins, losses = ranking.beats.sum(axis=1).tolist(), ranking.beats.sum(axis=0).tolist()
    said = tr("alpha {alpha:g}; p of each pair is in the JSON", alpha=results.options.alpha)
    rows = tuple(zip(ranking.systems, wins, losses, strict=True))
    header = (tr("system"), tr("better than"), tr("worse than"))
    return Table(compared(ranking), header, rows, notes=(said, *little(results)))


def compared(ranking: Ranking) -> str:
    """What a comparison of systems is called."""
    return tr("Significance: {method}", method=ranking.method)


def agreement_table(results: Results, decimals: int = 3) -> Table:
    """Every measure of agreement, a dash where it is undefined."""
    rows: list[tuple[Cell, ...]] = []
    for name, found in results.agreement.items():
        rows += [(name, ALPHAS[level].table, one.value, one.n) for level, one in found.krippendorff.items()]
        rows += [(name, KAPPAS[weights].table, one.value, one.n) for weights, one in found.cohen.items()]
        rows += [(name, FLEISS.table, found.fleiss.value, found.fleiss.n)]
        rows += [(name, RANDOLPH.table, found.randolph.value, found.randolph.n)]
        rows += [(name, EXACT.table, found.exact, found.units)]
        if tells_one_apart(results.spans.get(name)):
            rows += [(name, WITHIN_ONE.table, found.within_one, found.units)]
        again = results.intra.get(name)
        if again is not None and again.n:
            rows += [
                (name, REPEATED["exact"].table, again.exact, again.n),
                (name, REPEATED["distance"].table, again.mean_abs_difference, again.n),
                (name, REPEATED["ordinal"].table, again.ordinal.value, again.n),
            ]
    between = results.ranking_agreement
    if between is not None:
        for key, measure in RANKED.items():
            kappa: WmtKappa = getattr(between, key)
            rows.append((tr("rankings"), measure.table, kappa.kappa, kappa.comparable))
    return Table(tr("Agreement"), (tr("scale"), tr("measure"), tr("value"), "n"), tuple(rows), decimals)


def raters_table(results: Results, decimals: int = 2) -> Table:
    """One row a rater and scale; what stands out is said below."""
    rows = tuple(row for page in results.raters for row in _rater_rows(page))
    header = (
        tr("rater"), tr("of", "over the column of scales"), "n", tr("mean"), tr("sd"), tr("longest run"),
        tr("with others"), tr("seconds"), tr("control p"),
    )  # fmt: skip
    remarks = tuple(f"{page.name}: {'; '.join(page.remarks)}" for page in results.raters if page.remarks)
    return Table(tr("Raters"), header, rows, decimals, remarks)


def _rater_rows(page: RaterPage) -> list[tuple[Cell, ...]]:
    rows: list[tuple[Cell, ...]] = []
    for name, scale in page.scales.items():
        control = scale.control.paired_t if scale.control is not None else None
        rows.append(
            (
                page.name, name, scale.n, scale.mean, scale.sd, scale.longest_run, scale.with_others,
                scale.pace.median if scale.pace is not None else None,
                None if control is None else p_text(control, 4),
            )
        )  # fmt: skip
    if page.rankings is not None:
        ranked = page.rankings
        seconds = ranked.pace.median if ranked.pace is not None else None
        rows.append((page.name, tr("rankings"), ranked.judgements, None, None, None, ranked.with_others, seconds, None))
    return rows
