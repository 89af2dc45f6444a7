"""A comparison of systems as JSON and as tables: for each metric the ranking, and the matrix of p-values.

Matrices show the p that is judged, after correction; p as tested stands in the JSON and in the table of all pairs.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from qe_desktop.i18n.messages import join_localized, tr
from qe_desktop.report.format_values import format_verdict
from qe_desktop.report.power_notes import too_few_documents_note, too_few_rounds_note, too_few_segments_note
from qe_desktop.report.render.matrix_svg import matrix_or_title
from qe_desktop.report.render.tables import Cell, Table, title_after_pair
from qe_desktop.report.scores import (
    ABOUT_INTERVALS,
    documents_note,
    format_with_interval,
    intervals_json,
    json_number,
    negative_correlation_note,
    no_interval_notes,
    settings_signature,
    undefined_note,
)
from qe_desktop.significance import (
    CORRECTION_LABELS,
    Comparison,
    Correction,
    MetricComparison,
    SignificanceLevel,
    get_test,
    sign_meanings,
    top_and_bottom,
    unattainable_level,
)

if TYPE_CHECKING:
    from qe_desktop.levels import Scoring

Intervals = Mapping[str, NDArray[np.float64]]
"""By the names of metrics, shape (systems, 2) each."""


@dataclass(frozen=True, slots=True, eq=False)
class ComparisonReport:
    """Systems compared, with 95 % intervals where there are any, and remarks that go before the notes.

    `of(metric)` gives the matrices of one metric, whose rows and columns stand in the order of `systems`.
    """

    comparison: Comparison
    remarks: tuple[str, ...] = ()
    intervals: Intervals | None = None
    size: str = ""
    """On how many segments and items, for people."""
    signature: str = ""
    pair: str = ""
    """The language pair, where those of several stand one after the other."""

    @classmethod
    def made(
        cls,
        scoring: Scoring,
        comparison: Comparison,
        remarks: tuple[str, ...] = (),
        intervals: Intervals | None = None,
        drawn: Mapping[str, Any] | None = None,
    ) -> ComparisonReport:
        """The comparison of what is set beside its reference; `drawn` says how the intervals were."""
        level, options = scoring.level, comparison.options
        parts = {
            **level.signature(scoring), "test": options.test, "tails": get_test(options.test).tails,
            "rounds": options.rounds, "seed": options.seed, "unit": options.unit,
            "correction": options.correction, "alpha": options.alpha, **(drawn or {}),
        }  # fmt: skip
        made = settings_signature(level.group, parts)
        return cls(comparison, remarks, intervals, level.reported(scoring), made)

    @property
    def heading(self) -> str:
        """What a page of it is called."""
        return tr("Comparison")

    def of_pair(self, pair: str) -> ComparisonReport:
        """The same, whose tables and pictures name the pair."""
        return replace(self, pair=pair)

    @property
    def systems(self) -> tuple[str, ...]:
        """The systems in the order in which they were given."""
        return self.comparison.systems

    def of(self, metric: str) -> MetricComparison:
        """Scores, p, what is significant and the coefficients d by one metric; a KeyError for one not compared."""
        found = {one.metric.name.lower(): one for one in self.comparison.metrics}
        return found[metric.lower()]

    def notes(self) -> list[str]:
        """What a reader of the numbers must know."""
        lacking = [
            note
            for one in self.comparison.metrics
            if self.intervals is not None
            for note in no_interval_notes(one.metric, self.systems, one.scores, self.intervals[one.metric.name])
        ]
        return [*self.remarks, *comparison_notes(self.comparison), *lacking]

    def json(self) -> dict[str, Any]:
        """The command line's contract."""
        found = comparison_json(self.comparison, self.intervals)
        return {**found, "signature": self.signature, "notes": self.notes()}

    def tables(self) -> list[Table]:
        """The matrix of each metric; the notes and the signature stand below the first."""
        of = title_after_pair(self.pair, self.size)
        tables = [matrix_table(self.comparison, metric, intervals=self.intervals) for metric in self._metrics()]
        first, *others = (replace(table, title=title_after_pair(of, table.title)) for table in tables)
        below = [note for note in (*self.notes(), self.signature) if note]
        return [replace(first, notes=(*first.notes, *below)), *others]

    def columns(self) -> list[Table]:
        """All pairs of systems in one table."""
        return [pairs_table(self.comparison, self.intervals)]

    def pictures(self) -> list[str]:
        """The matrix of each metric."""
        titled = {metric: tr("{metric}: significance", metric=metric) for metric in self._metrics()}
        return [
            matrix_or_title(self.comparison, metric, title_after_pair(self.pair, title))
            for metric, title in titled.items()
        ]

    def _metrics(self) -> list[str]:
        return [one.metric.name for one in self.comparison.metrics]


def comparison_json(comparison: Comparison, intervals: Intervals | None = None) -> dict[str, Any]:
    """The command line's contract; "p" is uncorrected, "p_adjusted" and "significant" are after correction."""
    options = comparison.options
    first = comparison.metrics[0]
    found: dict[str, Any] = {
        "systems": [comparison.systems[place] for place in first.order],
        "segments": comparison.segments,
        "test": options.test,
        "tails": get_test(options.test).tails,
        "rounds": options.rounds,
        "exact": comparison.exact,
        "seed": options.seed,
        "unit": options.unit,
        "units": comparison.units,
        "correction": options.correction,
        "alpha": options.alpha,
        "metrics": {one.metric.name: _metric_json(comparison.systems, one) for one in comparison.metrics},
        "notes": comparison_notes(comparison),
    }
    if intervals is not None:
        found["intervals"] = intervals_json(comparison.systems, intervals)
    return found


def _metric_json(names: tuple[str, ...], one: MetricComparison) -> dict[str, Any]:
    order = [int(place) for place in one.order]
    return {
        "scores": {names[place]: json_number(one.scores[place]) for place in order},
        "p": {names[a]: {names[b]: json_number(one.p[a, b]) for b in order if b != a} for a in order},
        "p_adjusted": {names[a]: {names[b]: json_number(one.adjusted[a, b]) for b in order if b != a} for a in order},
        "p-error": {names[a]: {names[b]: float(one.error[a, b]) for b in order if b != a} for a in order},
        "significant": {names[a]: [names[b] for b in order if one.beats[a, b]] for a in order},
        "clusters": [[names[place] for place in cluster] for cluster in one.clusters],
        "d": json_number(one.d),
        "d_top": json_number(one.d_top),
        "d_bottom": json_number(one.d_bottom),
    }


def comparison_notes(comparison: Comparison) -> list[str]:
    """What a reader of the numbers must know."""
    found = []
    if comparison.exact:
        found.append(tr("All {n:,} swaps were enumerated, so p is exact.", "", comparison.rounds))
    for one in comparison.metrics:
        undefined = [name for name, value in zip(comparison.systems, one.scores, strict=True) if value != value]
        if undefined:
            found.append(undefined_note(one.metric, undefined))
        running = negative_correlation_note(one.metric, comparison.systems, one.scores, comparison.segments)
        found += [running] if running else []
        found += [join_localized(": ", (one.metric.name, one.metric.signature))] if one.metric.signature else []
    options, systems = comparison.options, len(comparison.systems)
    top, bottom = top_and_bottom(systems, options.top)
    found.append(
        tr(
            "d_top is over the {top} best {top:system|systems}, d_bottom over the other {bottom}; "
            "each is corrected for its own pairs.",
            top=top,
            bottom=bottom,
        )
    )
    split = documents_note(comparison.documents, comparison.segments)
    beware = [get_test(options.test).caution, split, reach_note(comparison)]
    return [*found, *(note for note in beware if note)]


def reach_note(comparison: Comparison) -> str:
    """Which level no pair can reach with so many rounds, and the number that suffices; empty where all can be."""
    missed = unattainable_level(comparison)
    if missed is None:
        return ""
    options = comparison.options
    if missed.rounds is not None:
        return too_few_rounds_note(comparison.rounds, options.correction, missed)
    too_few = too_few_documents_note if options.unit == "document" else too_few_segments_note
    return too_few(comparison.units, options.correction, missed)


def signs_note(alpha: float, correction: Correction) -> str:
    """What the signs of a matrix mean, and which p stands in it."""
    signs = ", ".join(f"{level.sign} {text}" for level, text in sign_meanings(alpha, correction).items())
    which = tr("p is uncorrected")
    if correction != "none":
        which = tr(
            "p in the table is adjusted by {name}'s correction, uncorrected p stands in the JSON",
            name=CORRECTION_LABELS[correction],
        )
    return f"{signs}; {which}"


def pairs_table(comparison: Comparison, intervals: Intervals | None = None) -> Table:
    """All pairs of all metrics as one long table for scripts, at full precision; the better system stands first.

    Clusters are numbered from 1, the best; a system that could not be tested is in none. With intervals, both systems'
    stand after that, and at the end the signature of a metric that has one.
    """
    header = (
        "metric", "system", "other", "score", "other score", "p", "p-error", "adjusted", "significant", "cluster",
        "other cluster", *(("low", "high", "other low", "other high") if intervals is not None else ()),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    signatures: list[str] = []
    for one in comparison.metrics:
        order = [int(place) for place in one.order]
        cluster = {place: number for number, places in enumerate(one.clusters, 1) for place in places}
        for rank, left in enumerate(order):
            for right in order[rank + 1 :]:
                signatures.append(one.metric.signature)
                ends = () if intervals is None else map(float, intervals[one.metric.name][[left, right]].ravel())
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
                        cluster.get(left),
                        cluster.get(right),
                        *ends,
                    )
                )
    return Table("", header, tuple(rows)).with_last("signature", signatures)


def matrix_table(comparison: Comparison, metric: str, decimals: int = 4, intervals: Intervals | None = None) -> Table:
    """Judged p of each pair, systems best first; the sign after p tells how sure the difference is."""
    one, verdicts = comparison.of(metric), comparison.verdicts(metric)
    order = [int(place) for place in one.order]
    names = comparison.systems
    rows: list[tuple[Cell, ...]] = []
    for left in order:
        cells = ["" if left == right else format_verdict(verdicts.pair(left, right), decimals) for right in order]
        score = float(one.scores[left])
        rows.append(
            (
                names[left],
                score if intervals is None else format_with_interval(score, intervals[metric][left], decimals),
                *cells,
            )
        )
    options = comparison.options
    said = signs_note(options.alpha, options.correction)
    if comparison.identical is not None and comparison.identical.sum() > len(names):
        identical = tr("identical output")
        said = f"{said}; {SignificanceLevel.IDENTICAL.sign} {identical}"
    error = "" if comparison.exact or not comparison.rounds else _error(one.error.max(), options.correction)
    d = Table("", ("",), ((one.d,), (one.d_top,), (one.d_bottom,)), 3).cells()
    coefficients = f"d = {d[0][0]}, d_top = {d[1][0]}, d_bottom = {d[2][0]}"
    drawn = "" if intervals is None else ABOUT_INTERVALS
    clusters = _clusters(names, one)
    remarks = tuple(remark for remark in (said, error, drawn, coefficients, clusters) if remark)
    header = (tr("system"), tr("score"), *(names[place] for place in order))
    return Table(_title(comparison, metric), header, tuple(rows), decimals, remarks)


def _title(comparison: Comparison, metric: str) -> str:
    """Which p stands in a matrix."""
    test, rounds, seed = get_test(comparison.options.test).title, comparison.rounds, comparison.options.seed
    if not rounds:
        return tr("{metric}. {test}: p in closed form", metric=metric, test=test)
    if comparison.options.unit == "segment":
        swaps = tr(
            "{metric}. {test}: p of all {n:,} swaps of segments", "", rounds, metric=metric, test=test,
        )  # fmt: skip
        drawn = tr(
            "{metric}. {test}: p of {n:,} {n:round|rounds} over segments, seed {seed}",
            "", rounds, metric=metric, test=test, seed=seed,
        )  # fmt: skip
    else:
        swaps = tr(
            "{metric}. {test}: p of all {n:,} swaps of documents", "", rounds, metric=metric, test=test,
        )  # fmt: skip
        drawn = tr(
            "{metric}. {test}: p of {n:,} {n:round|rounds} over documents, seed {seed}",
            "", rounds, metric=metric, test=test, seed=seed,
        )  # fmt: skip
    return swaps if comparison.exact else drawn


def _clusters(names: tuple[str, ...], one: MetricComparison) -> str:
    """Which systems no test parts, the best first."""
    parted = " | ".join(", ".join(names[place] for place in cluster) for cluster in one.clusters)
    return tr("Clusters, best first: {clusters}", clusters=parted)


def _error(greatest: float, correction: Correction) -> str:
    if correction == "none":
        return tr("Monte-Carlo error of p: ±{error:.4f} at most", error=greatest)
    return tr("Monte-Carlo error of uncorrected p: ±{error:.4f} at most", error=greatest)


def p_column_note(correction: Correction) -> str:
    """Which p a table for spreadsheets holds; in English, like all that is exchanged."""
    return "uncorrected p" if correction == "none" else f"p adjusted by {CORRECTION_LABELS[correction]}"


def matrix_numbers(comparison: Comparison, metric: str, order: Sequence[int] | None = None) -> Table:
    """The matrix of judged p for spreadsheets (`tsv`); the first header says which p it is.

    `order` are the places of the systems; without it they stand best first.
    """
    one = comparison.of(metric)
    order = [int(place) for place in (one.order if order is None else order)]
    names, correction = comparison.systems, comparison.options.correction
    rows = tuple(
        (names[a], float(one.scores[a]), *(None if a == b else float(one.adjusted[a, b]) for b in order)) for a in order
    )
    return Table("", (f"{metric}, {p_column_note(correction)}", "score", *(names[place] for place in order)), rows)
